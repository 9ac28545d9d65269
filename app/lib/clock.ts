import { ACTED_AT_GRACE_MS } from '../../server/contract/limits.ts';
import { answeredAt, clockOff, rememberAnswered, rememberClockOff } from './hints.ts';

/** Daily clock synchronization corrects by less than this. */
const PUT_RIGHT_MS = 5 * 60_000;
/** Smaller differences are ignored; an event's code tolerates more. */
const OFF_FROM_MS = 20_000;

/** Records by the device's clock that the server has just answered. */
export function noteAnswer(now = Date.now()): void {
  const before = answeredAt();
  // A time in the past means that the clock was set back; one far in the future is overwritten later.
  if (before === null || now > before + 1_000 || now < before - ACTED_AT_GRACE_MS) rememberAnswered(now);
}

/** Answers fresh from the server, or just revalidated by it: only their `Date` is current. */
const REVALIDATED = /no-store|no-cache/;

/**
 * Records the offset of the device's clock when the server's time lies neither within nor near the request. Cacheable
 * answers are ignored: their time may be of another day.
 */
export function noteTime({ headers }: Response, sentAt: number, now = Date.now()): void {
  const serverTime = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(serverTime) || !REVALIDATED.test(headers.get('cache-control') ?? '')) return;
  const off = serverTime < sentAt ? serverTime - sentAt : Math.max(0, serverTime - now);
  rememberClockOff(Math.abs(off) < OFF_FROM_MS ? 0 : off);
}

/** The server's time as far as this device knows it, epoch ms; works offline too. */
export const timeNow = (now = Date.now()): number => now + clockOff();

/**
 * The time to record for an action now, ISO 8601. Undefined when the device's clock lies before the server's last
 * answer: then the server's time counts. The server ignores device times older than 48 hours.
 */
export function actedAt(now = Date.now()): string | undefined {
  const before = answeredAt();
  const wasPutBack = before !== null && now < before - PUT_RIGHT_MS && now >= before - ACTED_AT_GRACE_MS;
  return wasPutBack ? undefined : new Date(timeNow(now)).toISOString();
}
