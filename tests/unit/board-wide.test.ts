import { expect, test } from 'vitest';
import { rankedIn, rankIn, WIDE_AT_MOST, wideOf } from '../../server/features/boards/wide.ts';

const BITS = 6;
/** Scores of all sizes that a board may have, with neighbours and ties. */
const SCORES = [
  1, 1, 2, 63, 64, 64, 65, 4_095, 4_096, 4_097, 262_143, 262_144, 300_000, 16_777_215, 16_777_216, 50_331_648,
];

/** The blocks of these scores as the database keeps them: level by level, 64 counters each. */
function blocksOf(scores: readonly number[]) {
  const blocks = new Map<string, { level: number; block: number; counts: number[] }>();
  for (const score of scores) {
    for (const level of [0, 1, 2, 3]) {
      const bucket = score >> (BITS * level);
      const key = `${level} ${bucket >> BITS}`;
      const one = blocks.get(key) ?? { level, block: bucket >> BITS, counts: Array<number>(64).fill(0) };
      one.counts[bucket % 64] = (one.counts[bucket % 64] ?? 0) + 1;
      blocks.set(key, one);
    }
  }
  return [...blocks.values()];
}
const written = (counts: readonly number[]) => `{${counts.join(',')}}`;

test('ranks, ties and the number of all are those of a count', () => {
  const blocks = blocksOf(SCORES);
  const wide = wideOf(blocks.filter(({ level }) => level > 0).map((one) => ({ ...one, counts: written(one.counts) })));
  if (!wide) throw new Error('these are few enough');
  expect(rankedIn(wide)).toBe(SCORES.length);
  for (const score of SCORES) {
    const own = blocks.find(({ level, block }) => level === 0 && block === score >> BITS)?.counts ?? [];
    const rank = 1 + SCORES.filter((other) => other > score).length;
    const tied = SCORES.filter((other) => other === score).length;
    expect(rankIn(wide, score, own), `${score}`).toEqual({ rank, tied });
  }
});

test('a board with more blocks than are kept is left to the database', () => {
  const one = { level: 1, counts: '{0}' };
  const blocks = (count: number) => Array.from({ length: count }, (_, block) => ({ ...one, block }));
  expect(wideOf(blocks(WIDE_AT_MOST))).not.toBeNull();
  expect(wideOf(blocks(WIDE_AT_MOST + 1))).toBeNull();
});
