import { randomUUID } from 'node:crypto';
import type { ISql, JSONValue, TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import { TASKS_PER_COMMUNITY } from '../../contract/limits.ts';
import type { NewTask, Recurrence, Task, TaskChange, TaskKind, TaskSetup } from '../../contract/tasks.ts';
import { isXKind } from '../../contract/x-post.ts';
import { isId } from '../../domain/ids.ts';
import { localDay } from '../../domain/periods.ts';
import { actionOf, changedTask, lockedByClaims, lockedBySeason, newTask, touchedBy } from '../../domain/task-change.ts';
import { type TaskRow, taskOf } from '../../domain/task-row.ts';
import { claimPeriods } from '../../rules/periods.ts';
import { audit } from '../audit/audit.ts';
import { checkChatSetup } from '../chats/attest.ts';
import { notifyOfTask } from '../notifications/happened.ts';
import { cancel } from '../notifications/notify.ts';
import { checkDraw } from '../quiz/packs.ts';
import { mayGivePoints } from '../x/switch.ts';
import { checkConditions, checkSchedule, checkSetup } from './check.ts';
import { makeEventKey } from './event-keys.ts';
import { makePartnerKey } from './partner-keys.ts';
import { taskColumns } from './rows.ts';

/** `xPoints`: whether the environment lets tasks at X give points; absent: no. */
type Editor = { communityId: string; userId: string; now: Date; xPoints?: boolean };

/**
 * Adds a task. Throws 409 `TASK_LIMIT` beyond `TASKS_PER_COMMUNITY` live ones, and what `checkSetup`,
 * `checkSchedule` and `checkConditions` throw.
 */
export async function createTask(tx: TransactionSql, editor: Editor, input: NewTask): Promise<Task> {
  const { communityId, now } = editor;
  await holdCommunity(tx, communityId);
  const status = input.status ?? 'live';
  if (status === 'live') await requireBelowLimit(tx, communityId);
  const setup = await checkEvent(tx, communityId, checkSetup(input.setup, now));
  await refuseXPoints(tx, editor, setup.kind, input.points);
  const task = newTask(randomUUID(), input, setup);
  checkSchedule(taskOf(task, now).schedule, now);
  await checkConditions(tx, communityId, { taskId: null, conditions: task.conditions, now });
  const row = await insertTask(tx, editor, task);
  await makeKey(tx, editor, row);
  await audited(tx, editor, row, status === 'live' ? 'task.published' : 'task.created');
  if (status === 'live') await notifyOfTask(tx, { ...row, communityId, userId: editor.userId, at: now });
  return taskOf(row, now);
}

/**
 * Changes, publishes or archives a task. Its kind stays. What claims depend on (setup, points, recurrence) is locked by
 * claims and by a live season; who can do it when and how often (schedule, caps, conditions) is locked by a live
 * season, which also prevents going back to a draft. Texts can always be changed, and it can always be archived, which
 * ends a broken task for everyone alike. Throws 404 `NOT_FOUND`, 409 `TASK_LIMIT` and `TASK_LOCKED` (details: `{ by:
 * 'claims' | 'season', season }`), 422 `KIND_FIXED`, and what the checks throw.
 */
export async function changeTask(
  tx: TransactionSql,
  editor: Editor & { taskId: string },
  change: TaskChange,
): Promise<Task> {
  const { communityId, taskId, now } = editor;
  if (!isId(taskId)) throw notFound('task');
  // Waits for claims in progress and blocks new ones until this is done.
  const [old] = await tx<TaskRow[]>`
    select ${taskColumns(tx)} from tasks t where t.id = ${taskId} and t.community_id = ${communityId} for update`;
  if (!old) throw notFound('task');
  // Only then: such a claim may wait for the lock of a joining member, who waits for the community's row.
  await holdCommunity(tx, communityId);
  const isPublished = change.status === 'live' && old.status !== 'live';
  if (isPublished) await requireBelowLimit(tx, communityId);
  const setup = change.setup && (await checkEvent(tx, communityId, checkSetup(change.setup, now)));
  const wanted = changedTask(old, change, setup, now);
  const { conditions } = wanted;
  if (wanted.points !== old.points) await refuseXPoints(tx, editor, wanted.kind, wanted.points);
  const touched = touchedBy(old, wanted);
  if (touched.claims) await refuseClaimed(tx, old.id);
  if (touched.season) await refuseHeld(tx, communityId, old.id);
  if (change.schedule) checkSchedule(change.schedule, now);
  if (change.conditions) await checkConditions(tx, communityId, { taskId: old.id, conditions, now });
  // Unchanged: nothing is audited.
  const current = taskOf(old, now);
  if (!touched.any) return current;
  const [row] = await tx<TaskRow[]>`
    update tasks t set title = ${wanted.title}, instructions = ${wanted.instructions}, status = ${wanted.status},
      config = ${tx.json(wanted.config as JSONValue)}, points = ${wanted.points}, recurrence = ${wanted.recurrence},
      opens_at = ${wanted.opensAt}, closes_at = ${wanted.closesAt},
      local_window = ${wanted.localWindow && tx.json(wanted.localWindow)}, cap_total = ${wanted.capTotal},
      cap_member = ${wanted.capMember}, cool_down_minutes = ${wanted.coolDownMinutes},
      conditions = ${conditions && tx.json(conditions)}, changed_at = ${now},
      published_at = ${isPublished ? now : tx`t.published_at`}
    where t.id = ${old.id} returning ${taskColumns(tx)}`;
  if (!row) throw new Error('an update returned nothing');
  await audited(tx, editor, row, actionOf(old.status, row.status));
  const changed = taskOf(row, now);
  const isMoved = changed.schedule.opensAt !== current.schedule.opensAt;
  // A planned notification of its opening is cancelled or moved.
  const wasPlanned =
    old.status === 'live' && (row.status !== 'live' || isMoved) && (await cancel(tx, { subjectId: row.id }, now));
  if (row.status === 'live' && (old.status !== 'live' || wasPlanned))
    await notifyOfTask(tx, { ...row, communityId, userId: editor.userId, at: now });
  return changed;
}

/** The secret of a kind that has one: each task has its own. */
async function makeKey(tx: TransactionSql, { communityId, now }: Editor, { id: taskId, kind }: TaskRow): Promise<void> {
  if (kind === 'telegram_event') await makeEventKey(tx, { communityId, taskId }, now);
  if (kind === 'partner') await makePartnerKey(tx, { communityId, taskId }, now);
}

/**
 * What a setup names of its community is there: a pack, a chat, a message. Throws what `checkDraw` and `checkChatSetup` throw.
 */
export const checkEvent = async (tx: ISql, communityId: string, setup: TaskSetup): Promise<TaskSetup> =>
  checkChatSetup(tx, communityId, await checkPack(tx, communityId, setup));

async function checkPack(tx: ISql, communityId: string, setup: TaskSetup): Promise<TaskSetup> {
  if (setup.kind !== 'quiz' || setup.pack === undefined) return setup;
  return { ...setup, pack: await checkDraw(tx, communityId, setup.pack) };
}

/** Copies a task in any state as a draft. Throws 404 `NOT_FOUND`. */
export async function copyTask(tx: TransactionSql, editor: Editor & { taskId: string }): Promise<Task> {
  const { communityId, taskId, now } = editor;
  const [task] = isId(taskId)
    ? await tx<TaskRow[]>`
        select ${taskColumns(tx)} from tasks t where t.id = ${taskId} and t.community_id = ${communityId}`
    : [];
  if (!task) throw notFound('task');
  const row = await insertTask(tx, editor, { ...task, id: randomUUID(), status: 'draft' });
  await makeKey(tx, editor, row);
  await audited(tx, editor, row, 'task.copied');
  return taskOf(row, now);
}

async function insertTask(tx: TransactionSql, { communityId, userId, now }: Editor, task: TaskRow): Promise<TaskRow> {
  const { localWindow: window, conditions, config } = task;
  const [row] = await tx<TaskRow[]>`
    insert into tasks as t (id, community_id, kind, config, status, opens_at, closes_at, local_window, cap_total,
      cap_member, cool_down_minutes, conditions, title, instructions, points, recurrence, created_by, created_at, changed_at)
    values (${task.id}, ${communityId}, ${task.kind}, ${tx.json(config as JSONValue)}, ${task.status}, ${task.opensAt},
      ${task.closesAt}, ${window && tx.json(window)}, ${task.capTotal}, ${task.capMember}, ${task.coolDownMinutes},
      ${conditions && tx.json(conditions)}, ${task.title}, ${task.instructions}, ${task.points}, ${task.recurrence},
      ${userId}, ${now}, ${now})
    returning ${taskColumns(tx)}`;
  if (!row) throw new Error('an insert returned nothing');
  return row;
}

/** X forbids rewards for actions on X (docs/integrations.md): the environment and an administrator must both allow them. */
async function refuseXPoints(tx: TransactionSql, { xPoints }: Editor, kind: TaskKind, points: number): Promise<void> {
  if (points === 0 || !isXKind(kind) || (await mayGivePoints(tx, xPoints ?? false))) return;
  throw new HttpError(422, 'X_POINTS_OFF', 'Tasks at X give 0 points here: X forbids rewards for them.', {
    details: { field: 'points' },
  });
}

const audited = (tx: TransactionSql, { communityId, userId, now }: Editor, row: TaskRow, action: string) =>
  audit(tx, { communityId, actorId: userId, action, subject: row.title, subjectId: row.id, at: now });

/** The community's row is the lock: two tasks added at once cannot both be the last one, nor wait for each other. */
async function holdCommunity(sql: ISql, communityId: string): Promise<void> {
  await sql`select from communities where id = ${communityId} for no key update`;
}

async function requireBelowLimit(sql: ISql, communityId: string): Promise<void> {
  const [live] = await sql<{ count: number }[]>`
    select count(*)::int from tasks where community_id = ${communityId} and status = 'live'`;
  if ((live?.count ?? 0) < TASKS_PER_COMMUNITY) return;
  throw new HttpError(
    409,
    'TASK_LIMIT',
    `A community has at most ${TASKS_PER_COMMUNITY} open tasks. Archive one first.`,
    { details: { limit: TASKS_PER_COMMUNITY } },
  );
}

async function refuseClaimed(sql: ISql, taskId: string): Promise<void> {
  const [held] = await sql`select from claims where task_id = ${taskId} limit 1`;
  if (held) throw lockedByClaims();
}

async function refuseHeld(sql: ISql, communityId: string, taskId: string): Promise<void> {
  // Waits for a season that is starting, and blocks others until this is done.
  await sql`select from seasons where community_id = ${communityId} and frozen_at is null order by id for share`;
  const [season] = await sql<{ name: string }[]>`
    select s.name from tasks t join seasons s on s.community_id = t.community_id
    where t.id = ${taskId} and s.community_id = ${communityId} and ${isHolding(sql)} limit 1`;
  if (season) throw lockedBySeason(season.name);
}

/** Whether a season `s` fixes a task `t`. Where all tasks count, drafts are not included. */
export const isHolding = (sql: ISql) => sql`
  s.started_at is not null and s.frozen_at is null
    and (t.id = any(s.task_ids) or (cardinality(s.task_ids) = 0 and t.status <> 'draft'))`;

/** The key of the asker's current period of a task `t`, as SQL. */
export const periodNow = (sql: ISql, { timeZone, now }: { timeZone: string; now: Date }) => {
  const keys: Record<Recurrence, string> = claimPeriods(localDay(now, timeZone));
  return sql`case t.recurrence when 'once' then ${keys.once} when 'daily' then ${keys.daily}
    when 'weekly' then ${keys.weekly} else ${keys.monthly} end`;
};

/** Orders a community's tasks; unnamed ones come last, unknown ones are ignored. */
export async function orderTasks(
  tx: TransactionSql,
  { communityId, actorId, now }: { communityId: string; actorId: string; now: Date },
  taskIds: readonly string[],
): Promise<void> {
  const { count } = await tx`
    update tasks set position = array_position(${[...taskIds]}::uuid[], id)
    where community_id = ${communityId} and position is distinct from array_position(${[...taskIds]}::uuid[], id)`;
  if (count > 0) await audit(tx, { communityId, actorId, action: 'tasks.ordered', at: now });
}
