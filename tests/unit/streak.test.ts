import { describe, expect, it } from 'vitest';
import type { Streak } from '../../server/contract/badges.ts';
import { localDay } from '../../server/domain/periods.ts';
import { streakOf } from '../../server/domain/streak.ts';
import { dayAt } from '../../server/rules/periods.ts';
import { fc } from '../support/chance.ts';

const TODAY = '2026-11-21';
/** Days before today; a negative number is ahead of it. */
const ago = (...days: number[]) => days.map((day) => dayAt(TODAY, -day));
const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);
const markOf = ({ calendar }: Streak, daysAgo: number) =>
  calendar.find(({ day }) => day === dayAt(TODAY, -daysAgo))?.mark;

describe('a streak', () => {
  it('is nothing before the first day, and today is open', () => {
    const none = streakOf([], TODAY);
    expect(none).toMatchObject({ days: 0, best: 0, countedToday: false, freezes: 0, repairReadyOn: null, since: null });
    expect(none.calendar).toHaveLength(62);
    expect(none.calendar.at(-1)).toEqual({ day: TODAY, mark: 'open' });
    expect(new Set(none.calendar.slice(0, -1).map(({ mark }) => mark))).toEqual(new Set(['missed']));
  });

  it('begins with the first day that counted, whenever it came: nothing before it was missed', () => {
    expect(streakOf(ago(1, 60, 2), TODAY).since).toBe(dayAt(TODAY, -60));
    expect(streakOf(ago(-1), TODAY).since).toBe(dayAt(TODAY, 1));
  });

  it('counts days up to today, which is never missed', () => {
    expect(streakOf(ago(2, 1, 0), TODAY)).toMatchObject({ days: 3, countedToday: true });
    expect(streakOf(ago(3, 2, 1), TODAY)).toMatchObject({ days: 3, countedToday: false });
  });

  it('repairs one missed day by itself, and the next one only after a week', () => {
    const repaired = streakOf(ago(4, 2, 1), TODAY);
    expect(repaired).toMatchObject({ days: 3, repairReadyOn: dayAt(TODAY, 4) });
    expect(markOf(repaired, 3)).toBe('repaired');
    expect(streakOf(ago(6, 4, 2, 1), TODAY)).toMatchObject({ days: 2, best: 2 });
    expect(streakOf(ago(...range(12, 11), ...range(9, 4), ...range(2, 0)), TODAY)).toMatchObject({ days: 11 });
  });

  it('earns a freeze every seven counted days, holds two, and spends them on missed days', () => {
    expect(streakOf(ago(...range(6, 0)), TODAY).freezes).toBe(1);
    expect(streakOf(ago(...range(20, 0)), TODAY).freezes).toBe(2);
    const saved = streakOf(ago(...range(19, 4), 0), TODAY);
    expect(saved).toMatchObject({ days: 17, freezes: 0 });
    expect([3, 2, 1].map((day) => markOf(saved, day))).toEqual(['repaired', 'frozen', 'frozen']);
    expect(streakOf(ago(...range(20, 5), 0), TODAY)).toMatchObject({ days: 1, best: 16 });
  });

  it('takes a late day as if it had come in time', () => {
    expect(streakOf(ago(5, 2, 1, 0), TODAY)).toMatchObject({ days: 3 });
    expect(streakOf(ago(5, 2, 1, 0, 3), TODAY)).toMatchObject({ days: 5 });
  });

  it('survives a move to the west, where it is still yesterday', () => {
    expect(streakOf(ago(0, -1), TODAY)).toMatchObject({ days: 2, countedToday: true });
    expect(streakOf(ago(1, -1), TODAY)).toMatchObject({ days: 2, countedToday: true });
    expect(streakOf(ago(-1), TODAY)).toMatchObject({ days: 1, countedToday: true, repairReadyOn: null });
  });
});

/**
 * The rules once more, as plainly as they can be said: one letter a day, and what the day before left behind. Nothing
 * is shared with the product; days come from the clock that the zone's people look at.
 */
function oracle(acts: readonly { at: Date; zone: string }[], now: Date, zone: string) {
  const dayIn = (at: Date, timeZone: string) => at.toLocaleDateString('sv-SE', { timeZone });
  const done = new Set(acts.map((act) => dayIn(act.at, act.zone)));
  const today = dayIn(now, zone);
  const all = [...done, today].sort();
  const end = all[all.length - 1] ?? today;
  let sheet = '';
  for (let at = Date.parse(`${all[0]}T12:00:00Z`); ; at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10);
    sheet += done.has(day) ? 'x' : day < today ? '-' : '?';
    if (day === end) break;
  }
  const step = (index: number): { run: number; best: number; freezes: number; repairedAt: number } => {
    if (index < 0) return { run: 0, best: 0, freezes: 0, repairedAt: -Infinity };
    const held = steps[index - 1] ?? step(-1);
    const letter = sheet[index];
    if (letter === 'x') {
      const run = held.run + 1;
      const earned = run % 7 === 0 ? 1 : 0;
      return { ...held, run, best: Math.max(held.best, run), freezes: Math.min(2, held.freezes + earned) };
    }
    if (letter === '?' || held.run === 0) return held;
    if (index - held.repairedAt >= 7) return { ...held, repairedAt: index };
    if (held.freezes > 0) return { ...held, freezes: held.freezes - 1 };
    return { ...held, run: 0 };
  };
  const steps: ReturnType<typeof step>[] = [];
  for (let index = 0; index < sheet.length; index += 1) steps.push(step(index));
  const { run, best, freezes } = steps[steps.length - 1] ?? step(-1);
  return { days: run, best, freezes, countedToday: [...done].some((day) => day >= today) };
}

describe('over zones and changes of the clock', () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
    'Asia/Kathmandu',
    'Africa/Casablanca',
  ];
  // Around both changes of the clock, on both halves of the earth
  const instant = fc
    .tuple(
      fc.constantFrom('2026-03-08', '2026-03-29', '2026-04-05', '2026-10-25', '2026-11-01'),
      fc.integer({ min: -16 * 96, max: 16 * 96 }),
    )
    .map(([day, quarters]) => new Date(Date.parse(`${day}T02:00:00Z`) + quarters * 900_000));

  /** Days between two acts: mostly one, so that runs grow long enough to earn what saves them. */
  const gap = fc.oneof({ weight: 12, arbitrary: fc.constant(1) }, { weight: 2, arbitrary: fc.nat(4) });

  it('agrees with the rules said plainly', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom(...zones),
        fc.nat(40),
        instant,
        fc.array(fc.record({ gap, quarter: fc.nat(95), moved: fc.boolean() }), { maxLength: 60, size: 'max' }),
        (home, away, late, now, given) => {
          let before = 0;
          const acts = given.map(({ gap, quarter, moved }) => {
            before += gap;
            const at = new Date(now.getTime() - before * 86_400_000 - quarter * 900_000);
            return { at, zone: moved && before > late ? away : home };
          });
          const days = acts.map(({ at, zone }) => localDay(at, zone));
          const streak = streakOf(days, localDay(now, home));
          expect(streak).toMatchObject(oracle(acts, now, home));
          const marks = streak.calendar.filter(({ mark }) => mark === 'counted').map(({ day }) => day);
          const shown = [...new Set(days)].filter((day) => streak.calendar.some((one) => one.day === day)).sort();
          expect(marks).toEqual(shown);
        },
      ),
    );
  }, 30_000);
});
