import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { StreakCalendar } from '../../../app/features/profile/streak-calendar.tsx';
import { streakOf } from '../../../server/domain/streak.ts';

const TODAY = '2026-11-21';
const shown = (...days: string[]) => render(<StreakCalendar streak={streakOf(days, TODAY)} />);
const month = (name: string) => screen.getByRole('table', { name, hidden: true });
/** What a month says of its days, `17 counted`. */
const wordsOf = (name: string) =>
  [...month(name).querySelectorAll('td')].map((cell) => cell.textContent ?? '').filter((text) => text !== '');
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('who begins sees this month from today on, and has missed nothing', () => {
  shown();
  expect(screen.getAllByRole('table')).toHaveLength(1);
  expect(wordsOf('November 2026').slice(0, 2)).toEqual(['21 today, still open', '22 to come']);
  expect(wordsOf('November 2026')).toHaveLength(10);
});

test('a day is missed from the first one that counted on', () => {
  shown('2026-11-17', '2026-11-20');
  expect(wordsOf('November 2026').slice(0, 5)).toEqual([
    '17 counted',
    '18 repaired',
    '19 missed',
    '20 counted',
    '21 today, still open',
  ]);
});

test('each day is under its weekday, and months have their names', () => {
  shown('2026-10-14', '2026-11-20');
  const heads = within(month('November 2026'))
    .getAllByRole('columnheader')
    .map((head) => head.getAttribute('abbr'));
  expect(heads).toEqual(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']);
  // 1 November 2026 is a Sunday: six weekdays are of another month.
  const first = month('November 2026').querySelector('tbody tr');
  expect([...(first?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent)).toEqual([
    '',
    '',
    '',
    '',
    '',
    '',
    '1 missed',
  ]);
  expect(wordsOf('October 2026')[0]).toBe('14 counted');
});

test('the month before is folded on a phone and stands beside this one on a computer', () => {
  shown('2026-10-14');
  expect(month('October 2026').closest('details')).not.toBeNull();
  cleanup();
  vi.resetModules();
  const wide = { matches: true, addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal('matchMedia', () => wide);
  return import('../../../app/features/profile/streak-calendar.tsx').then(({ StreakCalendar: Fresh }) => {
    render(<Fresh streak={streakOf(['2026-10-14'], TODAY)} />);
    expect(document.querySelector('details')).toBeNull();
    expect(screen.getAllByRole('table').map((table) => table.querySelector('caption')?.textContent)).toEqual([
      'October 2026',
      'November 2026',
    ]);
  });
});
