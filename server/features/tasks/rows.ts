import type { ISql } from 'postgres';
import type { TaskAsk, TaskSetup } from '../../contract/tasks.ts';
import { shuffled } from '../../domain/shuffle.ts';
import { askOf } from '../../kinds/kinds.ts';

/** Columns of a `TaskRow` from `tasks t`. Never send one as it is: `config` holds a quiz's answers. */
export const taskColumns = (sql: ISql) => sql`
  t.id, t.kind, t.title, t.instructions, t.points, t.recurrence, t.status, t.config, t.opens_at as "opensAt",
  t.closes_at as "closesAt", t.local_window as "localWindow", t.cap_total as "capTotal", t.cap_member as "capMember",
  t.cool_down_minutes as "coolDownMinutes", t.conditions`;

/** What a member gets to answer, see `askOf`; the order of a quiz hangs on `seed`. */
export const askIn = (setup: TaskSetup, { publicKey, seed }: { publicKey: Buffer | null; seed: string }): TaskAsk =>
  askOf(setup, {
    publicKey: publicKey?.toString('base64url') ?? '',
    inOrder: (items, question) => shuffled(items, question === null ? seed : `${seed}\n${question}`),
  });
