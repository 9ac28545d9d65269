import type { ReviewItem, WaitingOfTask } from '../../../../server/contract/review.ts';
import type { TaskKind } from '../../../../server/contract/tasks.ts';
import type { OutboxEntry } from '../../../lib/device.ts';
import { decisionSubject } from '../../../lib/subjects.ts';
import { decisionsIn, isUnused } from '../../../shared/commands/decided-here.ts';

/** Whether the claim waits with an appeal, which is granted or refused but not sent back. */
export const isAppeal = ({ claim }: ReviewItem): boolean => claim.appeal?.outcome === 'open';
/** Unused decisions on a claim that is still waiting: it had changed, or they were refused. */
export const unusedFor = (outbox: readonly OutboxEntry[], claimId: string): OutboxEntry[] =>
  outbox.filter((entry) => entry.subject === decisionSubject(claimId) && isUnused(entry));
/** Since when the member has been waiting for a reviewer. */
export const waitingSince = (item: ReviewItem): string =>
  isAppeal(item) && item.claim.appeal ? item.claim.appeal.at : item.claim.submittedAt;

/**
 * Splits the server's queue (open appeals first, then the oldest) into claims that wait for this reviewer, and this
 * device's decisions that the server has not accepted. The latter include decisions on claims that have left the queue,
 * because someone else was first. An unused decision leaves its claim waiting.
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

/** The queue's filters; empty for all. */
export type Narrowed = {
  only?: 'appeals' | undefined;
  kind?: TaskKind | undefined;
  taskId?: string | undefined;
  search?: string | undefined;
};
export const isNarrowed = ({ only, kind, taskId, search }: Narrowed): boolean =>
  [only, kind, taskId, search].some((one) => one !== undefined);

/** Applies the server's filters to local items. */
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

/** Waiting claims per task. */
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

/** The next claim for the same task, wrapping to the first; null for the only one. */
export function nextOfTask(open: readonly ReviewItem[], item: ReviewItem): string | null {
  const same = open.filter(({ task }) => task.id === item.task.id);
  const next = same[(same.indexOf(item) + 1) % same.length];
  return next === undefined || next === item ? null : next.claim.id;
}

/** The claim to open after `claimId` has gone: the one after it, else the first. */
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
