import { m } from '../../paraglide/messages.js';

const DAY_MS = 24 * 60 * 60_000;
const ENDS = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS, open: null } as const;

/** How long a suspension lasts. */
export type End = keyof typeof ENDS;
export const END_NAMES = ['day', 'week', 'month', 'open'] as const satisfies readonly End[];
export const END_WORDS: Record<End, () => string> = {
  day: m.people_end_day,
  week: m.people_end_week,
  month: m.people_end_month,
  open: m.people_end_open,
};

/** When a suspension that starts now ends, ISO 8601; null until it is lifted. */
export function untilOf(end: End): string | null {
  const ms = ENDS[end];
  return ms === null ? null : new Date(Date.now() + ms).toISOString();
}
