/** A leader's input for a task of any kind, and the request body it makes. */
import { TASK_CAP_MAX, TASK_COOL_DOWN_MAX_MINUTES, TASK_POINTS_MAX } from '../../../../server/contract/limits.ts';
import { seenLength } from '../../../../server/contract/seen-length.ts';
import type {
  Conditions,
  LeaderTask,
  NewTask,
  Recurrence,
  Task,
  TaskSetup,
  TaskWithClaim,
} from '../../../../server/contract/tasks.ts';
import { emptySetup, leaderPartsOf } from '../../../kinds/leader.ts';
import { fromLocal, toLocal } from '../../../lib/dates.ts';
import { wholeIn } from '../../../ui/typed-number.ts';

/** A task in its editor: numbers and dates as typed. */
export type TaskDraft = {
  setup: TaskSetup;
  title: string;
  instructions: string;
  /** Null: the kind's default. */
  points: string | null;
  recurrence: Recurrence;
  opensAt: string;
  closesAt: string;
  windowed: boolean;
  days: readonly number[];
  from: string;
  until: string;
  total: string;
  member: string;
  /** Null: the kind's default. */
  coolDown: string | null;
  conditions: Conditions | null;
};

/** Minutes to wait after a failed try, as typed or by default (docs/decisions/quizzes.md). */
export const coolDownOf = ({ coolDown, setup }: TaskDraft): string =>
  coolDown ?? String(leaderPartsOf(setup.kind).coolDown?.usualMinutes ?? 0);

/** Points as typed, or the kind's default. */
export const pointsOf = ({ points, setup }: TaskDraft): string =>
  points ?? String(leaderPartsOf(setup.kind).usualPoints);

export const emptyDraft = (now: number): TaskDraft => ({
  setup: emptySetup('check_in', now),
  title: '',
  instructions: '',
  points: null,
  recurrence: 'daily',
  opensAt: '',
  closesAt: '',
  windowed: false,
  days: [1, 2, 3, 4, 5, 6, 7],
  from: '08:00',
  until: '20:00',
  total: '',
  member: '',
  coolDown: null,
  conditions: null,
});

/** The draft of an existing task. Only leaders may see its setup. */
export function draftOf(task: LeaderTask, setup: TaskSetup): TaskDraft {
  const { window, opensAt, closesAt } = task.schedule;
  return {
    ...emptyDraft(0),
    setup,
    title: task.title,
    instructions: task.instructions,
    points: String(task.points),
    recurrence: task.recurrence,
    opensAt: toLocal(opensAt),
    closesAt: toLocal(closesAt),
    ...(window && { windowed: true, days: window.days, from: window.from, until: window.until }),
    total: task.caps.total === null ? '' : String(task.caps.total),
    member: task.caps.member === null ? '' : String(task.caps.member),
    coolDown: String(task.caps.coolDownMinutes),
    conditions: task.conditions,
  };
}

/**
 * Problems; empty when it can be sent. The server decides.
 * @param now for an unpublished task, which must still open in the future
 */
export function problemsOf(draft: TaskDraft, now: number | null = null): string[] {
  const { setup } = draft;
  const found = leaderPartsOf(setup.kind).problems?.(setup, now) ?? [];
  if (seenLength(draft.title) < 3) found.push('title');
  if (wholeIn(pointsOf(draft), 0, TASK_POINTS_MAX) === null) found.push('points');
  const [opens, closes] = [fromLocal(draft.opensAt), fromLocal(draft.closesAt)];
  if (opens !== null && closes !== null && closes <= opens) found.push('dates');
  if (now !== null && closes !== null && Date.parse(closes) <= now) found.push('over');
  if (draft.windowed && draft.days.length === 0) found.push('days');
  if (draft.windowed && (draft.from === '' || draft.until === '')) found.push('hours');
  if (draft.total.trim() !== '' && wholeIn(draft.total, 1, TASK_CAP_MAX) === null) found.push('total');
  if (draft.member.trim() !== '' && wholeIn(draft.member, 1, TASK_CAP_MAX) === null) found.push('member');
  if (wholeIn(coolDownOf(draft), 0, TASK_COOL_DOWN_MAX_MINUTES) === null) found.push('cool_down');
  return found;
}

/** The request body. Call it only without problems. */
export function bodyOf(draft: TaskDraft): NewTask & Pick<Task, 'schedule' | 'caps'> {
  const { tidy } = leaderPartsOf(draft.setup.kind);
  return {
    setup: tidy ? tidy(draft.setup) : draft.setup,
    title: draft.title.trim(),
    instructions: draft.instructions.trim(),
    points: wholeIn(pointsOf(draft), 0, TASK_POINTS_MAX) ?? 0,
    recurrence: draft.recurrence,
    schedule: {
      opensAt: fromLocal(draft.opensAt),
      closesAt: fromLocal(draft.closesAt),
      window: draft.windowed ? { days: [...draft.days].sort(), from: draft.from, until: draft.until } : null,
    },
    caps: {
      total: wholeIn(draft.total, 1, TASK_CAP_MAX),
      member: wholeIn(draft.member, 1, TASK_CAP_MAX),
      coolDownMinutes: wholeIn(coolDownOf(draft), 0, TASK_COOL_DOWN_MAX_MINUTES) ?? 0,
    },
    conditions: draft.conditions,
  };
}

/** The draft as an open task of a member. `title` replaces a missing one. */
export function previewOf(draft: TaskDraft, title: string): TaskWithClaim {
  const body = bodyOf(draft);
  return {
    id: 'preview',
    kind: body.setup.kind,
    title: body.title || title,
    instructions: body.instructions,
    points: body.points,
    recurrence: body.recurrence,
    status: 'live',
    schedule: body.schedule,
    caps: body.caps,
    conditions: body.conditions ?? null,
    ask: leaderPartsOf(body.setup.kind).preview(body.setup),
    gate: { open: true, reason: null, opensAt: null, path: [] },
    claim: null,
  };
}
