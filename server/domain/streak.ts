import { dayBefore } from './periods.ts';

/** The latest unbroken run of days with an approved claim: its last day (`YYYY-MM-DD`) and its length. */
export type DayRun = { last: string; length: number };

/**
 * Days in a row up to today. A run that ended yesterday still stands, because today is not over; a day ahead of
 * today happens to who moved west. `today` is the member's own calendar day.
 */
export function streakOf(run: DayRun | null, today: string): { days: number; countedToday: boolean } {
  if (!run || run.last < dayBefore(today)) return { days: 0, countedToday: false };
  return { days: run.length, countedToday: run.last >= today };
}
