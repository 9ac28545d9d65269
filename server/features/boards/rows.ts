import type { ISql } from 'postgres';
import { type CalendarPeriod, calendarOf, standingKey } from '../../domain/periods.ts';

/** A board that is counted on: of the calendar period that `at` lies in, or of a season. */
export type LiveBoard = { communityId: string } & (
  | { period: CalendarPeriod; at: Date }
  | { period: 'season'; seasonId: string }
);

/** The key of a board in `hist` and among frozen copies. */
export const boardKey = (board: LiveBoard): string =>
  board.period === 'season' ? `season:${board.seasonId}` : standingKey(board.period, board.at);

/** Who stands on a live board, as `user_id`, `points` and `reached_at`: a range of one index, in its order. */
export function boardRows(sql: ISql, board: LiveBoard): ReturnType<ISql> {
  const { communityId, period } = board;
  if (period === 'all') {
    return sql`
      select user_id, points, reached_at from scores where community_id = ${communityId} and competes and points > 0`;
  }
  if (period === 'season') {
    return sql`
      select user_id, season_points as points, season_at as reached_at from scores
      where season_id = ${board.seasonId} and competes and season_points > 0`;
  }
  const part = period === 'today' ? 'day' : period;
  const points = sql(`${part}_points`);
  return sql`
    select user_id, ${points} as points, ${sql(`${part}_at`)} as reached_at from scores
    where community_id = ${communityId} and ${sql(part)} = ${calendarOf(board.at)[part]} and competes and ${points} > 0`;
}
