const DAY_MS = 86_400_000;

/** A UTC day as `YYYY-MM-DD`, the key of every count here. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The day that is `count` days later, or earlier where it is negative. */
export const dayAfter = (day: string, count = 1): string => dayOf(new Date(Date.parse(day) + count * DAY_MS));

/** Days from the first to the last, both included; 0 or less where they are the wrong way round. */
export const daysFrom = (first: string, last: string): number =>
  Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
