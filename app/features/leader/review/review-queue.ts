import type { ReviewItem, WaitingOfTask } from '../../../../server/contract/review.ts';
import type { TaskKind } from '../../../../server/contract/tasks.ts';
import type { OutboxEntry } from '../../../lib/device.ts';
import { decisionSubject } from '../../../lib/subjects.ts';
import { decisionsIn, isUnused } from '../../../shared/commands/decided-here.ts';

/** Whether it is an appeal that waits: to be granted or refused, with nothing left to change. */
export const isAppeal = ({ claim }: ReviewItem): boolean => claim.appeal?.outcome === 'open';
/** Decisions that were not used though the claim waits still, as it is now: it was another one by then, or they were refused. */
export const unusedFor = (outbox: readonly OutboxEntry[], claimId: string): OutboxEntry[] =>
  outbox.filter((entry) => entry.subject === decisionSubject(claimId) && isUnused(entry));
/** When somebody began to wait for a reviewer. */
export const waitingSince = (item: ReviewItem): string =>
  isAppeal(item) && item.claim.appeal ? item.claim.appeal.at : item.claim.submittedAt;

/**
 * Splits the server's queue, open appeals first and then the oldest first, into what waits for this reviewer and what they
 * decided on this device without the server having taken it: also decisions on claims that have left the queue since,
 * because somebody else was first. One that was not used leaves its claim waiting.
 */
export function viewQueue(
  communityId: string,
  queue: readonly ReviewItem[],
  outbox: readonly OutboxEntry[],
): { open: ReviewItem[]; decided: OutboxEntry[] } {
  const decided = decisionsIn(outbox, communityId);
  const taken = new Set(decided.filter((entry) => !isUnused(entry)).map(({ subject }) => subject));
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
