import type { Claim } from '../../../server/contract/claims.ts';
import type { Dashboard } from '../../../server/contract/communities.ts';
import type { TaskWithClaim } from '../../../server/contract/tasks.ts';
import { codesEndAt } from '../../../server/rules/event-code.ts';
import { isSettled } from '../../../worker/unsent.ts';
import { timeNow } from '../../lib/clock.ts';
import type { OutboxEntry } from '../../lib/device.ts';
import { appealSubject, claimSubject } from '../../lib/subjects.ts';

/**
 * A task's state for its member, with the outbox laid over the server's answer. `unsent`: the server refused the
 * command; `changes`: a reviewer sent the claim back; `rejected`: it was not counted; `locked`: the task cannot be done
 * now (its gate says why).
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
  /** This device's command for the task. */
  entry: OutboxEntry | null;
  /** A command that lost to a claim the server already had; shown once. */
  settled: OutboxEntry | null;
  /** This device's appeal. */
  appeal: OutboxEntry | null;
};

/** Tasks that need the member first, settled ones last. */
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
/** States in which the member can act, or has just acted. */
const NOW: ReadonlySet<TaskState> = new Set(['unsent', 'changes', 'rejected', 'queued', 'sending', 'open']);
const rankOf = (state: TaskState): number => {
  // Queued and sending share a rank: a card must not move while its command is on the way.
  const rank = ORDER.indexOf(state);
  return state === 'sending' ? rank - 1 : rank;
};

const isTaken = (claim: Claim | null): boolean =>
  claim?.state === 'submitted' || claim?.state === 'checking' || claim?.state === 'approved';

/** Whether its time is over, by the device's clock. */
const isOver = ({ ask, schedule }: TaskWithClaim, now: number): boolean =>
  (schedule.closesAt !== null && Date.parse(schedule.closesAt) <= now) ||
  ('endsAt' in ask && codesEndAt(Date.parse(ask.endsAt)) <= now);
/** Ends an expired task, which an older copy shows as open. */
function inTime(task: TaskWithClaim, now: number): TaskWithClaim {
  const { gate } = task;
  if (gate.reason === 'leader' || gate.reason === 'closed' || !isOver(task, timeNow(now))) return task;
  return { ...task, gate: { ...gate, open: false, reason: 'closed', opensAt: null } };
}

/** Gates that open at a known time: the device can tell offline. */
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
  // An appeal that is on its way or under review is for a reviewer to answer.
  if (appeal !== null && appeal.state !== 'refused') return 'queued';
  return claim.appeal?.outcome === 'open' ? 'received' : 'rejected';
}

/**
 * Merges one task with its outbox entries, as of `now` (epoch ms). The server's acceptance outranks an entry that does
 * not know of it yet.
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
  /** Tasks that the member can act on, those that wait for others, and settled ones. */
  now: TaskView[];
  later: TaskView[];
  done: TaskView[];
  /** Points of claims that only this device has: never added to the total. */
  pencilPoints: number;
  /** Claims that only this device has. */
  pencilClaims: number;
  /** Today's only command is in pencil: nothing in ink has counted the day yet. */
  pencilToday: boolean;
  /** There were tasks, and none waits for the member. */
  allDone: boolean;
  counted: number;
};

/** The dashboard's list: the server's tasks merged with the device's outbox, in order. */
export function viewToday(dashboard: Dashboard, outbox: readonly OutboxEntry[], at = Date.now()): Today {
  const tasks = dashboard.tasks
    .map((task) => viewTask(dashboard.community.id, task, outbox, at))
    .sort((a, b) => rankOf(a.state) - rankOf(b.state));
  // An appeal is about points that were already claimed, so it is no claim in pencil.
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

/** The dashboard with the server's answers to claims written in, so no card falls back to open. */
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

/** The next task for the member after the one just done. */
export function nextTask(today: Today, doneTaskId: string): TaskView | null {
  return today.tasks.find((view) => view.state === 'open' && view.task.id !== doneTaskId) ?? null;
}
