import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long something has waited: `5 min`, `3 h`, `2 days`. */
export function ageWord(since: string, now = Date.now()): string {
  const ms = Math.max(0, now - Date.parse(since));
  if (ms < HOUR) return m.desk_span_minutes({ n: number(Math.floor(ms / MINUTE)) });
  if (ms < 2 * DAY) return m.desk_span_hours({ n: number(Math.floor(ms / HOUR)) });
  const days = Math.floor(ms / DAY);
  return m.desk_span_days({ count: days, n: number(days) });
}

/** A share as a percentage: `91 %`, with one decimal below ten. */
export function shareWord(share: number): string {
  const percent = share * 100;
  return m.desk_percent({ n: number(percent < 10 ? Math.round(percent * 10) / 10 : Math.round(percent)) });
}
