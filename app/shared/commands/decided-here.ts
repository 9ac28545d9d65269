import type { ReviewItem } from '../../../server/contract/review.ts';
import type { OutboxEntry } from '../../lib/device.ts';
import { communityOf, decisionSubject, readSubject } from '../../lib/subjects.ts';

/** Someone else decided first: the claim is no longer waiting, though a cached queue may list it. */
const GONE: ReadonlySet<string> = new Set(['ALREADY_DECIDED', 'ALREADY_CLAIMED']);

/** This device's decisions in a community, whatever their result. */
export const decisionsIn = (outbox: readonly OutboxEntry[], communityId: string): OutboxEntry[] =>
  outbox.filter(({ subject, lane }) => communityOf(lane) === communityId && readSubject(subject)?.kind === 'decision');

/** Whether a decision left its claim waiting: the claim had changed by then, or the server refused. */
export const isUnused = ({ state, error }: OutboxEntry): boolean =>
  state === 'refused' && !GONE.has(error?.reason ?? '');

/** The cached part of the queue: its first page, and whether there is more. */
type Seen = { items: readonly ReviewItem[]; next: string | null };

/**
 * How many of the server's `waiting` claims still wait for this member. Their own decisions on this device are
 * subtracted before the server has them. Every count of waiting claims on a screen uses this. `seen`: if it is the
 * whole queue, it tells which decisions are about counted claims; else every decision on its way is subtracted.
 */
export function waitingStill(
  communityId: string,
  waiting: number,
  outbox: readonly OutboxEntry[],
  seen?: Seen,
): number {
  const decisions = decisionsIn(outbox, communityId).filter((entry) => !isUnused(entry));
  const subjects = new Set(seen?.items.map(({ claim }) => decisionSubject(claim.id)));
  const isCounted = ({ state, subject, path }: OutboxEntry) =>
    seen?.next === null ? subjects.has(subject) : state !== 'refused' && path.endsWith('/decision');
  return Math.max(0, waiting - new Set(decisions.filter(isCounted).map(({ subject }) => subject)).size);
}
