import { expect, test } from 'vitest';
import { localDay } from '../../server/domain/periods.ts';
import { afterQuiet, clockOf, isQuiet, localMinute, minuteOf, type Quiet } from '../../server/domain/quiet-hours.ts';
import { momentOf } from '../../server/domain/time-zone.ts';
import { fc, runs } from '../support/chance.ts';

const MINUTE = 60_000;
const zones = Intl.supportedValuesOf('timeZone');
/** Any moment of some years, and twice as often one near a change of clocks somewhere. */
const moments = fc.oneof(
  fc.date({ min: new Date('2024-01-01'), max: new Date('2028-01-01'), noInvalidDate: true }),
  fc
    .tuple(
      fc.constantFrom('2026-03-08', '2026-03-29', '2026-10-25', '2026-11-01', '2026-04-05', '2026-10-04', '2027-04-04'),
      fc.integer({ min: -36 * 60, max: 36 * 60 }),
      fc.integer({ min: 0, max: 59_999 }),
    )
    .map(([day, minutes, ms]) => new Date(Date.parse(day) + minutes * MINUTE + ms)),
);
const quiets: fc.Arbitrary<Quiet> = fc
  .tuple(fc.integer({ min: 0, max: 1_439 }), fc.integer({ min: 0, max: 1_439 }))
  .filter(([from, to]) => from !== to)
  .map(([from, to]) => ({ from, to }));

test('never within the quiet hours, never earlier, and not a minute later than need be', () => {
  fc.assert(
    fc.property(moments, fc.constantFrom(...zones), quiets, (now, zone, quiet) => {
      const at = afterQuiet(now, zone, quiet);
      expect(isQuiet(at, zone, quiet)).toBe(false);
      expect(at.getTime()).toBeGreaterThanOrEqual(now.getTime());
      if (at.getTime() === now.getTime()) return;
      expect(isQuiet(now, zone, quiet)).toBe(true);
      expect(isQuiet(new Date(at.getTime() - 1), zone, quiet)).toBe(true);
      // A day and the change of its clocks is the most that anybody waits; two where the change may leave out all that is not quiet.
      const loud = (quiet.from - quiet.to + 1_440) % 1_440;
      expect(at.getTime() - now.getTime()).toBeLessThanOrEqual(((loud > 60 ? 24 : 48) * 60 + 180) * MINUTE);
    }),
    { numRuns: runs(800) },
  );
});

test('within the quiet hours all the minutes up to the end are quiet, as those clocks say', () => {
  fc.assert(
    fc.property(moments, fc.constantFrom(...zones), quiets, (now, zone, quiet) => {
      const at = afterQuiet(now, zone, quiet);
      for (let time = now.getTime(); time < at.getTime(); time += 17 * MINUTE)
        expect(isQuiet(new Date(time), zone, quiet)).toBe(true);
    }),
  );
});

test('examples: over midnight, through a change of clocks, and in no zone that anybody knows', () => {
  const night = { from: minuteOf('22:00'), to: minuteOf('07:00') };
  const iso = (now: string, zone: string, quiet: Quiet | null = night) =>
    afterQuiet(new Date(now), zone, quiet).toISOString();
  expect(iso('2026-11-21T23:30:00Z', 'Europe/London')).toBe('2026-11-22T07:00:00.000Z');
  expect(iso('2026-11-21T21:59:59Z', 'Europe/London')).toBe('2026-11-21T21:59:59.000Z');
  // Clocks go forward in the night: seven o'clock comes an hour sooner; and back: an hour later.
  expect(iso('2026-03-28T23:30:00Z', 'Europe/London')).toBe('2026-03-29T06:00:00.000Z');
  expect(iso('2026-10-24T22:30:00Z', 'Europe/London')).toBe('2026-10-25T07:00:00.000Z');
  expect(iso('2026-11-21T23:30:00Z', 'Nowhere/Land')).toBe('2026-11-22T07:00:00.000Z');
  expect(iso('2026-11-21T23:30:00Z', 'Europe/London', null)).toBe('2026-11-21T23:30:00.000Z');
  expect([clockOf(minuteOf('07:05')), clockOf(0), clockOf(1_439)]).toEqual(['07:05', '00:00', '23:59']);
});

test('a cap holds on every day of a member’s own calendar, whatever comes when', () => {
  fc.assert(
    fc.property(
      moments,
      fc.constantFrom(...zones),
      fc.option(quiets, { nil: null }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 60 }),
      (start, zone, quiet, cap, gaps) => {
        // As the database counts it: a day's count goes up while it is below the cap.
        const counts = new Map<string, number>();
        const sent: Date[] = [];
        let now = start.getTime();
        for (const gap of gaps) {
          now += gap * MINUTE;
          const at = afterQuiet(new Date(now), zone, quiet);
          const day = localDay(at, zone);
          const count = counts.get(day) ?? 0;
          if (count >= cap) continue;
          counts.set(day, count + 1);
          sent.push(at);
        }
        const shown = new Map<string, number>();
        for (const at of sent) {
          const day = localDay(at, zone);
          shown.set(day, (shown.get(day) ?? 0) + 1);
          if (quiet) expect(isQuiet(at, zone, quiet)).toBe(false);
        }
        for (const count of shown.values()) expect(count).toBeLessThanOrEqual(cap);
      },
    ),
    { numRuns: runs(200) },
  );
});

test('the minute of a day is what a clock on the wall shows', () => {
  expect(localMinute(new Date('2026-11-21T00:00:00Z'), 'Asia/Kathmandu')).toBe(5 * 60 + 45);
  expect(localMinute(new Date('2026-11-21T23:59:00Z'), 'UTC')).toBe(1_439);
});

const shown = (at: Date, timeZone: string) => {
  const parts = { dateStyle: 'short', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat('sv-SE', { timeZone, ...parts }).format(at).replace(' ', 'T');
};
test('the moment of a time is when the clocks of a zone first show it', () => {
  fc.assert(
    fc.property(moments, fc.constantFrom(...zones), (any, zone) => {
      const localTime = shown(any, zone);
      const at = momentOf(localTime, zone);
      expect(shown(at, zone)).toBe(localTime);
      expect(at.getTime()).toBeLessThanOrEqual(any.getTime());
    }),
  );
});

test('a time that is shown twice is the first, one that is skipped comes as much later', () => {
  expect(momentOf('2026-10-25T02:30', 'Europe/Berlin').toISOString()).toBe('2026-10-25T00:30:00.000Z');
  expect(momentOf('2026-03-29T02:30', 'Europe/Berlin').toISOString()).toBe('2026-03-29T01:30:00.000Z');
  expect(momentOf('2026-11-28T07:30', 'No/Where').toISOString()).toBe('2026-11-28T07:30:00.000Z');
});
