import type { ISql } from 'postgres';
import type { Runtime } from '../../http/handler.ts';
import { INSTANCE } from './record.ts';

export type Drift = { board: string; communityId: string; period: string; what: string; kept: number; counted: number };
const SHOWN = 20;

/**
 * Where what is kept beside the ledger is not what the ledger gives: standings of all time, of the instance and of
 * seasons that are not frozen, and the histogram of every board. Empty when all is well; else the first `SHOWN`.
 * `sql` must be one snapshot, or nobody may write meanwhile.
 */
export async function readDrift(sql: ISql): Promise<Drift[]> {
  return sql<Drift[]>`
    with sums as (
      select community_id, 'all' as period, user_id, sum(points)::int as points from point_events group by 1, 3
      union all
      select ${INSTANCE}::uuid, 'all', user_id, sum(points)::int from point_events where instance group by 3
      union all
      select community_id, 'season:' || season_id, user_id, sum(points)::int from point_events
      where season_id is not null group by 1, 2, 3
    ), points as (
      select 'standings' as board, community_id, period, user_id::text as what,
        coalesce(standing.points, 0) as kept, coalesce(sums.points, 0) as counted
      from sums full join (
        select community_id, period, user_id, points from standings
        where period = 'all' or starts_with(period, 'season:')
      ) standing using (community_id, period, user_id)
      where coalesce(standing.points, 0) <> coalesce(sums.points, 0)
    ), counts as (
      select 'hist' as board, community_id, period, lvl || '/' || bucket as what,
        coalesce(kept.cnt, 0) as kept, coalesce(counted.cnt, 0)::int as counted
      from (
        select community_id, period, l.lvl::smallint as lvl, points >> (6 * l.lvl) as bucket, count(*) as cnt
        from standings cross join generate_series(0, 3) as l (lvl) where competes and points > 0 group by 1, 2, 3, 4
      ) counted full join hist kept using (community_id, period, lvl, bucket)
      where coalesce(counted.cnt, 0) <> coalesce(kept.cnt, 0)
    )
    select board, community_id as "communityId", period, what, kept, counted
    from (select * from points union all select * from counts) drift
    order by 1, 2, 3, 4 limit ${SHOWN}`;
}

/** Compares the ledger with everything that is kept beside it, and writes down what differs: that is a defect. */
export async function checkLedger({ sql, log }: Pick<Runtime, 'sql' | 'log'>): Promise<void> {
  const drift = await sql.begin('isolation level repeatable read read only', readDrift);
  if (drift.length > 0) log.error({ drift }, 'the ledger and its boards differ');
}
