import type { OutboxEntry } from './schema.ts';

type Entry = Pick<OutboxEntry, 'subject' | 'state' | 'error' | 'body'>;

/** Subject of the upload of a picture or file that a later command names. */
const BYTES = 'image:';
export const imageSubject = (imageId: string): string => BYTES + imageId;
/** Whether an entry is the member's own command, not an upload before one. */
export const isNotUpload = ({ subject }: Pick<OutboxEntry, 'subject'>): boolean => !subject.startsWith(BYTES);

/**
 * Reasons after which the same command can never be accepted: the claim has been answered or decided, or it is too
 * late.
 */
const FINAL: ReadonlySet<string> = new Set([
  'ALREADY_CLAIMED',
  'ALREADY_DECIDED',
  'ANSWERED_AGAIN',
  'APPEAL_TOO_LATE',
  'APPEAL_USED',
  'CLAIM_CHANGED',
  'OWN_CLAIM',
]);
/** The server's refusal is final: there is nothing left to send. */
export const isSettled = ({ state, error }: Pick<Entry, 'state' | 'error'>): boolean =>
  state === 'refused' && error !== null && FINAL.has(error.reason);

const namesIn = (body: unknown): unknown[] => {
  const { evidence } = (body ?? {}) as { evidence?: { imageId?: unknown; fileId?: unknown } };
  return [evidence?.imageId, evidence?.fileId];
};

/**
 * The entries that still have to be sent or need the member's attention, including those that can still be undone. An
 * upload counts with the command that names it, and separately only where there is none. Final refusals do not count.
 */
export function unsentCommands<T extends Entry>(entries: readonly T[]): T[] {
  const named = new Set(entries.flatMap(({ body }) => namesIn(body)));
  return entries.filter(
    (entry) => !isSettled(entry) && (isNotUpload(entry) || !named.has(entry.subject.slice(BYTES.length))),
  );
}

/** Whether an entry is held back so its member can still undo it. */
export const isHeld = (
  { state, attempts, nextTryAt }: Pick<OutboxEntry, 'state' | 'attempts' | 'nextTryAt'>,
  now: number = Date.now(),
): boolean => state === 'waiting' && attempts === 0 && nextTryAt !== null && nextTryAt > now;
