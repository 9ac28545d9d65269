import { describe, expect, it } from 'vitest';
import { actedAt, calendarOf, firstDaysOf, localDay, nextDay, standingKey } from '../../server/domain/periods.ts';
import { claimPeriods, dayAt, isoWeek } from '../../server/rules/periods.ts';
import { fc, runs } from '../support/chance.ts';

const at = (iso: string) => new Date(iso);
const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu'];

describe('a day is the member’s own', () => {
  it('begins at local midnight, east and west of Greenwich', () => {
    expect(localDay(at('2026-11-21T10:30:00Z'), 'Pacific/Kiritimati')).toBe('2026-11-22');
    expect(localDay(at('2026-11-21T10:30:00Z'), 'Pacific/Pago_Pago')).toBe('2026-11-20');
    expect(localDay(at('2026-11-20T18:14:59Z'), 'Asia/Kathmandu')).toBe('2026-11-20');
    expect(localDay(at('2026-11-20T18:15:00Z'), 'Asia/Kathmandu')).toBe('2026-11-21');
  });

  it('ends where the next one begins, to the minute, whatever clocks do', () => {
    fc.assert(
      fc.property(
        fc.date({ min: at('2024-01-01T00:00:00Z'), max: at('2028-01-01T00:00:00Z'), noInvalidDate: true }),
        fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
        (now, zone) => {
          const next = nextDay(now, zone);
          expect(localDay(next, zone)).not.toBe(localDay(now, zone));
          expect(localDay(new Date(next.getTime() - 1), zone)).toBe(localDay(now, zone));
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('lasts 23 hours when clocks go forward and 25 when they go back', () => {
    // Berlin, 29 March 2026: 01:00Z is 03:00; 25 October 2026: 01:00Z is 02:00 once more
    expect(localDay(at('2026-03-28T22:59:59Z'), 'Europe/Berlin')).toBe('2026-03-28');
    expect(localDay(at('2026-03-28T23:00:00Z'), 'Europe/Berlin')).toBe('2026-03-29');
    expect(localDay(at('2026-03-29T21:59:59Z'), 'Europe/Berlin')).toBe('2026-03-29');
    expect(localDay(at('2026-03-29T22:00:00Z'), 'Europe/Berlin')).toBe('2026-03-30');
    expect(localDay(at('2026-10-24T22:00:00Z'), 'Europe/Berlin')).toBe('2026-10-25');
    expect(localDay(at('2026-10-25T22:59:59Z'), 'Europe/Berlin')).toBe('2026-10-25');
    expect(localDay(at('2026-10-25T23:00:00Z'), 'Europe/Berlin')).toBe('2026-10-26');
    // From its first moment to its end, however long it is.
    expect(nextDay(at('2026-03-28T23:00:00Z'), 'Europe/Berlin')).toEqual(at('2026-03-29T22:00:00Z'));
    expect(nextDay(at('2026-10-24T22:00:00Z'), 'Europe/Berlin')).toEqual(at('2026-10-25T23:00:00Z'));
  });

  it('is in UTC for a zone that nobody knows', () => {
    expect(localDay(at('2026-11-21T23:59:00Z'), 'Mars/Olympus_Mons')).toBe('2026-11-21');
  });

  it('follows the day before it, all through the years and their clock changes', () => {
    const instants = fc.date({ min: at('2000-01-01T00:00:00Z'), max: at('2050-01-01T00:00:00Z'), noInvalidDate: true });
    fc.assert(
      fc.property(instants, fc.constantFrom(...zones), (instant, zone) => {
        const day = localDay(instant, zone);
        let earlier = instant.getTime();
        while (localDay(new Date(earlier), zone) === day) earlier -= 3_600_000;
        expect(localDay(new Date(earlier), zone)).toBe(dayAt(day, -1));
      }),
    );
  });
});

describe('a week is that of ISO 8601', () => {
  it.each([
    ['2026-11-21', '2026-W47'],
    ['2026-11-22', '2026-W47'],
    ['2026-11-23', '2026-W48'],
    ['2026-01-01', '2026-W01'],
    ['2027-01-03', '2026-W53'],
    ['2027-01-04', '2027-W01'],
    ['2025-12-29', '2026-W01'],
    ['2021-01-03', '2020-W53'],
    ['2024-12-30', '2025-W01'],
  ])('%s is in %s', (day, week) => expect(isoWeek(day)).toBe(week));

  it('has seven days, Monday first', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30_000 }), (n) => {
        const day = new Date(n * 86_400_000).toISOString().slice(0, 10);
        const monday = new Date(n * 86_400_000).getUTCDay() === 1;
        expect(isoWeek(day) === isoWeek(dayAt(day, -1))).toBe(!monday);
      }),
    );
  });
});

describe('the keys of a claim and of the boards', () => {
  it('are one for ever, one a day, one a week and one a month', () => {
    expect(claimPeriods('2026-11-21')).toEqual({
      once: 'once',
      daily: '2026-11-21',
      weekly: '2026-W47',
      monthly: '2026-11',
    });
  });

  it('are those of the UTC calendar on boards', () => {
    const newYear = at('2026-12-31T23:59:59.999Z');
    expect(calendarOf(newYear)).toEqual({ day: '2026-12-31', week: '2026-W53', month: '2026-12' });
    expect(standingKey('all', newYear)).toBe('all');
    expect(standingKey('today', at('2027-01-01T00:00:00Z'))).toBe('day:2027-01-01');
    expect(standingKey('week', at('2027-01-01T00:00:00Z'))).toBe('week:2026-W53');
    expect(standingKey('month', at('2027-01-01T00:00:00Z'))).toBe('month:2027-01');
  });

  it('are kept by first days: a week by its Monday, also on its Sunday and over the end of a year', () => {
    expect(firstDaysOf(at('2026-11-22T23:59:59Z'))).toEqual({
      day: '2026-11-22',
      week: '2026-11-16',
      month: '2026-11-01',
    });
    expect(firstDaysOf(at('2026-11-23T00:00:00Z'))).toEqual({
      day: '2026-11-23',
      week: '2026-11-23',
      month: '2026-11-01',
    });
    expect(firstDaysOf(at('2027-01-01T00:00:00Z'))).toEqual({
      day: '2027-01-01',
      week: '2026-12-28',
      month: '2027-01-01',
    });
  });
});

describe('the device’s word for when something was done', () => {
  const now = at('2026-11-21T12:00:00Z');
  const longAgo = at('2020-01-01T00:00:00Z');

  it('counts for 48 hours', () => {
    expect(actedAt('2026-11-19T12:00:00Z', now, longAgo)).toEqual(at('2026-11-19T12:00:00Z'));
    expect(actedAt('2026-11-19T11:59:59.999Z', now, longAgo)).toEqual(now);
    expect(actedAt('2026-11-21T13:30:00+02:00', now, longAgo)).toEqual(at('2026-11-21T11:30:00Z'));
  });

  it('never counts for the future, for nonsense, or for a time before the task and the membership', () => {
    expect(actedAt('2026-11-21T12:00:00.001Z', now, longAgo)).toEqual(now);
    expect(actedAt('2026-99-99T00:00:00Z', now, longAgo)).toEqual(now);
    expect(actedAt('2026-11-21T10:00:00Z', now, at('2026-11-21T10:00:01Z'))).toEqual(now);
    expect(actedAt('2026-11-21T10:00:00Z', now, at('2026-11-21T10:00:00Z'))).toEqual(at('2026-11-21T10:00:00Z'));
    expect(actedAt(undefined, now, longAgo)).toEqual(now);
  });

  it('gains nothing, however far a clock is off', () => {
    const off = fc.integer({ min: -400 * 86_400, max: 400 * 86_400 });
    fc.assert(
      fc.property(off, (seconds) => {
        const taken = actedAt(new Date(now.getTime() + seconds * 1_000).toISOString(), now, longAgo);
        expect(taken.getTime()).toBeLessThanOrEqual(now.getTime());
        expect(taken.getTime()).toBeGreaterThanOrEqual(now.getTime() - 48 * 3_600_000);
      }),
    );
  });
});
