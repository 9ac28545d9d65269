import { TRIES_PER_DAY, TRY_WAIT_LEAST_MINUTES } from '../contract/limits.ts';

/** Tries of one member at one task are counted for so long. */
export const TRIES_WITHIN_MS = 86_400_000;

/** `tries` that no check passed within the last `TRIES_WITHIN_MS`, and when the first of them was. */
export type Tried = { coolDownMinutes: number; tries: number; firstTryAt: Date | null };

/** When another try is possible after one that failed at `now`: a try costs a row, so they are few, whatever the leader chose. */
export function nextTryAt({ coolDownMinutes, tries, firstTryAt }: Tried, now: Date): Date {
  const waited = now.getTime() + Math.max(coolDownMinutes, TRY_WAIT_LEAST_MINUTES) * 60_000;
  const isLast = tries + 1 >= TRIES_PER_DAY;
  return new Date(isLast ? Math.max(waited, (firstTryAt ?? now).getTime() + TRIES_WITHIN_MS) : waited);
}

/** When another try is possible after one that a reviewer turned down at `now`; null: at once. */
export const retryAfter = (coolDownMinutes: number, now: Date): Date | null =>
  coolDownMinutes > 0 ? new Date(now.getTime() + coolDownMinutes * 60_000) : null;
