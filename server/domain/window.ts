import type { Window } from '../contract/tasks.ts';
import { dayAt } from '../rules/periods.ts';
import { localDay } from './periods.ts';
import { momentOf } from './time-zone.ts';

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;

const clocks = new Map<string, Intl.DateTimeFormat>();
function clockAt(at: Date, timeZone: string): string {
  let format = clocks.get(timeZone);
  if (!format) {
    const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', numberingSystem: 'latn' } as const;
    try {
      format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
    } catch {
      // Like `localDay`: an unknown zone is UTC.
      format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
    }
    clocks.set(timeZone, format);
  }
  return format.format(at);
}

/**
 * Whether a task's hours are open at `at` on the member's local clock, and when they open next. Hours that end at or
 * before their start reach into the next day.
 */
export function windowAt(window: Window, at: Date, timeZone: string): { open: boolean; opensAt: Date | null } {
  const today = localDay(at, timeZone);
  const now = minutesOf(clockAt(at, timeZone));
  const [from, until] = [minutesOf(window.from), minutesOf(window.until)];
  const isDay = (day: string) => window.days.includes(weekdayOf(day));
  const open =
    from < until
      ? isDay(today) && now >= from && now < until
      : (isDay(today) && now >= from) || (isDay(dayAt(today, -1)) && now < until);
  if (open) return { open, opensAt: null };
  for (let ahead = 0; ahead <= 7; ahead += 1) {
    const day = dayAt(today, ahead);
    const opens = isDay(day) ? momentOf(`${day}T${window.from}`, timeZone).getTime() : 0;
    if (opens > at.getTime()) return { open, opensAt: new Date(opens) };
  }
  return { open, opensAt: null };
}
