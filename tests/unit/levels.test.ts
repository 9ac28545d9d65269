import { expect, it } from 'vitest';
import { levelOf, pointsToNextLevel } from '../../server/contract/limits.ts';
import { fc } from '../support/chance.ts';

it('takes 100 points to the first level, 155 to the second, 220 to the third', () => {
  expect(levelOf(0)).toEqual({ level: 0, into: 0, needed: 100 });
  expect(levelOf(99)).toEqual({ level: 0, into: 99, needed: 100 });
  expect(levelOf(100)).toEqual({ level: 1, into: 0, needed: 155 });
  expect(levelOf(254)).toEqual({ level: 1, into: 154, needed: 155 });
  expect(levelOf(255)).toEqual({ level: 2, into: 0, needed: 220 });
});

it('loses no point: all levels below and the rest add up to the total', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 50_000_000 }), (total) => {
      const { level, into, needed } = levelOf(total);
      const below = Array.from({ length: level }, (_, l) => pointsToNextLevel(l)).reduce((sum, n) => sum + n, 0);
      expect(below + into).toBe(total);
      expect(into).toBeLessThan(needed);
    }),
  );
});

it('never goes below the start', () => {
  expect(levelOf(-50)).toEqual({ level: 0, into: 0, needed: 100 });
});
