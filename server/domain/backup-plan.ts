/** How many backups are kept: the newest of each of so many days, weeks and months that have one (UTC, weeks from Monday). */
export type Retention = { days: number; weeks: number; months: number };

/** The rule `7d4w12m`, of which parts may be left out. */
export function readRetention(text: string): Retention {
  const of = (unit: string) => Number(new RegExp(`(\\d+)${unit}`).exec(text)?.[1] ?? 0);
  return { days: of('d'), weeks: of('w'), months: of('m') };
}

const DAY_MS = 86_400_000;
const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS);

/** Those that no rule keeps. The newest of all is always kept. */
export function surplus(times: readonly Date[], { days, weeks, months }: Retention): Date[] {
  const newestFirst = [...times].sort((a, b) => b.getTime() - a.getTime());
  const newestOfEach = (most: number, periodOf: (at: Date) => unknown) => {
    const seen = new Set<unknown>();
    return newestFirst.filter((at) => {
      const isNew = seen.size < most && !seen.has(periodOf(at));
      if (isNew) seen.add(periodOf(at));
      return isNew;
    });
  };
  const kept = new Set([
    ...newestFirst.slice(0, 1),
    ...newestOfEach(days, dayOf),
    // The first of January 1970 was a Thursday.
    ...newestOfEach(weeks, (at) => Math.floor((dayOf(at) + 3) / 7)),
    ...newestOfEach(months, (at) => at.toISOString().slice(0, 7)),
  ]);
  return newestFirst.filter((at) => !kept.has(at));
}

/** A time of day by the clock of the process's own time zone. */
export type TimeOfDay = { hours: number; minutes: number };

/** When that was last, and when it is next. */
export function around({ hours, minutes }: TimeOfDay, now: Date): { last: Date; next: Date } {
  const on = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hours, minutes);
  return on(0) > now ? { last: on(-1), next: on(0) } : { last: on(0), next: on(1) };
}

const EXTENSION = '.mbk';
const stamp = (at: Date): string => at.toISOString().replace(/[-:]|\.\d{3}/g, '');

/** What a backup of a moment is called: `muster-20261128T030000Z.mbk`. */
export const backupName = (slug: string, at: Date): string => `${slug}-${stamp(at)}${EXTENSION}`;

/** The moment in a backup's name, with or without a folder before it; null for another file. */
export function momentIn(name: string, slug: string): Date | null {
  const found = /(?:^|\/)([a-z0-9-]+)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.mbk(?:\.age)?$/.exec(name);
  if (!found || found[1] !== slug) return null;
  const [year, month, day, hours, minutes, seconds] = found.slice(2);
  return new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
}
