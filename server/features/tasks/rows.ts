import type { ISql } from 'postgres';
import type { Conditions, Task, TaskAsk, TaskKind, TaskSetup, Window } from '../../contract/tasks.ts';
import { shuffled } from '../../domain/shuffle.ts';

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

/** Columns of a `TaskRow` from `tasks t`. Never send one as it is: `config` holds a quiz's answers. */
export const taskColumns = (sql: ISql) => sql`
  t.id, t.kind, t.title, t.instructions, t.points, t.recurrence, t.status, t.config, t.opens_at as "opensAt",
  t.closes_at as "closesAt", t.local_window as "localWindow", t.cap_total as "capTotal", t.cap_member as "capMember",
  t.cool_down_minutes as "coolDownMinutes", t.conditions`;

const iso = (at: Time | null): string | null => (at === null ? null : new Date(at).toISOString());

/** A row as everybody who may see the task does. */
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

/**
 * What a member gets to answer: every field is named here, so that no answer of a quiz slips along. The order of a
 * quiz hangs on `seed`.
 */
export function askOf(setup: TaskSetup, { publicKey, seed }: { publicKey: Buffer | null; seed: string }): TaskAsk {
  switch (setup.kind) {
    case 'visit_link':
      return { kind: setup.kind, url: setup.url };
    case 'quiz':
      return {
        kind: setup.kind,
        passPercent: setup.passPercent,
        ...(setup.pack && { pack: { title: setup.pack.title ?? '', count: setup.pack.count } }),
        questions: shuffled(setup.questions, seed).map(({ id, text, options, correct }) => ({
          id,
          text,
          options: shuffled(options, `${seed}\n${id}`),
          multiple: correct.length > 1,
        })),
      };
    case 'submit_text':
      return { kind: setup.kind, minLength: setup.minLength ?? 1 };
    case 'submit_url':
      return { kind: setup.kind, hosts: setup.hosts };
    case 'poll':
      return { kind: setup.kind, choices: setup.choices, multiple: setup.multiple };
    case 'invite':
      return { kind: setup.kind, needed: setup.needed };
    case 'telegram_event':
      return {
        kind: setup.kind,
        place: setup.place,
        startsAt: setup.startsAt,
        endsAt: setup.endsAt,
        publicKey: publicKey?.toString('base64url') ?? '',
      };
    case 'check_in':
    case 'submit_image':
    case 'manual':
      return { kind: setup.kind };
  }
}
