import { HttpError } from '../base/http-error.ts';
import type { BoardRow } from '../contract/boards.ts';
import { BOARD_AROUND_ME } from '../contract/limits.ts';

/** The rows around mine (`run[mine]`), evenly on both sides unless the board begins or ends there. */
export function aroundMe(run: readonly BoardRow[], mine: number): BoardRow[] {
  const shown = 1 + BOARD_AROUND_ME;
  const start = Math.max(0, Math.min(mine - BOARD_AROUND_ME / 2, run.length - shown));
  return run.slice(start, start + shown);
}

/** A row in its order, before it is shown; `rank` null where it is counted here. */
type Ordered = { rank: number | null; userId: string | null; name: string; points: number; reachedAt: Date };

/**
 * Adjacent rows with their ranks; equal points share one. Every score but the first begins within them, so its rank
 * follows; for the first score `rank` and the number of ties (`tied`; null: all are within the rows) are given.
 */
export function withRanks(
  rows: readonly Ordered[],
  first: { rank: number; tied: number | null },
  me: string | null,
): BoardRow[] {
  let { rank } = first;
  let begin = 0;
  return rows.map((row, index) => {
    if (row.points !== rows[begin]?.points) {
      rank += begin === 0 && first.tied !== null ? first.tied : index - begin;
      begin = index;
    }
    return {
      rank: row.rank ?? rank,
      userId: row.userId ?? '',
      displayName: row.name,
      points: row.points,
      reachedAt: row.reachedAt.toISOString(),
      me: row.userId === me,
    };
  });
}

/** Answers a season's leaderboard where there is no season. */
export const noSeason = (): HttpError => new HttpError(409, 'NO_SEASON', 'There is no season to show here yet.');
