import type { OutboxEntry } from '../../lib/device.ts';
import { communityOf, readSubject } from './subjects.ts';

/** Somebody else was first: the claim waits for nobody, though a copy of the queue may still say so. */
const GONE: ReadonlySet<string> = new Set(['ALREADY_DECIDED', 'ALREADY_CLAIMED']);

/** Decisions of this device in a community, whatever became of them. */
export const decisionsIn = (outbox: readonly OutboxEntry[], communityId: string): OutboxEntry[] =>
  outbox.filter(({ subject, lane }) => communityOf(lane) === communityId && readSubject(subject)?.kind === 'decision');

/** Whether a decision leaves its claim waiting: the claim was another one by then, or the server would not have it. */
export const isUnused = ({ state, error }: OutboxEntry): boolean =>
  state === 'refused' && !GONE.has(error?.reason ?? '');

/**
 * How many of the server's number (`waiting`, of whichever read) still wait for who uses this device: what they decided here waits
 * no longer, though the server has not heard of it. Every number of waiting claims on a screen is this one.
 */
export const waitingStill = (communityId: string, waiting: number, outbox: readonly OutboxEntry[]): number =>
  Math.max(0, waiting - decisionsIn(outbox, communityId).filter(({ state }) => state !== 'refused').length);
