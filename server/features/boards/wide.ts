/** Counters of a board's wider blocks (see `counters`): of 64 scores each, of 4,096, of 262,144. */
export type Wide = ReadonlyMap<number, readonly number[]>;

/** As many are kept of a board; where scores lie further apart the database adds up. */
export const WIDE_AT_MOST = 32;

const LEVELS = [1, 2, 3] as const;
const TOP_LEVEL = 3;
const BITS = 6;
const PLACES = 64;

const keyOf = (level: number, block: number): number => level * 2 ** 31 + block;
const sum = (counts: readonly number[], from = 0): number => {
  let total = 0;
  for (let at = from; at < counts.length; at += 1) total += counts[at] ?? 0;
  return total;
};

/** The number of the block that a score's own counter stands in. */
export const blockOf = (score: number): number => score >> BITS;

/** A block as the database writes a list. */
export const countsIn = (text: string): number[] => JSON.parse(`[${text.slice(1, -1)}]`);

/** What a board's wider blocks hold; null where there are too many to keep. */
export function wideOf(blocks: readonly { level: number; block: number; counts: string }[]): Wide | null {
  if (blocks.length > WIDE_AT_MOST) return null;
  return new Map(blocks.map(({ level, block, counts }) => [keyOf(level, block), countsIn(counts)]));
}

/** How many stand on the board. */
export function rankedIn(wide: Wide): number {
  let total = 0;
  for (const [key, counts] of wide) if (key >= keyOf(TOP_LEVEL, 0)) total += sum(counts);
  return total;
}

/** The rank of a score and how many have it: `own` are the counters of the score and its 63 neighbours. */
export function rankIn(wide: Wide, score: number, own: readonly number[]): { rank: number; tied: number } {
  const place = score % PLACES;
  let above = sum(own, place + 1);
  for (const level of LEVELS) {
    const bucket = score >> (BITS * level);
    above += sum(wide.get(keyOf(level, bucket >> BITS)) ?? [], (bucket % PLACES) + 1);
  }
  const widest = keyOf(TOP_LEVEL, score >> (BITS * (TOP_LEVEL + 1)));
  for (const [key, counts] of wide) if (key > widest) above += sum(counts);
  return { rank: 1 + above, tied: own[place] ?? 0 };
}
