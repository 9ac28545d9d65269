import { ACTED_AT_GRACE_MS } from '../../server/contract/limits.ts';
import { answeredAt, clockOff, rememberAnswered, rememberClockOff } from './hints.ts';

/** Clocks are put right by less than this every day. */
const PUT_RIGHT_MS = 5 * 60_000;
/** Clocks that differ by less are the same; a code of an event bears more. */
const OFF_FROM_MS = 20_000;

/** Takes note that the server has just answered, by the device's clock. */
export function noteAnswer(now = Date.now()): void {
  const before = answeredAt();
  // An earlier time is a clock that was put back; one that was far ahead is forgotten by and by.
  if (before === null || now > before + 1_000 || now < before - ACTED_AT_GRACE_MS) rememberAnswered(now);
}

/** Of an answer that comes from the server, or that the server has just said is the same: its time is renewed with that. */
const REVALIDATED = /no-store|no-cache/;

/**
 * Takes note by how much the device's clock is off, where the server's time in an answer lies neither within the request, by
 * the device's clock, nor near it. Not of an answer that may be kept for a while: its time is that of another day.
 */
export function noteTime({ headers }: Response, sentAt: number, now = Date.now()): void {
  const serverTime = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(serverTime) || !REVALIDATED.test(headers.get('cache-control') ?? '')) return;
  const off = serverTime < sentAt ? serverTime - sentAt : Math.max(0, serverTime - now);
  rememberClockOff(Math.abs(off) < OFF_FROM_MS ? 0 : off);
}

/** The time as the server would tell it, as far as this device knows, epoch ms: also without a connection. */
export const timeNow = (now = Date.now()): number => now + clockOff();

/**
 * When something is done now, ISO 8601; undefined where the device's clock says that it was before the server's last
 * answer: then it counts by the server's time. Beyond 48 hours the server takes no device's word anyway.
 */
export function actedAt(now = Date.now()): string | undefined {
  const before = answeredAt();
  const wasPutBack = before !== null && now < before - PUT_RIGHT_MS && now >= before - ACTED_AT_GRACE_MS;
  return wasPutBack ? undefined : new Date(timeNow(now)).toISOString();
}
