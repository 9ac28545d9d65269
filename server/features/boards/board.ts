import type { ISql, TransactionSql } from 'postgres';
import type { BoardRow, Leaderboard } from '../../contract/boards.ts';
import { BOARD_AROUND_ME, BOARD_TOP, NAMES_SHOWN } from '../../contract/limits.ts';
import { type CalendarPeriod, standingKey } from '../../domain/periods.ts';

type Standing = { userId: string; displayName: string; points: number; reachedAt: Date };
type Neighbour = Standing & { part: 'above' | 'me' | 'below'; position: number; tiedAhead: number };

/** The part of a board that one answer shows. */
export type BoardView = { top: BoardRow[]; around: BoardRow[]; me: BoardRow | null; ranked: number };

/**
 * A board read whole from one snapshot: its first rows, mine, and those around mine. Points first, then who
 * reached them first, then the id; the shown rank is that of SQL's `rank()`. Nobody without points stands on it, nor
 * leaders, nor who left. Every part is a range of one index, so that its cost does not follow the board's length;
 * only the counts behind my position do.
 */
export async function readBoard(
  sql: ISql,
  board: { communityId: string; key: string; me: string | null; top: number },
): Promise<BoardView> {
  const [top, near, ranked] = await Promise.all([
    readTop(sql, board),
    board.me === null ? [] : readNeighbours(sql, { ...board, me: board.me }),
    sql<{ count: number }[]>`
      select count(*)::int from standings
      where community_id = ${board.communityId} and period = ${board.key} and competes and points > 0`,
  ]);
  const around = rankWindow(near, board.me);
  return {
    top,
    around,
    me: around.find((row) => row.me) ?? null,
    ranked: ranked[0]?.count ?? 0,
  };
}

async function readTop(
  sql: ISql,
  { communityId, key, me, top }: { communityId: string; key: string; me: string | null; top: number },
): Promise<BoardRow[]> {
  const rows = await sql<(Standing & { rank: number })[]>`
    select s.user_id as "userId", u.display_name as "displayName", s.points, s.reached_at as "reachedAt",
      (rank() over (order by s.points desc))::int as rank
    from (
      select user_id, points, reached_at from standings
      where community_id = ${communityId} and period = ${key} and competes and points > 0
      order by points desc, reached_at, user_id limit ${top}
    ) s join users u on u.id = s.user_id
    order by s.points desc, s.reached_at, s.user_id`;
  return rows.map((row) => boardRow(row, row.rank, me));
}

/** Me and up to `BOARD_AROUND_ME` rows on each side, in board order, with my position and what it takes to rank them. */
async function readNeighbours(
  sql: ISql,
  { communityId, key, me }: { communityId: string; key: string; me: string },
): Promise<Neighbour[]> {
  const onBoard = sql`s.community_id = ${communityId} and s.period = ${key} and s.competes and s.points > 0`;
  const columns = sql`s.user_id, s.points, s.reached_at`;
  return sql<Neighbour[]>`
    with mine as materialized (
      select ${columns} from standings s where ${onBoard} and s.user_id = ${me}
    ), above as materialized (
      select a.* from mine m cross join lateral (
        (select ${columns} from standings s
          where ${onBoard} and s.points = m.points and (s.reached_at, s.user_id) < (m.reached_at, m.user_id)
          order by s.points, s.reached_at desc, s.user_id desc limit ${BOARD_AROUND_ME})
        union all
        (select ${columns} from standings s where ${onBoard} and s.points > m.points
          order by s.points, s.reached_at desc, s.user_id desc limit ${BOARD_AROUND_ME})
      ) a order by a.points, a.reached_at desc, a.user_id desc limit ${BOARD_AROUND_ME}
    ), below as materialized (
      select b.* from mine m cross join lateral (
        (select ${columns} from standings s
          where ${onBoard} and s.points = m.points and (s.reached_at, s.user_id) > (m.reached_at, m.user_id)
          order by s.points desc, s.reached_at, s.user_id limit ${BOARD_AROUND_ME})
        union all
        (select ${columns} from standings s where ${onBoard} and s.points < m.points
          order by s.points desc, s.reached_at, s.user_id limit ${BOARD_AROUND_ME})
      ) b order by b.points desc, b.reached_at, b.user_id limit ${BOARD_AROUND_ME}
    ), near as (
      select 'above' as part, * from above union all select 'me', * from mine union all select 'below', * from below
    ), first as (
      select points, reached_at, user_id from near order by points desc, reached_at, user_id limit 1
    )
    select n.part, n.user_id as "userId", u.display_name as "displayName", n.points, n.reached_at as "reachedAt",
      (select 1 + count(*) from standings s, mine m where ${onBoard} and s.points > m.points)::int
        + (select count(*) from standings s, mine m
            where ${onBoard} and s.points = m.points and (s.reached_at, s.user_id) < (m.reached_at, m.user_id))::int
        as position,
      (select count(*) from standings s, first f
        where ${onBoard} and s.points = f.points and (s.reached_at, s.user_id) < (f.reached_at, f.user_id))::int
        as "tiedAhead"
    from near n join users u on u.id = n.user_id
    order by n.points desc, n.reached_at, n.user_id`;
}

/**
 * Ranks a run of neighbouring rows and keeps `BOARD_AROUND_ME` of them around me, evenly unless the board ends.
 * `position` is mine, counted from 1; `tiedAhead` says how many rows just before the run share its first row's points.
 */
function rankWindow(near: readonly Neighbour[], me: string | null): BoardRow[] {
  const mine = near.findIndex((row) => row.part === 'me');
  const [first] = near;
  if (mine < 0 || !first) return [];
  const start = first.position - mine;
  let rank = start - first.tiedAhead;
  const ranked = near.map((row, index) => {
    if (index > 0 && row.points !== near[index - 1]?.points) rank = start + index;
    return boardRow(row, rank, me);
  });
  const half = BOARD_AROUND_ME / 2;
  const from = Math.max(0, Math.min(mine - half, near.length - 1 - BOARD_AROUND_ME));
  return ranked.slice(from, from + BOARD_AROUND_ME + 1);
}

const boardRow = (row: Standing, rank: number, me: string | null): BoardRow => ({
  rank,
  userId: row.userId,
  displayName: row.displayName,
  points: row.points,
  reachedAt: row.reachedAt.toISOString(),
  me: row.userId === me,
});

/** Points of a member's claims that a reviewer still holds: shown apart, never added. */
export async function pendingPoints(sql: ISql, communityId: string, userId: string | null): Promise<number> {
  if (userId === null) return 0;
  const [row] = await sql<{ points: number }[]>`
    select coalesce(sum(points), 0)::int as points from claims
    where community_id = ${communityId} and user_id = ${userId} and state = 'submitted'`;
  return row?.points ?? 0;
}

/** Display names of who holds one of `roles`, leaders first, then the longest serving; at most `NAMES_SHOWN`. */
export async function namesOf(
  sql: ISql,
  communityId: string,
  roles: readonly ('leader' | 'moderator')[],
): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select u.display_name as name from community_members m join users u on u.id = m.user_id
    where m.community_id = ${communityId} and m.role <> 'member' and m.role = any(${[...roles]})
    order by m.role, m.joined_at, u.id limit ${NAMES_SHOWN}`;
  return rows.map((row) => row.name);
}

/** The leaderboard of a calendar period at `now`. `sql` must be one snapshot. */
export async function readLeaderboard(
  sql: TransactionSql,
  asked: { communityId: string; period: CalendarPeriod; me: string | null; now: Date },
): Promise<Leaderboard> {
  const { communityId, period, me, now } = asked;
  const [board, pending, leaders, members] = await Promise.all([
    readBoard(sql, { communityId, key: standingKey(period, now), me, top: BOARD_TOP }),
    pendingPoints(sql, communityId, me),
    namesOf(sql, communityId, ['leader']),
    sql<{ count: number }[]>`select count(*)::int from community_members where community_id = ${communityId}`,
  ]);
  return {
    scope: 'community',
    communityId,
    period,
    season: null,
    state: 'open',
    asOf: now.toISOString(),
    members: members[0]?.count ?? 0,
    top: board.top,
    around: board.around,
    me: board.me,
    pendingPoints: pending,
    leaders,
  };
}
