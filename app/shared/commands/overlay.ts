import type { Claim, ClaimState } from '../../../server/contract/claims.ts';
import type { Dashboard } from '../../../server/contract/communities.ts';
import type { ReviewItem } from '../../../server/contract/review.ts';
import type { TaskWithClaim } from '../../../server/contract/tasks.ts';
import { claimPeriods } from '../../../server/rules/periods.ts';
import type { Acknowledgement } from '../../../worker/schema.ts';

/** The server's answers to this member's commands, from the device's store. */
export type Overlay = readonly Acknowledgement[];

/**
 * Acknowledgements newer than a copy. `asOf`: when the server gave it; null when it came straight from the server, so
 * nothing is newer.
 */
const since = (overlay: Overlay, asOf: number | null): Overlay =>
  asOf === null ? [] : overlay.filter(({ at }) => at > asOf);

const two = (value: number): string => String(value).padStart(2, '0');
/** `2026-11-21` by this device's clock. */
function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const DONE: ReadonlySet<ClaimState> = new Set(['submitted', 'checking', 'approved', 'reversed']);
/**
 * A claim of a past day, week or month no longer blocks a new one. The account's time zone counts: a device in another
 * one may open a task too early, and then the server just answers that it has a claim.
 */
const isOver = ({ state, period }: Claim, { recurrence }: TaskWithClaim, now: number): boolean =>
  DONE.has(state) && period < claimPeriods(dayOf(now))[recurrence];

/** A copied task with newer answers about its claim, as of `now` (epoch ms). */
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

/** A copied dashboard with newer answers, so no card falls back to open before its day is over. */
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

/** A copied review queue without newer decisions. */
export const overlayQueue = <T extends Queue>(copy: T, overlay: Overlay, asOf: number | null): T =>
  withoutDecided(
    copy,
    since(overlay, asOf).map(({ claim }) => claim),
  );

type Queue = { items: ReviewItem[]; waiting: number };
export function withoutDecided<T extends Queue>(queue: T, claims: readonly Claim[]): T {
  const decided = new Set(claims.flatMap(({ id, state }) => (WAITING.has(state) ? [] : [id])));
  const items = queue.items.filter(({ claim }) => !decided.has(claim.id));
  return { ...queue, items, waiting: queue.waiting - (queue.items.length - items.length) };
}
const WAITING: ReadonlySet<ClaimState> = new Set(['submitted', 'checking']);
