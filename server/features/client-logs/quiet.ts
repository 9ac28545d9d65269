/** A daily quiet period; from 22:00 to 07:00 crosses midnight. */
export type Quiet = { from: string; to: string; timeZone: string };

const minutesOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
};

/** Milliseconds until the quiet ends; 0 when it is not quiet now. */
export function quietForMs(quiet: Quiet | null, now: Date): number {
  if (!quiet) return 0;
  const local = new Intl.DateTimeFormat('en-GB', {
    timeZone: quiet.timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const at = minutesOf(local.format(now));
  const from = minutesOf(quiet.from);
  const to = minutesOf(quiet.to);
  const isQuiet = from <= to ? at >= from && at < to : at >= from || at < to;
  return isQuiet ? ((to - at + 1_440) % 1_440) * 60_000 - (now.getTime() % 60_000) : 0;
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
