import { cleanup, render, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { StreakCalendar } from '../../../app/features/profile/streak-calendar.tsx';
import { streakOf } from '../../../server/domain/streak.ts';

const TODAY = '2026-11-21';
const shown = (...days: string[]) => render(<StreakCalendar streak={streakOf(days, TODAY)} />);
const month = (name: string) => screen.getByRole('table', { name, hidden: true });
/** What a month says of its days, `17 counted`. */
const wordsOf = (name: string) =>
  [...month(name).querySelectorAll('td')].map((cell) => cell.textContent ?? '').filter((text) => text !== '');

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

/** The calendar as it is in a window of that width; how wide it is, is asked once for the page. */
async function shownOn(isWide: boolean) {
  vi.resetModules();
  vi.stubGlobal('matchMedia', () => ({ matches: isWide, addEventListener() {}, removeEventListener() {} }));
  const { StreakCalendar: Fresh } = await import('../../../app/features/profile/streak-calendar.tsx');
  render(<Fresh streak={streakOf(['2026-10-14'], TODAY)} />);
  return [...document.querySelectorAll('caption')].map((caption) => caption.textContent);
}

test('the month before is folded on a phone and stands beside this one on a computer', async () => {
  expect(await shownOn(false)).toEqual(['November 2026', 'October 2026']);
  expect(month('October 2026').closest('details')?.open).toBe(false);
  cleanup();
  expect(await shownOn(true)).toEqual(['October 2026', 'November 2026']);
  expect(document.querySelector('details')).toBeNull();
});
