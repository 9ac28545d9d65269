import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { dayCount } from '../../../shared/tasks/words.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How long ago something was: minutes, hours up to two days, days. */
export function ageWord(since: string, now = Date.now()): string {
  const age = Math.max(0, now - Date.parse(since));
  if (age < HOUR_MS) return m.leader_age_minutes({ n: number(Math.floor(age / MINUTE_MS)) });
  if (age < 48 * HOUR_MS) return m.leader_age_hours({ n: number(Math.floor(age / HOUR_MS)) });
  return dayCount(Math.floor(age / (24 * HOUR_MS)));
}
