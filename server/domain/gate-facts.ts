import type { CommunityRole } from '../contract/community.ts';
import type { Condition, Conditions } from '../contract/tasks.ts';
import type { GatedRow, TaskRow } from './task-row.ts';

/** What a member did with one task. */
export type Mine = { approved: number; alive: number; retryAt: Date | null };
/** Whatever gates look at, read once however many tasks are listed. */
export type Facts = {
  role: CommunityRole | null;
  timeZone: string;
  /** In total, in this community. */
  points: number;
  mine: ReadonlyMap<string, Mine>;
  /** Claims of all members that use up a cap, by task. */
  taken: ReadonlyMap<string, number>;
  /** Tasks that conditions name. */
  others: ReadonlyMap<string, Other>;
};
/** What a condition needs of the task that it names. */
export type Other = Pick<TaskRow, 'title' | 'status' | 'closesAt' | 'conditions'> & {
  /** End of an event, however long its task stays open. */
  eventEndsAt: string | null;
};
/** A person who has just joined: what a preview shows. */
export const newcomer = (timeZone: string, others: Facts['others']): Facts => ({
  role: 'member',
  timeZone,
  points: 0,
  mine: new Map(),
  taken: new Map(),
  others,
});

/** States in which a claim uses up a cap and its period. */
export const ALIVE = ['submitted', 'checking', 'changes_requested', 'approved'];

/** Every condition of a task, groups opened. */
export const flat = (conditions: Conditions | null): Condition[] =>
  (conditions?.of ?? []).flatMap((one) => ('of' in one ? one.of : [one]));

/** The tasks that conditions of `rows` name. */
export const named = (rows: readonly GatedRow[]): string[] =>
  rows.flatMap((row) => flat(row.conditions).flatMap((one) => (one.is === 'task' ? [one.taskId] : [])));
