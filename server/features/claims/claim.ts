import type { ISql } from 'postgres';
import type { Claim, Evidence, NewClaim } from '../../contract/claims.ts';
import type { CommunityRole } from '../../contract/community.ts';
import type { Recurrence, TaskKind } from '../../contract/tasks.ts';
import { isId } from '../../domain/ids.ts';
import { actedAt, claimPeriods, localDay } from '../../domain/periods.ts';
import { prose } from '../../domain/text.ts';
import { Refusal } from '../../http/refusal.ts';
import { thenAward } from './award.ts';
import { type ClaimRow, claimColumns, claimOf } from './claim-row.ts';

type Asked = { communityId: string; taskId: string; userId: string; timeZone: string; now: Date };
type Context = {
  kind: TaskKind;
  recurrence: Recurrence;
  status: 'draft' | 'live' | 'archived';
  role: CommunityRole | null;
  possibleSince: Date;
};

/**
 * Claims a task for the period that the act falls into. A check-in counts at once; a text waits for a reviewer.
 * However often and from wherever it is sent, at most one claim of a member, task and period is alive, and at most
 * one award is ever written for it.
 * Throws 404 `NOT_FOUND`, 403 `NOT_A_MEMBER` and `LEADERS_DO_NOT_COMPETE`, 409 `TASK_CLOSED`,
 * 409 `ALREADY_CLAIMED` (details: `{ claim }`), 422 `EVIDENCE_REQUIRED` and `EVIDENCE_NOT_WANTED`, 503 `TRY_AGAIN` after a race.
 */
export async function claimTask(sql: ISql, asked: Asked, input: NewClaim): Promise<Claim> {
  const task = await readContext(sql, asked);
  const evidence = evidenceFor(task.kind, input.evidence);
  const at = actedAt(input.actedAt, asked.now, task.possibleSince);
  const day = localDay(at, asked.timeZone);
  const period = claimPeriods(day)[task.recurrence];
  const claim = await writeClaim(sql, asked, { at, day, period, evidence });
  if (claim) return claim;
  const standing = await findClaim(sql, asked, period);
  if (!standing) {
    // Something changed since we looked: the task, the membership, or the claim in the way was turned down just now.
    await readContext(sql, asked);
    throw new Refusal(503, 'TRY_AGAIN', 'This changed at the same moment. Send it again.', { retryAfterSeconds: 1 });
  }
  throw new Refusal(409, 'ALREADY_CLAIMED', 'You have already claimed this one. It counts once.', {
    details: { claim: standing },
  });
}

async function readContext(sql: ISql, { communityId, taskId, userId }: Asked): Promise<Context> {
  const [task] = isId(taskId)
    ? await sql<Context[]>`
        select t.kind, t.recurrence, t.status, m.role, greatest(t.created_at, m.joined_at) as "possibleSince"
        from tasks t
        left join community_members m on m.community_id = t.community_id and m.user_id = ${userId}
        where t.id = ${taskId} and t.community_id = ${communityId}`
    : [];
  if (!task) throw new Refusal(404, 'NOT_FOUND', 'There is no such task here.');
  if (task.role === null) throw new Refusal(403, 'NOT_A_MEMBER', 'Join this community first.');
  if (task.role === 'leader') {
    throw new Refusal(403, 'LEADERS_DO_NOT_COMPETE', 'You lead this community: leaders do not compete on its board.');
  }
  if (task.status !== 'live') throw new Refusal(409, 'TASK_CLOSED', 'This task is closed.');
  return task;
}

function evidenceFor(kind: TaskKind, evidence: Evidence | undefined): Evidence | null {
  if (kind === 'submit_text') {
    if (evidence === undefined) throw new Refusal(422, 'EVIDENCE_REQUIRED', 'Write your answer before you send it.');
    if (evidence.kind === kind) return { kind, text: prose('text', evidence.text) };
  }
  if (kind === 'check_in' && (evidence === undefined || evidence.kind === kind)) return null;
  if (evidence === undefined || evidence.kind !== kind) {
    throw new Refusal(422, 'EVIDENCE_NOT_WANTED', 'This is not what the task asks for.');
  }
  throw new Refusal(501, 'NOT_BUILT', 'Tasks of this kind are not built yet.');
}

/** The claim and all that follows from it in one statement; null when it may not be written (any more). */
async function writeClaim(
  sql: ISql,
  { communityId, taskId, userId, now }: Asked,
  act: { at: Date; day: string; period: string; evidence: Evidence | null },
): Promise<Claim | null> {
  const [row] = await sql<ClaimRow[]>`
    with membership as materialized (
      select role from community_members
      where community_id = ${communityId} and user_id = ${userId} and role <> 'leader' for share
    ), changed as (
      insert into claims
        (community_id, task_id, user_id, period, state, points, evidence, acted_at, local_day, submitted_at, decided_at)
      select t.community_id, t.id, ${userId}, ${act.period},
        case t.kind when 'check_in' then 'approved' else 'submitted' end, t.points, ${act.evidence && sql.json(act.evidence)}, ${act.at}, ${act.day},
        ${now}::timestamptz, case t.kind when 'check_in' then ${now}::timestamptz end
      from tasks t, membership
      where t.id = ${taskId} and t.community_id = ${communityId} and t.status = 'live'
        and not exists (
          select from point_events e where e.kind = 'award' and e.community_id = t.community_id
            and e.user_id = ${userId} and e.task_id = t.id and e.period = ${act.period})
      on conflict (community_id, task_id, user_id, period) where state in ('submitted', 'checking', 'changes_requested', 'approved') do nothing
      returning *, null::text as from_state, user_id as actor_id
    ), ${thenAward(sql, now)}
    select ${claimColumns(sql)} from changed c left join users reviewer on reviewer.id = c.decided_by`;
  return row ? claimOf(row) : null;
}

/** The member's claim that stands for a task and period: the one alive, else the latest. */
async function findClaim(sql: ISql, { communityId, taskId, userId }: Asked, period: string): Promise<Claim | null> {
  const [row] = await sql<ClaimRow[]>`
    select ${claimColumns(sql)} from claims c left join users reviewer on reviewer.id = c.decided_by
    where c.community_id = ${communityId} and c.task_id = ${taskId} and c.user_id = ${userId}
      and c.period = ${period} and c.state <> 'rejected'
    order by c.state in ('submitted', 'checking', 'changes_requested', 'approved') desc, c.submitted_at desc limit 1`;
  return row ? claimOf(row) : null;
}
