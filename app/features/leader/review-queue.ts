import type { ReviewItem, WaitingOfTask } from '../../../server/contract/review.ts';
import type { TaskKind } from '../../../server/contract/tasks.ts';
import type { OutboxEntry } from '../../lib/device.ts';
import { communityOf, decisionSubject, readSubject } from '../engagement/subjects.ts';

/** Whether it is an appeal that waits: to be granted or refused, with nothing left to change. */
export const isAppeal = ({ claim }: ReviewItem): boolean => claim.appeal?.outcome === 'open';
/** Decisions that were not used because the claim was another one by then: it waits again, as it is now. */
export const changedSince = (outbox: readonly OutboxEntry[], claimId: string): OutboxEntry[] =>
  outbox.filter((entry) => entry.subject === decisionSubject(claimId) && isChanged(entry));
const isChanged = ({ state, error }: OutboxEntry): boolean => state === 'refused' && error?.reason === 'CLAIM_CHANGED';
/** When somebody began to wait for a reviewer. */
export const waitingSince = (item: ReviewItem): string =>
  isAppeal(item) && item.claim.appeal ? item.claim.appeal.at : item.claim.submittedAt;

/**
 * Splits the server's queue, open appeals first and then the oldest first, into what waits for this reviewer and what they
 * decided on this device without the server having taken it: also decisions on claims that have left the queue since,
 * because somebody else was first. One about an answer that was changed meanwhile leaves its claim waiting.
 */
export function viewQueue(
  communityId: string,
  queue: readonly ReviewItem[],
  outbox: readonly OutboxEntry[],
): { open: ReviewItem[]; decided: OutboxEntry[] } {
  const decided = outbox.filter(
    ({ subject, lane }) => communityOf(lane) === communityId && readSubject(subject)?.kind === 'decision',
  );
  const taken = new Set(decided.filter((entry) => !isChanged(entry)).map(({ subject }) => subject));
  const open = queue
    .filter(({ claim }) => !taken.has(decisionSubject(claim.id)))
    .sort((a, b) => Number(isAppeal(b)) - Number(isAppeal(a)) || waitingSince(a).localeCompare(waitingSince(b)));
  return { open, decided };
}

/** What a queue is narrowed to; nothing of it: all that waits. */
export type Narrowed = {
  only?: 'appeals' | undefined;
  kind?: TaskKind | undefined;
  taskId?: string | undefined;
  search?: string | undefined;
};
export const isNarrowed = ({ only, kind, taskId, search }: Narrowed): boolean =>
  [only, kind, taskId, search].some((one) => one !== undefined);

/** The same as the server narrows by, of what is here. */
export function narrow(items: readonly ReviewItem[], { only, kind, taskId, search = '' }: Narrowed): ReviewItem[] {
  const words = search.trim().toLowerCase();
  return items.filter(
    (item) =>
      (only === undefined || isAppeal(item)) &&
      (kind === undefined || item.task.kind === kind) &&
      (taskId === undefined || item.task.id === taskId) &&
      [item.task.title, item.member.displayName].some((name) => name.toLowerCase().includes(words)),
  );
}

/** How much waits of each task, counted from claims. */
export function countByTask(items: readonly ReviewItem[]): WaitingOfTask[] {
  const tasks = new Map<string, WaitingOfTask>();
  for (const item of items) {
    const { id: taskId, title, kind } = item.task;
    const { answers, appeals } = tasks.get(taskId) ?? { answers: 0, appeals: 0 };
    const more = isAppeal(item) ? { answers, appeals: appeals + 1 } : { answers: answers + 1, appeals };
    tasks.set(taskId, { taskId, title, kind, ...more });
  }
  return [...tasks.values()];
}

/** The next claim for the same task, from the first again behind the last; null where it is the only one. */
export function nextOfTask(open: readonly ReviewItem[], item: ReviewItem): string | null {
  const same = open.filter(({ task }) => task.id === item.task.id);
  const next = same[(same.indexOf(item) + 1) % same.length];
  return next === undefined || next === item ? null : next.claim.id;
}

/**
 * How many of the server's number still wait for somebody: not those of the queue that are decided on this device. A
 * decision that was refused leaves its claim waiting.
 */
export function waitingStill(
  { items, waiting }: { items: readonly ReviewItem[]; waiting: number },
  outbox: readonly OutboxEntry[],
): number {
  const decided = new Set(outbox.filter(({ state }) => state !== 'refused').map(({ subject }) => subject));
  return waiting - items.filter(({ claim }) => decided.has(decisionSubject(claim.id))).length;
}

/** The claim to show when the one at `claimId` has gone: the one after it, else the first. */
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
