import type { Claim, ClaimState } from '../../../server/contract/claims.ts';
import type { Dashboard } from '../../../server/contract/communities.ts';
import type { ReviewItem } from '../../../server/contract/review.ts';
import type { TaskWithClaim } from '../../../server/contract/tasks.ts';
import { claimPeriods } from '../../../server/rules/periods.ts';
import type { Acknowledgement } from '../../../worker/schema.ts';

/** What the server has answered to this member's commands, as the device's store has it. */
export type Overlay = readonly Acknowledgement[];

/** What was answered after a copy was given. `asOf`: when the server gave it; null: straight from the server, nothing is newer. */
const since = (overlay: Overlay, asOf: number | null): Overlay =>
  asOf === null ? [] : overlay.filter(({ at }) => at > asOf);

const two = (value: number): string => String(value).padStart(2, '0');
/** `2026-11-21` on the clock of this device. */
function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const DONE: ReadonlySet<ClaimState> = new Set(['submitted', 'checking', 'approved', 'reversed']);
/**
 * What was done in a day, week or month that is over is no longer in the way of doing it again. The zone that counts is
 * the member's account's; where this device is in another one and opens a task too early, the server says that it has
 * this one already, which is nobody's loss.
 */
const isOver = ({ state, period }: Claim, { recurrence }: TaskWithClaim, now: number): boolean =>
  DONE.has(state) && period < claimPeriods(dayOf(now))[recurrence];

/** A copy of a task with what was answered about its claim since, as it stands at `now` (epoch ms). */
export function overlayTask(
  task: TaskWithClaim,
  overlay: Overlay,
  asOf: number | null,
  now = Date.now(),
): TaskWithClaim {
  if (asOf === null) return task;
  const answered = since(overlay, asOf).findLast(({ claim, own }) => own && claim.taskId === task.id);
  const claim = answered?.claim ?? task.claim;
  if (claim && isOver(claim, task, now)) return { ...task, claim: null };
  return claim === task.claim ? task : { ...task, claim };
}

/** A copy of a dashboard with what was answered since: no card falls back to open before its day is over. */
export function overlayDashboard(
  dashboard: Dashboard,
  overlay: Overlay,
  asOf: number | null,
  now = Date.now(),
): Dashboard {
  return {
    ...dashboard,
    countedToday: dashboard.countedToday && (asOf === null || dayOf(asOf) === dayOf(now)),
    tasks: dashboard.tasks.map((task) => overlayTask(task, overlay, asOf, now)),
  };
}

/** A copy of the review queue without what was decided since. */
export const overlayQueue = <T extends Queue>(copy: T, overlay: Overlay, asOf: number | null): T =>
  withoutDecided(
    copy,
    since(overlay, asOf).map(({ claim }) => claim),
  );

type Queue = { items: ReviewItem[]; waiting: number };
/** The queue without the claims that wait no longer. */
export function withoutDecided<T extends Queue>(queue: T, claims: readonly Claim[]): T {
  const decided = new Set(claims.flatMap(({ id, state }) => (WAITING.has(state) ? [] : [id])));
  const items = queue.items.filter(({ claim }) => !decided.has(claim.id));
  return { ...queue, items, waiting: queue.waiting - (queue.items.length - items.length) };
}
const WAITING: ReadonlySet<ClaimState> = new Set(['submitted', 'checking']);
