import type { ReviewItem } from '../../../server/contract/communities.ts';
import type { OutboxEntry } from '../../lib/device.ts';
import { decisionSubject } from '../engagement/subjects.ts';

/** A claim of the queue with this device's decision on it, if one has not reached the server yet. */
export type ReviewView = { item: ReviewItem; entry: OutboxEntry | null };

/** Splits the server's queue, oldest first, into what waits for this reviewer and what they decided on this device. */
export function viewQueue(
  queue: readonly ReviewItem[],
  outbox: readonly OutboxEntry[],
): { open: ReviewItem[]; decided: ReviewView[] } {
  const latest = new Map(outbox.map((entry) => [entry.subject, entry]));
  const oldestFirst = [...queue].sort((a, b) => a.claim.submittedAt.localeCompare(b.claim.submittedAt));
  const views = oldestFirst.map((item) => ({ item, entry: latest.get(decisionSubject(item.claim.id)) ?? null }));
  return {
    open: views.filter((view) => view.entry === null).map((view) => view.item),
    decided: views.filter((view) => view.entry !== null),
  };
}

/** The claim to show when the one at `claimId` has gone: the one after it, else the last. */
export function selectAfter(
  before: readonly ReviewItem[],
  after: readonly ReviewItem[],
  claimId: string | null,
): string | null {
  if (after.some((item) => item.claim.id === claimId)) return claimId;
  const at = before.findIndex((item) => item.claim.id === claimId);
  const next = before.slice(at + 1).find((item) => after.some((left) => left.claim.id === item.claim.id));
  return next?.claim.id ?? after[0]?.claim.id ?? null;
}
