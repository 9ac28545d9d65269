import type { Streak } from '../contract/badges.ts';
import {
  FREEZE_EARNED_EVERY_DAYS,
  FREEZES_HELD_MAX,
  REPAIR_EVERY_DAYS,
  STREAK_CALENDAR_DAYS,
} from '../contract/limits.ts';
import { dayAt } from '../rules/periods.ts';

type Mark = Streak['calendar'][number]['mark'];

/** A run of days and what holds it when one is missed. */
export type Run = { run: number; freezes: number; repairOn: string };

/** The run when `day` counts. */
const counting = ({ run, freezes, repairOn }: Run): Run => {
  const earned = (run + 1) % FREEZE_EARNED_EVERY_DAYS === 0 ? 1 : 0;
  return { run: run + 1, freezes: Math.min(FREEZES_HELD_MAX, freezes + earned), repairOn };
};
/** The same when nothing counted on `day`: a ready repair holds it, else a freeze, else it ends. */
const missing = (held: Run, day: string): Run => {
  if (held.run === 0) return held;
  if (day >= held.repairOn) return { ...held, repairOn: dayAt(day, REPAIR_EVERY_DAYS) };
  return held.freezes > 0 ? { ...held, freezes: held.freezes - 1 } : { ...held, run: 0 };
};

/** A run as it is on the last day that counted, and the day that ends it if nothing counts by then. */
export type KeptRun = Run & { countedDay: string; endsOn: string };

/** Goes on with days that count, in order and each later than those before; null: from the first one. */
export function runOver(days: readonly string[], before: KeptRun | null = null): KeptRun | null {
  let kept: (Run & { countedDay: string }) | null = before;
  for (const day of days) {
    let held: Run = kept ?? { run: 0, freezes: 0, repairOn: day };
    for (let gap = dayAt(kept?.countedDay ?? day, 1); gap < day && held.run > 0; gap = dayAt(gap, 1))
      held = missing(held, gap);
    kept = { ...counting(held), countedDay: day };
  }
  if (kept === null) return null;
  let endsOn = dayAt(kept.countedDay, 1);
  for (let held: Run = missing(kept, endsOn); held.run > 0; held = missing(held, endsOn)) endsOn = dayAt(endsOn, 1);
  return { ...kept, endsOn };
}

/**
 * A streak computed from its days, so a late day counts as if it had come in time. `days` have an
 * approved claim (`YYYY-MM-DD`, in any order), `today` is the member's own calendar day. A missed day uses a ready
 * repair, else a freeze, else the run ends. Today is never missed, and a day ahead of it counts (after moving west).
 */
export function streakOf(days: readonly string[], today: string): Streak {
  const counted = new Set(days);
  const since = days.reduce<string | null>((least, day) => (least === null || day < least ? day : least), null);
  const first = since !== null && since < today ? since : today;
  const last = days.reduce((most, day) => (day > most ? day : most), today);
  const marks = new Map<string, Mark>();
  let held: Run = { run: 0, freezes: 0, repairOn: first };
  let best = 0;
  for (let day = first; day <= last; day = dayAt(day, 1)) {
    const before = held;
    if (counted.has(day)) {
      held = counting(held);
      best = Math.max(best, held.run);
      marks.set(day, 'counted');
    } else if (day < today) {
      held = missing(held, day);
      if (held.repairOn !== before.repairOn) marks.set(day, 'repaired');
      else if (held.freezes < before.freezes) marks.set(day, 'frozen');
    }
  }
  const { run, freezes, repairOn } = held;
  return {
    days: run,
    best,
    countedToday: counted.has(today) || last > today,
    freezes,
    repairReadyOn: repairOn > today ? repairOn : null,
    since,
    calendar: Array.from({ length: STREAK_CALENDAR_DAYS }, (_, index) => {
      const day = dayAt(today, index + 1 - STREAK_CALENDAR_DAYS);
      return { day, mark: marks.get(day) ?? (day === today ? 'open' : 'missed') };
    }),
  };
}
