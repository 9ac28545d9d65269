import type { ISql } from 'postgres';
import type { BoardRow } from '../../contract/boards.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { BOARD_AROUND_ME, NAMES_SHOWN } from '../../contract/limits.ts';
import type { CalendarPeriod } from '../../domain/periods.ts';
import { boardKey, boardRows, type LiveBoard } from './rows.ts';
import { readBoardState } from './state.ts';

type Standing = { userId: string; displayName: string; points: number; reachedAt: Date };
/**
 * The first of a run of neighbours brings its rank and how many stand at its score (`tied`), here and above; every later
 * score begins within the run, so that its rank follows.
 */
type Neighbour = Standing & { rank: number | null; tied: number | null };
type Fragment = ReturnType<ISql>;

/**
 * Where a board's rows come from: who stands on it with what, and how ranks are found for the rows `n` around me.
 * `tied` is null where every row brings its own rank.
 */
type Source = { rows: Fragment; rank: Fragment; tied: Fragment; ranked: Fragment };

/** The part of a board that one answer shows. */
export type BoardView = { top: BoardRow[]; around: BoardRow[]; me: BoardRow | null };
/** And how many stand on it. */
type Ranked = BoardView & { ranked: number };
export const NOBODY: Ranked = { top: [], around: [], me: null, ranked: 0 };

type Wanted = { me: string | null; top: number };

/**
 * A board's first rows, mine, those around mine and how many stand on it, in one statement and so of one moment. Points
 * first, then who reached them first, then the id; the shown rank is that of SQL's `rank()`. Nobody without points
 * stands on it, nor leaders, nor who left. Rows are ranges of one index and ranks come from the histogram, so that the
 * cost does not follow the board's length.
 */
export function readBoard(sql: ISql, board: Wanted & LiveBoard): Promise<Ranked> {
  const key = boardKey(board);
  const hist = sql`hist where community_id = ${board.communityId} and period = ${key}`;
  return readRows(sql, board, {
    rows: boardRows(sql, board),
    rank: sql`case when n.place = 1 then board_rank(${board.communityId}, ${key}, n.points) end`,
    tied: sql`case when n.place = 1 then (select cnt from ${hist} and lvl = 0 and bucket = n.points) end`,
    ranked: sql`(select coalesce(sum(cnt), 0)::int from ${hist} and lvl = 3)`,
  });
}

/** The board of a season that is frozen, as it was copied then. */
export function readResults(sql: ISql, board: Wanted & { seasonId: string }): Promise<BoardView> {
  const at = sql`season_results where season_id = ${board.seasonId}`;
  return readRows(sql, board, {
    rows: sql`select user_id, points, reached_at from ${at}`,
    rank: sql`(select rank from ${at} and user_id = n.user_id)`,
    tied: sql`null::int`,
    ranked: sql`0`,
  });
}

/** A board as it stood when a leader froze it. */
export function readFrozen(sql: ISql, board: Wanted & LiveBoard): Promise<Ranked> {
  const at = sql`frozen_boards where community_id = ${board.communityId} and period = ${boardKey(board)}`;
  return readRows(sql, board, {
    rows: sql`select user_id, points, reached_at from ${at}`,
    rank: sql`(select rank from ${at} and user_id = n.user_id)`,
    tied: sql`null::int`,
    ranked: sql`coalesce((select ranked from ${at} limit 1), 0)`,
  });
}

/** The board of a calendar period as somebody with `role` may see it: hidden ones are empty, frozen ones stand still. */
export async function readShownBoard(
  sql: ISql,
  asked: Wanted & { communityId: string; period: CalendarPeriod; role: CommunityRole | null; now: Date },
): Promise<Ranked> {
  const { state, since } = await readBoardState(sql, asked.communityId);
  if (state === 'hidden' && asked.role !== 'leader') return NOBODY;
  return state === 'frozen' ? readFrozen(sql, { ...asked, at: since }) : readBoard(sql, { ...asked, at: asked.now });
}

type Part = { part: 'top' | 'near' | 'ranked' };
type Read = Part & Neighbour;

async function readRows(sql: ISql, { me, top }: Wanted, source: Source): Promise<Ranked> {
  // Numbers in the text and not beside it: a plan that is kept must know how few rows are wanted.
  const first = sql.unsafe(`${Math.trunc(top)}`);
  const near = sql.unsafe(`${BOARD_AROUND_ME}`);
  const half = sql.unsafe(`${BOARD_AROUND_ME / 2}`);
  const read = await sql<Read[]>`
    with board as not materialized (
      ${source.rows}
    ), top as materialized (
      select * from board order by points desc, reached_at, user_id limit ${first}
    ), mine as materialized (
      select * from board where user_id = ${me}::uuid
    ), above as materialized (
      select a.* from mine m cross join lateral (
        (select * from board s where s.points = m.points and (s.reached_at, s.user_id) < (m.reached_at, m.user_id)
          order by s.points, s.reached_at desc, s.user_id desc limit ${near})
        union all
        (select * from board s where s.points > m.points
          order by s.points, s.reached_at desc, s.user_id desc limit ${near})
      ) a order by a.points, a.reached_at desc, a.user_id desc limit ${near}
    ), below as materialized (
      select b.* from mine m cross join lateral (
        (select * from board s where s.points = m.points and (s.reached_at, s.user_id) > (m.reached_at, m.user_id)
          order by s.points desc, s.reached_at, s.user_id limit ${near})
        union all
        (select * from board s where s.points < m.points
          order by s.points desc, s.reached_at, s.user_id limit ${near})
      ) b order by b.points desc, b.reached_at, b.user_id limit ${near}
    ), run as materialized (
      select *, row_number() over (order by points desc, reached_at, user_id) as place
      from (select * from above union all select * from mine union all select * from below) parts
    ), near as materialized (
      -- Evenly around me unless the board ends.
      select r.user_id, r.points, r.reached_at, r.place - cut.before as place
      from run r cross join (
        select greatest(0, least(m.place - 1 - ${half}, (select max(place) from run) - 1 - ${near})) as before
        from run m where m.user_id = ${me}::uuid
      ) cut where r.place - cut.before between 1 and 1 + ${near}
    ), shown as (
      select 'top' as part, row_number() over (order by points desc, reached_at, user_id) as place, user_id, points,
        reached_at, (rank() over (order by points desc))::int as rank, null::int as tied
      from top
      union all
      select 'near', n.place, n.user_id, n.points, n.reached_at, ${source.rank}, ${source.tied} from near n
      union all
      select 'ranked', 0, null, 0, null, ${source.ranked}, null
    )
    select s.part, s.user_id as "userId", u.display_name as "displayName", s.points, s.reached_at as "reachedAt",
      s.rank, s.tied
    from shown s left join users u on u.id = s.user_id
    order by s.part, s.place`;
  const of = (part: Part['part']) => read.filter((row) => row.part === part);
  const around = rankRun(of('near'), me);
  return {
    top: of('top').map((row) => boardRow(row, row.rank ?? 1, me)),
    around,
    me: around.find((row) => row.me) ?? null,
    ranked: of('ranked')[0]?.rank ?? 0,
  };
}

/** Ranks a run of neighbouring rows: each score but the first begins within it, so that how many stand there is seen. */
function rankRun(near: readonly Neighbour[], me: string | null): BoardRow[] {
  let rank = 1;
  let next = 1;
  return near.map((row, index) => {
    if (index === 0 || row.points !== near[index - 1]?.points) {
      rank = row.rank ?? next;
      next = rank + (row.tied ?? near.filter(({ points }) => points === row.points).length);
    }
    return boardRow(row, rank, me);
  });
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
