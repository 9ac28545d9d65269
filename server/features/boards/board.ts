import { createHmac, randomBytes } from 'node:crypto';
import type { ISql } from 'postgres';
import type { BoardRow, BoardState } from '../../contract/boards.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { HIDDEN_NAME, NAMES_SHOWN } from '../../contract/limits.ts';
import type { CalendarPeriod } from '../../domain/periods.ts';
import { aroundMe, withRanks } from '../../domain/ranks.ts';
import { boardId, boardKey, type LiveBoard } from '../ledger/standings.ts';
import { readBoardState } from './state.ts';
import { FROZEN, LIVE, RESULTS, type Read } from './statement.ts';

/** The part of a board that one answer shows. */
export type BoardView = { top: BoardRow[]; around: BoardRow[]; me: BoardRow | null };
/** With the number of ranked members. */
type Ranked = BoardView & { ranked: number };
export const NOBODY: Ranked = { top: [], around: [], me: null, ranked: 0 };

/** `me`: the calling member, null for a stranger. `top`: number of first rows. */
type Wanted = { me: string | null; top: number };

/**
 * A live board's first rows, mine, those around mine, and the number of ranked members, from one snapshot. Order:
 * points, then who reached them first, then id; ranks are SQL's `rank()`. See docs/boards.md for how ranks are counted.
 */
export function readBoard(sql: ISql, board: Wanted & LiveBoard): Promise<Ranked> {
  const id = boardId(board);
  return readRows(sql, LIVE[id.period], [id.board, id.since], board);
}

/** The board of a season that is frozen, as it was copied then. */
export function readResults(sql: ISql, board: Wanted & { seasonId: string }): Promise<BoardView> {
  return readRows(sql, RESULTS, [board.seasonId], board);
}

/** A board as it was when a leader froze it. */
export function readFrozen(sql: ISql, board: Wanted & LiveBoard): Promise<Ranked> {
  return readRows(sql, FROZEN, [board.communityId, boardKey(board)], board);
}

type BoardScope = Wanted & { communityId: string; period: CalendarPeriod; role: CommunityRole | null; now: Date };

/** A calendar period's board as `role` may see it: hidden ones are empty, frozen ones do not change. */
export async function readShownBoard(sql: ISql, scope: BoardScope): Promise<Ranked> {
  return readBoardIn(sql, await readBoardState(sql, scope.communityId), scope);
}

/** The same for a board whose state is known. */
export async function readBoardIn(
  sql: ISql,
  { state, since }: { state: BoardState; since: Date },
  scope: BoardScope,
): Promise<Ranked> {
  if (state === 'hidden' && scope.role !== 'leader') return NOBODY;
  return state === 'frozen' ? readFrozen(sql, { ...scope, at: since }) : readBoard(sql, { ...scope, at: scope.now });
}

const SALT = randomBytes(16);
/** A hidden member has no name and an id that is used nowhere else (docs/decisions/boards.md). */
const shownAs = (row: Read): Read & { name: string } =>
  row.name !== null
    ? { ...row, name: row.name }
    : {
        ...row,
        name: HIDDEN_NAME,
        userId: createHmac('sha256', SALT)
          .update(row.userId ?? '')
          .digest('base64url'),
      };

async function readRows(sql: ISql, statement: string, board: readonly string[], { me, top }: Wanted): Promise<Ranked> {
  const read = await sql.unsafe<Read[]>(statement, [me, top, ...board], { prepare: true });
  const of = (part: Read['part']) => read.filter((row) => row.part === part).map(shownAs);
  const [whole] = of('board');
  if (!whole) return NOBODY;
  const above = of('above').reverse();
  const run = withRanks([...above, ...of('me')], { rank: whole.rank ?? 0, tied: whole.points }, me);
  const mine = run[above.length];
  return {
    top: withRanks(of('top'), { rank: 1, tied: null }, me),
    around: mine ? aroundMe(run, above.length) : [],
    me: mine ?? null,
    ranked: whole.ranked,
  };
}

/** A member's claims `c` that may still count. SQL text; `user` names a parameter. */
const openOf = (user: string) => `
  claims c where c.user_id = ${user}::uuid and c.state in ('submitted', 'checking', 'changes_requested')`;

/**
 * Points of a member's claims that may still count in one community: shown separately, never added. SQL text with
 * parameter names.
 */
export const pendingText = (user: string, community: string) => `(
  select coalesce(sum(c.points), 0)::int from ${openOf(user)} and c.community_id = ${community}::uuid)`;

const PENDING = `
  select coalesce(sum(c.points), 0)::int as points from ${openOf('$1')}
    and (select o.counts_on_instance and o.visibility = 'public' from communities o where o.id = c.community_id)`;
/** The same of those that may count on the instance's board. */
export async function pendingPoints(sql: ISql, userId: string): Promise<number> {
  const [row] = await sql.unsafe<[{ points: number }]>(PENDING, [userId], { prepare: true });
  return row.points;
}

/**
 * Names of members with one of `roles`, leaders first, then longest serving; at most `NAMES_SHOWN`. SQL text with a
 * parameter name.
 */
export const namesText = (community: string, roles: readonly ('leader' | 'moderator')[]) => `array(
  select u.display_name from community_members m join users u on u.id = m.user_id
  where m.community_id = ${community}::uuid and m.role <> 'member' and m.role in (${roles.map((role) => `'${role}'`).join()})
  order by m.role, m.joined_at, u.id limit ${NAMES_SHOWN})`;

const LEADERS = `select ${namesText('$1', ['leader'])} as names`;
export async function leadersOf(sql: ISql, communityId: string): Promise<string[]> {
  const [row] = await sql.unsafe<[{ names: string[] }]>(LEADERS, [communityId], { prepare: true });
  return row.names;
}
