import type { ISql } from 'postgres';
import { TASKS_PER_COMMUNITY } from '../../contract/limits.ts';
import type { NewTask, Recurrence, Task, TaskChange, TaskWithClaim } from '../../contract/tasks.ts';
import { isId } from '../../domain/ids.ts';
import { claimPeriods, localDay } from '../../domain/periods.ts';
import { line, prose } from '../../domain/text.ts';
import { Refusal } from '../../http/refusal.ts';
import { type ClaimRow, claimColumns, claimOf } from '../claims/claim-row.ts';
import { gateOf } from './gate.ts';
import { askOf, setupOf, type TaskRow, taskColumns, taskOf } from './rows.ts';

const notFound = () => new Refusal(404, 'NOT_FOUND', 'There is no such task here.');

/** Adds a live task. Must run in a transaction. Throws 409 `TASK_LIMIT` beyond `TASKS_PER_COMMUNITY` live ones. */
export async function createTask(
  sql: ISql,
  { communityId, userId, now }: { communityId: string; userId: string; now: Date },
  input: NewTask,
): Promise<Task> {
  await keepToLimit(sql, communityId);
  const { kind, ...config } = input.setup;
  const { opensAt = null, closesAt = null, window = null } = input.schedule ?? {};
  const { total = null, member = null, coolDownMinutes = 0 } = input.caps ?? {};
  const [task] = await sql<TaskRow[]>`
    insert into tasks as t (community_id, kind, config, status, opens_at, closes_at, local_window, cap_total, cap_member,
      cool_down_minutes, conditions, title, instructions, points, recurrence, created_by, created_at)
    values (${communityId}, ${kind}, ${sql.json(config)}, ${input.status ?? 'live'}, ${opensAt}, ${closesAt},
      ${window && sql.json(window)}, ${total}, ${member}, ${coolDownMinutes},
      ${input.conditions ? sql.json(input.conditions) : null}, ${line('title', input.title)}, ${prose('instructions', input.instructions)},
      ${input.points}, ${input.recurrence}, ${userId}, ${now})
    returning ${taskColumns(sql)}`;
  if (!task) throw new Error('an insert returned nothing');
  return taskOf(task, now);
}

/**
 * Changes a task's words, archives it or brings it back. Kind, points and recurrence are what claims were made for
 * and stay. Must run in a transaction. Throws 404 `NOT_FOUND`, 409 `TASK_LIMIT`.
 */
export async function changeTask(
  sql: ISql,
  { communityId, taskId, now }: { communityId: string; taskId: string; now: Date },
  change: TaskChange,
): Promise<Task> {
  if (!isId(taskId)) throw notFound();
  if (change.status === 'live') await keepToLimit(sql, communityId, taskId);
  const title = change.title === undefined ? null : line('title', change.title);
  const instructions = change.instructions === undefined ? null : prose('instructions', change.instructions);
  const [task] = await sql<TaskRow[]>`
    update tasks t set title = coalesce(${title}, title), instructions = coalesce(${instructions}, instructions),
      status = coalesce(${change.status ?? null}, status)
    where t.id = ${taskId} and t.community_id = ${communityId}
    returning ${taskColumns(sql)}`;
  if (!task) throw notFound();
  return taskOf(task, now);
}

/** The community's row is the lock: two tasks added at once cannot both be the last one. */
async function keepToLimit(sql: ISql, communityId: string, except: string | null = null): Promise<void> {
  await sql`select from communities where id = ${communityId} for no key update`;
  const [live] = await sql<{ count: number }[]>`
    select count(*)::int from tasks
    where community_id = ${communityId} and status = 'live' and id is distinct from ${except}::uuid`;
  if ((live?.count ?? 0) < TASKS_PER_COMMUNITY) return;
  throw new Refusal(409, 'TASK_LIMIT', `A community has at most ${TASKS_PER_COMMUNITY} open tasks. Archive one first.`);
}

type Asker = { communityId: string; userId: string; timeZone: string; now: Date };
type Row = TaskRow & { claim: ClaimRow | null };

/** The key of the asker's current period of a task `t`, as SQL. */
export const periodNow = (sql: ISql, { timeZone, now }: { timeZone: string; now: Date }) => {
  const keys: Record<Recurrence, string> = claimPeriods(localDay(now, timeZone));
  return sql`case t.recurrence when 'once' then ${keys.once} when 'daily' then ${keys.daily}
    when 'weekly' then ${keys.weekly} else ${keys.monthly} end`;
};

/** One task, live or archived, with the asker's claim in its current period. Throws 404 `NOT_FOUND`. */
export async function readTask(sql: ISql, asker: Asker, taskId: string): Promise<TaskWithClaim> {
  const [task] = isId(taskId) ? await select(sql, asker, sql`t.id = ${taskId}`) : [];
  if (!task) throw notFound();
  return task;
}

/**
 * Live tasks, each with the asker's claim in its current period, a rejected one included: first what was turned
 * down and what is open, then what waits for a reviewer, then what is done; the oldest task first among equals.
 */
export const readTasks = (sql: ISql, asker: Asker): Promise<TaskWithClaim[]> =>
  select(sql, asker, sql`t.status = 'live'`);

async function select(sql: ISql, asker: Asker, which: ReturnType<ISql>): Promise<TaskWithClaim[]> {
  const { communityId, userId } = asker;
  const rows = await sql<Row[]>`
    select ${taskColumns(sql)}, to_jsonb(mine) as claim
    from tasks t
    left join lateral (
      select ${claimColumns(sql)}
      from claims c left join users reviewer on reviewer.id = c.decided_by
      where c.community_id = t.community_id and c.task_id = t.id and c.user_id = ${userId}
        and c.period = ${periodNow(sql, asker)}
      order by c.state in ('submitted', 'checking', 'changes_requested', 'approved') desc, c.submitted_at desc, c.id limit 1
    ) mine on true
    where t.community_id = ${communityId} and ${which}
    order by case mine.state when 'rejected' then 0 when 'changes_requested' then 0 when 'submitted' then 2 when 'checking' then 2 when 'approved' then 3
      when 'reversed' then 3 else 1 end, t.created_at, t.id
    limit ${TASKS_PER_COMMUNITY}`;
  return rows.map((row) => ({
    ...taskOf(row, asker.now),
    ask: askOf(setupOf(row), null),
    gate: gateOf(row, asker.now),
    claim: row.claim && claimOf(fromJson(row.claim)),
  }));
}

/** Times come as text inside JSON. */
const fromJson = (row: ClaimRow): ClaimRow => ({
  ...row,
  submittedAt: new Date(row.submittedAt),
  decidedAt: row.decidedAt && new Date(row.decidedAt),
  retryAt: row.retryAt && new Date(row.retryAt),
  appealAt: row.appealAt && new Date(row.appealAt),
});
