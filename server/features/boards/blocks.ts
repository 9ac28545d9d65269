/**
 * Counters of a board in blocks of 64 neighbours, on four levels: of one score each, of 64 scores, of 4,096, of 262,144. By
 * `blockKey`, as the database writes the number that holds them: eight digits each, the first at its end.
 */
export type Blocks = ReadonlyMap<number, string>;

const LEVELS = 4;
const BITS = 6;
const PLACES = 64;
const DIGITS = 8;
/** The one block of the widest level that is asked for holds all scores below this; a board beyond is added up by the database. */
export const SCORES_IN_REACH = 2 ** 24;

export const blockKey = (level: number, block: number): number => level * 2 ** 31 + block;
/** Whether a block is kept with a board's first rows, as those of the two widest levels are: there are few. */
export const isKept = (key: number): boolean => key >= blockKey(2, 0);

const ZERO = 48;
/** The sum of a block's counters from a place on: digit by digit, as the text that it comes as is long. */
function sumFrom(counts: string, place: number): number {
  const end = counts.length - place * DIGITS;
  let total = 0;
  let count = 0;
  for (let at = 0; at < end; at += 1) {
    count = 10 * count + counts.charCodeAt(at) - ZERO;
    if ((end - at) % DIGITS === 1) {
      total += count;
      count = 0;
    }
  }
  return total;
}

/** How many stand on the board. */
export const rankedIn = (blocks: Blocks): number => sumFrom(blocks.get(blockKey(3, 0)) ?? '', 0);

/** How many have a score; null where its own block is not there. */
export function tiedIn(blocks: Blocks, score: number): number | null {
  const counts = blocks.get(blockKey(0, score >> BITS));
  const place = score % PLACES;
  return counts === undefined ? null : sumFrom(counts, place) - sumFrom(counts, place + 1);
}

/** The rank of a score and how many have it; null where not all of its blocks are there. */
export function rankIn(blocks: Blocks, score: number): { rank: number; tied: number } | null {
  const tied = tiedIn(blocks, score);
  if (tied === null) return null;
  let above = 0;
  for (let level = 0; level < LEVELS; level += 1) {
    const bucket = score >> (BITS * level);
    const counts = blocks.get(blockKey(level, bucket >> BITS));
    if (counts === undefined) return null;
    above += sumFrom(counts, (bucket % PLACES) + 1);
  }
  return { rank: 1 + above, tied };
}
