import { expect, test } from 'vitest';
import { around, backupName, momentIn, readRetention, surplus } from '../../server/domain/backup-plan.ts';

const DAY_MS = 86_400_000;
const NEWEST = Date.parse('2026-11-28T03:00:00Z');
const nights = (count: number) => Array.from({ length: count }, (_, ago) => new Date(NEWEST - ago * DAY_MS));
const daysOf = (times: readonly Date[]) => times.map((at) => at.toISOString().slice(0, 10));

test('of a year of nights seven days, four weeks and twelve months stay', () => {
  const all = nights(400);
  const gone = new Set(surplus(all, readRetention('7d4w12m')));
  expect(daysOf(all.filter((at) => !gone.has(at)))).toEqual([
    ...['2026-11-28', '2026-11-27', '2026-11-26', '2026-11-25', '2026-11-24', '2026-11-23', '2026-11-22'],
    // Sundays, the newest of their weeks.
    ...['2026-11-15', '2026-11-08', '2026-10-31'],
    ...['2026-09-30', '2026-08-31', '2026-07-31', '2026-06-30', '2026-05-31', '2026-04-30', '2026-03-31', '2026-02-28'],
    ...['2026-01-31', '2025-12-31'],
  ]);
});

test('what is kept night after night is what is kept at once', () => {
  const keep = readRetention('3d2w2m');
  let held: Date[] = [];
  for (const night of nights(90).reverse()) {
    held.push(night);
    const gone = new Set(surplus(held, keep));
    held = held.filter((at) => !gone.has(at));
  }
  const all = nights(90);
  const gone = new Set(surplus(all, keep));
  expect(daysOf(held.reverse())).toEqual(daysOf(all.filter((at) => !gone.has(at))));
});

test('the newest stays whatever the rule, and of a day with several the newest', () => {
  const [night, noon] = [new Date('2026-11-28T03:00:00Z'), new Date('2026-11-28T12:00:00Z')];
  expect(surplus([night, noon], readRetention('1w'))).toEqual([night]);
  expect(surplus([], readRetention('1d'))).toEqual([]);
});

test('a time of day is by the clock of the process, today’s or yesterday’s', () => {
  const at = { hours: 3, minutes: 30 };
  const local = (text: string) => new Date(`2026-11-${text}`);
  expect(around(at, local('28T03:29:59'))).toEqual({ last: local('27T03:30:00'), next: local('28T03:30:00') });
  expect(around(at, local('28T03:30:00'))).toEqual({ last: local('28T03:30:00'), next: local('29T03:30:00') });
});

test('a name tells the instance and the moment of a backup, and no other file is one', () => {
  const at = new Date('2026-11-28T03:00:07Z');
  expect(backupName('my-club', at)).toBe('my-club-20261128T030007Z.mbk');
  expect(momentIn('backups/my-club-20261128T030007Z.mbk.age', 'my-club')).toEqual(at);
  for (const other of [
    'my-club-20261128T030007Z.mbk.erasures',
    'my-club-20261128T030007Z.mbk.0a1b2c.part',
    'my-club.mbk',
  ])
    expect(momentIn(other, 'my-club')).toBeNull();
  expect(momentIn('my-club-20261128T030007Z.mbk', 'club')).toBeNull();
});
