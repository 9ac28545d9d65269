import type { ReviewItem } from '../../../server/contract/review.ts';
import type { OutboxEntry } from '../../lib/device.ts';
import { communityOf, decisionSubject, readSubject } from '../../lib/subjects.ts';

/** Somebody else was first: the claim waits for nobody, though a copy of the queue may still say so. */
const GONE: ReadonlySet<string> = new Set(['ALREADY_DECIDED', 'ALREADY_CLAIMED']);

/** Decisions of this device in a community, whatever became of them. */
export const decisionsIn = (outbox: readonly OutboxEntry[], communityId: string): OutboxEntry[] =>
  outbox.filter(({ subject, lane }) => communityOf(lane) === communityId && readSubject(subject)?.kind === 'decision');

/** Whether a decision leaves its claim waiting: the claim was another one by then, or the server would not have it. */
export const isUnused = ({ state, error }: OutboxEntry): boolean =>
  state === 'refused' && !GONE.has(error?.reason ?? '');

/** What is here of the queue: its first page, and whether there is more. */
type Seen = { items: readonly ReviewItem[]; next: string | null };

/**
 * How many of the server's number (`waiting`, of whichever read) still wait for who uses this device: what they decided here waits
 * no longer, though the server has not heard of it. Every number of waiting claims on a screen is this one. `seen`: where it is here
 * as a whole it tells which decisions are about claims of the number; else those count that are on their way.
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
