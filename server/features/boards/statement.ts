import { BOARD_AROUND_ME } from '../../contract/limits.ts';
import { type BoardId, boardRows } from '../ledger/standings.ts';

/**
 * A row of a board's answer, by its `part`: one of the first rows ('top'), one above me from the nearest on ('above'),
 * me and those below ('me'; none where I have no rank), or facts of the whole board ('board').
 */
export type Read = {
  part: 'board' | 'top' | 'above' | 'me';
  /** Null in the part 'board'. */
  userId: string | null;
  /** In the part 'board': number of members with the points of the first row around me. */
  points: number;
  reachedAt: Date;
  /** Null: hidden from the caller. */
  name: string | null;
  /** In the part 'board': rank of the first row around me. In a row: only from a copy. */
  rank: number | null;
  /** In the part 'board' only: the number of ranked members. */
  ranked: number;
};

/**
 * Source of a board's rows: SQL with the statement's parameters from `$3` on. `rank`: a row's rank in a copy; `counts`:
 * `(rank, tied, ranked)` of the score `first.points`.
 */
type Source = { rows: string; rank: string; counts: string };

/**
 * The board and its first day. As subqueries they hide a board's length from the planner, so PostgreSQL reuses one plan
 * for all boards: planning takes longer than reading.
 */
const [BOARD, SINCE] = ['(select $3::uuid)', '(select $4::date)'];

const live = (period: BoardId['period']): Source => ({
  rows: boardRows(period, BOARD, SINCE),
  rank: 'null::integer',
  counts: `board_rank(${BOARD}, '${period}', ${SINCE}, first.points)`,
});

/** Rows of a copy, with stored ranks. */
const copied = (from: string, ranked: string): Source => ({
  rows: `select user_id, points, reached_at, -points as lack, rank from ${from}`,
  rank: 'rank',
  counts: `(select null::integer as rank, 0 as tied, ${ranked} as ranked)`,
});

const frozenRows = 'frozen_boards where community_id = $3::uuid and period = $4::text';

export const LIVE: Record<BoardId['period'], string> = {
  all: statement(live('all')),
  day: statement(live('day')),
  week: statement(live('week')),
  month: statement(live('month')),
  season: statement(live('season')),
};
/** The frozen results of the season `$3`. */
export const RESULTS = statement(copied('season_results where season_id = $3::uuid', '0'));
/** The frozen board `$4` of the community `$3`. */
export const FROZEN = statement(copied(frozenRows, `coalesce((select ranked from ${frozenRows} limit 1), 0)`));

/**
 * One statement, hence one snapshot: the first `$2` rows, me (`$1`) with those around me, the number of ranked members,
 * and the rank of the first row around me. All rows are ranges of one index and the rank comes from the counts, so the
 * cost does not grow with the board. The order is points, then who reached them first, then the id.
 */
function statement({ rows, rank, counts }: Source): string {
  const columns = `user_id as "userId", points, reached_at as "reachedAt",
    (select case when u.hidden_at is null or u.id = (select $1::uuid) then u.display_name end from users u where u.id = user_id) as name, ${rank} as rank, 0 as ranked`;
  return `
    with board as not materialized (${rows}
    ), mine as materialized (
      select * from board where user_id = (select $1::uuid)
    ), above as materialized (
      select s.* from mine m cross join lateral (
        select * from board where (lack, reached_at, user_id) < (m.lack, m.reached_at, m.user_id)
        order by lack desc, reached_at desc, user_id desc limit ${BOARD_AROUND_ME}) s
    ), below as materialized (
      select s.* from mine m cross join lateral (
        select * from board where (lack, reached_at, user_id) >= (m.lack, m.reached_at, m.user_id)
        order by lack, reached_at, user_id limit ${BOARD_AROUND_ME + 1}) s
    )
    select 'board' as part, null::uuid as "userId", c.tied as points, 'epoch'::timestamptz as "reachedAt", '' as name,
      c.rank, c.ranked
    from (select coalesce((select max(points) from above), (select points from mine)) as points) first
    cross join lateral ${counts} c
    union all (select 'top', ${columns} from board order by lack, reached_at, user_id limit $2::integer)
    union all select 'above', ${columns} from above
    union all select 'me', ${columns} from below`.replace(/\s+/g, ' ');
}
