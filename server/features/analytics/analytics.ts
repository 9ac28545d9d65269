import type { TransactionSql } from 'postgres';
import type { Analytics } from '../../contract/rooms.ts';
import { countWaiting } from '../claims/waiting.ts';
import { dayAfter, dayOf } from './days.ts';
import { quantileOf, readWaits } from './waits.ts';

type DaysScope = { communityId: string; userId: string; days: number; now: Date };

/**
 * What works in a community, over the last `days` days of the UTC calendar, today among them. Active is who sent an answer.
 * `sql` must be one snapshot. `userId` is the asker: what waits, waits for them.
 */
export async function readAnalytics(
  sql: TransactionSql,
  { communityId, userId, days, now }: DaysScope,
): Promise<Analytics> {
  const today = dayOf(now);
  const since = dayAfter(today, 1 - days);
  const [byDay, [members], waits, waiting, tasks] = await Promise.all([
    readDays(sql, communityId, since, today),
    sql<[Analytics['members']]>`
      select c.members as "all",
        coalesce(max(people) filter (where span = 'week' and starts = ${dayAfter(today, -6)}), 0) as active7,
        coalesce(max(people) filter (where span = '28 days' and starts = ${dayAfter(today, -27)}), 0) as active28
      from communities c left join active_counts a
        on a.community_id = c.id and starts in (${dayAfter(today, -6)}, ${dayAfter(today, -27)})
      where c.id = ${communityId} group by c.id`,
    readWaits(sql, { from: since, to: today, communityId }, 'decision'),
    countWaiting(sql, { communityId, reviewerId: userId }),
    sql<Analytics['tasks']>`
      select t.id as "taskId", t.title, coalesce(c.made, 0) as answers, coalesce(c.approved, 0) as approved,
        coalesce(c.rejected, 0) as rejected
      from tasks t
      left join (
        select task_id, sum(made)::int as made, sum(approved)::int as approved, sum(refused)::int as rejected
        from claim_days where community_id = ${communityId} and day >= ${since} group by task_id
      ) c on c.task_id = t.id
      where t.community_id = ${communityId} and (t.status = 'live' or c.made > 0)
      order by coalesce(c.made, 0) desc, t.created_at, t.id`,
  ]);
  const reviewMinutes = { p50: quantileOf(waits, 0.5), p90: quantileOf(waits, 0.9), waiting };
  return { asOf: now.toISOString(), days: byDay, members, reviewMinutes, tasks };
}

/** One row for each day of the range, including days without events. */
async function readDays(
  sql: TransactionSql,
  communityId: string,
  first: string,
  last: string,
): Promise<Analytics['days']> {
  return sql<Analytics['days']>`
    with sent as (
      select day, sum(made)::int as claims, sum(approved)::int as approved
      from claim_days where community_id = ${communityId} and day >= ${first} group by 1
    ), active as (
      select starts as day, people as active from active_counts
      where community_id = ${communityId} and span = 'day' and starts >= ${first}
    ), joined as (
      select (joined_at at time zone 'UTC')::date as day, count(*)::int as joined
      from community_members where community_id = ${communityId} and joined_at >= ${new Date(first)} group by 1
    ), counted as (
      select day, points::float8 from point_days where community_id = ${communityId} and day >= ${first}
    )
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(active, 0) as active, coalesce(joined, 0) as joined,
      coalesce(claims, 0) as claims, coalesce(approved, 0) as approved, coalesce(points, 0) as points
    from (select generate_series(${first}::date, ${last}::date, '1 day')::date as day) d
    left join sent using (day) left join active using (day) left join joined using (day) left join counted using (day)
    order by d.day`;
}
