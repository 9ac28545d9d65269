import type { ISql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { SNAPSHOT } from '../../domain/snapshot.ts';
import { INSTANCE } from './record.ts';
import { countedAt } from './scores.ts';

export type Drift = {
  board: string;
  communityId: string | null;
  period: string;
  what: string;
  kept: number;
  counted: number;
};
const SHOWN = 20;

/**
 * Differences between the ledger and everything derived from it: every member's scores (all time, latest day, week,
 * month and season; the instance's too, less what is pending there), and the counts of every board. Empty when all is
 * well; else the first `SHOWN`. `sql` must be one snapshot, or nobody may write meanwhile.
 */
export async function readDrift(sql: ISql): Promise<Drift[]> {
  return sql<Drift[]>`
    with lines as (
      select e.community_id, e.user_id, e.points, (${sql.unsafe(countedAt('e'))}) at time zone 'UTC' as at, e.season_id,
        n.started_at
      from point_events e left join seasons n on n.id = e.season_id
      union all
      select ${INSTANCE}::uuid, user_id, points, at at time zone 'UTC', null, null from point_events e
      where instance and not exists (
        select from instance_queue q where q.community_id = e.community_id and q.event_id = e.id)
    ), totals as (
      select l.community_id, l.user_id, b.kind, b.part, max(b.latest) as latest, sum(points)::int as points
      from lines l cross join lateral (values
        ('all', '', ''), ('day', ':' || to_char(at, 'YYYY-MM-DD'), to_char(at, 'YYYY-MM-DD')),
        ('week', ':' || to_char(at, 'IYYY-"W"IW'), to_char(at, 'IYYY-"W"IW')),
        ('month', ':' || to_char(at, 'YYYY-MM'), to_char(at, 'YYYY-MM')),
        ('season', ':' || season_id, to_char(started_at at time zone 'UTC', 'YYYYMMDDHH24MISSUS'))
      ) as b (kind, part, latest)
      where b.part is not null group by 1, 2, 3, 4
    ), sums as (
      select distinct on (community_id, user_id, kind) community_id, kind || part as period, user_id, points
      from totals order by community_id, user_id, kind, latest collate "C" desc
    ), points as (
      select 'standings' as board, community_id, period, user_id::text as what,
        coalesce(standing.points, 0) as kept, coalesce(sums.points, 0) as counted
      from sums full join standings standing using (community_id, period, user_id)
      where coalesce(standing.points, 0) <> coalesce(sums.points, 0)
    ), counts as (
      select 'counts' as board, null::uuid as community_id, period::text || ' ' || board || ' ' || since as period, what,
        coalesce(kept.members, 0) as kept, coalesce(counted.members, 0)::int as counted
      from (
        select board, period, since, 'score ' || score as what, count(*) as members
        from scores s cross join lateral boards_of(s) group by 1, 2, 3, 4
        union all
        select board, period, since, 'bucket ' || score_bucket(score), count(*)
        from scores s cross join lateral boards_of(s) group by 1, 2, 3, 4
      ) counted full join (
        select board, period, since, 'score ' || score as what, members from score_counts
        union all
        select board, period, since, 'bucket ' || bucket, members from bucket_counts
      ) kept using (board, period, since, what)
      where coalesce(counted.members, 0) <> coalesce(kept.members, 0)
    )
    select board, community_id as "communityId", period, what, kept, counted
    from (select * from points union all select * from counts) drift
    order by 1, 2, 3, 4 limit ${SHOWN}`;
}

/** Compares the ledger with everything derived from it and logs differences as defects. */
export async function checkLedger({ sql, log, now }: Pick<Runtime, 'sql' | 'log' | 'now'>): Promise<void> {
  const drift = await sql.begin(SNAPSHOT, readDrift);
  if (drift.length > 0) log.error({ drift }, 'the ledger and its boards differ');
  await sql`
    insert into ledger_checks (at, differences) values (${now()}, ${drift.length})
    on conflict (is_only) do update set at = excluded.at, differences = excluded.differences`;
}
