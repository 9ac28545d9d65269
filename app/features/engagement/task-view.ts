import type { Claim } from '../../../server/contract/claims.ts';
import type { Dashboard } from '../../../server/contract/communities.ts';
import type { TaskWithClaim } from '../../../server/contract/tasks.ts';
import type { OutboxEntry } from '../../lib/device.ts';
import { claimSubject } from './subjects.ts';

/**
 * Where a task stands for its member, the device's outbox and the server's word laid over each other:
 * `unsent` is an act that the server refused to take, `rejected` a claim that a reviewer refused.
 */
export type TaskState = 'unsent' | 'rejected' | 'open' | 'queued' | 'sending' | 'received' | 'counted' | 'reversed';
export type TaskView = { task: TaskWithClaim; state: TaskState; claim: Claim | null; entry: OutboxEntry | null };

/** What needs the member first, what is settled last. */
const ORDER: readonly TaskState[] = [
  'unsent',
  'rejected',
  'queued',
  'sending',
  'open',
  'received',
  'counted',
  'reversed',
];
const rankOf = (state: TaskState): number => {
  // Queued and sending share a place: a card must not move while its act is on the way.
  const rank = ORDER.indexOf(state);
  return state === 'sending' ? rank - 1 : rank;
};

const settled = (claim: Claim | null): boolean =>
  claim?.state === 'submitted' || claim?.state === 'checking' || claim?.state === 'approved';

/** One task with what the outbox holds of it. The server's acceptance outranks an entry that has not heard of it yet. */
export function viewTask(communityId: string, task: TaskWithClaim, outbox: readonly OutboxEntry[]): TaskView {
  const claim = task.claim;
  const mine = outbox.filter((entry) => entry.subject === claimSubject(communityId, task.id));
  const entry = mine.at(-1) ?? null;
  if (entry && !settled(claim)) {
    const state = entry.state === 'refused' ? 'unsent' : entry.state === 'sending' ? 'sending' : 'queued';
    return { task, state, claim, entry };
  }
  if (!claim) return { task, state: 'open', claim, entry: null };
  const state = {
    submitted: 'received',
    checking: 'received',
    approved: 'counted',
    rejected: 'rejected',
    changes_requested: 'rejected',
    reversed: 'reversed',
  } as const;
  return { task, state: state[claim.state], claim, entry: null };
}

export type Today = {
  tasks: TaskView[];
  /** Points of the claims that only this device has: never added to the total. */
  pencilPoints: number;
  /** Claims that only this device has. */
  pencilClaims: number;
  /** An act of today is in pencil and no inked one has counted the day yet. */
  pencilToday: boolean;
  /** Tasks were there and none of them waits for the member. */
  allDone: boolean;
  counted: number;
};

/** The dashboard's list: the server's tasks and the device's outbox merged and put in order. */
export function viewToday(dashboard: Dashboard, outbox: readonly OutboxEntry[]): Today {
  const tasks = dashboard.tasks
    .map((task) => viewTask(dashboard.community.id, task, outbox))
    .sort((a, b) => rankOf(a.state) - rankOf(b.state));
  const pencil = tasks.filter((view) => view.state === 'queued' || view.state === 'sending');
  return {
    tasks,
    pencilPoints: pencil.reduce((sum, view) => sum + view.task.points, 0),
    pencilClaims: pencil.length,
    pencilToday: pencil.length > 0 && !dashboard.countedToday,
    allDone: tasks.length > 0 && tasks.every((view) => view.state === 'counted' || view.state === 'reversed'),
    counted: tasks.filter((view) => view.state === 'counted').length,
  };
}

/** The same dashboard with the server's answer to one claim in place, so that no card falls back to open meanwhile. */
export function withClaim(dashboard: Dashboard, claim: Claim): Dashboard {
  return {
    ...dashboard,
    tasks: dashboard.tasks.map((task) => (task.id === claim.taskId ? { ...task, claim } : task)),
  };
}

/** The next task that waits for the member, leaving out the one just done. */
export function nextTask(today: Today, doneTaskId: string): TaskWithClaim | null {
  return today.tasks.find((view) => view.state === 'open' && view.task.id !== doneTaskId)?.task ?? null;
}
