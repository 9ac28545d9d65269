import type { ISql } from 'postgres';
import type { BoardRow, BoardState } from '../../contract/boards.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { BOARD_AROUND_ME, NAMES_SHOWN } from '../../contract/limits.ts';
import type { CalendarPeriod } from '../../domain/periods.ts';
import { boardKey, counterKey, dayNumber, type LiveBoard } from '../ledger/standings.ts';
import { type Blocks, blockKey, isKept, rankedIn, rankIn, SCORES_IN_REACH, tiedIn } from './blocks.ts';
import { readBoardState } from './state.ts';
import { FROZEN, LIVE, ownPart, RESULTS, type Read, type Source, wholeBoard } from './statements.ts';
import { shownTo, type Top, tops } from './tops.ts';

/** The parameters; of a live board also those of `ownPart`, and under which key what is the same for everybody is kept. */
type Given = {
  params: readonly string[];
  live?: { period: LiveBoard['period']; own: readonly (string | number)[]; key: string };
};

/** The part of a board that one answer shows. */
export type BoardView = { top: BoardRow[]; around: BoardRow[]; me: BoardRow | null };
/** And how many stand on it. */
type Ranked = BoardView & { ranked: number };
export const NOBODY: Ranked = { top: [], around: [], me: null, ranked: 0 };

type Wanted = { me: string | null; top: number };

/**
 * A board's first rows, mine, those around mine and how many stand on it, in one statement and so of one moment. Points
 * first, then who reached them first, then the id; the shown rank is that of SQL's `rank()`. Nobody without points
 * stands on it, nor leaders, nor who left or is suspended. Rows are ranges of one index and ranks come from the
 * histogram, so that the cost does not follow the board's length.
 */
export function readBoard(sql: ISql, board: Wanted & LiveBoard): Promise<Ranked> {
  const { period, communityId } = board;
  const key = counterKey(board);
  const [place, , since] = key;
  return readRows(sql, board, LIVE[period], {
    params: [place, since],
    live: { period, own: [place, dayNumber(since), communityId], key: `${key}:${board.top}` },
  });
}

/** The board of a season that is frozen, as it was copied then. */
export function readResults(sql: ISql, board: Wanted & { seasonId: string }): Promise<BoardView> {
  return readRows(sql, board, RESULTS, { params: [board.seasonId] });
}

/** A board as it stood when a leader froze it. */
export function readFrozen(sql: ISql, board: Wanted & LiveBoard): Promise<Ranked> {
  return readRows(sql, board, FROZEN, { params: [board.communityId, boardKey(board)] });
}

type Asked = Wanted & { communityId: string; period: CalendarPeriod; role: CommunityRole | null; now: Date };

/** The board of a calendar period as somebody with `role` may see it: hidden ones are empty, frozen ones stand still. */
export async function readShownBoard(sql: ISql, asked: Asked): Promise<Ranked> {
  return readBoardIn(sql, await readBoardState(sql, asked.communityId), asked);
}

/** The same of a board whose state is known. */
export async function readBoardIn(
  sql: ISql,
  { state, since }: { state: BoardState; since: Date },
  asked: Asked,
): Promise<Ranked> {
  if (state === 'hidden' && asked.role !== 'leader') return NOBODY;
  return state === 'frozen' ? readFrozen(sql, { ...asked, at: since }) : readBoard(sql, { ...asked, at: asked.now });
}

const EACH_SIDE = BOARD_AROUND_ME / 2;
/**
 * Rows above me that are read, by how many stand on a board at least: those shown and more, so that the score of the first one
 * shown is mostly seen to begin. On a long board few stand so near its end that more rows above them are shown; on a very
 * long one the counters of my score and the next ones say how many have the first one's. Who is not served by these asks twice.
 */
const ABOVE = [
  { least: 50_000, rows: EACH_SIDE },
  { least: 5_000, rows: EACH_SIDE + 2 },
  { least: 0, rows: BOARD_AROUND_ME + 1 },
] as const;
const rowsAbove = (ranked: number): number => ABOVE.find(({ least }) => ranked >= least)?.rows ?? EACH_SIDE;

/** No board has it. */
const NO_VERSION = '00000000-0000-0000-0000-000000000000';

async function readRows(sql: ISql, wanted: Wanted, source: Source, { params, live }: Given): Promise<Ranked> {
  const { me, top } = wanted;
  const first = Math.max(top, BOARD_AROUND_ME + 1);
  const ask = async (text: string, ...given: readonly (string | number | null)[]) =>
    partsOf(await sql.unsafe<Read[]>(text, [me, ...given], { prepare: true }).execute());
  if (live) {
    const kept = tops.get(live.key);
    const above = rowsAbove(kept?.ranked ?? 0);
    const own = ownPart(live.period, first, { above, below: EACH_SIDE });
    const read = await ask(own, ...live.own, kept?.version ?? NO_VERSION);
    // What is kept is of another moment, but of no other version: nothing lies between the two.
    const same = kept && read.state?.id === kept.version ? kept : keep(live.key, read);
    const view = viewBeside(same, read, { me, top, above });
    if (view) return view;
  }
  const read = await ask(wholeBoard(source, first), ...params);
  if (!read.state) return NOBODY;
  const { rank, points: tied, seconds: ranked } = read.state;
  const ranks = ranksOf(read.run, { rank: rank ?? 0, tied });
  return { ...viewOf(ranking(read.first), read, { ranks, from: 0 }, wanted), ranked };
}

/** An answer by its parts: the rows around me from the highest on, `mine` my place among them (-1: I am not on the board). */
type Parts = { state: Read | null; first: Read[]; run: Read[]; mine: number; blocks: Map<number, string> };

function partsOf(read: readonly Read[]): Parts {
  const parts: Parts = { state: null, first: [], run: [], mine: -1, blocks: new Map() };
  const above: Read[] = [];
  for (const row of read) {
    if (row.part === 'a') above.push(row);
    else if (row.part === 't') parts.first.push(row);
    else if (row.part === 'c') parts.blocks.set(blockKey(row.seconds, row.points), row.name);
    else if (row.part === 's') parts.state = row;
    else {
      if (parts.mine < 0) {
        parts.run = above.reverse();
        parts.mine = parts.run.length;
      }
      parts.run.push(row);
    }
  }
  return parts;
}

/** Keeps what of the answer is the same for everybody, where it has a version. */
function keep(key: string, { state, first, blocks }: Parts): Top {
  const version = state?.id ?? NO_VERSION;
  const wide = new Map([...blocks].filter(([block]) => isKept(block)));
  const top = { version, rows: ranking(first), ranked: rankedIn(wide), wide };
  if (version !== NO_VERSION) tops.set(key, top);
  return top;
}

/** What was read beside a board's first rows: `above`, so many rows above mine were asked for. */
type Beside = Wanted & { above: number };

/**
 * The answer from what is the same for everybody and what is mine of the same version; null where the rows or the counters
 * that came do not say it.
 */
function viewBeside({ rows, ranked, wide }: Top, parts: Parts, { me, top, above }: Beside): Ranked | null {
  if ((rows[0]?.points ?? 0) >= SCORES_IN_REACH) return null;
  const { run, mine, blocks } = parts;
  if ((mine >= 0 && mine < EACH_SIDE && rows.length > BOARD_AROUND_ME) || rows.length === ranked) {
    // Near a board's beginning its first rows are all around me, and on a small board everywhere.
    const around = evenly(shownTo(rows, me));
    return { top: shownTo(rows.slice(0, top), me), around, me: around.find((one) => one.me) ?? null, ranked };
  }
  for (const [key, counts] of wide) blocks.set(key, counts);
  const ranks = mine < above ? { ranks: ranksOf(run, BEGINNING), from: 0 } : ranksWithin(run, { mine, blocks });
  return ranks && { ...viewOf(rows, parts, ranks, { me, top }), ranked };
}

/** The ranks of a run's rows, the first of them that of the row `from`. */
type Ranks = { ranks: readonly number[]; from: number };

/** The ranks of a run within a board, from the first row that is shown or before. */
function ranksWithin(run: readonly Read[], { mine, blocks }: { mine: number; blocks: Blocks }): Ranks | null {
  const from = shownFrom(run.length, mine);
  if (from < 0) return null;
  const points = (at: number) => run[at]?.points ?? 0;
  const my = rankIn(blocks, points(mine));
  if (!my) return null;
  const myTie = run.findIndex((row) => row.points === points(mine));
  // The last score to begin within the run by then: as much less than my rank as rows lie between.
  let begins = from;
  while (begins > 0 && points(begins) === points(begins - 1)) begins -= 1;
  const ranks = (at: number, start: Start) => ({ ranks: ranksOf(run.slice(at), start), from: at });
  if (begins > 0) return ranks(begins, { rank: my.rank - (myTie - begins), tied: null });
  if (myTie === 0) return ranks(from, my);
  // One that begins further up is counted: as much less as it has and rows lie between.
  const tied = tiedIn(blocks, points(from));
  const between = myTie - run.findIndex((row) => row.points < points(from));
  return tied === null ? null : ranks(from, { rank: my.rank - between - tied, tied });
}

/** `rows`: the board's first ones. */
function viewOf(
  rows: readonly BoardRow[],
  { run, mine }: Parts,
  { ranks, from }: Ranks,
  { me, top }: Wanted,
): BoardView {
  const start = Math.max(0, shownFrom(run.length, mine));
  const around = run
    .slice(start, start + 1 + BOARD_AROUND_ME)
    .map((row, index) => rowOf(row, ranks[start - from + index] ?? 0, start + index === mine));
  const first = rows.slice(0, top);
  // Who has less than the last of them is not among them: they need not be looked through.
  const below = mine < 0 || (run[mine]?.points ?? 0) < (first.at(-1)?.points ?? 0);
  return { top: below ? first : shownTo(first, me), around, me: around[mine - start] ?? null };
}

/** The row as it is shown. */
const rowOf = ({ id, points, seconds, name }: Read, rank: number, me: boolean): BoardRow => ({
  rank,
  userId: id ?? '',
  displayName: name,
  points,
  // Whole milliseconds, as a date has them; the small part of one mends what seconds as a fraction lose.
  reachedAt: new Date(Math.floor(seconds * 1_000 + 0.01)).toISOString(),
  me,
});

/** Of the first of a run: its rank, and how many have it (null: it begins there, too). */
type Start = { rank: number; tied: number | null };
const BEGINNING: Start = { rank: 1, tied: null };

/**
 * The ranks of a run of neighbouring rows, where they do not bring their own. Every score but the first begins within the
 * run, so that how many stand there is seen.
 */
function ranksOf(run: readonly Read[], { rank, tied }: Start): number[] {
  let place = rank;
  let start = 0;
  return run.map((row, index) => {
    if (index > 0 && row.points !== run[index - 1]?.points) {
      place += start === 0 && tied !== null ? tied : index - start;
      start = index;
    }
    return row.rank ?? place;
  });
}

/** Rows from a board's beginning. */
function ranking(rows: readonly Read[]): BoardRow[] {
  const ranks = ranksOf(rows, BEGINNING);
  return rows.map((row, index) => rowOf(row, ranks[index] ?? 0, false));
}

/** As many rows as are shown around me, evenly unless the board ends; none where I am not among them. */
function evenly(rows: readonly BoardRow[]): BoardRow[] {
  const mine = rows.findIndex((row) => row.me);
  const from = Math.max(0, shownFrom(rows.length, mine));
  return mine < 0 ? [] : rows.slice(from, from + 1 + BOARD_AROUND_ME);
}

/** Where in a run of so many rows those begin that are shown: before it, where it is too short. */
const shownFrom = (length: number, mine: number): number => Math.min(mine - EACH_SIDE, length - 1 - BOARD_AROUND_ME);

/** Claims `c` of a member that may still count. Text; `user` names a parameter. */
const openOf = (user: string) => `
  claims c where c.user_id = ${user}::uuid and c.state in ('submitted', 'checking', 'changes_requested')`;

/**
 * Points of a member's claims that may still count, in one community: shown apart, never added. Text; `user` and `place`
 * name parameters.
 */
export const pendingText = (user: string, place: string) => `(
  select coalesce(sum(c.points), 0)::int from ${openOf(user)} and c.community_id = ${place}::uuid)`;

const PENDING = `
  select coalesce(sum(c.points), 0)::int as points from ${openOf('$1')}
    and (select o.visibility from communities o where o.id = c.community_id) = 'public'`;
/** The same of those that may count on the instance's board. */
export async function pendingPoints(sql: ISql, userId: string): Promise<number> {
  const [row] = await sql.unsafe<[{ points: number }]>(PENDING, [userId], { prepare: true });
  return row.points;
}

/**
 * Display names of who holds one of `roles`, leaders first, then the longest serving; at most `NAMES_SHOWN`. Text;
 * `place` names a parameter.
 */
export const namesText = (place: string, roles: readonly ('leader' | 'moderator')[]) => `array(
  select u.display_name from community_members m join users u on u.id = m.user_id
  where m.community_id = ${place}::uuid and m.role <> 'member' and m.role in (${roles.map((role) => `'${role}'`).join()})
  order by m.role, m.joined_at, u.id limit ${NAMES_SHOWN})`;

const LEADERS = `select ${namesText('$1', ['leader'])} as names`;
export async function leadersOf(sql: ISql, communityId: string): Promise<string[]> {
  const [row] = await sql.unsafe<[{ names: string[] }]>(LEADERS, [communityId], { prepare: true });
  return row.names;
}
