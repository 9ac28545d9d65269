import './glance.css';
import { useQuery } from '@tanstack/react-query';
import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { minutesWord, partWord, sumOf } from './figures.ts';
import { peopleRead, retentionRead } from './people-widgets.tsx';
import type { AnalyticsRange } from './range.ts';
import { offlineRead, reviewsRead } from './work-widgets.tsx';

/** Six key figures in one line, each from the section that explains it; a dash where that is missing. */
export function Glance({ range }: { range: AnalyticsRange }) {
  const people = useQuery(peopleRead(range)).data;
  const cohorts = useQuery(retentionRead(range)).data?.cohorts ?? [];
  const reviews = useQuery(reviewsRead(range)).data;
  const days = useQuery(offlineRead(range)).data?.days ?? [];
  const active = (of: 'day' | 'week' | 'month') => (people ? number(people.active[of]) : m.analytics_unknown());
  const cells = [
    { label: m.analytics_glance_day(), value: active('day') },
    { label: m.analytics_glance_week(), value: active('week') },
    { label: m.analytics_glance_month(), value: active('month') },
    {
      label: m.analytics_glance_return(),
      value: partWord(sumOf(cohorts.map(({ day7 }) => day7.back)), sumOf(cohorts.map(({ day7 }) => day7.due))),
    },
    { label: m.analytics_glance_review(), value: minutesWord(reviews?.minutes.p50 ?? null) },
    {
      label: m.analytics_glance_late(),
      value: partWord(sumOf(days.map(({ late }) => late)), sumOf(days.map(({ made }) => made))),
    },
  ];
  return (
    <section className="card glance" aria-label={m.analytics_glance()}>
      <dl>
        {cells.map(({ label, value }) => (
          <div key={label} className="glance__figure">
            <dt className="text-small text-muted">{label}</dt>
            <dd>
              {value === m.analytics_unknown() ? (
                <>
                  <span aria-hidden="true">{value}</span>
                  <span className="visually-hidden">{m.analytics_unknown_words()}</span>
                </>
              ) : (
                value
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
