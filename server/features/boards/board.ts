import type { ISql } from 'postgres';
import type { BoardRow, BoardState } from '../../contract/boards.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { BOARD_AROUND_ME, NAMES_SHOWN } from '../../contract/limits.ts';
import type { CalendarPeriod } from '../../domain/periods.ts';
import { type Blocks, blockKey, isKept, rankedIn, rankIn, SCORES_IN_REACH, tiedIn } from './blocks.ts';
import { boardKey, counterKey, type LiveBoard } from './rows.ts';
import { readBoardState } from './state.ts';
import { FROZEN, LIVE, ownPart, RESULTS, type Read, type Source, wholeBoard } from './statements.ts';
import { shownTo, type Top, tops } from './tops.ts';

/** The parameters; of a live board also whose version it has, and under which key what is the same for everybody is kept. */
type Given = { params: readonly string[]; live?: { versioned: string; key: string } };

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
  const key = counterKey(board);
  const [place, , since] = key;
  return readRows(sql, board, LIVE[board.period], {
    params: [place, since],
    live: { versioned: board.communityId, key: `${key}:${board.top}` },
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
/** On boards of so many and more few stand so near the end that more rows above them are shown; these ask twice. */
const LONG = 5_000;
/** Rows above me: those shown and more, so that the score of the first one shown is mostly seen to begin. */
const ABOVE = { short: BOARD_AROUND_ME + 1, long: EACH_SIDE + 2 };

/** No board has it. */
const NO_VERSION = '00000000-0000-0000-0000-000000000000';

async function readRows(sql: ISql, { me, top }: Wanted, source: Source, { params, live }: Given): Promise<Ranked> {
  const first = Math.max(top, BOARD_AROUND_ME + 1);
  const ask = (text: string, ...more: string[]) =>
    sql.unsafe<Read[]>(text, [me, ...params, ...more], { prepare: true }).execute();
  if (live && source.live) {
    const kept = tops.get(live.key);
    const above = kept && kept.ranked >= LONG ? ABOVE.long : ABOVE.short;
    const own = ownPart(source.live, first, { above, below: EACH_SIDE });
    const read = await ask(own, live.versioned, kept?.version ?? NO_VERSION);
    // What is kept is of another moment, but of no other version: nothing lies between the two.
    const same = kept && read[0]?.id === kept.version ? kept : keep(live.key, read);
    const view = viewBeside(same, read, { me, top, above });
    if (view) return view;
  }
  const read = await ask(wholeBoard(source, first));
  const [state] = read;
  if (state?.part !== 's') return NOBODY;
  const { rank, points: tied, seconds: ranked } = state;
  return { ...viewOf(firstIn(read), rankRun(runOf(read), { rank: rank ?? 0, tied }), { me, top }), ranked };
}

const firstIn = (read: readonly Read[]) => rankRun(partOf(read, 't'), BEGINNING);

/** Keeps what of the answer is the same for everybody, where it has a version. */
function keep(key: string, read: readonly Read[]): Top {
  const version = read[0]?.id ?? NO_VERSION;
  const wide = new Map([...blocksIn(read)].filter(([block]) => isKept(block)));
  const top = { version, rows: firstIn(read), ranked: rankedIn(wide), wide };
  if (version !== NO_VERSION) tops.set(key, top);
  return top;
}

const blocksIn = (read: readonly Read[]): Map<number, string> =>
  new Map(
    read
      .filter(({ part }) => part === 'c')
      .map(({ points: block, seconds: level, name: counts }) => [blockKey(level, block), counts]),
  );

/** What was read beside a board's first rows: `above`, so many rows above mine were asked for. */
type Beside = Wanted & { above: number };

/**
 * The answer from what is the same for everybody and what is mine of the same version; null where the rows or the counters
 * that came do not say it.
 */
function viewBeside({ rows, ranked, wide }: Top, read: readonly Read[], { me, top, above }: Beside): Ranked | null {
  if ((rows[0]?.points ?? 0) >= SCORES_IN_REACH) return null;
  const run = runOf(read);
  const mine = run.findIndex((row) => row.me);
  if (mine < 0) return { ...viewOf(rows, [], { me, top }), ranked };
  if ((mine < EACH_SIDE && rows.length > BOARD_AROUND_ME) || rows.length === ranked) {
    // Near a board's beginning its first rows are all around me, and on a small board everywhere.
    return { ...viewOf(rows, shownTo(rows, me), { me, top }), ranked };
  }
  const blocks = new Map([...wide, ...blocksIn(read)]);
  const ranks = mine < above ? rankRun(run, BEGINNING) : rankedWithin(run, { mine, blocks });
  return ranks && { ...viewOf(rows, ranks, { me, top }), ranked };
}

/** A run within a board, from the first row that is shown or before, with its ranks. */
function rankedWithin(run: BoardRow[], { mine, blocks }: { mine: number; blocks: Blocks }): BoardRow[] | null {
  const from = shownFrom(run, mine);
  if (from < 0) return null;
  const points = (at: number) => run[at]?.points ?? 0;
  const my = rankIn(blocks, points(mine));
  if (!my) return null;
  const myTie = run.findIndex((row) => row.points === points(mine));
  // The last score to begin within the run by then: as much less than my rank as rows lie between.
  let begins = from;
  while (begins > 0 && points(begins) === points(begins - 1)) begins -= 1;
  if (begins > 0) return rankRun(run.slice(begins), { rank: my.rank - (myTie - begins), tied: null });
  if (myTie === 0) return rankRun(run.slice(from), my);
  // One that begins further up is counted: as much less as it has and rows lie between.
  const tied = tiedIn(blocks, points(from));
  const between = myTie - run.findIndex((row) => row.points < points(from));
  return tied === null ? null : rankRun(run.slice(from), { rank: my.rank - between - tied, tied });
}

const partOf = (read: readonly Read[], part: Read['part']) => read.filter((one) => one.part === part).map(rowOf);
function runOf(read: readonly Read[]): BoardRow[] {
  const above = partOf(read, 'a').reverse();
  const [mine, ...below] = partOf(read, 'm');
  return mine ? [...above, { ...mine, me: true }, ...below] : [];
}

/** `run`: the rows around me with their ranks. */
function viewOf(rows: readonly BoardRow[], run: readonly BoardRow[], { me, top }: Wanted): BoardView {
  const around = evenly(run);
  return { top: shownTo(rows.slice(0, top), me), around, me: around.find((one) => one.me) ?? null };
}

/** The row as it is shown, with its rank where that is known, else 0. */
const rowOf = ({ id, points, seconds, name, rank }: Read): BoardRow => ({
  rank: rank ?? 0,
  userId: id ?? '',
  displayName: name,
  points,
  // Whole milliseconds, as a date has them; the small part of one mends what seconds as a fraction lose.
  reachedAt: new Date(Math.floor(seconds * 1_000 + 0.01)).toISOString(),
  me: false,
});

/** Of the first of a run: its rank, and how many have it (null: it begins there, too). */
type Start = { rank: number; tied: number | null };
const BEGINNING: Start = { rank: 1, tied: null };

/** Ranks a run of neighbouring rows. Every score but the first begins within the run, so that how many stand there is seen. */
function rankRun(run: BoardRow[], { rank, tied }: Start): BoardRow[] {
  let place = rank;
  let start = 0;
  run.forEach((row, index) => {
    if (index > 0 && row.points !== run[index - 1]?.points) {
      place += start === 0 && tied !== null ? tied : index - start;
      start = index;
    }
    row.rank ||= place;
  });
  return run;
}

/** As many rows as are shown around me, evenly unless the board ends. */
function evenly(run: readonly BoardRow[]): BoardRow[] {
  const mine = run.findIndex((row) => row.me);
  const from = Math.max(0, shownFrom(run, mine));
  return run.slice(from, from + 1 + BOARD_AROUND_ME);
}

/** Where in a run the rows begin that are shown: before it, where it is too short. */
const shownFrom = (run: readonly BoardRow[], mine: number): number =>
  Math.min(mine - EACH_SIDE, run.length - 1 - BOARD_AROUND_ME);

/**
 * Points of a member's claims that may still count, in one community or (null) in all: shown apart, never added. Text;
 * `user` and `place` name parameters.
 */
export const pendingText = (user: string, place: string | null) => `(
  select coalesce(sum(points), 0)::int from claims
  where user_id = ${user}::uuid and state in ('submitted', 'checking', 'changes_requested')
    ${place === null ? '' : `and community_id = ${place}::uuid`})`;

const PENDING = `select ${pendingText('$1', null)} as points`;
/** The same of all communities. */
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
