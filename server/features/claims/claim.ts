import { randomUUID } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import type { Claim, NewClaim } from '../../contract/claims.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { isXKind } from '../../contract/x-post.ts';
import { type ClaimFacts, type ClaimMoment, momentOfClaim, newClaim } from '../../domain/claiming.ts';
import { ALIVE, type Facts, type Mine, named } from '../../domain/gate-facts.ts';
import { isId } from '../../domain/ids.ts';
import { actedAt, localDay } from '../../domain/periods.ts';
import { setupOf, type TaskRow } from '../../domain/task-row.ts';
import { type Zones, zoneAt } from '../../domain/time-zone.ts';
import { TRIES_WITHIN_MS } from '../../domain/tries.ts';
import { claimPeriods } from '../../rules/periods.ts';
import { standingsOf } from '../chats/gate.ts';
import { notifyReviewers } from '../notifications/happened.ts';
import { readFacts } from '../tasks/facts.ts';
import { taskColumns } from '../tasks/rows.ts';
import { mayGivePoints } from '../x/switch.ts';
import { type ClaimRow, claimColumns, claimOf, fromJson } from './claim-row.ts';
import type { Submission } from './facts.ts';
import { judge, type Verdict } from './judge.ts';
import { queuePartnerCheck } from './partner-checks.ts';
import { award, emitClaim, lockMemberTask, lockTask, withdrawAppeals } from './write.ts';
import { isCheckedAtX, queueXCheck } from './x-judge.ts';

/** `xPoints`: whether the environment lets tasks at X give points; absent: no. */
type ClaimScope = Zones & { communityId: string; taskId: string; userId: string; now: Date; xPoints?: boolean };
type Context = TaskRow &
  Mine & {
    role: CommunityRole | null;
    /** Claiming requires membership in one of the community's chats. */
    isGated: boolean;
    possibleSince: Date;
    memberPoints: number;
    /** Tries that no check passed within the last `TRIES_WITHIN_MS`, and when the first of them was. */
    tries: number;
    firstTryAt: Date | null;
    /** An appeal waits, for some period. */
    hasAppeal: boolean;
    standing: ClaimRow[] | null;
  };

/**
 * Claims a task for the period of the action. Automatic kinds are decided, the rest waits for review. However often it
 * is sent, at most one claim per member, task and period is alive, and at most one award is written for it. An open
 * appeal of the same period is withdrawn. Throws 404 `NOT_FOUND`, 403 `NOT_A_MEMBER`, `LEADERS_DO_NOT_COMPETE` and
 * `CHAT_MEMBERSHIP_REQUIRED`, 409 `ALREADY_CLAIMED` (details: `{ claim, differs }`, see `differs`), 409 `TASK_CLOSED`,
 * `NOT_OPEN_YET`, `CONDITIONS_NOT_MET`, `COOLING_DOWN`, `CAP_REACHED` and `ONLY_GRANTED` (see `refuseShut`), and what
 * `judge` throws.
 */
export async function claimTask(tx: TransactionSql, scope: ClaimScope, input: NewClaim): Promise<Claim> {
  const { communityId, userId, now } = scope;
  const task = await readContext(tx, scope, input);
  const at2 = momentOfClaim(await factsOf(tx, scope, task), input, now);
  const submission = { ...at2, communityId, taskId: task.id, userId, now };
  const verdict = await judge(tx, submission, setupOf(task), input.evidence);
  if (isXKind(task.kind) && !(await mayGivePoints(tx, scope.xPoints ?? false))) task.points = 0;
  const replacesAppeal = task.hasAppeal && verdict.state !== 'rejected' && (await withdrawAppeals(tx, submission));
  const claim = newClaim(
    { id: randomUUID(), task, period: submission.period, tried: task, replacesAppeal },
    verdict,
    now,
  );
  const written = write(tx, submission, verdict.hash, claim);
  const about = { communityId, userId, kind: task.kind, at: now };
  // Sent together, the award last: it takes the community's lock.
  const along = Promise.all([
    linkEvidence(tx, { ...claim, communityId }, verdict, now),
    emitClaim(tx, claim.decidedAt === null ? ['claim.submitted'] : ['claim.submitted', 'claim.decided'], claim, about),
    isCheckedAtX(verdict) ? queueXCheck(tx, { communityId, claimId: claim.id }, now) : null,
    claim.decidedAt === null && task.kind !== 'partner' && !isCheckedAtX(verdict) ? notifyReviewers(tx, about) : null,
    claim.state === 'approved'
      ? award(tx, { ...claim, communityId, userId, actedAt: submission.at }, { actorId: null, now })
      : null,
  ]);
  // If writing the claim fails, this fails too: the first error is the one to report.
  along.catch(() => undefined);
  await written;
  await along;
  return claim;
}

/**
 * Takes the member's lock and reads the task with everything that may block it, in one round trip: the data is as of
 * this lock.
 */
async function readContext(tx: TransactionSql, scope: ClaimScope, input: NewClaim): Promise<Context> {
  const { communityId, taskId, userId, now } = scope;
  const isRecentTry = tx`
    state = 'rejected' and decided_by is null and submitted_at > ${new Date(now.getTime() - TRIES_WITHIN_MS)}`;
  // The lock keeps the task's rules unchanged until the claim is written.
  const [, [task]] = isId(taskId)
    ? await Promise.all([
        lockMemberTask(tx, taskId, userId),
        tx<Context[]>`
          select ${taskColumns(tx)}, m.role, greatest(t.created_at, t.published_at, m.joined_at) as "possibleSince",
            exists (select from community_chats g where g.community_id = t.community_id and g.gate <> 'off') as "isGated",
            coalesce(s.points, 0) as "memberPoints", mine.*, (
              select jsonb_agg(to_jsonb(one)) from (
                select ${claimColumns(tx)} from claims c left join users reviewer on reviewer.id = c.decided_by
                where c.community_id = t.community_id and c.task_id = t.id and c.user_id = (select ${userId}::uuid)
                  and c.period = any((select ${possiblePeriods(scope, input)}::text[])::text[]) and c.state <> 'rejected'
                order by c.state = any(${ALIVE}) desc, c.submitted_at desc) one) as standing
          from tasks t
          left join community_members m on m.community_id = t.community_id and m.user_id = ${userId}
          left join scores s on s.community_id = t.community_id and s.user_id = m.user_id
          cross join lateral (
            select count(*) filter (where state = 'approved')::int as approved,
              count(*) filter (where state = any(${ALIVE}))::int as alive,
              max(retry_at) filter (where state = 'rejected') as "retryAt",
              coalesce(bool_or(appeal_outcome = 'open'), false) as "hasAppeal",
              count(*) filter (where ${isRecentTry})::int as tries,
              min(submitted_at) filter (where ${isRecentTry}) as "firstTryAt"
            from claims where community_id = t.community_id and task_id = t.id and user_id = (select ${userId}::uuid)
          ) mine
          where t.id = ${taskId} and t.community_id = ${communityId} and t.status <> 'draft' for key share of t`,
      ])
    : [null, []];
  if (!task) throw notFound('task');
  return task;
}

/** Every period that a claim may be for: whether the device's time is accepted depends on what is about to be read. */
function possiblePeriods(scope: ClaimScope, input: NewClaim): string[] {
  const { now } = scope;
  const days = [now, actedAt(input.actedAt, now, new Date(0))].map((at) => localDay(at, zoneAt(scope, at)));
  return [...new Set(days.flatMap((day) => Object.values(claimPeriods(day))))];
}

/** What decides about the claim. */
async function factsOf(tx: TransactionSql, scope: ClaimScope, task: Context): Promise<ClaimFacts> {
  const { role, possibleSince } = task;
  // By precedence: the claim that is alive, else the latest that was not rejected.
  const holderOf = (period: string) => {
    const holder = task.standing?.find((claim) => claim.period === period);
    return holder ? claimOf(fromJson(holder)) : null;
  };
  return {
    task,
    role,
    possibleSince,
    gates: await gateFactsOf(tx, scope, task),
    chats: task.isGated && role === 'member' ? await standingsOf(tx, scope) : [],
    zoneAt: (moment) => zoneAt(scope, moment),
    holderOf,
  };
}

/** Facts for the gates; most tasks need nothing beyond what is read already. */
async function gateFactsOf(tx: TransactionSql, asker: ClaimScope, task: Context): Promise<Facts> {
  if (task.capTotal !== null) await lockTask(tx, task.id);
  if (task.capTotal !== null || named([task]).length > 0) return readFacts(tx, asker, [task]);
  const { role, memberPoints: points } = task;
  return {
    role,
    timeZone: asker.timeZone,
    points,
    mine: new Map([[task.id, task]]),
    taken: new Map(),
    others: new Map(),
  };
}

/** Writes the claim and the first line of its history. */
async function write(
  tx: TransactionSql,
  submission: Submission & ClaimMoment,
  hash: Buffer | null,
  claim: Claim,
): Promise<void> {
  const { communityId, userId, day, at } = submission;
  const { id, taskId, period, state, points, evidence, checks, reason, retryAt, submittedAt, decidedAt } = claim;
  const [row] = await tx`
    with c as (
      insert into claims (id, community_id, task_id, user_id, period, state, points, evidence, checks, reason, retry_at,
        answer_hash, acted_at, local_day, submitted_at, decided_at)
      values (${id}, ${communityId}, ${taskId}, ${userId}, ${period}, ${state}, ${points}, ${evidence && tx.json(evidence)},
        ${tx.json(checks)}, ${reason}, ${retryAt}, ${hash}, ${at}, ${day}, ${submittedAt}, ${decidedAt})
      on conflict (community_id, task_id, user_id, period)
        where state in ('submitted', 'checking', 'changes_requested', 'approved') do nothing
      returning *
    )
    insert into claim_events (community_id, claim_id, kind, at, actor_id, to_state, reason, evidence)
    select community_id, id, ${decidedAt === null ? 'submitted' : 'checked'}, submitted_at, user_id, state, reason, evidence
    from c returning true as written`.execute();
  if (!row) {
    throw new HttpError(503, 'TRY_AGAIN', 'This changed at the same moment. Send it again.', { retryAfterSeconds: 1 });
  }
}

/** Links a claim's evidence: its picture or file is not swept, and its partner check is queued. */
export async function linkEvidence(
  tx: TransactionSql,
  { communityId, id, taskId }: Pick<Claim, 'id' | 'taskId'> & { communityId: string },
  { evidence }: Verdict,
  now: Date,
): Promise<void> {
  if (evidence?.kind === 'partner') return queuePartnerCheck(tx, { communityId, claimId: id, taskId, now });
  const shown =
    evidence?.kind === 'submit_image' ? evidence.imageId : evidence?.kind === 'file' ? evidence.fileId : null;
  if (shown !== null) await tx`update images set claim_id = ${id} where id = ${shown}`.execute();
}
