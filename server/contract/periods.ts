import type { Recurrence } from './tasks.ts';

const DAY_MS = 86_400_000;

/** The calendar day `shift` days after `day`, whatever clocks do in between. */
export const dayAt = (day: string, shift: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + shift * DAY_MS).toISOString().slice(0, 10);

/** ISO 8601 week of a calendar day: `2026-11-21` gives `2026-W47`. A week belongs to the year of its Thursday. */
export function isoWeek(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
  const thursday = dayAt(day, 4 - weekday);
  const year = thursday.slice(0, 4);
  const days = (Date.parse(`${thursday}T00:00:00Z`) - Date.parse(`${year}-01-01T00:00:00Z`)) / DAY_MS;
  return `${year}-W${String(Math.floor(days / 7) + 1).padStart(2, '0')}`;
}

/** Keys of the recurrences on a member's calendar day: what makes a claim unique beside its member and task. */
export const claimPeriods = (day: string): Record<Recurrence, string> => ({
  once: 'once',
  daily: day,
  weekly: isoWeek(day),
  monthly: day.slice(0, 7),
});
