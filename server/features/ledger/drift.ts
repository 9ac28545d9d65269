import type { ISql, TransactionSql } from 'postgres';
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
/** Parts of all people and communities, by their ids; one an hour makes a week. */
const SLICES = 168;
/** Lines of each community that one step adds up. */
const LINES_AT_ONCE = 5_000;

/** Ids from `from` to before `to`, and `suspects`: of people, and of communities with their boards. */
type Slice = { from: string; to: string; suspects: readonly string[] };
const boundOf = (slice: number): string =>
  slice === SLICES
    ? 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    : `${Math.floor((slice * 2 ** 32) / SLICES)
        .toString(16)
        .padStart(8, '0')}-0000-0000-0000-000000000000`;

/**
 * Differences between the ledger and everything derived from it: every member's scores (all time, latest day, week,
 * month and season; the instance's too, less what is pending there), and the counts of every board. Empty when all is
 * well; else the first `SHOWN`. `sql` must be one snapshot, or nobody may write at the same time.
 */
export async function readDrift(sql: ISql, slice?: Slice): Promise<Drift[]> {
  const within = (column: string) =>
    slice
      ? sql`(${sql.unsafe(column)} >= ${slice.from} and ${sql.unsafe(column)} < ${slice.to}
          or ${sql.unsafe(column)} = any(${[...slice.suspects]}::uuid[]))`
      : sql`true`;
  const hasBoard = slice
    ? sql`board in (select id from places union all select s.id from seasons s join places p on p.id = s.community_id)`
    : sql`true`;
  // Two indexes hold all rows of a community.
  const scored = slice
    ? sql`(
        select s.* from places p join scores s on s.community_id = p.id and competes and points > 0
        union all
        select s.* from places p join scores s on s.community_id = p.id and not (competes and points > 0))`
    : sql`scores`;
  return sql<Drift[]>`
    with places as (
      select id from (select id from communities union all select ${INSTANCE}::uuid) c where ${within('id')}
      union select community_id from seasons where ${slice ? sql`id = any(${[...slice.suspects]}::uuid[])` : sql`false`}
    ), lines as (
      select e.community_id, e.user_id, e.points, (${sql.unsafe(countedAt('e'))}) at time zone 'UTC' as at, e.season_id,
        n.started_at
      from point_events e left join seasons n on n.id = e.season_id where ${within('e.user_id')}
      union all
      select ${INSTANCE}::uuid, user_id, points, at at time zone 'UTC', null, null from point_events e
      where ${within('e.user_id')} and instance and not exists (
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
      from sums full join (select * from standings where ${within('user_id')}) standing using (community_id, period, user_id)
      where coalesce(standing.points, 0) <> coalesce(sums.points, 0)
    ), counts as (
      select 'counts' as board, null::uuid as community_id, period::text || ' ' || board || ' ' || since as period, what,
        coalesce(kept.members, 0) as kept, coalesce(counted.members, 0)::int as counted
      from (
        select board, period, since, 'score ' || score as what, count(*) as members
        from ${scored} s cross join lateral boards_of(row(s.*)::scores) group by 1, 2, 3, 4
        union all
        select board, period, since, 'bucket ' || score_bucket(score), count(*)
        from ${scored} s cross join lateral boards_of(row(s.*)::scores) group by 1, 2, 3, 4
      ) counted full join (
        select board, period, since, 'score ' || score as what, members from score_counts where ${hasBoard}
        union all
        select board, period, since, 'bucket ' || bucket, members from bucket_counts where ${hasBoard}
      ) kept using (board, period, since, what)
      where coalesce(counted.members, 0) <> coalesce(kept.members, 0)
    )
    select board, community_id as "communityId", period, what, kept, counted
    from (select * from points union all select * from counts) drift
    order by 1, 2, 3, 4 limit ${SHOWN}`;
}

/**
 * Adds up the next lines of each community's ledger. Who moved and has other points than the lines before and since
 * make becomes a suspect. The number of lines; 0 where nobody's points moved.
 */
async function addUpMoved(tx: TransactionSql): Promise<number> {
  const [row] = await tx<[{ lines: number }]>`
    with lines as materialized (
      select c.id as community_id, coalesce(m.event_id, 0) as mark, e.id, e.user_id, e.points
      from communities c left join ledger_marks m on m.community_id = c.id cross join lateral (
        select id, user_id, points from point_events e
        where e.community_id = c.id and e.id > coalesce(m.event_id, 0) order by e.id limit ${LINES_AT_ONCE}) e
    ), moved as (
      select community_id, user_id, mark, sum(points)::int as points from lines group by 1, 2, 3
    ), added as (
      insert into score_checks as k (user_id, community_id, points) select user_id, community_id, points from moved
      on conflict (user_id, community_id) do update set points = k.points + excluded.points
    ), marked as (
      insert into ledger_marks (community_id, event_id) select community_id, max(id) from lines group by 1
      on conflict (community_id) do update set event_id = excluded.event_id
    ), suspects as (
      select m.user_id from moved m
      left join score_checks k on k.user_id = m.user_id and k.community_id = m.community_id
      left join scores s on s.user_id = m.user_id and s.community_id = m.community_id
      cross join lateral (
        select coalesce(sum(e.points), 0) as points from point_events e
        where e.user_id = m.user_id and e.community_id = m.community_id and e.id > m.mark) since
      where s.points is distinct from coalesce(k.points, 0) + since.points limit ${SHOWN}
    ), noted as (
      update ledger_checks set suspects = suspects || array(select user_id from suspects)
      where exists (select from suspects)
    )
    select count(*)::int as lines from lines`;
  return row.lines;
}

/**
 * Compares the ledger with what is derived from it, and logs differences as defects: of all who moved since the last
 * run, of the next slice, and of what differed before. A process that ends goes on where it was.
 */
export async function checkLedger({ sql, log, now }: Pick<Runtime, 'sql' | 'log' | 'now'>): Promise<void> {
  await sql`insert into ledger_checks (at, differences) values (${now()}, 0) on conflict do nothing`;
  // Lines and scores of one moment; marks belong to this job alone.
  while ((await sql.begin('isolation level repeatable read', addUpMoved)) > 0);
  const [row] = await sql<[{ slice: number; suspects: string[] }]>`select slice, suspects from ledger_checks`;
  const { slice, suspects } = row;
  const drift = await sql.begin(SNAPSHOT, (tx) =>
    readDrift(tx, { from: boundOf(slice), to: boundOf(slice + 1), suspects }),
  );
  if (drift.length > 0) log.error({ drift }, 'the ledger and its boards differ');
  const still = drift.map(({ board, period, what }) => (board === 'counts' ? period.split(' ')[1] : what) ?? '');
  await sql`
    update ledger_checks set at = ${now()}, differences = ${drift.length}, slice = ${(slice + 1) % SLICES},
      suspects = ${[...new Set(still)]}::uuid[]`;
}
