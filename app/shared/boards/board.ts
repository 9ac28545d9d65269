import type { BoardRow, Leaderboard } from '../../../server/contract/boards.ts';

/** Position of a row within its tie; null without one. */
export type Tie = 'first' | 'mid' | 'last' | null;

export function tieOf(rows: readonly BoardRow[], index: number): Tie {
  const rank = rows[index]?.rank;
  const above = rows[index - 1]?.rank === rank;
  const below = rows[index + 1]?.rank === rank;
  if (above && below) return 'mid';
  if (above) return 'last';
  return below ? 'first' : null;
}

export type BoardSections = {
  top: BoardRow[];
  /** Ranks that the answer leaves out, between the top and the rows around the member. */
  gap: { from: number; to: number } | null;
  around: BoardRow[];
};

/** The leaderboard's sections: one list, or the top and the member's neighbourhood with a gap between them. */
export function sectionsOf(board: Pick<Leaderboard, 'top' | 'around'>): BoardSections {
  const shown = new Set(board.top.map((row) => row.userId));
  const beyond = board.around.filter((row) => !shown.has(row.userId));
  const last = board.top.at(-1);
  const first = beyond[0];
  if (!last || !first) return { top: [...board.top, ...beyond], gap: null, around: [] };
  const touching = beyond.length < board.around.length || first.rank <= last.rank + 1;
  if (touching) return { top: [...board.top, ...beyond], gap: null, around: [] };
  return { top: [...board.top], gap: { from: last.rank + 1, to: first.rank - 1 }, around: beyond };
}
