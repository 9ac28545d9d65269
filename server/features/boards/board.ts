import type { ISql } from 'postgres';
import type { BoardRow } from '../../contract/boards.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { BOARD_AROUND_ME, NAMES_SHOWN } from '../../contract/limits.ts';
import { type CalendarPeriod, standingKey } from '../../domain/periods.ts';
import { readBoardState } from './state.ts';

type Standing = { userId: string; displayName: string; points: number; reachedAt: Date };
/** `rank` is null where it follows from the row above: that one's and how many stand at its score (`tied`). */
type Neighbour = Standing & { rank: number | null; tied: number | null };
type Fragment = ReturnType<ISql>;

/** Where a board's rows come from: who stands on it with what, and how their ranks are found. */
type Source = { rows: Fragment; ranks: Fragment };

/** The part of a board that one answer shows. */
export type BoardView = { top: BoardRow[]; around: BoardRow[]; me: BoardRow | null };
/** And how many stand on it. */
type Ranked = BoardView & { ranked: number };
export const NOBODY: Ranked = { top: [], around: [], me: null, ranked: 0 };

type Wanted = { me: string | null; top: number };

/**
 * A board read whole from one snapshot: its first rows, mine, and those around mine. Points first, then who
 * reached them first, then the id; the shown rank is that of SQL's `rank()`. Nobody without points stands on it, nor
 * leaders, nor who left. Rows are ranges of one index and ranks come from the histogram, so that the cost does not
 * follow the board's length.
 */
export async function readBoard(sql: ISql, board: Wanted & { communityId: string; key: string }): Promise<Ranked> {
  const at = (name: 'standings' | 'hist') =>
    sql`${sql(name)} where community_id = ${board.communityId} and period = ${board.key}`;
  const [view, [row]] = await Promise.all([
    readRows(sql, board, {
      rows: sql`(select user_id, points, reached_at from ${at('standings')} and competes and points > 0)`,
      ranks: sql`
        case when n.place = 1 then board_rank(${board.communityId}, ${board.key}, n.points) end as rank,
        (select cnt from ${at('hist')} and lvl = 0 and bucket = n.points) as tied`,
    }),
    sql<{ count: number }[]>`select coalesce(sum(cnt), 0)::int as count from ${at('hist')} and lvl = 3`,
  ]);
  return { ...view, ranked: row?.count ?? 0 };
}

/** The board of a season that is frozen, as it was copied then. */
export function readResults(sql: ISql, board: Wanted & { seasonId: string }): Promise<BoardView> {
  const at = sql`season_results where season_id = ${board.seasonId}`;
  return readRows(sql, board, {
    rows: sql`(select user_id, points, reached_at from ${at})`,
    ranks: sql`(select rank from ${at} and user_id = n.user_id) as rank, null::int as tied`,
  });
}

/** The board of a calendar period as somebody with `role` may see it: hidden ones are empty, frozen ones stand still. */
export async function readShownBoard(
  sql: ISql,
  asked: Wanted & { communityId: string; period: CalendarPeriod; role: CommunityRole | null; now: Date },
): Promise<Ranked> {
  const { state, since } = await readBoardState(sql, asked.communityId);
  if (state === 'hidden' && asked.role !== 'leader') return NOBODY;
  const key = state === 'frozen' ? `frozen:${standingKey(asked.period, since)}` : standingKey(asked.period, asked.now);
  return readBoard(sql, { ...asked, key });
}

async function readRows(sql: ISql, { me, top }: Wanted, source: Source): Promise<BoardView> {
  const [first, near] = await Promise.all([
    readTop(sql, source, me, top),
    me === null ? [] : readNeighbours(sql, source, me),
  ]);
  const around = rankWindow(near, me);
  return { top: first, around, me: around.find((row) => row.me) ?? null };
}

async function readTop(sql: ISql, { rows }: Source, me: string | null, top: number): Promise<BoardRow[]> {
  if (top === 0) return [];
  const found = await sql<(Standing & { rank: number })[]>`
    select s.user_id as "userId", u.display_name as "displayName", s.points, s.reached_at as "reachedAt",
      (rank() over (order by s.points desc))::int as rank
    from (select * from ${rows} r order by points desc, reached_at, user_id limit ${top}) s
    join users u on u.id = s.user_id
    order by s.points desc, s.reached_at, s.user_id`;
  return found.map((row) => boardRow(row, row.rank, me));
}

/** Me and up to `BOARD_AROUND_ME` rows on each side, in board order. */
async function readNeighbours(sql: ISql, { rows, ranks }: Source, me: string): Promise<Neighbour[]> {
  return sql<Neighbour[]>`
    with mine as materialized (
      select * from ${rows} s where s.user_id = ${me}
    ), above as materialized (
      select a.* from mine m cross join lateral (
        (select * from ${rows} s where s.points = m.points and (s.reached_at, s.user_id) < (m.reached_at, m.user_id)
          order by s.points, s.reached_at desc, s.user_id desc limit ${BOARD_AROUND_ME})
        union all
        (select * from ${rows} s where s.points > m.points
          order by s.points, s.reached_at desc, s.user_id desc limit ${BOARD_AROUND_ME})
      ) a order by a.points, a.reached_at desc, a.user_id desc limit ${BOARD_AROUND_ME}
    ), below as materialized (
      select b.* from mine m cross join lateral (
        (select * from ${rows} s where s.points = m.points and (s.reached_at, s.user_id) > (m.reached_at, m.user_id)
          order by s.points desc, s.reached_at, s.user_id limit ${BOARD_AROUND_ME})
        union all
        (select * from ${rows} s where s.points < m.points
          order by s.points desc, s.reached_at, s.user_id limit ${BOARD_AROUND_ME})
      ) b order by b.points desc, b.reached_at, b.user_id limit ${BOARD_AROUND_ME}
    ), near as (
      select *, row_number() over (order by points desc, reached_at, user_id) as place
      from (select * from above union all select * from mine union all select * from below) parts
    )
    select n.user_id as "userId", u.display_name as "displayName", n.points, n.reached_at as "reachedAt", ${ranks}
    from near n join users u on u.id = n.user_id
    order by n.place`;
}

/** Ranks a run of neighbouring rows and keeps `BOARD_AROUND_ME` of them around me, evenly unless the board ends. */
function rankWindow(near: readonly Neighbour[], me: string | null): BoardRow[] {
  const mine = near.findIndex((row) => row.userId === me);
  if (mine < 0) return [];
  const ranked: BoardRow[] = [];
  for (const [index, row] of near.entries()) {
    const above = ranked[index - 1];
    const follows = above && (above.points === row.points ? above.rank : above.rank + (near[index - 1]?.tied ?? 0));
    ranked.push(boardRow(row, row.rank ?? follows ?? 1, me));
  }
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

/** Points of a member's claims that may still count, in one community or (null) in all: shown apart, never added. */
export async function pendingPoints(sql: ISql, communityId: string | null, userId: string | null): Promise<number> {
  if (userId === null) return 0;
  const [row] = await sql<{ points: number }[]>`
    select coalesce(sum(points), 0)::int as points from claims
    where user_id = ${userId} and state in ('submitted', 'checking', 'changes_requested')
      ${communityId === null ? sql`` : sql`and community_id = ${communityId}`}`;
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
