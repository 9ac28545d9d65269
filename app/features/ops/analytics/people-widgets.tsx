import './cohorts.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FunnelStep, RetentionFigures } from '../../../../server/contract/analytics.ts';
import { calendarDay, calendarMonth, number } from '../../../lib/format.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Segment } from '../../../ui/segment.tsx';
import { changeOf, partWord, sumOf } from './figures.ts';
import { FiguresTable } from './figures-table.tsx';
import { HatchList } from './hatch-list.tsx';
import type { AnalyticsRange } from './range.ts';
import { StrokeChart } from './stroke-chart.tsx';
import { Line, Nothing, Widget } from './widget.tsx';

export const peopleRead = (range: AnalyticsRange) => read('GET /api/admin/analytics/people', undefined, range);
export const retentionRead = (range: AnalyticsRange) => read('GET /api/admin/analytics/retention', undefined, range);
const funnelRead = (range: AnalyticsRange) => read('GET /api/admin/analytics/funnel', undefined, range);

const SPANS = ['day', 'week', 'month'] as const;
type Span = (typeof SPANS)[number];
const SPAN_WORDS = { day: m.analytics_by_day, week: m.analytics_by_week, month: m.analytics_by_month } as const;
const COLUMN_WORDS = { day: m.analytics_day, week: m.analytics_week_from, month: m.analytics_month } as const;
const STEP_WORDS = {
  day: m.analytics_steps_day,
  week: m.analytics_steps_week,
  month: m.analytics_steps_month,
} as const;

/** Active people by day, week or month. */
export function People({ range }: { range: AnalyticsRange }) {
  const reading = peopleRead(range);
  const query = useQuery(reading);
  const [span, setSpan] = useState<Span>('day');
  const name = m.analytics_people();
  return (
    <Widget
      name={name}
      table="people"
      range={range}
      query={query}
      queryKey={reading.queryKey}
      note={m.analytics_people_line()}
    >
      {({ days, weeks, months }) => {
        const counts = { day: days, week: weeks, month: months }[span];
        const labelOf = (starts: string) =>
          span === 'month' ? calendarMonth(starts.slice(0, 7)) : calendarDay(starts);
        const wordsOf = (people: number) => m.analytics_people_count({ count: people, n: number(people) });
        return (
          <>
            <Line>{changeWords(days.map(({ people }) => people))}</Line>
            <Segment
              label={m.analytics_by()}
              options={SPANS.map((value) => ({ value, label: SPAN_WORDS[value]() }))}
              value={span}
              onChange={setSpan}
            />
            <StrokeChart
              key={span}
              name={name}
              steps={STEP_WORDS[span]({ count: counts.length, n: number(counts.length) })}
              points={counts.map(({ starts, people }) => ({
                key: starts,
                label: labelOf(starts),
                words: m.analytics_point({ label: labelOf(starts), value: wordsOf(people) }),
                first: people,
              }))}
            />
            <FiguresTable
              name={name}
              columns={[COLUMN_WORDS[span](), m.analytics_people_column()]}
              rows={counts.map(({ starts, people }) => ({
                key: starts,
                name: labelOf(starts),
                cells: [number(people)],
              }))}
            />
          </>
        );
      }}
    </Widget>
  );
}

function changeWords(values: readonly number[]): string {
  if (sumOf(values) === 0) return m.analytics_people_none();
  const change = changeOf(values);
  if (change === null) return m.analytics_people_most({ n: number(Math.max(...values)) });
  const percent = Math.round(Math.abs(change) * 100);
  const n = m.analytics_percent({ n: number(percent) });
  if (percent === 0) return m.analytics_people_same();
  return change > 0 ? m.analytics_people_up({ n }) : m.analytics_people_down({ n });
}

const RETURNS = [
  { days: 1, of: 'day1' },
  { days: 7, of: 'day7' },
  { days: 30, of: 'day30' },
] as const;

/** Retention by fortnight of arrival, drawn as a table. */
export function Retention({ range }: { range: AnalyticsRange }) {
  const reading = retentionRead(range);
  const query = useQuery(reading);
  const name = m.analytics_retention();
  return (
    <Widget name={name} table="retention" range={range} query={query} queryKey={reading.queryKey}>
      {({ cohorts }) => (
        <>
          <Line>
            {range.community === undefined ? m.analytics_retention_line() : m.analytics_retention_line_community()}
          </Line>
          {cohorts.every(({ people }) => people === 0) ? (
            <Nothing>{m.analytics_retention_none()}</Nothing>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard
            <section className="cohorts" tabIndex={0} aria-label={m.analytics_of_table({ name })}>
              <table>
                <caption className="visually-hidden">{name}</caption>
                <thead>
                  <tr>
                    <th scope="col">{m.analytics_joined_from()}</th>
                    <th scope="col">{m.analytics_people_column()}</th>
                    {RETURNS.map(({ days }) => (
                      <th key={days} scope="col">
                        {m.analytics_day_n({ n: number(days) })}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {cohorts.map((cohort) => (
                    <tr key={cohort.from}>
                      <th scope="row">{calendarDay(cohort.from)}</th>
                      <td className="numeric">{number(cohort.people)}</td>
                      {RETURNS.map(({ days, of }) => (
                        <Cell key={days} people={cohort.people} returned={cohort[of]} />
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          )}
        </>
      )}
    </Widget>
  );
}

type Returned = RetentionFigures['cohorts'][number]['day1'];

/** A share, dashed while some of these people have not reached that day yet. */
function Cell({ people, returned: { due, back } }: { people: number; returned: Returned }) {
  if (due === 0)
    return (
      <td>
        <span className="cohorts__cell cohorts__cell--unknown">
          <span aria-hidden="true">{m.analytics_unknown()}</span>
          <span className="visually-hidden">{m.analytics_not_yet()}</span>
        </span>
      </td>
    );
  const words = { share: partWord(back, due), back: number(back), due: number(due) };
  const isOpen = due < people;
  const strength = Math.min(4, Math.floor((back / due) * 8));
  return (
    <td>
      <span className={isOpen ? 'cohorts__cell cohorts__cell--open' : `cohorts__cell cohorts__cell--${strength}`}>
        <span aria-hidden="true">{words.share}</span>
        <span className="visually-hidden">{isOpen ? m.analytics_cell_open(words) : m.analytics_cell(words)}</span>
      </span>
    </td>
  );
}

const STEPS: Record<FunnelStep, () => string> = {
  landing: m.analytics_step_landing,
  telegram: m.analytics_step_telegram,
  x: m.analytics_step_x,
  verified: m.analytics_step_verified,
  joined: m.analytics_step_joined,
  first_answer: m.analytics_step_first_answer,
  first_approved: m.analytics_step_first_approved,
  day7: m.analytics_step_day7,
};

/** How far people got from the first page to day 7; for a community, from joining on. */
export function Funnel({ range }: { range: AnalyticsRange }) {
  const reading = funnelRead(range);
  const query = useQuery(reading);
  const isCommunity = range.community !== undefined;
  const name = isCommunity ? m.analytics_funnel_community() : m.analytics_funnel();
  const nameOf = (step: FunnelStep) =>
    isCommunity && step === 'joined' ? m.analytics_step_joined_here() : STEPS[step]();
  return (
    <Widget
      name={name}
      table="funnel"
      range={range}
      query={query}
      queryKey={reading.queryKey}
      {...(!isCommunity && { note: m.analytics_funnel_landing_note() })}
    >
      {({ steps }) => {
        const before = (at: number) => steps[at - 1]?.count ?? 0;
        // Lost page views are not lost people.
        const lost = (at: number) =>
          at === 0 || steps[at - 1]?.step === 'landing' ? 0 : before(at) - (steps[at]?.count ?? 0);
        const worst = steps.reduce((found, _, at) => (lost(at) > lost(found) ? at : found), 0);
        const rows = steps.map(({ step, count }, at) => ({
          key: step,
          name: nameOf(step),
          count,
          share: at === 0 ? null : partWord(count, before(at)),
          stands: at === worst && lost(at) > 0,
        }));
        if (sumOf(steps.map(({ count }) => count)) === 0) return <Nothing>{m.analytics_funnel_none()}</Nothing>;
        return (
          <>
            <Line>
              {m.analytics_funnel_line()}
              {lost(worst) > 0 &&
                ` ${m.analytics_funnel_lost({
                  step: rows[worst]?.name ?? '',
                  lost: number(lost(worst)),
                  before: number(before(worst)),
                })}`}
            </Line>
            <p className="cohorts__note text-tiny text-muted">{m.analytics_funnel_note()}</p>
            <HatchList rows={rows} />
            <FiguresTable
              name={name}
              columns={[m.analytics_step(), m.analytics_count(), m.analytics_of_before()]}
              rows={rows.map(({ key, name: step, count, share }) => ({
                key,
                name: step,
                cells: [number(count), share ?? m.analytics_unknown()],
              }))}
            />
          </>
        );
      }}
    </Widget>
  );
}
