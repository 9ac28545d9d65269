import { ACTED_AT_GRACE_MS } from '../../server/contract/limits.ts';
import { answeredAt, rememberAnswered } from './hints.ts';

/** Clocks are put right by less than this every day. */
const PUT_RIGHT_MS = 5 * 60_000;

/** Takes note that the server has just answered, by the device's clock. */
export function noteAnswer(now = Date.now()): void {
  const before = answeredAt();
  // An earlier time is a clock that was put back; one that was far ahead is forgotten by and by.
  if (before === null || now > before + 1_000 || now < before - ACTED_AT_GRACE_MS) rememberAnswered(now);
}

/**
 * When something is done now, ISO 8601; undefined where the device's clock says that it was before the server's last
 * answer: then it counts by the server's time. Beyond 48 hours the server takes no device's word anyway.
 */
export function actedAt(now = Date.now()): string | undefined {
  const before = answeredAt();
  const wasPutBack = before !== null && now < before - PUT_RIGHT_MS && now >= before - ACTED_AT_GRACE_MS;
  return wasPutBack ? undefined : new Date(now).toISOString();
}
