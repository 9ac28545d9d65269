import type { Claim } from '../../../server/contract/claims.ts';
import type { Dashboard } from '../../../server/contract/communities.ts';
import type { TaskWithClaim } from '../../../server/contract/tasks.ts';
import { codesEndAt } from '../../../server/rules/event-code.ts';
import { isSettled } from '../../../worker/unsent.ts';
import { timeNow } from '../../lib/clock.ts';
import type { OutboxEntry } from '../../lib/device.ts';
import { appealSubject, claimSubject } from '../../lib/subjects.ts';

/**
 * Where a task stands for its member, the device's outbox and the server's word laid over each other:
 * `unsent` is an act that the server refused to take, `changes` a claim that a reviewer sent back, `rejected` one that
 * was not counted, `locked` a task that takes no act now (its gate says why).
 */
export type TaskState =
  | 'unsent'
  | 'changes'
  | 'rejected'
  | 'open'
  | 'queued'
  | 'sending'
  | 'received'
  | 'locked'
  | 'counted'
  | 'reversed';
export type TaskView = {
  task: TaskWithClaim;
  state: TaskState;
  claim: Claim | null;
  /** The act on the task that this device holds. */
  entry: OutboxEntry | null;
  /** One that gave way to what the server had already: to be read once. */
  settled: OutboxEntry | null;
  /** The appeal that this device holds. */
  appeal: OutboxEntry | null;
};

/** What needs the member first, what is settled last. */
const ORDER: readonly TaskState[] = [
  'unsent',
  'changes',
  'rejected',
  'queued',
  'sending',
  'open',
  'received',
  'locked',
  'counted',
  'reversed',
];
/** What the member can do something about now, or has just done. */
const NOW: ReadonlySet<TaskState> = new Set(['unsent', 'changes', 'rejected', 'queued', 'sending', 'open']);
const rankOf = (state: TaskState): number => {
  // Queued and sending share a place: a card must not move while its act is on the way.
  const rank = ORDER.indexOf(state);
  return state === 'sending' ? rank - 1 : rank;
};

const isTaken = (claim: Claim | null): boolean =>
  claim?.state === 'submitted' || claim?.state === 'checking' || claim?.state === 'approved';

/** Whether its time is over, by a clock that needs no connection. */
const isOver = ({ ask, schedule }: TaskWithClaim, now: number): boolean =>
  (schedule.closesAt !== null && Date.parse(schedule.closesAt) <= now) ||
  ('endsAt' in ask && codesEndAt(Date.parse(ask.endsAt)) <= now);
/** A task as it stands when its time is over, which a copy from before does not know. */
function inTime(task: TaskWithClaim, now: number): TaskWithClaim {
  const { gate } = task;
  if (gate.reason === 'leader' || gate.reason === 'closed' || !isOver(task, timeNow(now))) return task;
  return { ...task, gate: { ...gate, open: false, reason: 'closed', opensAt: null } };
}

/** Doors that open by themselves: the device knows when, also without a connection. */
const OPENS_BY_ITSELF: ReadonlySet<string | null> = new Set(['not_open_yet', 'window', 'cool_down']);
function isLocked({ gate }: TaskWithClaim, now: number): boolean {
  if (gate.open || gate.reason === 'leader') return false;
  const opensAt = gate.opensAt === null ? Number.POSITIVE_INFINITY : Date.parse(gate.opensAt);
  return !(OPENS_BY_ITSELF.has(gate.reason) && opensAt <= now);
}

function stateOf(task: TaskWithClaim, appeal: OutboxEntry | null, now: number): TaskState {
  const { claim } = task;
  if (!claim) return isLocked(task, now) ? 'locked' : 'open';
  if (claim.state === 'approved') return 'counted';
  if (claim.state === 'reversed') return 'reversed';
  if (claim.state === 'changes_requested') return 'changes';
  if (claim.state !== 'rejected') return 'received';
  // An appeal on its way, or with a reviewer, is theirs to answer.
  if (appeal !== null && appeal.state !== 'refused') return 'queued';
  return claim.appeal?.outcome === 'open' ? 'received' : 'rejected';
}

/**
 * One task with what the outbox holds of it, at `now` (epoch ms). The server's acceptance outranks an entry that has not
 * heard of it yet.
 */
export function viewTask(
  communityId: string,
  given: TaskWithClaim,
  outbox: readonly OutboxEntry[],
  now = Date.now(),
): TaskView {
  const task = inTime(given, now);
  const claim = task.claim;
  const latest = (subject: string) => outbox.findLast((one) => one.subject === subject) ?? null;
  const appeal = claim === null ? null : latest(appealSubject(claim.id));
  const last = latest(claimSubject(communityId, task.id));
  const settled = last && isSettled(last) ? last : null;
  const entry = settled || isTaken(claim) ? null : last;
  if (!entry) return { task, state: stateOf(task, appeal, now), claim, entry: null, settled, appeal };
  const state = entry.state === 'refused' ? 'unsent' : entry.state === 'sending' ? 'sending' : 'queued';
  return { task, state, claim, entry, settled, appeal };
}

export type Today = {
  tasks: TaskView[];
  /** Those of the tasks that the member can do something about, those that wait for others, and what is settled. */
  now: TaskView[];
  later: TaskView[];
  done: TaskView[];
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
export function viewToday(dashboard: Dashboard, outbox: readonly OutboxEntry[], at = Date.now()): Today {
  const tasks = dashboard.tasks
    .map((task) => viewTask(dashboard.community.id, task, outbox, at))
    .sort((a, b) => rankOf(a.state) - rankOf(b.state));
  // An appeal asks for points that were claimed before: it is no claim in pencil.
  const pencil = tasks.filter(({ state, entry }) => entry !== null && (state === 'queued' || state === 'sending'));
  const isDone = ({ state }: TaskView) => state === 'counted' || state === 'reversed';
  return {
    tasks,
    now: tasks.filter(({ state }) => NOW.has(state)),
    later: tasks.filter((view) => !NOW.has(view.state) && !isDone(view)),
    done: tasks.filter(isDone),
    pencilPoints: pencil.reduce((sum, view) => sum + view.task.points, 0),
    pencilClaims: pencil.length,
    pencilToday: pencil.length > 0 && !dashboard.countedToday,
    allDone: tasks.length > 0 && tasks.every(isDone),
    counted: tasks.filter((view) => view.state === 'counted').length,
  };
}

/** The same dashboard with the server's answers to claims in place, so that no card falls back to open meanwhile. */
export function withClaims(dashboard: Dashboard, claims: readonly Claim[]): Dashboard {
  const latest = new Map(claims.map((claim) => [claim.taskId, claim]));
  return {
    ...dashboard,
    tasks: dashboard.tasks.map((task) => {
      const claim = latest.get(task.id);
      return claim ? { ...task, claim } : task;
    }),
  };
}

/** The next task that waits for the member, leaving out the one just done. */
export function nextTask(today: Today, doneTaskId: string): TaskView | null {
  return today.tasks.find((view) => view.state === 'open' && view.task.id !== doneTaskId) ?? null;
}
