import { expect, it } from 'vitest';
import { streakOf } from '../../server/domain/streak.ts';

it('counts up to today', () => {
  expect(streakOf({ last: '2026-11-21', length: 4 }, '2026-11-21')).toEqual({ days: 4, countedToday: true });
});

it('still stands when today is not done yet, over the end of a month too', () => {
  expect(streakOf({ last: '2026-11-30', length: 4 }, '2026-12-01')).toEqual({ days: 4, countedToday: false });
});

it('is broken by a whole day without', () => {
  expect(streakOf({ last: '2026-11-19', length: 40 }, '2026-11-21')).toEqual({ days: 0, countedToday: false });
});

it('is nothing before the first day', () => {
  expect(streakOf(null, '2026-11-21')).toEqual({ days: 0, countedToday: false });
});

it('survives a move to the west, where it is still yesterday', () => {
  expect(streakOf({ last: '2026-11-22', length: 2 }, '2026-11-21')).toEqual({ days: 2, countedToday: true });
});
