import { type CalendarPeriod, firstDaysOf, standingKey } from '../../domain/periods.ts';

/** A board that still changes: of the calendar period at `at`, or of a season. */
export type LiveBoard = { communityId: string } & (
  | { period: CalendarPeriod; at: Date }
  | { period: 'season'; seasonId: string }
);

/** The key of a board among frozen copies. */
export const boardKey = (board: LiveBoard): string =>
  board.period === 'season' ? `season:${board.seasonId}` : standingKey(board.period, board.at);

/** `since` of a board that no calendar bounds. */
export const EVER = '1970-01-01';

/** A period as the database names it (type `board_period`). */
type BoardPeriod = 'all' | 'day' | 'week' | 'month' | 'season';
/** What names a board in `score_counts` and `bucket_counts`; `board` is a community, the instance or a season. */
export type BoardId = { board: string; period: BoardPeriod; since: string };

export function boardId(board: LiveBoard): BoardId {
  if (board.period === 'season') return { board: board.seasonId, period: 'season', since: EVER };
  const { communityId, period, at } = board;
  if (period === 'all') return { board: communityId, period, since: EVER };
  const { day, week, month } = firstDaysOf(at);
  if (period === 'today') return { board: communityId, period: 'day', since: day };
  return { board: communityId, period, since: period === 'week' ? week : month };
}

/**
 * SQL of a live board's members: `user_id`, `points`, `reached_at`, and `lack` (negative points, which its index is
 * ordered by). `$board` and `$since` are expressions for the parts of its `boardId`. Leaders, former members, suspended
 * people and people without points are on no board.
 */
export function boardRows(period: BoardPeriod, board: string, since: string): string {
  if (period === 'all') {
    return `
      select user_id, points, reached_at, -points as lack from scores
      where community_id = ${board} and competes and points > 0`;
  }
  if (period === 'season') {
    return `
      select user_id, season_points as points, season_at as reached_at, -season_points as lack from scores
      where season_id = ${board} and competes and season_points > 0`;
  }
  return `
    select user_id, ${period}_points as points, reached_at, -${period}_points as lack from scores
    where community_id = ${board} and ${period} = ${since} and competes and ${period}_points > 0`;
}
