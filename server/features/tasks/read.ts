import type { ISql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { TASKS_PAGE } from '../../contract/limits.ts';
import type { LeaderTask, PollResult, TaskStatus } from '../../contract/tasks.ts';
import { isId } from '../../domain/ids.ts';
import { setupOf, type TaskRow, taskOf } from '../../domain/task-row.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { taskColumns } from './rows.ts';
import { stateCounts } from './state-counts.ts';
import { isHolding } from './tasks.ts';

type LeaderRow = TaskRow & {
  createdAt: Date;
  waiting: number;
  approved: number;
  rejected: number;
  lockedBy: string | null;
};

/** A task's position in its community. */
const columnsOf = (sql: ISql, task: string) =>
  sql`coalesce(${sql(task)}.position, 2147483647), ${sql(task)}.created_at, ${sql(task)}.id`;

/**
 * All tasks as leaders and moderators see them, in order, unordered ones last, oldest first. Setups are for leaders,
 * because moderators compete.
 */
export async function listTasks(
  sql: ISql,
  scope: {
    communityId: string;
    role: CommunityRole | null;
    now: Date;
    after: string | undefined;
    status: TaskStatus | undefined;
  },
): Promise<{ items: LeaderTask[]; next: string | null }> {
  const { communityId, role, now, after, status } = scope;
  if (after !== undefined && !isId(after))
    throw new HttpError(400, 'INVALID_INPUT', 'after: names no place in the list');
  const isScheduled = sql`(t.status = 'live' and t.opens_at is not null and t.opens_at > ${now})`;
  const isWanted =
    status === undefined
      ? sql`true`
      : status === 'scheduled'
        ? isScheduled
        : sql`t.status = ${status} and not ${isScheduled}`;
  const rows = await sql<LeaderRow[]>`
    select ${taskColumns(sql)}, t.created_at as "createdAt", coalesce(k.waiting + k.sent_back, 0) as waiting,
      coalesce(k.approved, 0) as approved, coalesce(k.rejected, 0) as rejected,
      (select s.name from seasons s where s.community_id = t.community_id and ${isHolding(sql)} limit 1) as "lockedBy"
    from tasks t
    left join ${stateCounts(sql, communityId)} k on k.task_id = t.id
    where t.community_id = ${communityId} and ${isWanted}
      and ${after === undefined ? sql`true` : sql`(${columnsOf(sql, 't')}) > (select ${columnsOf(sql, 'o')} from tasks o where o.id = ${after})`}
    order by ${columnsOf(sql, 't')} limit ${TASKS_PAGE + 1}`;
  const items = rows.slice(0, TASKS_PAGE).map((row) => ({
    ...taskOf(row, now),
    setup: role === 'leader' ? setupOf(row) : null,
    createdAt: row.createdAt.toISOString(),
    claims: { waiting: row.waiting, approved: row.approved, rejected: row.rejected },
    lockedBy: row.lockedBy,
  }));
  return { items, next: rows.length > TASKS_PAGE ? (items.at(-1)?.id ?? null) : null };
}

/** Results of a poll or scale; counts for leaders and for members who voted. Throws 404 `NOT_FOUND` for other kinds. */
export async function readPoll(
  sql: ISql,
  scope: { communityId: string; userId: string; role: CommunityRole | null; taskId: string },
): Promise<PollResult> {
  const { communityId, userId, role, taskId } = scope;
  const [row] = isId(taskId)
    ? await sql<TaskRow[]>`
        select ${taskColumns(sql)} from tasks t
        where t.id = ${taskId} and t.community_id = ${communityId} and t.status <> 'draft'`
    : [];
  const setup = row && setupOf(row);
  const ids = setup && kindOf(setup.kind).tally?.options(setup);
  if (!ids) throw notFound('task');
  const votes = await sql<{ optionId: string; votes: number }[]>`
    select choice as "optionId", count(*)::int as votes
    from claims c cross join lateral jsonb_array_elements_text(
      coalesce(c.evidence -> 'optionIds', jsonb_build_array(c.evidence -> 'value'))) choice
    where c.task_id = ${taskId} and c.state = 'approved' group by choice`;
  const [total] = await sql<{ votes: number; voted: boolean }[]>`
    select count(*)::int as votes, coalesce(bool_or(user_id = ${userId}), false) as voted
    from claims where task_id = ${taskId} and state = 'approved'`;
  const counted = new Map(votes.map((vote) => [vote.optionId, vote.votes]));
  return {
    votes: total?.votes ?? 0,
    counts: total?.voted || role === 'leader' ? ids.map((id) => ({ optionId: id, votes: counted.get(id) ?? 0 })) : null,
  };
}
