import type { TransactionSql } from 'postgres';
import type { Analytics } from '../../contract/rooms.ts';
import { countWaiting } from '../claims/review.ts';

const DAY_MS = 86_400_000;

type DaysScope = { communityId: string; userId: string; days: number; now: Date };

/**
 * What works in a community, over the last `days` days of the UTC calendar, today among them. Active is who sent a
 * claim. `sql` must be one snapshot. `userId` is the asker: what waits, waits for them.
 */
export async function readAnalytics(
  sql: TransactionSql,
  { communityId, userId, days, now }: DaysScope,
): Promise<Analytics> {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const back = (count: number) => new Date(today - (count - 1) * DAY_MS);
  const since = back(days);
  const sent = (from: Date) => sql`community_id = ${communityId} and submitted_at >= ${from}`;
  const [byDay, [members], [delay], waiting, tasks] = await Promise.all([
    readDays(sql, communityId, since, new Date(today)),
    sql<[Analytics['members']]>`
      select (select count(*)::int from community_members where community_id = ${communityId}) as "all",
        (select count(distinct user_id)::int from claims where ${sent(back(7))}) as active7,
        (select count(distinct user_id)::int from claims where ${sent(back(28))}) as active28`,
    // For an appeal, since it was made. Manual points waited for nobody.
    sql<[{ p50: number | null; p90: number | null }]>`
      select percentile_cont(0.5) within group (order by minutes) as p50,
        percentile_cont(0.9) within group (order by minutes) as p90
      from (
        select extract(epoch from c.decided_at
          - case when c.appeal_outcome in ('granted', 'refused') then c.appeal_at else c.submitted_at end)::float8 / 60 as minutes
        from claims c join tasks t on t.id = c.task_id
        where c.community_id = ${communityId} and c.decided_at >= ${since} and c.decided_by is not null
          and c.state <> 'reversed' and t.kind <> 'manual'
      ) decided`,
    countWaiting(sql, { communityId, reviewerId: userId }),
    sql<Analytics['tasks']>`
      select t.id as "taskId", t.title,
        (select count(distinct user_id)::int from claims where ${sent(since)}) as active,
        coalesce(c.claimed, 0) as claimed, coalesce(c.approved, 0) as approved, coalesce(c.rejected, 0) as rejected
      from tasks t
      left join (
        select task_id, count(distinct user_id)::int as claimed,
          count(distinct user_id) filter (where state = 'approved')::int as approved,
          count(distinct user_id) filter (where state = 'rejected' and decided_by is not null)::int as rejected
        from claims where ${sent(since)} group by task_id
      ) c on c.task_id = t.id
      where t.community_id = ${communityId} and (t.status = 'live' or c.claimed > 0)
      order by coalesce(c.claimed, 0) desc, t.created_at, t.id`,
  ]);
  return { asOf: now.toISOString(), days: byDay, members, reviewMinutes: { ...delay, waiting }, tasks };
}

/** One row for each day of the range, including days without events. */
async function readDays(sql: TransactionSql, communityId: string, first: Date, last: Date): Promise<Analytics['days']> {
  return sql<Analytics['days']>`
    with sent as (
      select (submitted_at at time zone 'UTC')::date as day, count(*)::int as claims,
        count(distinct user_id)::int as active
      from claims where community_id = ${communityId} and submitted_at >= ${first} group by 1
    ), decided as (
      select (decided_at at time zone 'UTC')::date as day, count(*)::int as approved
      from claims where community_id = ${communityId} and decided_at >= ${first} and state = 'approved' group by 1
    ), joined as (
      select (joined_at at time zone 'UTC')::date as day, count(*)::int as joined
      from community_members where community_id = ${communityId} and joined_at >= ${first} group by 1
    ), counted as (
      select (at at time zone 'UTC')::date as day, sum(points)::float8 as points
      from point_events where community_id = ${communityId} and at >= ${first} group by 1
    )
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(active, 0) as active, coalesce(joined, 0) as joined,
      coalesce(claims, 0) as claims, coalesce(approved, 0) as approved, coalesce(points, 0) as points
    from (
      select generate_series((${first}::timestamptz at time zone 'UTC'), (${last}::timestamptz at time zone 'UTC'), '1 day')::date as day
    ) d
    left join sent using (day) left join decided using (day) left join joined using (day) left join counted using (day)
    order by d.day`;
}
