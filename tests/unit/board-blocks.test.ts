import { expect, test } from 'vitest';
import { type Blocks, blockKey, rankedIn, rankIn, SCORES_IN_REACH } from '../../server/features/boards/blocks.ts';

const BITS = 6;
const LEVELS = [0, 1, 2, 3];
/** Scores of all sizes that a board may have, with neighbours and ties. */
const SCORES = [1, 1, 2, 63, 64, 64, 65, 4_095, 4_096, 4_097, 262_143, 262_144, 300_000, SCORES_IN_REACH - 1];

/** As the database writes a number: eight digits for each, the first at its end, and no zeros before the others. */
const numberOf = (counts: readonly number[]): string =>
  String(counts.reduce((sum, count, place) => sum + BigInt(count) * 10n ** BigInt(8 * place), 0n));

/** The blocks of these scores as the database keeps them: level by level, 64 counters each, one number. */
function blocksOf(scores: readonly number[]): Blocks {
  const blocks = new Map<number, number[]>();
  for (const score of scores) {
    for (const level of LEVELS) {
      const bucket = score >> (BITS * level);
      const key = blockKey(level, bucket >> BITS);
      const counts = blocks.get(key) ?? Array<number>(64).fill(0);
      counts[bucket % 64] = (counts[bucket % 64] ?? 0) + 1;
      blocks.set(key, counts);
    }
  }
  return new Map([...blocks].map(([key, counts]) => [key, numberOf(counts)]));
}

test('ranks, ties and the number of all are those of a count', () => {
  const blocks = blocksOf(SCORES);
  expect(rankedIn(blocks)).toBe(SCORES.length);
  for (const score of SCORES) {
    const rank = 1 + SCORES.filter((other) => other > score).length;
    const tied = SCORES.filter((other) => other === score).length;
    expect(rankIn(blocks, score), `${score}`).toEqual({ rank, tied });
  }
});

test('a rank is not known while one of its blocks is missing', () => {
  const blocks = blocksOf(SCORES);
  const score = 4_096;
  for (const level of LEVELS) {
    const key = blockKey(level, score >> (BITS * (level + 1)));
    expect(rankIn(new Map([...blocks].filter(([one]) => one !== key)), score), `level ${level}`).toBeNull();
  }
});

test('counters of many digits do not run into each other', () => {
  const counts = Array<number>(64).fill(0);
  counts[0] = 99_999_998;
  expect(rankedIn(new Map([[blockKey(3, 0), numberOf(counts)]]))).toBe(99_999_998);
  counts[0] = 12_345_678;
  counts[1] = 1_000_000;
  counts[63] = 20_000_000;
  expect(rankedIn(new Map([[blockKey(3, 0), numberOf(counts)]]))).toBe(33_345_678);
});
