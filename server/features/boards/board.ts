import type { ISql } from 'postgres';
import type { BoardRow, BoardState } from '../../contract/boards.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { BOARD_AROUND_ME, NAMES_SHOWN } from '../../contract/limits.ts';
import type { CalendarPeriod } from '../../domain/periods.ts';
import { boardKey, boardRows, counterKey, type LiveBoard } from './rows.ts';
import { readBoardState } from './state.ts';
import { shownTo, type Top, tops } from './tops.ts';
import { countsIn, rankedIn, rankIn, WIDE_AT_MOST, type Wide, wideOf } from './wide.ts';

/**
 * Where a board's rows come from, as text that names the statement's parameters from `$2` on: who stands on it with what,
 * and how ranks are found. Either a copy knows them (`rank`), or `place` says where the first of the rows around me
 * stands, by its score. `kind` is the same for the same text.
 */
type Source = { kind: string; rows: string; rank: string; place: string; live: Live | null };
/** Of a board that is counted on: its version, its wider blocks of counters, and that of the first of the rows around me. */
type Live = { version: string; wide: string; own: string };
/** The parameters, and the key under which what is the same for everybody may be `kept` of a live board. */
type Given = { params: readonly string[]; kept: string | null };

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
  const [place, span, since] = key;
  const source = live(board.period, span);
  return readRows(sql, board, source, { params: [place, since, board.communityId], kept: `${key}:${board.top}` });
}

const live = (period: LiveBoard['period'], span: number): Source => ({
  kind: period,
  rows: boardRows(period, '$2', '$3'),
  rank: 'null::integer',
  // A row of its own, so that the function becomes a part of the statement and its plan is one for all boards.
  place: `(select $2::uuid as board, $3::date as since offset 0) key
    cross join lateral board_place(key.board, ${span}, key.since, first.points)`,
  live: {
    version: '(select version from board_versions where board = (select $4::uuid))',
    wide: `
      select 'c' as part, null::uuid as id, (slot & 2147483647)::integer as points, (slot >> 31 & 3)::float8 as seconds,
        cnts::text as name, null::integer as rank
      from counters where board = (select $2::uuid)
        and slot >= (select counter_slot(${span}, $3::date, 1, 0)) and slot < (select counter_slot(${span}, $3::date, 4, 0))
      limit ${WIDE_AT_MOST + 1}`,
    own: `(
      select cnts::text from counters
      where board = (select $2::uuid) and slot = (select counter_slot(${span}, $3::date, 0, first.points >> 6)))`,
  },
});

/** The board of a season that is frozen, as it was copied then. */
export function readResults(sql: ISql, board: Wanted & { seasonId: string }): Promise<BoardView> {
  return readRows(sql, board, RESULTS, { params: [board.seasonId], kept: null });
}

/** A board as it stood when a leader froze it. */
export function readFrozen(sql: ISql, board: Wanted & LiveBoard): Promise<Ranked> {
  return readRows(sql, board, FROZEN, { params: [board.communityId, boardKey(board)], kept: null });
}

/** Rows of a copy, with the names of today. */
const copied = (kind: string, at: string, ranked: string): Source => ({
  kind,
  rows: `
    select user_id, points, reached_at, (select u.display_name from users u where u.id = user_id) as display_name,
      -points as lack, rank
    from ${at}`,
  rank: 'rank',
  place: `(select 0 as rank, 0 as tied, ${ranked} as ranked)`,
  live: null,
});
const RESULTS = copied('results', 'season_results where season_id = $2::uuid', '0');
const FROZEN_ROWS = 'frozen_boards where community_id = $2::uuid and period = $3::text';
const FROZEN = copied('frozen', FROZEN_ROWS, `coalesce((select ranked from ${FROZEN_ROWS} limit 1), 0)`);

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

/**
 * A row of the answer: one of the top ('t'), one above me, from me on ('a'), me ('m'), one below me ('b'), a block of wider
 * counters ('c': its number as `points`, its level as `seconds`, its counts as `name`), or what holds for the board ('s'):
 * its version as `id`, how many stand on it as `seconds`, the rank of the first of the rows around me and, as `points`,
 * how many have that rank; where the rank is added up here, that row's points and, as `name`, the counts of its block.
 * (Columns of their own for these would be sent with every row.)
 */
type Read = {
  part: 's' | 't' | 'a' | 'm' | 'b' | 'c';
  id: string | null;
  points: number;
  seconds: number;
  name: string;
  rank: number | null;
};

/** Of a board: what differs from member to member, what is the same for all of them, or both with the rank added up. */
type Part = 'own' | 'same' | 'all';

/**
 * The statement of one kind of board for so many first rows. It is put together once: done for each board, by the driver
 * and from a dozen pieces, that took as long as asking, and what it left behind made one read of a hundred wait for its
 * removal.
 */
const statements = new Map<string, string>();

function statementOf(source: Source, part: Part, top: number): string {
  const key = `${source.kind} ${part} ${top}`;
  const known = statements.get(key) ?? statement(source, part, top);
  statements.set(key, known);
  return known;
}

// What is asked for stands in selects, so that the planner sees no community's size and keeps one plan: to plan costs more
// than to read. Numbers of rows stand in the text: a plan that is kept must know how few are wanted.
function statement({ rows, rank, place, live }: Source, part: Part, top: number): string {
  const row = `user_id as id, points, date_part('epoch', reached_at) as seconds, display_name as name, ${rank} as rank`;
  const version = live?.version ?? 'null::uuid';
  const same = `
    ${top > 0 ? `union all (select 't', ${row} from board order by lack, reached_at, user_id limit ${Math.trunc(top)})` : ''}
    ${live ? `union all (${live.wide})` : ''}`;
  if (part === 'same') {
    return `
      with board as not materialized (${rows})
      select 's' as part, ${version} as id, null::integer as points, null::float8 as seconds, null as name,
        null::integer as rank
      from (select $1::uuid) asker ${same}`;
  }
  const first =
    '(select coalesce((select max(points) from above), (select points from mine)) as points offset 0) first';
  const state =
    part === 'own' && live
      ? `first.points, null::float8 as seconds, ${live.own} as name, null::integer as rank from ${first}`
      : `p.tied as points, p.ranked::float8 as seconds, null as name, p.rank from ${first} cross join lateral ${place} p`;
  return `
    with board as not materialized (
      ${rows}
    ), mine as materialized (
      select * from board where user_id = (select $1::uuid)
    ), above as materialized (
      select s.* from mine m cross join lateral (
        select * from board b where (b.lack, b.reached_at, b.user_id) < (m.lack, m.reached_at, m.user_id)
        order by b.lack desc, b.reached_at desc, b.user_id desc limit ${BOARD_AROUND_ME}) s
    )
    select 's' as part, ${version} as id, ${state}
    ${part === 'all' ? same : ''}
    union all select 'a', ${row} from above
    union all select 'm', ${row} from mine
    union all select 'b', ${row} from (
      select s.* from mine m cross join lateral (
        select * from board b where (b.lack, b.reached_at, b.user_id) > (m.lack, m.reached_at, m.user_id)
        order by b.lack, b.reached_at, b.user_id limit ${BOARD_AROUND_ME}) s) below`;
}

/** So many times in a row a board had changed between two of its reads: then everything is asked for at once. */
const RESTLESS = 2;

async function readRows(sql: ISql, { me, top }: Wanted, source: Source, { params, kept: key }: Given): Promise<Ranked> {
  const ask = (wanted: Part) =>
    sql.unsafe<Read[]>(statementOf(source, wanted, top), [me, ...params], { prepare: true }).execute();
  const kept = key === null ? undefined : tops.get(key);
  if (key !== null && kept?.wide && kept.missed < RESTLESS) {
    const own = await ask('own');
    const version = own[0]?.id ?? null;
    if (version === kept.version) kept.missed = 0;
    // What is the same for everybody is of another moment, but of no other version: nothing lies between the two.
    const same = version === kept.version ? kept : keep(key, await ask('same'), kept);
    if (same?.wide && same.version === version) return viewOf(own, standingIn(same, same.wide, own), me);
  }
  const read = await ask('all');
  const [state] = read;
  if (state?.part !== 's') return NOBODY;
  if (key !== null) keep(key, read, kept);
  const { rank, points: tied, seconds: ranked } = state;
  return viewOf(read, { rank: rank ?? 0, tied, ranked, best: firstIn(read) }, me);
}

const firstIn = (read: readonly Read[]) => rankRun(partOf(read, 't'), { rank: 1, tied: null });

/** Keeps what of the answer is the same for everybody. */
function keep(key: string, read: readonly Read[], before: Top | undefined): Top | null {
  const version = read[0]?.id ?? null;
  if (version === null) return null;
  const missed = before && before.version !== version ? Math.min(before.missed + 1, RESTLESS) : 0;
  return tops.set(key, { version, rows: firstIn(read), wide: wideIn(read), missed });
}

function standingIn({ rows }: Top, wide: Wide, [state]: readonly Read[]): Standing {
  // Who does not stand on the board has neither points nor counters.
  const place = state?.name ? rankIn(wide, state.points, countsIn(state.name)) : { rank: 0, tied: 0 };
  return { ...place, ranked: rankedIn(wide), best: rows };
}

const wideIn = (read: readonly Read[]) =>
  wideOf(
    read
      .filter(({ part }) => part === 'c')
      .map(({ points, seconds, name }) => ({ block: points, level: seconds, counts: name })),
  );

const partOf = (read: readonly Read[], part: Read['part']) => read.filter((one) => one.part === part).map(rowOf);

/** `rank` and `tied` are those of the first of the rows around me. */
type Standing = { rank: number; tied: number; ranked: number; best: readonly BoardRow[] };

function viewOf(read: readonly Read[], { rank, tied, ranked, best }: Standing, me: string | null): Ranked {
  const run = [...partOf(read, 'a').reverse(), ...partOf(read, 'm'), ...partOf(read, 'b')];
  const around = evenly(rankRun(run, { rank, tied }));
  const mine = around.find((one) => one.me) ?? null;
  return { top: shownTo(best, me), around, me: mine, ranked };
}

/** The row as it is shown, with its rank where that is known, else 0. */
const rowOf = ({ part, id, points, seconds, name, rank }: Read): BoardRow => ({
  rank: rank ?? 0,
  userId: id ?? '',
  displayName: name,
  points,
  // Whole milliseconds, as a date has them; the small part of one mends what seconds as a fraction lose.
  reachedAt: new Date(Math.floor(seconds * 1_000 + 0.01)).toISOString(),
  me: part === 'm',
});

/**
 * Ranks a run of neighbouring rows. Every score but the first begins within the run, so that how many stand there is
 * seen; of the first, `rank` and (null: it begins here too) `tied` say it.
 */
function rankRun(run: BoardRow[], { rank, tied }: { rank: number; tied: number | null }): BoardRow[] {
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
  const from = Math.max(0, Math.min(mine - BOARD_AROUND_ME / 2, run.length - 1 - BOARD_AROUND_ME));
  return run.slice(from, from + 1 + BOARD_AROUND_ME);
}

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
