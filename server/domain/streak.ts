import type { Streak } from '../contract/badges.ts';
import {
  FREEZE_EARNED_EVERY_DAYS,
  FREEZES_HELD_MAX,
  REPAIR_EVERY_DAYS,
  STREAK_CALENDAR_DAYS,
} from '../contract/limits.ts';
import { dayAt } from '../rules/periods.ts';

type Mark = Streak['calendar'][number]['mark'];

/**
 * A streak computed from its days; it is not stored, so a late day counts as if it had come in time. `days` have an
 * approved claim (`YYYY-MM-DD`, in any order), `today` is the member's own calendar day. A missed day uses a ready
 * repair, else a freeze, else the run ends. Today is never missed, and a day ahead of it counts (after moving west).
 */
export function streakOf(days: readonly string[], today: string): Streak {
  const counted = new Set(days);
  const since = days.reduce<string | null>((least, day) => (least === null || day < least ? day : least), null);
  const first = since !== null && since < today ? since : today;
  const last = days.reduce((most, day) => (day > most ? day : most), today);
  const marks = new Map<string, Mark>();
  let run = 0;
  let best = 0;
  let freezes = 0;
  let repairReadyOn = first;
  for (let day = first; day <= last; day = dayAt(day, 1)) {
    if (counted.has(day)) {
      run += 1;
      best = Math.max(best, run);
      if (run % FREEZE_EARNED_EVERY_DAYS === 0) freezes = Math.min(FREEZES_HELD_MAX, freezes + 1);
      marks.set(day, 'counted');
    } else if (day < today && run > 0) {
      if (day >= repairReadyOn) {
        repairReadyOn = dayAt(day, REPAIR_EVERY_DAYS);
        marks.set(day, 'repaired');
      } else if (freezes > 0) {
        freezes -= 1;
        marks.set(day, 'frozen');
      } else run = 0;
    }
  }
  return {
    days: run,
    best,
    countedToday: counted.has(today) || last > today,
    freezes,
    repairReadyOn: repairReadyOn > today ? repairReadyOn : null,
    since,
    calendar: Array.from({ length: STREAK_CALENDAR_DAYS }, (_, index) => {
      const day = dayAt(today, index + 1 - STREAK_CALENDAR_DAYS);
      return { day, mark: marks.get(day) ?? (day === today ? 'open' : 'missed') };
    }),
  };
}
