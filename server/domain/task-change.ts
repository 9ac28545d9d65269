import { HttpError } from '../base/http-error.ts';
import type { ErrorDetails } from '../contract/refusals.ts';
import type { NewTask, TaskChange, TaskSetup } from '../contract/tasks.ts';
import { setupOf, type TaskRow, taskOf } from './task-row.ts';
import { line, prose } from './text.ts';

/** A task as a leader adds it. `setup`: what was checked of it. */
export function newTask(id: string, input: NewTask, { kind, ...config }: TaskSetup): TaskRow {
  const { schedule, caps } = input;
  return {
    id,
    kind,
    config,
    status: input.status ?? 'live',
    opensAt: schedule?.opensAt ?? null,
    closesAt: schedule?.closesAt ?? null,
    localWindow: schedule?.window ?? null,
    capTotal: caps?.total ?? null,
    capMember: caps?.member ?? null,
    coolDownMinutes: caps?.coolDownMinutes ?? 0,
    conditions: input.conditions ?? null,
    title: line('title', input.title),
    instructions: prose('instructions', input.instructions),
    points: input.points,
    recurrence: input.recurrence,
  };
}

/** What a task is after a change. Throws 422 `KIND_FIXED` for a setup of another kind. */
export function changedTask(old: TaskRow, change: TaskChange, setup: TaskSetup | undefined, now: Date): TaskRow {
  if (setup && setup.kind !== old.kind)
    throw new HttpError(422, 'KIND_FIXED', 'The kind of a task cannot be changed. Make a new one.');
  const current = taskOf(old, now);
  const { schedule = current.schedule, caps = current.caps, conditions = old.conditions } = change;
  const { kind: _, ...config } = setup && !isSame(setup, setupOf(old)) ? setup : setupOf(old);
  return {
    ...old,
    title: change.title === undefined ? old.title : line('title', change.title),
    instructions: change.instructions === undefined ? old.instructions : prose('instructions', change.instructions),
    status: change.status ?? old.status,
    config,
    points: change.points ?? old.points,
    recurrence: change.recurrence ?? old.recurrence,
    opensAt: schedule.opensAt === null ? null : new Date(schedule.opensAt),
    closesAt: schedule.closesAt === null ? null : new Date(schedule.closesAt),
    localWindow: schedule.window,
    capTotal: caps.total,
    capMember: caps.member,
    coolDownMinutes: caps.coolDownMinutes,
    conditions,
  };
}

/** What claims were made for. */
const termsOf = ({ config, points, recurrence }: TaskRow) => ({ config, points, recurrence });
/** What a season promises of a task: everything but its words and where it stands. */
const rulesOf = ({ title: _title, instructions: _instructions, status: _status, ...rules }: TaskRow) => rules;

/**
 * What of a task a change touches: all of it, what claims were made for, and what a season holds, for which a task that becomes a
 * draft again counts too.
 */
export const touchedBy = (old: TaskRow, wanted: TaskRow) => ({
  any: !isSame(old, wanted),
  claims: !isSame(termsOf(old), termsOf(wanted)),
  season: !isSame(rulesOf(old), rulesOf(wanted)) || (old.status !== 'draft' && wanted.status === 'draft'),
});

/** Members have claimed the task. */
export const lockedByClaims = (): HttpError =>
  new HttpError(409, 'TASK_LOCKED', 'Members have already claimed this task: copy it to change what it asks.', {
    details: { by: 'claims', season: null } satisfies ErrorDetails['TASK_LOCKED'],
  });

/** A live season runs by the task. */
export function lockedBySeason(season: string): HttpError {
  const message = `The season “${season}” runs by these rules: they stay until it is over. To close the task, archive it.`;
  return new HttpError(409, 'TASK_LOCKED', message, {
    details: { by: 'season', season } satisfies ErrorDetails['TASK_LOCKED'],
  });
}

/** What the audit log calls a change. */
export const actionOf = (from: TaskRow['status'], to: TaskRow['status']): string => {
  if (from === to) return 'task.changed';
  return to === 'live' ? 'task.published' : to === 'archived' ? 'task.archived' : 'task.withdrawn';
};

/** Fields come in any order from JSON that was kept. */
const isSame = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
