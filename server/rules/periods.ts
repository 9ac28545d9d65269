import type { Recurrence } from '../contract/tasks.ts';

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

const MINUTE_MS = 60_000;
/** A day on which clocks were put back, and then some. */
const LONGEST_DAY_MINUTES = 27 * 60;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const cached = formats.get(timeZone);
  if (cached) return cached;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  } catch {
    // A zone that this release of ICU does not know must not lock out its member.
    format = formatOf('UTC');
  }
  formats.set(timeZone, format);
  return format;
}

/** Calendar day of an instant in an IANA time zone, `YYYY-MM-DD`; in UTC when the zone is unknown. */
export function localDay(at: Date, timeZone: string): string {
  const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(at)) part[type] = value;
  return `${part.year}-${part.month}-${part.day}`;
}

/** When the next calendar day begins in an IANA time zone. */
export function nextDay(at: Date, timeZone: string): Date {
  const day = localDay(at, timeZone);
  let before = Math.floor(at.getTime() / MINUTE_MS);
  let after = before + LONGEST_DAY_MINUTES;
  while (after - before > 1) {
    const middle = (before + after) >> 1;
    if (localDay(new Date(middle * MINUTE_MS), timeZone) === day) before = middle;
    else after = middle;
  }
  return new Date(after * MINUTE_MS);
}
