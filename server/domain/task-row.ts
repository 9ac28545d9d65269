import type { Conditions, Task, TaskKind, TaskSetup, Window } from '../contract/tasks.ts';

/** Times are text where the row came as JSON. */
type Time = Date | string;
export type TaskRow = Pick<Task, 'id' | 'kind' | 'title' | 'instructions' | 'points' | 'recurrence'> & {
  status: 'draft' | 'live' | 'archived';
  config: Record<string, unknown>;
  opensAt: Time | null;
  closesAt: Time | null;
  localWindow: Window | null;
  capTotal: number | null;
  capMember: number | null;
  coolDownMinutes: number;
  conditions: Conditions | null;
};
/** What of a task decides who may do it when. */
export type GatedRow = Omit<TaskRow, 'title' | 'instructions' | 'points' | 'recurrence'>;

const iso = (at: Time | null): string | null => (at === null ? null : new Date(at).toISOString());

/** A row as every member who may see the task gets it. */
export const taskOf = (row: TaskRow, now: Date): Task => ({
  id: row.id,
  kind: row.kind,
  title: row.title,
  instructions: row.instructions,
  points: row.points,
  recurrence: row.recurrence,
  status: row.status === 'live' && row.opensAt !== null && new Date(row.opensAt) > now ? 'scheduled' : row.status,
  schedule: { opensAt: iso(row.opensAt), closesAt: iso(row.closesAt), window: row.localWindow },
  caps: { total: row.capTotal, member: row.capMember, coolDownMinutes: row.coolDownMinutes },
  conditions: row.conditions,
});

/** What a leader set. Config is written only through the contract's `TaskSetup`, so it is one without its kind. */
export const setupOf = (row: { kind: TaskKind; config: Record<string, unknown> }): TaskSetup =>
  ({ kind: row.kind, ...row.config }) as TaskSetup;
