import { BOARD_AROUND_ME } from '../../contract/limits.ts';
import { boardRows, type LiveBoard, SPANS } from '../ledger/standings.ts';

/**
 * Where a board's rows come from, as text that names the statement's parameters from `$2` on: who stands on it with what,
 * and how ranks are found. Either a copy knows them (`rank`), or `place` says where the first of the rows around me
 * stands, by its score. `kind` is the same for the same text.
 */
export type Source = { kind: string; rows: string; rank: string; place: string };

/**
 * A row of the answer: one of the top ('t'), one above me, from me on ('a'), me and those below ('m': none where I am
 * not on the board), a block of counters ('c': its number as `points`, its level as `seconds`, its counts as `name`), or what
 * holds for the board ('s'): its version as `id` and, where the rank is added up by the database, how many stand on it
 * as `seconds`, the rank of the first of the rows around me and, as `points`, how many have that rank. (Columns of their
 * own for these would be sent with every row.)
 */
export type Read = {
  part: 's' | 't' | 'a' | 'm' | 'c';
  id: string | null;
  points: number;
  seconds: number;
  name: string;
  /** Where a copy or the database knows it. */
  rank?: number | null;
};

/** A live board: `$2` and `$3` are the place and first day of its `counterKey`. */
const live = (period: LiveBoard['period']): Source => ({
  kind: period,
  rows: boardRows(period, '(select $2::uuid)', '(select $3::date)'),
  rank: 'null::integer',
  // A row of its own, so that the function becomes a part of the statement and its plan is one for all boards.
  place: `(select $2::uuid as board, $3::date as since offset 0) key
    cross join lateral board_place(key.board, ${SPANS[period]}, key.since, first.points)`,
});
/** Put together once, as their statements are. */
export const LIVE: Record<LiveBoard['period'], Source> = {
  all: live('all'),
  today: live('today'),
  week: live('week'),
  month: live('month'),
  season: live('season'),
};

/** Rows of a copy, with the names of today. */
const copied = (kind: string, at: string, ranked: string): Source => ({
  kind,
  rows: `
    select user_id, points, reached_at, (select u.display_name from users u where u.id = user_id) as display_name,
      -points as lack, rank
    from ${at}`,
  rank: 'rank',
  place: `(select 0 as rank, 0 as tied, ${ranked} as ranked)`,
});
/** Of the season `$2`. */
export const RESULTS = copied('results', 'season_results where season_id = $2::uuid', '0');
const FROZEN_ROWS = 'frozen_boards where community_id = $2::uuid and period = $3::text';
/** Of the board `$3` of the community `$2`. */
export const FROZEN = copied('frozen', FROZEN_ROWS, `coalesce((select ranked from ${FROZEN_ROWS} limit 1), 0)`);

/**
 * Statements are put together once: done for each board, by the driver and from a dozen pieces, that took as long as
 * asking, and what it left behind made one read of a hundred wait for its removal.
 */
const made = new Map<string, string>();

function once(key: string, make: () => string): string {
  const known = made.get(key);
  if (known !== undefined) return known;
  // The database copies the text for each call, three quarters of which would be blanks.
  const text = make().replace(/\s+/g, ' ');
  made.set(key, text);
  return text;
}

// What is asked for stands in selects, or in a row of its own, so that the planner sees no community's size and keeps one
// plan: to plan costs more than to read. Numbers of rows stand in the text: a plan that is kept must know how few are wanted.

const columns = "user_id as id, points, date_part('epoch', reached_at) as seconds, display_name as name";
const inOrder = 'order by lack, reached_at, user_id';
const backwards = 'order by lack desc, reached_at desc, user_id desc';
const place = '(lack, reached_at, user_id)';
const myPlace = '(m.lack, m.reached_at, m.user_id)';

/** All of a board's `first` rows, mine (`$1`) and those around mine, with ranks added up by the database. */
export const wholeBoard = (source: Source, first: number): string =>
  once(`whole ${source.kind} ${first}`, () => {
    const { rows, rank, place: placed } = source;
    const row = `${columns}, ${rank} as rank`;
    return `
      with board as not materialized (
        ${rows}
      ), mine as materialized (
        select * from board where user_id = (select $1::uuid)
      ), above as materialized (
        select s.* from mine m cross join lateral (
          select * from board where ${place} < ${myPlace} ${backwards} limit ${BOARD_AROUND_ME}) s
      )
      select 's' as part, null::uuid as id, p.tied as points, p.ranked::float8 as seconds,
        null as name, p.rank
      from (select coalesce((select max(points) from above), (select points from mine)) as points offset 0) first
      cross join lateral ${placed} p
      union all (select 't', ${row} from board ${inOrder} limit ${first})
      union all select 'a', ${row} from above
      union all select 'm', ${row} from (
        select s.* from mine m cross join lateral (
          select * from board where ${place} >= ${myPlace} ${inOrder} limit ${BOARD_AROUND_ME + 1}) s) below`;
  });

/**
 * My row, `above` before it and `below` after it, and the counters near my score; and, only where the board's version is
 * not `$5`, its first rows and the widest counters. All of it at once: who asks a second time right after a first waits for a
 * processor, up to a tick of the system's clock. The functions are those of 0006_boards.sql, for the driver and the database
 * read this text for each question. `$2` to `$4`: the place and first day of the board's `counterKey`, as days since 1970, and
 * whose version it has.
 */
export const ownPart = (
  period: LiveBoard['period'],
  first: number,
  { above, below }: { above: number; below: number },
): string =>
  once(
    `own ${period} ${first} ${above} ${below}`,
    () => `select * from board_beside_${period}($1, $2, $3, $4, $5, ${above}, ${below + 1}, ${first})`,
  );
