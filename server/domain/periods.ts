import type { BoardPeriod } from '../contract/boards.ts';
import { ACTED_AT_GRACE_MS } from '../contract/limits.ts';
import { dayAt, isoWeek } from '../rules/periods.ts';

export { localDay, nextDay } from '../rules/periods.ts';

/**
 * When an action counts. The device's time is used only within the last 48 hours, not in the future and not before
 * `notBefore` (task and membership must have existed); otherwise it is now.
 */
export function actedAt(claimed: string | undefined, now: Date, notBefore: Date): Date {
  if (claimed === undefined) return now;
  const at = new Date(claimed);
  // An invalid date fails every comparison.
  const credible = at <= now && at >= notBefore && now.getTime() - at.getTime() <= ACTED_AT_GRACE_MS;
  return credible ? at : now;
}

/** Boards that a calendar covers; a season is not one of them. */
export type CalendarPeriod = Exclude<BoardPeriod, 'season'>;

/** Calendar day, week and month of an instant in UTC: one board for all members, wherever they live. */
export function calendarOf(at: Date): { day: string; week: string; month: string } {
  const day = at.toISOString().slice(0, 10);
  return { day, week: isoWeek(day), month: day.slice(0, 7) };
}

/** Their first days, which key the boards. */
export function firstDaysOf(at: Date): { day: string; week: string; month: string } {
  const day = at.toISOString().slice(0, 10);
  const weekday = at.getUTCDay() || 7;
  return { day, week: dayAt(day, 1 - weekday), month: `${day.slice(0, 7)}-01` };
}

/**
 * Key of a frozen copy of a board. A claim approved later counts in the periods of its approval: a
 * board that closed stays as it was.
 */
export function standingKey(period: CalendarPeriod, at: Date): string {
  if (period === 'all') return 'all';
  const part = period === 'today' ? 'day' : period;
  return `${part}:${calendarOf(at)[part]}`;
}
