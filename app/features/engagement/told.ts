import type { Claim, ClaimState } from '../../../server/contract/claims.ts';
import type { Dashboard } from '../../../server/contract/communities.ts';
import type { ReviewItem } from '../../../server/contract/review.ts';
import type { TaskWithClaim } from '../../../server/contract/tasks.ts';

/** The server's word on one claim and when this device heard it, in epoch ms by its clock. */
type Told = { claim: Claim; at: number };

const KEY = 'muster-told';
/** More than anybody sends between two readings. */
const KEPT_MAX = 100;

function all(): Told[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/**
 * Keeps what the server answered to claims or decisions. The device's copies of reads may be from before it and be all
 * there is for a while. Goes with the member at sign-out, as all that is kept in this place.
 */
export function keepTold(claims: readonly Claim[], at = Date.now()): void {
  const ids = new Set(claims.map(({ id }) => id));
  const others = all().filter((told) => !ids.has(told.claim.id));
  try {
    localStorage.setItem(KEY, JSON.stringify([...others, ...claims.map((claim) => ({ claim, at }))].slice(-KEPT_MAX)));
  } catch {
    // Private windows and full disks refuse: then it is known until the page is read again.
  }
}

/** What was told after a copy was given. `asOf`: when the server gave the copy; null straight from the server: nothing. */
const toldSince = (asOf: number | null): Claim[] =>
  asOf === null
    ? []
    : all()
        .filter(({ at }) => at > asOf)
        .map(({ claim }) => claim);

/** A task with what was told of its claim since its copy was given. */
export function knowingTask(task: TaskWithClaim, asOf: number | null): TaskWithClaim {
  const claim = toldSince(asOf).findLast(({ taskId }) => taskId === task.id);
  return claim ? { ...task, claim } : task;
}

/** The dashboard with what was told since its copy was given: no card falls back to open. */
export function knowingDashboard(dashboard: Dashboard, asOf: number | null): Dashboard {
  return { ...dashboard, tasks: dashboard.tasks.map((task) => knowingTask(task, asOf)) };
}

/** The queue without what was decided since its copy was given. */
export function knowingQueue<T extends { items: ReviewItem[]; waiting: number }>(copy: T, asOf: number | null): T {
  const decided = new Set(toldSince(asOf).flatMap(({ id, state }) => (WAITING.has(state) ? [] : [id])));
  const items = copy.items.filter(({ claim }) => !decided.has(claim.id));
  return { ...copy, items, waiting: copy.waiting - (copy.items.length - items.length) };
}
const WAITING: ReadonlySet<ClaimState> = new Set(['submitted', 'checking']);
