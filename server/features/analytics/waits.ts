import type { ISql } from 'postgres';
import type { ReviewFigures } from '../../contract/analytics.ts';
import { type AnalyticsScope, within } from './asked.ts';

/** How often each number of minutes was waited, the fewest minutes first. */
export type Waits = readonly { minutes: number; count: number }[];

/** Minutes after which people feel a difference: an hour, an afternoon, a day. */
const EDGES = [0, 60, 180, 300, 720, 1_440] as const;

/** Minutes that were waited on the days of the range, each with how often, the shortest first. */
export const readWaits = (
  sql: ISql,
  scope: Pick<AnalyticsScope, 'from' | 'to' | 'communityId'>,
  what: 'decision' | 'replay',
) => sql<{ minutes: number; count: number }[]>`
  select minutes, sum(count)::int as count from wait_days
  where what = ${what} and ${within(sql, scope)} group by minutes order by minutes`;

/** The smallest number of minutes within which this share was done; null where there is none. Exact to the minute. */
export function quantileOf(waits: Waits, share: number): number | null {
  const all = waits.reduce((sum, { count }) => sum + count, 0);
  let seen = 0;
  for (const { minutes, count } of waits) {
    seen += count;
    if (seen >= all * share) return minutes;
  }
  return null;
}

/** The same as a few steps, the last of which has no end. */
export const bucketsOf = (waits: Waits): ReviewFigures['buckets'] =>
  EDGES.map((fromMinutes, at) => {
    const toMinutes = EDGES[at + 1] ?? null;
    const count = waits
      .filter(({ minutes }) => minutes >= fromMinutes && (toMinutes === null || minutes < toMinutes))
      .reduce((sum, one) => sum + one.count, 0);
    return { fromMinutes, toMinutes, count };
  });
