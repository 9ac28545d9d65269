/** Plans a member's day in one community: sections, the next task, deadlines. Pure. */
import type { Dashboard } from '../../../server/contract/communities.ts';
import { localDay, nextDay } from '../../../server/rules/periods.ts';
import type { Pace } from '../../kinds/kind.ts';
import { kindOf } from '../../kinds/kinds.ts';
import type { TaskView, Today } from '../../shared/tasks/task-view.ts';

const HOUR_MS = 60 * 60_000;
export const HOURS_A_DAY = 24;

/** The day's state for the streak: nothing yet, a command only on this device, one under review, or enough. */
export type DayState = 'open' | 'pencil' | 'review' | 'counted';

export type DayPlan = {
  needsYou: TaskView[];
  today: TaskView[];
  thisWeek: TaskView[];
  anytime: TaskView[];
  /** Nothing can be done about these, and no time is known. */
  locked: TaskView[];
  /** Settled today or earlier. */
  done: TaskView[];
  doneBefore: TaskView[];
  state: DayState;
  /** When the member's day and week end, epoch ms. */
  endsAt: number;
  weekEndsAt: number;
  /** Full hours of the day that have passed, at most 23. */
  hoursGone: number;
  next: TaskView | null;
  /** Whether `next` is the task that the streak needs today. */
  keepsStreak: boolean;
};

/** The most certain first. */
const ORDER: Record<Pace, number> = {
  'by-a-press': 0,
  'at-once': 1,
  'when-right': 2,
  'when-reviewed': 3,
  'when-checked': 3,
  'when-given': 3,
  'when-others-came': 4,
};
const paceOf = ({ task }: TaskView): number => ORDER[kindOf(task.kind).pace];
/** Whether this kind counts without a reviewer. */
export const isCountedAtOnce = (view: TaskView): boolean => paceOf(view) < ORDER['when-reviewed'];

const hoursOf = ({ ask }: TaskView['task']) => kindOf(ask.kind).hours?.(ask);
const time = (at: string | null): number | null => (at === null ? null : Date.parse(at));
/** When a task that is not open yet opens, epoch ms: an event, or a gate with a known time. */
function beginsAt({ task, state }: TaskView, now: number): number | null {
  const at = time(state === 'locked' ? task.gate.opensAt : (hoursOf(task)?.startsAt ?? null));
  return at !== null && at > now ? at : null;
}
/** The deadline, epoch ms; null without one. */
export function dueAt(view: TaskView, now: number): number | null {
  const { task, state } = view;
  const begins = beginsAt(view, now);
  if (state === 'locked' || begins !== null) return begins;
  return time(hoursOf(task)?.endsAt ?? task.schedule.closesAt);
}

const NEEDS: ReadonlySet<TaskView['state']> = new Set(['unsent', 'changes', 'rejected']);

type Ends = Pick<DayPlan, 'endsAt' | 'weekEndsAt'> & { now: number };
type Section = 'needsYou' | 'today' | 'thisWeek' | 'anytime' | 'locked' | 'done' | 'doneBefore';
function sectionOf(view: TaskView, { now, endsAt, weekEndsAt }: Ends, isToday: (at: string) => boolean): Section {
  const { task, state, claim } = view;
  if (NEEDS.has(state)) return 'needsYou';
  if (state === 'counted' || state === 'reversed')
    return claim && isToday(claim.decidedAt ?? claim.submittedAt) ? 'done' : 'doneBefore';
  const due = dueAt(view, now) ?? Number.POSITIVE_INFINITY;
  if (due <= endsAt) return 'today';
  if (state === 'locked') return due <= weekEndsAt ? 'thisWeek' : 'locked';
  if (task.recurrence === 'daily') return 'today';
  return task.recurrence === 'weekly' || due <= weekEndsAt ? 'thisWeek' : 'anytime';
}

/** The end of the member's calendar week, after Sunday. */
function weekEnd(now: Date, endsAt: Date, zone: string): Date {
  const weekday = new Date(`${localDay(now, zone)}T00:00:00Z`).getUTCDay();
  let end = endsAt;
  for (let left = (7 - weekday) % 7; left > 0; left -= 1) end = nextDay(end, zone);
  return end;
}

function stateOf({ countedToday }: Dashboard, today: Today, isToday: (at: string) => boolean): DayState {
  if (countedToday) return 'counted';
  if (today.pencilToday) return 'pencil';
  const waits = today.tasks.some(({ state, claim }) => state === 'received' && claim && isToday(claim.submittedAt));
  return waits ? 'review' : 'open';
}

/** Earliest deadline first; tasks without one keep their order at the end. */
const byDue = (now: number) => (a: TaskView, b: TaskView) => {
  const [one, other] = [dueAt(a, now), dueAt(b, now)];
  return (one ?? Number.MAX_SAFE_INTEGER) - (other ?? Number.MAX_SAFE_INTEGER);
};

/**
 * First the task that keeps the streak, while nothing today surely does; then what needs the member; then the earliest
 * to end or open; then the first of the list.
 */
function nextOf(plan: Pick<DayPlan, 'needsYou' | 'today' | 'thisWeek' | 'anytime' | 'state'>, now: number) {
  const open = [...plan.today, ...plan.thisWeek, ...plan.anytime].filter(({ state }) => state === 'open');
  if (plan.state === 'open' || plan.state === 'review') {
    // A claim under review may be rejected: only a task that counts at once is more certain.
    const [extending] = open
      .filter((view) => beginsAt(view, now) === null && (plan.state === 'open' || isCountedAtOnce(view)))
      .sort((a, b) => paceOf(a) - paceOf(b));
    if (extending) return { next: extending, keepsStreak: true };
  }
  const [changesRequested] = plan.needsYou.filter(({ state }) => state === 'changes').sort(byDue(now));
  return { next: changesRequested ?? open.sort(byDue(now))[0] ?? null, keepsStreak: false };
}

/**
 * Plans the day of `now` (epoch ms).
 * @param zone the device's, for a copy without the member's
 */
export function planDay(dashboard: Dashboard, today: Today, now: number, zone: string): DayPlan {
  const at = new Date(now);
  const timeZone = dashboard.timeZone ?? zone;
  const day = localDay(at, timeZone);
  const isToday = (other: string) => localDay(new Date(other), timeZone) === day;
  const end = nextDay(at, timeZone);
  const ends = { now, endsAt: end.getTime(), weekEndsAt: weekEnd(at, end, timeZone).getTime() };
  const sections: Record<Section, TaskView[]> = {
    needsYou: [],
    today: [],
    thisWeek: [],
    anytime: [],
    locked: [],
    done: [],
    doneBefore: [],
  };
  for (const view of today.tasks) sections[sectionOf(view, ends, isToday)].push(view);
  const state = stateOf(dashboard, today, isToday);
  return {
    ...sections,
    state,
    endsAt: ends.endsAt,
    weekEndsAt: ends.weekEndsAt,
    hoursGone: Math.min(HOURS_A_DAY - 1, Math.max(0, HOURS_A_DAY - Math.ceil((ends.endsAt - now) / HOUR_MS))),
    ...nextOf({ ...sections, state }, now),
  };
}

/** `{ hours: 9, minutes: 20 }` until a time, rounded down. */
export function timeLeft(until: number, now: number): { hours: number; minutes: number } {
  const minutes = Math.max(0, Math.floor((until - now) / 60_000));
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
}

export type Moment = {
  task: TaskView;
  points: number;
  streakDays: number | null;
  gate: number | null;
  level: number | null;
};

/** Strokes in a full gate. */
export const GATE_DAYS = 5;

/** Claims counted since `from` (epoch ms), newest first: their total points and what grew. Null without any. */
export function momentOf(
  dashboard: Dashboard,
  plan: Pick<DayPlan, 'done'>,
  from: number,
  levelAt: (points: number) => number,
): Moment | null {
  const counted = plan.done.filter(
    ({ state, claim }) =>
      state === 'counted' && claim !== null && Date.parse(claim.decidedAt ?? claim.submittedAt) >= from,
  );
  const newest = counted.reduce<TaskView | null>(
    (last, view) => ((last?.claim?.decidedAt ?? '') > (view.claim?.decidedAt ?? '') ? last : view),
    null,
  );
  if (newest === null) return null;
  const points = counted.reduce((sum, { claim }) => sum + (claim?.points ?? 0), 0);
  const { streakDays, countedToday } = dashboard;
  const isFirst = countedToday && plan.done.every((view) => view.state !== 'counted' || counted.includes(view));
  const level = levelAt(dashboard.points);
  return {
    task: newest,
    points,
    streakDays: isFirst ? streakDays : null,
    gate: isFirst && streakDays > 0 && streakDays % GATE_DAYS === 0 ? streakDays / GATE_DAYS : null,
    level: level > levelAt(dashboard.points - points) ? level : null,
  };
}
