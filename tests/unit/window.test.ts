import { describe, expect, it } from 'vitest';
import { seenLength } from '../../server/contract/seen-length.ts';
import { shuffled } from '../../server/domain/shuffle.ts';
import { asRead, likeness } from '../../server/domain/text.ts';
import { windowAt } from '../../server/domain/window.ts';
import { fc } from '../support/chance.ts';

const EVERY = [1, 2, 3, 4, 5, 6, 7];
const at = (iso: string, from: string, until: string, days = EVERY, timeZone = 'Europe/Berlin') => {
  const { open, opensAt } = windowAt({ days, from, until }, new Date(iso), timeZone);
  return [open, opensAt?.toISOString() ?? null];
};

describe('the hours of a task', () => {
  it('are those of the member’s own clock', () => {
    expect(at('2026-11-20T07:59:59Z', '09:00', '17:00')).toEqual([false, '2026-11-20T08:00:00.000Z']);
    expect(at('2026-11-20T08:00:00Z', '09:00', '17:00')).toEqual([true, null]);
    expect(at('2026-11-20T15:59:59Z', '09:00', '17:00')).toEqual([true, null]);
    expect(at('2026-11-20T16:00:00Z', '09:00', '17:00')).toEqual([false, '2026-11-21T08:00:00.000Z']);
    expect(at('2026-11-20T15:59:59Z', '09:00', '17:00', EVERY, 'Pacific/Auckland')[0]).toBe(false);
    // Saturday there, and Friday still in Greenwich
    expect(at('2026-11-20T11:30:00Z', '00:00', '09:00', [6], 'Pacific/Auckland')[0]).toBe(true);
  });

  it('come again in a week where they are of one day only', () => {
    // 20 November 2026 is a Friday
    expect(at('2026-11-20T16:00:00Z', '09:00', '17:00', [5])).toEqual([false, '2026-11-27T08:00:00.000Z']);
  });

  it('reach over midnight, and belong to the day they began on', () => {
    // 20 November 2026 is a Friday
    expect(at('2026-11-20T22:30:00Z', '22:00', '02:00', [5])[0]).toBe(true);
    expect(at('2026-11-21T00:30:00Z', '22:00', '02:00', [5])[0]).toBe(true);
    expect(at('2026-11-21T01:00:00Z', '22:00', '02:00', [5])).toEqual([false, '2026-11-27T21:00:00.000Z']);
    expect(at('2026-11-20T00:30:00Z', '22:00', '02:00', [5])[0]).toBe(false);
    expect(at('2026-11-21T21:30:00Z', '22:00', '02:00', [5])[0]).toBe(false);
    expect(at('2026-11-20T00:30:00Z', '08:00', '08:00')[0]).toBe(true);
  });

  it('open at the right moment when clocks change, and when an hour is skipped', () => {
    expect(at('2026-10-24T23:30:00Z', '09:00', '10:00')).toEqual([false, '2026-10-25T08:00:00.000Z']);
    expect(at('2026-03-28T20:00:00Z', '02:30', '05:00')).toEqual([false, '2026-03-29T01:30:00.000Z']);
    const west = at('2026-03-08T05:00:00Z', '02:30', '05:00', EVERY, 'America/New_York');
    expect(west).toEqual([false, '2026-03-08T07:30:00.000Z']);
  });

  it('never open in the past, nor later than a week from now', () => {
    const clock = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map(([hour, minute]) => `${`${hour}`.padStart(2, '0')}:${`${minute}`.padStart(2, '0')}`);
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true }),
        clock,
        clock,
        fc.subarray(EVERY, { minLength: 1 }),
        fc.constantFrom(
          'UTC',
          'Europe/Berlin',
          'America/New_York',
          'Australia/Lord_Howe',
          'Asia/Kathmandu',
          'No/Where',
        ),
        (now, from, until, days, timeZone) => {
          const { open, opensAt } = windowAt({ days, from, until }, now, timeZone);
          if (open) return opensAt === null;
          const wait = (opensAt?.getTime() ?? 0) - now.getTime();
          return wait > 0 && wait <= 8 * 86_400_000 && windowAt({ days, from, until }, opensAt ?? now, timeZone).open;
        },
      ),
    );
  });
});

describe('a shuffled list', () => {
  it('holds the same things, in an order of its seed', () => {
    const items = Array.from({ length: 30 }, (_, index) => index);
    const once = shuffled(items, 'a');
    expect(shuffled(items, 'a')).toEqual(once);
    expect(once).not.toEqual(items);
    expect([...once].sort((a, b) => a - b)).toEqual(items);
    expect(shuffled(items, 'b')).not.toEqual(once);
  });
});

describe('the length of a text', () => {
  it.each([
    ['We walked', 9],
    ['  We\n\n  walked  ', 9],
    ['\u200bW\u200be\ufe0f \u2060\u00ad', 2],
    ['a\u0301\u0302\u0303', 1],
    ['\u1112\u1161\u11ab\uae00', 2],
    ['a \u2800 b', 3],
    ['👍👍', 2],
    ['', 0],
    ['\u200b'.repeat(50), 0],
  ])('is what is seen of %j', (text, length) => {
    expect(seenLength(text)).toBe(length);
  });
});

describe('likeness of texts', () => {
  it('is 1 for what reads the same, 0 for what shares nothing, between them otherwise', () => {
    expect(likeness('We walked up!', 'we  WALKED up')).toBe(1);
    expect(likeness('We walked up to the ridge', 'We walked up to the ridge at dawn')).toBeGreaterThan(0.7);
    expect(likeness('We walked up', 'Zzz')).toBe(0);
    expect(likeness('', '')).toBe(0);
    expect(likeness('ab', 'cd')).toBe(0);
    expect(asRead('Ｇood — di\u0301a')).toBe('good día');
    expect(likeness('👍👍', '👍👍')).toBe(1);
  });
});
