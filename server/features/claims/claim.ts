import type { TransactionSql } from 'postgres';
import type { Claim, NewClaim } from '../../contract/claims.ts';
import type { CommunityRole } from '../../contract/community.ts';
import type { Gate } from '../../contract/tasks.ts';
import { isId } from '../../domain/ids.ts';
import { actedAt, claimPeriods, localDay } from '../../domain/periods.ts';
import { Refusal } from '../../http/refusal.ts';
import { tellQueue } from '../notifications/happened.ts';
import { readFacts } from '../tasks/facts.ts';
import { gateOf } from '../tasks/gate.ts';
import { setupOf, type TaskRow, taskColumns } from '../tasks/rows.ts';
import { type ClaimRow, claimColumns, claimOf } from './claim-row.ts';
import { judge, type Verdict } from './judge.ts';
import { award, retryAfter, takeTurn, tell } from './write.ts';

type Asked = { communityId: string; taskId: string; userId: string; timeZone: string; now: Date };
type Context = TaskRow & { role: CommunityRole | null; possibleSince: Date };

/**
 * Claims a task for the period that the act falls into. What can be decided by itself is, the rest waits for a
 * reviewer. However often and from wherever it is sent, at most one claim of a member, task and period is alive, and
 * at most one award is ever written for it.
 * Throws 404 `NOT_FOUND`, 403 `NOT_A_MEMBER` and `LEADERS_DO_NOT_COMPETE`, 409 `ALREADY_CLAIMED` (details:
 * `{ claim }`), 409 `TASK_CLOSED`, `NOT_OPEN_YET`, `CONDITIONS_NOT_MET`, `COOLING_DOWN`, `CAP_REACHED` and
 * `ONLY_GRANTED` (see `refuseShut`), and what `judge` throws.
 */
export async function claimTask(tx: TransactionSql, asked: Asked, input: NewClaim): Promise<Claim> {
  const { communityId, userId, timeZone, now } = asked;
  const task = await readContext(tx, asked);
  const at = actedAt(input.actedAt, now, task.possibleSince);
  const day = localDay(at, timeZone);
  const period = claimPeriods(day)[task.recurrence];
  // Sent together and done one after the other: what is read is as it is once it is this member's turn.
  const [, standing, facts] = await Promise.all([
    takeTurn(tx, task.id, userId, task.capTotal !== null),
    findStanding(tx, asked, period),
    readFacts(tx, { communityId, userId, timeZone }, [task]),
  ]);
  if (standing) {
    throw new Refusal(409, 'ALREADY_CLAIMED', 'You have already claimed this one. It counts once.', {
      details: { claim: standing },
    });
  }
  const gate = gateOf(task, facts, now, at);
  if (!gate.open) refuseShut(gate);
  const deviceAt = input.actedAt === undefined ? now : new Date(input.actedAt);
  const approvedBefore = facts.mine.get(task.id)?.approved ?? 0;
  const act = { communityId, taskId: task.id, userId, at, deviceAt, now, approvedBefore };
  const verdict = await judge(tx, act, setupOf(task), input.evidence);
  const claim = await write(tx, { communityId, task, userId, period, day, at, now }, verdict);
  const about = { communityId, userId, at: now };
  // Sent together, the award last: it takes the community's turn.
  await Promise.all([
    showImage(tx, claim.id, verdict),
    tell(tx, 'claim.submitted', claim, about),
    claim.decidedAt !== null ? tell(tx, 'claim.decided', claim, about) : null,
    claim.state === 'submitted' ? tellQueue(tx, about) : null,
    claim.state === 'approved'
      ? award(tx, { ...claim, communityId, userId, actedAt: at }, { actorId: null, now })
      : null,
  ]);
  return claim;
}

async function readContext(tx: TransactionSql, { communityId, taskId, userId }: Asked): Promise<Context> {
  // The lock keeps what the task asks for as it is until the claim is written.
  const [task] = isId(taskId)
    ? await tx<Context[]>`
        select ${taskColumns(tx)}, m.role, greatest(t.created_at, m.joined_at) as "possibleSince"
        from tasks t
        left join community_members m on m.community_id = t.community_id and m.user_id = ${userId}
        where t.id = ${taskId} and t.community_id = ${communityId} and t.status <> 'draft' for key share of t`
    : [];
  if (!task) throw new Refusal(404, 'NOT_FOUND', 'There is no such task here.');
  if (task.role === null) throw new Refusal(403, 'NOT_A_MEMBER', 'Join this community first.');
  if (task.role === 'leader') {
    throw new Refusal(403, 'LEADERS_DO_NOT_COMPETE', 'You lead this community: leaders do not compete on its board.');
  }
  return task;
}

/** The claim that stands for a task and period: the one alive, else the latest that was not turned down. */
async function findStanding(
  tx: TransactionSql,
  { communityId, taskId, userId }: Asked,
  period: string,
): Promise<Claim | null> {
  const [row] = await tx<ClaimRow[]>`
    select ${claimColumns(tx)} from claims c left join users reviewer on reviewer.id = c.decided_by
    -- Asked for in selects, so that the planner sees no task's size and keeps one plan.
    where c.community_id = (select ${communityId}::uuid) and c.task_id = (select ${taskId}::uuid)
      and c.user_id = (select ${userId}::uuid) and c.period = (select ${period}::text) and c.state <> 'rejected'
    order by c.state in ('submitted', 'checking', 'changes_requested', 'approved') desc, c.submitted_at desc limit 1`;
  return row ? claimOf(row) : null;
}

/** Says why a task takes no claim; details: `{ opensAt }`, `{ retryAt }`, `{ cap }` or `{ path }`. */
function refuseShut({ reason, opensAt, path }: Gate): never {
  switch (reason) {
    case 'not_open_yet':
    case 'window':
      throw new Refusal(409, 'NOT_OPEN_YET', 'This task is not open at this time.', { details: { opensAt } });
    case 'conditions':
      throw new Refusal(409, 'CONDITIONS_NOT_MET', 'Something comes before this task.', { details: { path } });
    case 'cool_down':
      throw new Refusal(409, 'COOLING_DOWN', 'Wait a while before you try again.', { details: { retryAt: opensAt } });
    case 'cap':
      throw new Refusal(409, 'CAP_REACHED', 'All places of this task are taken.', { details: { cap: 'total' } });
    case 'member_cap':
      throw new Refusal(409, 'CAP_REACHED', 'You did this as often as it counts.', { details: { cap: 'member' } });
    case 'granted':
      throw new Refusal(409, 'ONLY_GRANTED', 'A leader gives this one.');
    default:
      throw new Refusal(409, 'TASK_CLOSED', 'This task is closed.');
  }
}

type Made = { communityId: string; task: TaskRow; userId: string; period: string; day: string; at: Date; now: Date };

/** Writes the claim and the first line of its history, and gives the claim as everybody sees it. */
async function write(tx: TransactionSql, made: Made, verdict: Verdict): Promise<Claim> {
  const { communityId, task, userId, period, day, at, now } = made;
  const { state, evidence, checks, reason, hash } = verdict;
  const isDecided = state === 'approved' || state === 'rejected';
  const [row] = await tx<ClaimRow[]>`
    with c as (
      insert into claims (community_id, task_id, user_id, period, state, points, evidence, checks, reason, retry_at,
        answer_hash, acted_at, local_day, submitted_at, decided_at)
      values (${communityId}, ${task.id}, ${userId}, ${period}, ${state}, ${task.points}, ${evidence && tx.json(evidence)},
        ${tx.json(checks)}, ${reason}, ${state === 'rejected' ? retryAfter(task.coolDownMinutes, now) : null}, ${hash},
        ${at}, ${day}, ${now}, ${isDecided ? now : null})
      on conflict (community_id, task_id, user_id, period)
        where state in ('submitted', 'checking', 'changes_requested', 'approved') do nothing
      returning *
    ), noted as (
      insert into claim_events (community_id, claim_id, at, actor_id, to_state, reason, evidence)
      select community_id, id, submitted_at, user_id, state, reason, evidence from c
    )
    select ${claimColumns(tx)} from c left join users reviewer on reviewer.id = c.decided_by`;
  if (!row) {
    throw new Refusal(503, 'TRY_AGAIN', 'This changed at the same moment. Send it again.', { retryAfterSeconds: 1 });
  }
  return claimOf(row);
}

/** Ties the image that a claim shows to it, so that it is not swept. */
export async function showImage(tx: TransactionSql, claimId: string, { evidence }: Verdict): Promise<void> {
  if (evidence?.kind !== 'submit_image') return;
  await tx`update images set claim_id = ${claimId} where id = ${evidence.imageId}`.execute();
}
