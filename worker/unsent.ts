import type { OutboxEntry } from './schema.ts';

type Entry = Pick<OutboxEntry, 'subject' | 'state' | 'error' | 'body'>;

/** Under this the bytes of a picture or file are kept, which an act behind them names. */
const BYTES = 'image:';
export const imageSubject = (imageId: string): string => BYTES + imageId;
/** Whether it is an act of the member's, and no bytes that go before one. */
export const isActItself = ({ subject }: Pick<OutboxEntry, 'subject'>): boolean => !subject.startsWith(BYTES);

/** Refusals after which the same can never be taken: what it was about was answered or decided meanwhile, or is over. */
const FINAL: ReadonlySet<string> = new Set([
  'ALREADY_CLAIMED',
  'ALREADY_DECIDED',
  'ANSWERED_AGAIN',
  'APPEAL_TOO_LATE',
  'APPEAL_USED',
  'CLAIM_CHANGED',
  'OWN_CLAIM',
]);
/** The server has said its last word about an act: there is nothing to send, only to read once and to let be. */
export const isSettled = ({ state, error }: Pick<Entry, 'state' | 'error'>): boolean =>
  state === 'refused' && error !== null && FINAL.has(error.reason);

const namesIn = (body: unknown): unknown[] => {
  const { evidence } = (body ?? {}) as { evidence?: { imageId?: unknown; fileId?: unknown } };
  return [evidence?.imageId, evidence?.fileId];
};

/**
 * What of an outbox still has to be sent, or needs its member: each act once, also one that can still be undone. Bytes count with
 * the act that names them, and for themselves only where there is none. What is settled does not count.
 */
export function unsentActs<T extends Entry>(entries: readonly T[]): T[] {
  const named = new Set(entries.flatMap(({ body }) => namesIn(body)));
  return entries.filter(
    (entry) => !isSettled(entry) && (isActItself(entry) || !named.has(entry.subject.slice(BYTES.length))),
  );
}
