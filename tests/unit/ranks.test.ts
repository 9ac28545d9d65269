import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BOARD_AROUND_ME } from '../../server/contract/limits.ts';
import { aroundMe, withRanks } from '../../server/domain/ranks.ts';

const REACHED = new Date('2026-11-20T08:00:00Z');
/** Rows of a board by their points; each is called by its place. */
const board = (points: readonly number[]) =>
  points.map((points, place) => ({ rank: null, userId: `${place}`, name: `${place}`, points, reachedAt: REACHED }));
const ranksOf = (rows: ReturnType<typeof withRanks>) => rows.map(({ rank }) => rank);

test('the same points share a rank, and the next one is as far behind as there are people ahead', () => {
  expect(ranksOf(withRanks(board([50, 40, 40, 40, 10]), { rank: 1, tied: null }, null))).toEqual([1, 2, 2, 2, 5]);
  expect(ranksOf(withRanks(board([7, 7]), { rank: 1, tied: null }, null))).toEqual([1, 1]);
});

const points = fc
  .array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 40 })
  .map((all) => all.sort((a, b) => b - a));
/** As SQL's `rank()` has it. */
const rankIn = (all: readonly number[], of: number) => 1 + all.filter((one) => one > of).length;

test('rows from the middle of a board have the ranks that they have on the whole of it', () => {
  fc.assert(
    fc.property(points, fc.nat(), fc.nat({ max: 12 }), (all, from, length) => {
      const start = from % all.length;
      const [first = 0] = all.slice(start);
      const tied = all.filter((one) => one === first).length;
      const rows = board(all).slice(start, start + 1 + length);
      const ranks = ranksOf(withRanks(rows, { rank: rankIn(all, first), tied }, null));
      expect(ranks).toEqual(rows.map((row) => rankIn(all, row.points)));
    }),
  );
});

test('as many rows are shown around mine as there may be, more on one side where the board ends on the other', () => {
  fc.assert(
    fc.property(points, fc.nat(), (all, at) => {
      const mine = at % all.length;
      const rows = withRanks(board(all), { rank: 1, tied: null }, `${mine}`);
      const places = aroundMe(rows, mine).map(({ userId }) => Number(userId));
      expect(places).toHaveLength(Math.min(all.length, 1 + BOARD_AROUND_ME));
      expect(places).toContain(mine);
      const [above, below] = [mine - (places[0] ?? 0), (places.at(-1) ?? 0) - mine];
      if (places[0] !== 0 && places.at(-1) !== all.length - 1) expect(above).toBe(below);
    }),
  );
});
