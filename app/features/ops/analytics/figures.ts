import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';

/** `38 %` of a whole; a dash without one. */
export const partWord = (part: number, whole: number): string =>
  whole === 0 ? m.analytics_unknown() : m.analytics_percent({ n: number(Math.round((part / whole) * 100)) });

/** Minutes in words: `40 min`, `3 h 10 min`, `2 days`; a dash without any. */
export function minutesWord(minutes: number | null): string {
  if (minutes === null) return m.analytics_unknown();
  if (minutes < 60) return m.analytics_minutes({ n: number(minutes) });
  if (minutes >= 48 * 60) {
    const days = Math.round(minutes / 144) / 10;
    return m.analytics_about_days({ count: days, n: number(days) });
  }
  const [hours, rest] = [Math.floor(minutes / 60), Math.round(minutes % 60)];
  return rest === 0
    ? m.analytics_hours({ n: number(hours) })
    : m.analytics_hours_minutes({ h: number(hours), n: number(rest) });
}

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const WEEK = 7;
/** The last week's relative change from the first week's total; null when it would mean nothing. */
export function changeOf(values: readonly number[]): number | null {
  if (values.length < 2 * WEEK) return null;
  const first = sumOf(values.slice(0, WEEK));
  return first === 0 ? null : sumOf(values.slice(-WEEK)) / first - 1;
}
