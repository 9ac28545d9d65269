import { DRAIN_BACKOFF_FIRST_MS, DRAIN_BACKOFF_MAX_MS } from '../server/contract/limits.ts';
import type { SendError } from './schema.ts';
import type { SendAnswer } from './send.ts';

/** Longest `Retry-After` that is believed; a longer one is a mistake. */
export const RETRY_AFTER_MAX_MS = 24 * 60 * 60_000;

export type Verdict = 'delivered' | 'retry' | 'signed-out' | 'refused';

const field = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
const words = (body: unknown, name: string): string => {
  const value = field(body, name);
  return typeof value === 'string' ? value : '';
};

/** An intermediary between this device and the server answered instead of it. */
export const isForeign = ({ body }: SendAnswer): boolean => body === undefined;

/** Another session answers than the one that the request was meant for. */
export const isOtherMember = ({ body }: SendAnswer): boolean => words(body, 'reason') === 'ACTOR_MISMATCH';

/** Addresses of what reviewers and leaders do about a member's claim. */
const ABOUT_ANOTHER = /\/(decision|grants)$/;

/**
 * What an answer means for the entry that was sent.
 * - An answer that is not the server's own (`isOwnResponse`) is none, whatever its status: the entry is retried.
 * - 409 ALREADY_CLAIMED is a delivery: the command counts already (sent from another device, or before its key
 *   expired), which is all that the member wanted. For a command about another member (a decision, a grant) it is a
 *   refusal. It is one also where the stored claim has other content (`differs`), because only this device has the text
 *   that was sent. The same answer or appeal from another device is a delivery (`differs` is false).
 * @param path where it was sent
 */
export function verdictOf(answer: SendAnswer, path = ''): Verdict {
  const { status, body } = answer;
  if (isForeign(answer)) return 'retry';
  if (status >= 200 && status < 300) return 'delivered';
  const reason = words(body, 'reason');
  const differs = field(field(body, 'details'), 'differs');
  if (status === 409 && !ABOUT_ANOTHER.test(path) && (differs === false || (reason === 'ALREADY_CLAIMED' && !differs)))
    return 'delivered';
  if (status === 401 || isOtherMember(answer)) return 'signed-out';
  if ([407, 408, 425, 429].includes(status) || status < 400 || status >= 500) return 'retry';
  return 'refused';
}

/** The server's error, or NO_ANSWER. */
export function errorOf(answer: SendAnswer | null): SendError {
  if (answer === null || isForeign(answer))
    return { status: 0, reason: 'NO_ANSWER', message: 'The server could not be reached.', requestId: '' };
  const { status, body } = answer;
  return {
    status,
    reason: words(body, 'reason') || `HTTP_${status}`,
    message: words(body, 'message') || `The server answered ${status}.`,
    requestId: words(body, 'requestId'),
    details: field(body, 'details'),
  };
}

/**
 * How long the server asks us to wait, in milliseconds, or null. A date is measured against the server's own clock
 * (`Date`), so a wrong clock on the device does not matter. A proxy's wait is capped at our own longest backoff.
 */
export function retryAfterOf(answer: SendAnswer, now: number): number | null {
  const { retryAfter, date } = answer;
  const longest = isForeign(answer) ? DRAIN_BACKOFF_MAX_MS : RETRY_AFTER_MAX_MS;
  const header = retryAfter?.trim() ?? '';
  if (header === '') return null;
  const from = Date.parse(date ?? '');
  const wait = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - (Number.isNaN(from) ? now : from);
  return Number.isNaN(wait) ? null : Math.min(Math.max(0, wait), longest);
}

/** The server has not processed the request and named no time: a probe of the server is worth a request. */
export const isAway = (answer: SendAnswer | null, now: number): boolean =>
  answer === null || ((isForeign(answer) || answer.status > 501) && retryAfterOf(answer, now) === null);

/** A time to wait for: written down at `triedAt`, named by the server or by our own backoff. */
export type Hold = { nextTryAt: number | null; triedAt: number | null; serverNamedTime: boolean };

/**
 * The time to wait for, or null. A time that was stored under another clock is ignored: its `triedAt` is in the future,
 * or the wait is longer than allowed.
 */
export function heldUntil({ nextTryAt, triedAt, serverNamedTime }: Hold, now: number): number | null {
  const longest = serverNamedTime ? RETRY_AFTER_MAX_MS : DRAIN_BACKOFF_MAX_MS;
  if (nextTryAt === null || nextTryAt <= now || nextTryAt - now > longest) return null;
  return triedAt !== null && triedAt > now ? null : nextTryAt;
}

/** Exponential backoff with full jitter: between 0 and 1 s, 2 s, 4 s … 5 min, so devices do not come back together. */
export function backoffOf(attempts: number, random: () => number): number {
  const ceiling = Math.min(DRAIN_BACKOFF_MAX_MS, DRAIN_BACKOFF_FIRST_MS * 2 ** Math.min(30, Math.max(0, attempts - 1)));
  return Math.round(random() * ceiling);
}
