import type { Claim, ClaimState } from '../../../server/contract/claims.ts';
import type { Dashboard } from '../../../server/contract/communities.ts';
import { claimPeriods } from '../../../server/contract/periods.ts';
import type { ReviewItem } from '../../../server/contract/review.ts';
import type { TaskWithClaim } from '../../../server/contract/tasks.ts';

/**
 * The server's word on one claim and when this device heard it, in epoch ms by its clock. `decided`: it answered a
 * reviewer's act, so the claim is another member's.
 */
type Told = { claim: Claim; at: number; decided?: true };

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
 * Keeps what the server answered to the member's own claims. The device's copies of reads may be from before it and be
 * all there is for a while. Goes with the member at sign-out, as all that is kept in this place.
 */
export const keepTold = (claims: readonly Claim[], at = Date.now()): void =>
  add(claims.map((claim) => ({ claim, at })));
/** Keeps what it answered to their decisions on the claims of others. */
export const keepDecided = (claims: readonly Claim[], at = Date.now()): void =>
  add(claims.map((claim) => ({ claim, at, decided: true })));

function add(news: readonly Told[]): void {
  const ids = new Set(news.map(({ claim }) => claim.id));
  const others = all().filter((told) => !ids.has(told.claim.id));
  try {
    localStorage.setItem(KEY, JSON.stringify([...others, ...news].slice(-KEPT_MAX)));
  } catch {
    // Private windows and full disks refuse: then it is known until the page is read again.
  }
}

/** What was told after a copy was given. `asOf`: when the server gave the copy; null straight from the server: nothing. */
const toldSince = (asOf: number | null): Told[] => (asOf === null ? [] : all().filter(({ at }) => at > asOf));

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

/** A task with what was told of its claim since its copy was given, as it stands at `now` (epoch ms). */
export function knowingTask(task: TaskWithClaim, asOf: number | null, now = Date.now()): TaskWithClaim {
  if (asOf === null) return task;
  const told = toldSince(asOf).findLast(({ claim, decided }) => !decided && claim.taskId === task.id);
  const claim = told?.claim ?? task.claim;
  if (claim && isOver(claim, task, now)) return { ...task, claim: null };
  return claim === task.claim ? task : { ...task, claim };
}

/** The dashboard with what was told since its copy was given: no card falls back to open before its day is over. */
export function knowingDashboard(dashboard: Dashboard, asOf: number | null, now = Date.now()): Dashboard {
  return {
    ...dashboard,
    countedToday: dashboard.countedToday && (asOf === null || dayOf(asOf) === dayOf(now)),
    tasks: dashboard.tasks.map((task) => knowingTask(task, asOf, now)),
  };
}

/** The queue without what was decided since its copy was given. */
export const knowingQueue = <T extends Queue>(copy: T, asOf: number | null): T =>
  withoutDecided(
    copy,
    toldSince(asOf).map(({ claim }) => claim),
  );

type Queue = { items: ReviewItem[]; waiting: number };
/** The queue without the claims that wait no longer. */
export function withoutDecided<T extends Queue>(queue: T, claims: readonly Claim[]): T {
  const decided = new Set(claims.flatMap(({ id, state }) => (WAITING.has(state) ? [] : [id])));
  const items = queue.items.filter(({ claim }) => !decided.has(claim.id));
  return { ...queue, items, waiting: queue.waiting - (queue.items.length - items.length) };
}
const WAITING: ReadonlySet<ClaimState> = new Set(['submitted', 'checking']);
