import './analytics-screen.css';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { calendarDay, number, stampTime } from '../../../lib/format.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Button } from '../../../ui/button.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Screen } from '../../../ui/screen.tsx';
import { Segment } from '../../../ui/segment.tsx';
import { ForStaff } from '../for-staff.tsx';
import { Glance } from './glance.tsx';
import { Funnel, People, peopleRead, Retention } from './people-widgets.tsx';
import { type AnalyticsRange, SPANS, useAnalyticsRange } from './range.ts';
import { Installs, Push } from './reach-widgets.tsx';
import { Offline, Reviews, Tasks } from './work-widgets.tsx';

/** `/admin/analytics`: counts of activity by day; offline, the last ones seen. */
export function AnalyticsScreen() {
  return (
    <Screen title={m.analytics_title()}>
      <ForStaff>
        <Page />
      </ForStaff>
    </Screen>
  );
}

function Page() {
  const { range, setDays, setDates, setCommunity } = useAnalyticsRange();
  return (
    <>
      <div className="analytics-asked">
        <Segment
          label={m.analytics_range()}
          options={SPANS.map((value) => ({
            value,
            label: m.analytics_days({ count: Number(value), n: number(Number(value)) }),
          }))}
          value={range.days ?? ('' as (typeof SPANS)[number])}
          onChange={setDays}
        />
        <CommunityChoice chosen={range.community ?? ''} onChoose={setCommunity} />
      </div>
      <About range={range} />
      <OtherDays key={`${range.from} ${range.to}`} range={range} onChoose={setDates} />
      <Glance range={range} />
      <div className="chart-grid">
        <People range={range} />
        <Retention range={range} />
        <Funnel range={range} />
        <Reviews range={range} />
        <Offline range={range} />
        <Push range={range} />
        <Installs range={range} />
        <Tasks range={range} />
      </div>
    </>
  );
}

const communities = read('GET /api/admin/analytics/communities');

function CommunityChoice({ chosen, onChoose }: { chosen: string; onChoose: (community: string) => void }) {
  const list = useQuery(communities).data ?? [];
  const options = [
    { value: '', label: m.analytics_all_communities() },
    ...list.map(({ slug, name }) => ({ value: slug, label: name })),
  ];
  // A link may name a community by id, or one that is not among the largest.
  const listedSlug = list.find(({ id }) => id === chosen)?.slug ?? chosen;
  if (!options.some(({ value }) => value === listedSlug)) options.push({ value: listedSlug, label: listedSlug });
  return <Select label={m.analytics_community()} options={options} value={listedSlug} onValue={onChoose} />;
}

/** Which days these are, when they were counted, and whether some are incomplete. */
function About({ range: days }: { range: AnalyticsRange }) {
  const { data } = useQuery(peopleRead(days));
  if (!data) return <p className="analytics-about text-small text-muted" />;
  const { range, countedAt, uncounted } = data;
  return (
    <p className="analytics-about text-small text-muted">
      {m.analytics_about({ from: calendarDay(range.from), to: calendarDay(range.to) })}
      {days.to === undefined && ` ${m.analytics_ends_yesterday()}`}
      {countedAt !== null && ` ${m.analytics_counted({ time: stampTime(countedAt) })}`}
      {uncounted > 0 && ` ${m.analytics_uncounted({ count: uncounted, n: number(uncounted) })}`}
    </p>
  );
}

const DAY_MS = 86_400_000;
const LONGEST_DAYS = 366;

/** A custom range of up to a year. */
function OtherDays({ range, onChoose }: { range: AnalyticsRange; onChoose: (from: string, to: string) => void }) {
  const [from, setFrom] = useState(range.from ?? '');
  const [to, setTo] = useState(range.to ?? '');
  const [isWrong, setWrong] = useState(false);
  const choose = (event: FormEvent) => {
    event.preventDefault();
    const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
    const isRange = days >= 1 && days <= LONGEST_DAYS && Date.parse(to) <= Date.now();
    setWrong(!isRange);
    if (isRange) onChoose(from, to);
  };
  return (
    <details className="disclosure" open={range.from !== undefined}>
      <summary className="text-small">{m.analytics_choose_days()}</summary>
      <form className="analytics-days" onSubmit={choose} noValidate>
        <Field label={m.analytics_from()} type="date" value={from} onValue={setFrom} required />
        <Field
          label={m.analytics_to()}
          type="date"
          value={to}
          onValue={setTo}
          required
          error={isWrong ? m.analytics_wrong_days() : null}
        />
        <Button type="submit" kind="edge">
          {m.analytics_show_days()}
        </Button>
      </form>
    </details>
  );
}
