/** Minutes of a day, 0 to 1439: nothing is sent from `from` until `to`, over midnight when `to` is the smaller. */
export type Quiet = { from: number; to: number };

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** No clock is put back or forward by more at once. */
const CLOCK_CHANGE_MINUTES = 180;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const cached = formats.get(timeZone);
  if (cached) return cached;
  let format: Intl.DateTimeFormat;
  try {
    const parts = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    format = new Intl.DateTimeFormat('en-GB', { timeZone, ...parts });
  } catch {
    format = formatOf('UTC');
  }
  formats.set(timeZone, format);
  return format;
}

/** Minutes since midnight on the clocks of a zone; in UTC when the zone is unknown. */
export function localMinute(at: Date, timeZone: string): number {
  const [hour = '0', minute = '0'] = formatOf(timeZone).format(at).split(':');
  return Number(hour) * 60 + Number(minute);
}

/** Whether a zone's local time is within the quiet hours. */
export function isQuiet(at: Date, timeZone: string, { from, to }: Quiet): boolean {
  const minute = localMinute(at, timeZone);
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** The first moment from `now` on that is not within the quiet hours, whatever clocks do in between. */
export function afterQuiet(now: Date, timeZone: string, quiet: Quiet | null): Date {
  if (quiet === null || !isQuiet(now, timeZone, quiet)) return now;
  const left = (quiet.to - localMinute(now, timeZone) + DAY_MINUTES) % DAY_MINUTES;
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  // A clock that is put forward in between brings the end nearer, one that is put back takes it away.
  for (let next = Math.max(minute + 1, minute + left - CLOCK_CHANGE_MINUTES); ; next += 1) {
    const at = new Date(next * MINUTE_MS);
    if (!isQuiet(at, timeZone, quiet)) return at;
  }
}

/** `22:30` as minutes of a day, and back. */
export const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
export const clockOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
