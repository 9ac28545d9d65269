import type { ISql } from 'postgres';
import { notFound } from '../../base/http-error.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { TASKS_PER_COMMUNITY } from '../../contract/limits.ts';
import type { TaskWithClaim } from '../../contract/tasks.ts';
import { hasEnded, offerOf } from '../../domain/gate.ts';
import { type Facts, newcomer } from '../../domain/gate-facts.ts';
import { isId } from '../../domain/ids.ts';
import { localDay } from '../../domain/periods.ts';
import { setupOf, type TaskRow, taskOf } from '../../domain/task-row.ts';
import { claimPeriods } from '../../rules/periods.ts';
import { readFacts, readOthers } from '../tasks/facts.ts';
import { askIn, taskColumns } from '../tasks/rows.ts';
import { periodNow } from '../tasks/tasks.ts';
import { type ClaimRow, claimColumns, claimOf, fromJson } from './claim-row.ts';

type Asker = { communityId: string; userId: string; timeZone: string; now: Date };
type Row = TaskRow & { claim: ClaimRow | null; publicKey: Buffer | null };

/** One task with the caller's claim in its current period; drafts for reviewers only. Throws 404 `NOT_FOUND`. */
export async function readTask(
  sql: ISql,
  asker: Asker & { role: CommunityRole | null },
  taskId: string,
): Promise<TaskWithClaim> {
  if (!isId(taskId)) throw notFound('task');
  const seesDrafts = asker.role === 'leader' || asker.role === 'moderator';
  const which: ReturnType<ISql> = seesDrafts ? sql`t.id = ${taskId}` : sql`t.id = ${taskId} and t.status <> 'draft'`;
  const [task] = await select(sql, asker, which);
  if (!task) throw notFound('task');
  return task;
}

/**
 * Live tasks that are not over, or that the asker claimed, each with the asker's claim in its current period, a
 * rejected one included: first what was turned down, then what is open, then what waits for a reviewer, then what is
 * done; among equals as leaders put them, then the oldest task first.
 */
export async function readTasks(sql: ISql, asker: Asker): Promise<TaskWithClaim[]> {
  const { now } = asker;
  const which: ReturnType<ISql> = sql`t.status = 'live' and (t.closes_at is null or t.closes_at > ${now} or mine.id is not null)`;
  const tasks = await select(sql, asker, which);
  return tasks.filter(({ ask, claim }) => claim !== null || !hasEnded(ask, now));
}

async function select(sql: ISql, asker: Asker, which: ReturnType<ISql>): Promise<TaskWithClaim[]> {
  const { communityId, userId } = asker;
  const rows = await sql<Row[]>`
    select ${taskColumns(sql)}, to_jsonb(mine) as claim, k.public_key as "publicKey"
    from tasks t
    left join event_keys k on k.task_id = t.id and k.community_id = t.community_id
    left join lateral (
      select ${claimColumns(sql)}
      from claims c left join users reviewer on reviewer.id = c.decided_by
      where c.community_id = t.community_id and c.task_id = t.id and c.user_id = (select ${userId}::uuid)
        and c.period = ${periodNow(sql, asker)}
      order by c.state in ('submitted', 'checking', 'changes_requested', 'approved')
          or c.appeal_outcome is not distinct from 'open' desc, c.submitted_at desc, c.id limit 1
    ) mine on true
    -- In selects, and the limit in the text, so that the planner keeps one plan: to plan took as long as all of a dashboard's reads.
    where t.community_id = (select ${communityId}::uuid) and ${which}
    order by case mine.state when 'rejected' then 0 when 'changes_requested' then 0 when 'submitted' then 2
      when 'checking' then 2 when 'approved' then 3 when 'reversed' then 3 else 1 end, t.position, t.created_at, t.id
    limit ${sql.unsafe(String(TASKS_PER_COMMUNITY))}`;
  const facts = await readFacts(sql, asker, rows);
  return rows.map((row) => withClaim(row, facts, asker));
}

function withClaim(row: Row, facts: Facts, { userId, timeZone, now }: Omit<Asker, 'communityId'>): TaskWithClaim {
  const period = claimPeriods(localDay(now, timeZone))[row.recurrence];
  return {
    ...taskOf(row, now),
    ask: askIn(setupOf(row), { publicKey: row.publicKey, seed: `${row.id}\n${userId}\n${period}` }),
    gate: offerOf(row, facts, now),
    claim: row.claim && claimOf(fromJson(row.claim)),
  };
}

/** A task, also a draft, as a new member would see it. Throws 404 `NOT_FOUND`. */
export async function previewTask(sql: ISql, asker: Asker, taskId: string): Promise<TaskWithClaim> {
  const { communityId, timeZone } = asker;
  const [row] = isId(taskId)
    ? await sql<Row[]>`
        select ${taskColumns(sql)}, null as claim, k.public_key as "publicKey"
        from tasks t left join event_keys k on k.task_id = t.id and k.community_id = t.community_id
        where t.id = ${taskId} and t.community_id = ${communityId}`
    : [];
  if (!row) throw notFound('task');
  const facts = newcomer(timeZone, await readOthers(sql, [communityId], [row]));
  return withClaim({ ...row, status: 'live' }, facts, asker);
}
