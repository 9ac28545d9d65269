import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { StreakCalendar } from '../../../app/features/profile/streak-calendar.tsx';
import { streakOf } from '../../../server/domain/streak.ts';

const TODAY = '2026-11-21';
const words = () => screen.getAllByRole('listitem').map((item) => item.textContent ?? '');
const shown = (...days: string[]) => {
  render(<StreakCalendar streak={streakOf(days, TODAY)} />);
  return words();
};
afterEach(cleanup);

test('who begins has missed nothing', () => {
  const days = shown();
  expect(days.filter((day) => day.includes('before your first day'))).toHaveLength(41);
  expect(days.filter((day) => day.includes('missed'))).toEqual([]);
});

test('a day is missed from the first one that counted on', () => {
  const days = shown('2026-11-17', '2026-11-20');
  const named = (date: string) => days.find((day) => day.includes(date));
  expect(named('Nov 16')).toContain('before your first day');
  expect(named('Nov 17')).toContain('counted');
  expect(named('Nov 18')).toContain('repaired');
  expect(named('Nov 19')).toContain('missed');
});

test('one who began before the calendar does has missed its first days', () => {
  expect(shown('2026-09-01')[0]).toContain('missed');
});
