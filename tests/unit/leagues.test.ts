import { describe, expect, it } from 'vitest';
import {
  type Entrant,
  groupedAt,
  groupsOf,
  latestWeek,
  movesOf,
  resultsOf,
  standsApart,
  timesOf,
  weekOf,
} from '../../server/domain/leagues.ts';

const at = (text: string) => new Date(`${text}Z`);
const REACHED = at('2026-11-24T10:00');
const entrant = (id: number, over: Partial<Entrant> = {}): Entrant => ({
  userId: `u${String(id).padStart(4, '0')}`,
  points: 0,
  reachedAt: REACHED,
  division: 1,
  isNew: false,
  ...over,
});
const crowd = (count: number, over: (id: number) => Partial<Entrant> = () => ({})) =>
  Array.from({ length: count }, (_, id) => entrant(id, over(id)));
const scored = (points: number[], division = 3) =>
  points.map((made, id) => ({ ...entrant(id, { points: made, division }) }));
const moves = (points: number[], division?: number) => resultsOf(scored(points, division)).map(({ move }) => move);

describe('the groups of a week', () => {
  it('are of about thirty and differ by one at most, and everybody is in one', () => {
    for (const count of [1, 14, 44, 45, 100, 1_000, 1_234]) {
      const groups = groupsOf(crowd(count, (id) => ({ points: (id * 7919) % 1_000 })));
      const sizes = groups.map((group) => group.length);
      expect(new Set(groups.flat().map(({ userId }) => userId)).size).toBe(count);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      if (count >= 45) for (const size of sizes) expect(size).toBeGreaterThanOrEqual(22);
      for (const size of sizes) expect(size).toBeLessThanOrEqual(44);
    }
  });

  it('are of like activity within a division, ties in the board’s order', () => {
    const groups = groupsOf(crowd(90, (id) => ({ points: (id * 37) % 90 })));
    expect(groups.map((group) => [group[0]?.points, group.at(-1)?.points])).toEqual([
      [89, 60],
      [59, 30],
      [29, 0],
    ]);
    const early = entrant(2, { reachedAt: at('2026-11-24T09:00') });
    expect(groupsOf([entrant(1), entrant(0), early])[0]?.map(({ userId }) => userId)).toEqual([
      'u0002',
      'u0000',
      'u0001',
    ]);
  });

  it('keep divisions apart, and newcomers beside newcomers, where there are enough of them', () => {
    const groups = groupsOf(
      crowd(90, (id) => (id < 30 ? { division: 2 } : id < 60 ? { points: 5 } : { isNew: true, points: 900 })),
    );
    expect(groups.map((group) => [group.length, group[0]?.division, group[0]?.isNew])).toEqual([
      [30, 2, false],
      [30, 1, false],
      [30, 1, true],
    ]);
    expect(groups.every((group) => new Set(group.map((one) => `${one.division} ${one.isNew}`)).size === 1)).toBe(true);
  });

  it('of a small community is one', () => {
    const groups = groupsOf(crowd(9, (id) => ({ division: 1 + (id % 3), isNew: id === 0 })));
    expect(groups).toHaveLength(1);
    expect(groups[0]?.at(-1)?.isNew).toBe(true);
    expect(groupsOf([])).toEqual([]);
  });
});

describe('what a week comes to', () => {
  it('the first fifth rises, the last fifth falls, and the others stay', () => {
    expect(moves([100, 90, 80, 70, 60, 50, 40, 30, 20, 10])).toEqual([
      ...['rise', 'rise'],
      ...['stay', 'stay', 'stay', 'stay', 'stay', 'stay'],
      ...['fall', 'fall'],
    ]);
    expect([1, 2, 3, 9, 10, 30, 44].map(movesOf)).toEqual([0, 0, 1, 1, 2, 6, 8]);
  });

  it('nobody rises without points, and everybody without points falls', () => {
    expect(moves([5, 0, 0, 0, 0, 0, 0, 0, 0, 0])).toEqual(['rise', ...Array(9).fill('fall')]);
    // What was taken back may be more than what was earned.
    expect(resultsOf(scored([5, 3, -20]))[2]).toMatchObject({ points: 0, rank: null, move: 'fall' });
  });

  it('nobody falls out of the first division or rises out of the last', () => {
    expect(moves([9, 8, 7, 6, 0], 1)).toEqual(['rise', 'stay', 'stay', 'stay', 'stay']);
    expect(moves([9, 8, 7, 6, 0], 5)).toEqual(['stay', 'stay', 'stay', 'stay', 'fall']);
    expect(moves([9, 0])).toEqual(['stay', 'stay']);
  });

  it('who reached the same points first stands first, and shares the rank', () => {
    const group = scored([10, 10, 10, 4, 1]);
    const third = group[2];
    if (third) third.reachedAt = at('2026-11-23T01:00');
    expect(resultsOf(group).map(({ userId, rank, move }) => [userId, rank, move])).toEqual([
      ['u0002', 1, 'rise'],
      ['u0000', 1, 'stay'],
      ['u0001', 1, 'stay'],
      ['u0003', 4, 'stay'],
      ['u0004', 5, 'fall'],
    ]);
  });
});

describe('the week', () => {
  it('begins on Monday by UTC, and takes what arrives within 48 hours of its end', () => {
    expect(timesOf('2026-11-23')).toEqual({
      startsAt: at('2026-11-23T00:00'),
      endsAt: at('2026-11-30T00:00'),
      settlesAt: at('2026-12-02T00:00'),
    });
    const done = at('2026-11-29T23:59');
    expect(weekOf({ done, recorded: at('2026-12-01T23:59') })).toBe('2026-11-23');
    expect(weekOf({ done, recorded: at('2026-12-02T00:00') })).toBe('2026-11-30');
    expect(weekOf({ done: at('2026-11-30T00:00'), recorded: at('2026-11-30T00:00') })).toBe('2026-11-30');
  });

  it('has its groups once the week before is settled', () => {
    expect(groupedAt('2026-11-30')).toEqual(at('2026-12-02T00:00'));
    expect(latestWeek(at('2026-12-01T23:59'))).toBe('2026-11-23');
    expect(latestWeek(at('2026-12-02T00:00'))).toBe('2026-11-30');
  });
});

it('leaders, hidden members, and who left or is suspended stand apart', () => {
  const person = { role: 'member', isHidden: false, isSuspended: false };
  expect(standsApart(person)).toBeNull();
  expect(standsApart({ ...person, role: 'moderator' })).toBeNull();
  expect(standsApart({ ...person, role: 'leader' })).toBe('leader');
  expect(standsApart({ ...person, isHidden: true })).toBe('hidden');
  expect(standsApart({ ...person, isSuspended: true })).toBe('away');
  expect(standsApart({ ...person, role: null })).toBe('away');
});
