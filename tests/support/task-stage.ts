import type { Claim, Evidence } from '../../server/contract/claims.ts';
import type { TaskSetup } from '../../server/contract/tasks.ts';
import { createTestDatabase } from './database.ts';
import { stage } from './engagement.ts';
import { ofFile } from './of-file.ts';

/** A Saturday. */
export const NOON = new Date('2026-11-21T12:00:00Z');
export const MINUTE = 60_000;
export const DAY = 86_400_000;
/** `ms` after noon. */
export const later = (ms: number) => new Date(NOON.getTime() + ms);

/** Three questions of which two must be right; the third has two right options. */
export const QUIZ: Extract<TaskSetup, { kind: 'quiz' }> = {
  kind: 'quiz',
  passPercent: 60,
  questions: ['one', 'two', 'three'].map((id) => ({
    id,
    text: `Question ${id}`,
    options: [
      { id: 'a', text: 'A' },
      { id: 'b', text: 'B' },
      { id: 'c', text: 'C' },
    ],
    correct: id === 'three' ? ['a', 'c'] : ['b'],
  })),
};

export type TaskStage = Awaited<ReturnType<typeof openTaskStage>>;

/**
 * A database with one community and one member of it, for the tests of tasks. `claim` claims at noon as that member,
 * where a test says nothing else; `awards` are the points that a task has given, the oldest first.
 */
export async function openTaskStage() {
  const db = await ofFile(createTestDatabase());
  const on = stage(db.sql);
  const place = await on.community();
  const member = await on.member(place.id);
  const claim = (
    task: string,
    evidence?: Evidence,
    more: { now?: Date; actedAt?: string; by?: string; timeZone?: string } = {},
  ): Promise<Claim> => {
    const { by = member, ...command } = more;
    return on.claim(place, task, by, { now: NOON, ...command, ...(evidence ? { evidence } : {}) });
  };
  const awards = (taskId: string) => db.sql`select points from point_events where task_id = ${taskId} order by id`;
  return { db, on, place, member, claim, awards };
}
