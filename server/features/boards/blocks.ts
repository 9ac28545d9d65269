/**
 * Counters of a board in blocks of 64 neighbours, on four levels: of one score each, of 64 scores, of 4,096, of 262,144. By
 * `blockKey`, as the database writes a list.
 */
export type Blocks = ReadonlyMap<number, string>;

const LEVELS = [0, 1, 2, 3] as const;
const BITS = 6;
const PLACES = 64;
/** The one block of the widest level that is asked for holds all scores below this; a board beyond is added up by the database. */
export const SCORES_IN_REACH = 2 ** 24;

export const blockKey = (level: number, block: number): number => level * 2 ** 31 + block;

const countsIn = (text: string): number[] => JSON.parse(`[${text.slice(1, -1)}]`);
const sum = (counts: readonly number[], from = 0): number => {
  let total = 0;
  for (let at = from; at < counts.length; at += 1) total += counts[at] ?? 0;
  return total;
};

/** How many stand on the board. */
export const rankedIn = (blocks: Blocks): number => sum(countsIn(blocks.get(blockKey(3, 0)) ?? '{}'));

/** The rank of a score and how many have it; null where not all of its blocks are there. */
export function rankIn(blocks: Blocks, score: number): { rank: number; tied: number } | null {
  let above = 0;
  let tied = 0;
  for (const level of LEVELS) {
    const bucket = score >> (BITS * level);
    const text = blocks.get(blockKey(level, bucket >> BITS));
    if (text === undefined) return null;
    const counts = countsIn(text);
    above += sum(counts, (bucket % PLACES) + 1);
    if (level === 0) tied = counts[bucket % PLACES] ?? 0;
  }
  return { rank: 1 + above, tied };
}
