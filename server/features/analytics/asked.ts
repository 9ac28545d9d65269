import type { ISql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import type { AnalyticsQuery } from '../../contract/analytics.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { INSTANCE } from '../ledger/record.ts';
import { dayAfter, dayOf, daysFrom } from './days.ts';

const DAYS_MAX = 366;

/**
 * Days of the UTC calendar, both included, and a community; null: all together. `partition` is its key in the counts of
 * distinct people.
 */
export type AnalyticsScope = { from: string; to: string; communityId: string | null; partition: string; now: Date };

/**
 * Reads the requested range and community. The default is 30 days; a number of days ends with yesterday, because today
 * is not over. Throws 404 `NOT_FOUND` for an unknown community, 422 `DATE_OUT_OF_RANGE` for an invalid range.
 */
export async function readScope(sql: ISql, query: AnalyticsQuery, now: Date): Promise<AnalyticsScope> {
  const communityId = query.community === undefined ? null : await findCommunity(sql, query.community);
  return { ...rangeOf(query, now), communityId, partition: communityId ?? INSTANCE, now };
}

function rangeOf({ days = '30', from, to }: AnalyticsQuery, now: Date): Pick<AnalyticsScope, 'from' | 'to'> {
  const yesterday = dayAfter(dayOf(now), -1);
  if (from === undefined && to === undefined) return { from: dayAfter(yesterday, 1 - Number(days)), to: yesterday };
  const last = to ?? yesterday;
  const first = from ?? dayAfter(last, 1 - Number(days));
  const count = daysFrom(first, last);
  if (!(count >= 1 && count <= DAYS_MAX) || last > dayOf(now))
    throw new HttpError(
      422,
      'DATE_OUT_OF_RANGE',
      'Choose days up to today, at most a year of them, the first one first.',
      {
        details: { field: 'from' } satisfies ErrorDetails['DATE_OUT_OF_RANGE'],
      },
    );
  return { from: first, to: last };
}

async function findCommunity(sql: ISql, named: string): Promise<string> {
  const [found] = await sql<{ id: string }[]>`select id from communities where slug = ${named} or id::text = ${named}`;
  if (!found) throw notFound('community');
  return found.id;
}

/** Condition on a table of counts: days of the range, of the community where one is looked at. */
export const within = (
  sql: ISql,
  { from, to, communityId }: Pick<AnalyticsScope, 'from' | 'to' | 'communityId'>,
) => sql`
  day >= ${from}::date and day <= ${to}::date and ${
    communityId === null ? sql`true` : sql`community_id = ${communityId}`
  }`;

/** The range for an answer, and the time until which everything is counted. */
export async function datedOf(
  sql: ISql,
  { from, to, now }: AnalyticsScope,
): Promise<{ range: { from: string; to: string }; countedAt: string | null }> {
  const [next] = await sql<{ at: Date }[]>`
    select e.at from count_queue q join claim_events e on e.id = q.event_id order by q.event_id limit 1`;
  return { range: { from, to }, countedAt: (next?.at ?? now).toISOString() };
}

/** `as day` of each day of the range, in order. */
export const eachDay = (sql: ISql, { from, to }: AnalyticsScope) =>
  sql`(select generate_series(${from}::date::timestamp, ${to}::date::timestamp, '1 day')::date as day) each`;
