import { type CalendarPeriod, firstDaysOf, standingKey } from '../../domain/periods.ts';

/** A board that is counted on: of the calendar period that `at` lies in, or of a season. */
export type LiveBoard = { communityId: string } & (
  | { period: CalendarPeriod; at: Date }
  | { period: 'season'; seasonId: string }
);

/** The key of a board among frozen copies. */
export const boardKey = (board: LiveBoard): string =>
  board.period === 'season' ? `season:${board.seasonId}` : standingKey(board.period, board.at);

/** `since` of a board that no calendar bounds. */
export const EVER = '1970-01-01';

/** What a slot of `counters` calls the periods. */
export const SPANS = { all: 0, today: 1, week: 2, month: 3, season: 4 } as const;

/** The key of a board in `counters`: its `board`, and the `span` and `since` of its slots. */
export function counterKey(board: LiveBoard): [board: string, span: number, since: string] {
  const { period } = board;
  const span = SPANS[period];
  if (period === 'season') return [board.seasonId, span, EVER];
  if (period === 'all') return [board.communityId, span, EVER];
  const { day, week, month } = firstDaysOf(board.at);
  return [board.communityId, span, { today: day, week, month }[period]];
}

/** A day such as '2026-11-21' as days since 1970. */
export const dayNumber = (day: string): number => Date.parse(day) / 86_400_000;

/**
 * Who stands on a live board, as `user_id`, `points`, `reached_at`, `display_name` and `lack`, whose order is that of
 * the board: a range of one index, in its order. `place` and `since` are those of the board's `counterKey`, as they are
 * named in the statement: not as parameters, so that the planner keeps one plan for all boards. The functions of
 * 0006_boards.sql say the same of who stands on a board.
 */
export function boardRows(period: LiveBoard['period'], place: string, since: string): string {
  if (period === 'all') {
    return `
      select user_id, points, reached_at, display_name, -points as lack from scores
      where community_id = ${place} and competes and points > 0`;
  }
  if (period === 'season') {
    return `
      select user_id, season_points as points, season_at as reached_at, display_name, -season_points as lack from scores
      where season_id = ${place} and competes and season_points > 0`;
  }
  const part = period === 'today' ? 'day' : period;
  return `
    select user_id, ${part}_points as points, reached_at, display_name, -${part}_points as lack from scores
    where community_id = ${place} and ${part} = ${since} and competes and ${part}_points > 0`;
}
