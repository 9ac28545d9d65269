/** What a leader types of a task of any kind, as text, and the body that it makes. */
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

/** A task as its editor holds it: numbers and dates as they are typed. */
export type TaskDraft = {
  setup: TaskSetup;
  title: string;
  instructions: string;
  /** Null: what the kind is commonly worth. */
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
  /** Null: what is usual for the kind. */
  coolDown: string | null;
  conditions: Conditions | null;
};

/** Minutes to wait after a failed try, as typed or as usual (docs/decisions/quizzes.md). */
export const coolDownOf = ({ coolDown, setup }: TaskDraft): string =>
  coolDown ?? String(leaderPartsOf(setup.kind).coolDown?.usualMinutes ?? 0);

/** Points as typed, or what the kind is commonly worth. */
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

/** The draft of a task that is there. Its setup is the leaders' own to see. */
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
 * What is not right yet; nothing: it can be sent. The server has the last word.
 * @param now for a task that nobody has seen yet, which has to be open at some time to come
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

/** What the server is sent. Call it where `problemsOf` finds nothing. */
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

/** The draft as a member would find it, open. `title` stands where none is written yet. */
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
