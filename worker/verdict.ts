import { DRAIN_BACKOFF_FIRST_MS, DRAIN_BACKOFF_MAX_MS } from '../server/contract/limits.ts';
import type { SendError } from './schema.ts';
import type { SendAnswer } from './send.ts';

/** Longest time that the server may ask us to stay away; a longer one is a mistake. */
export const RETRY_AFTER_MAX_MS = 24 * 60 * 60_000;

export type Verdict = 'delivered' | 'retry' | 'signed-out' | 'refused';

const field = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
const words = (body: unknown, name: string): string => {
  const value = field(body, name);
  return typeof value === 'string' ? value : '';
};

/** Somebody between this device and the server answered in their own name. */
export const isForeign = ({ body }: SendAnswer): boolean => body === undefined;

/** Another session answers than the one that the request was meant for. */
export const isOtherMember = ({ body }: SendAnswer): boolean => words(body, 'reason') === 'ACTOR_MISMATCH';

/** Addresses of what reviewers and leaders do about a member's claim. */
const ABOUT_ANOTHER = /\/(decision|grants)$/;

/**
 * What an answer means for the entry that was sent.
 * - What is not the product's own word (`worker/own-word.ts`) is no answer at all, whatever its status: tried again.
 * - 409 ALREADY_CLAIMED is a delivery: the action counts already (sent from another device, or before the key was
 *   forgotten), which is all that the member wanted. Showing it as refused would call a success a failure. Said of what
 *   was done about another member it is a refusal: their appeal waits still, and the gift was not given. So it is where
 *   the claim that stands says something else (`differs`): nobody but this device has the words that were sent. The same
 *   answer to requested changes, or the same appeal, from another device is a delivery, too (`differs` is false).
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

/** The server's words, to be shown; or that there are none. */
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
 * How long the server asks us to stay away, in milliseconds, or null. A date is measured against the server's own
 * clock (`Date`), so that a wrong clock on the device does not matter. Somebody in between is left no longer than our own
 * backoff would wait.
 */
export function retryAfterOf(answer: SendAnswer, now: number): number | null {
  const { retryAfter, date } = answer;
  const longest = isForeign(answer) ? DRAIN_BACKOFF_MAX_MS : RETRY_AFTER_MAX_MS;
  const said = retryAfter?.trim() ?? '';
  if (said === '') return null;
  const from = Date.parse(date ?? '');
  const wait = /^\d+$/.test(said) ? Number(said) * 1_000 : Date.parse(said) - (Number.isNaN(from) ? now : from);
  return Number.isNaN(wait) ? null : Math.min(Math.max(0, wait), longest);
}

/**
 * Nobody has looked at what was sent, and nobody says when to come back: worth asking for a sign of life. A server that
 * names a time is left that time.
 */
export const isAway = (answer: SendAnswer | null, now: number): boolean =>
  answer === null || ((isForeign(answer) || answer.status > 501) && retryAfterOf(answer, now) === null);

/** A time to wait for: written down at `triedAt`, named by the server or by our own backoff. */
export type Hold = { nextTryAt: number | null; triedAt: number | null; serverNamedTime: boolean };

/**
 * The time that must be waited for, or null. Not one that was written down under another clock: in what is the future by
 * now, or for longer than anybody may ask.
 */
export function heldUntil({ nextTryAt, triedAt, serverNamedTime }: Hold, now: number): number | null {
  const longest = serverNamedTime ? RETRY_AFTER_MAX_MS : DRAIN_BACKOFF_MAX_MS;
  if (nextTryAt === null || nextTryAt <= now || nextTryAt - now > longest) return null;
  return triedAt !== null && triedAt > now ? null : nextTryAt;
}

/** Exponential with full jitter: anywhere between nothing and 1 s, 2 s, 4 s … 5 min, so that devices do not come back together. */
export function backoffOf(attempts: number, random: () => number): number {
  const ceiling = Math.min(DRAIN_BACKOFF_MAX_MS, DRAIN_BACKOFF_FIRST_MS * 2 ** Math.min(30, Math.max(0, attempts - 1)));
  return Math.round(random() * ceiling);
}
