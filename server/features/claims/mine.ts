import type { ISql, TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import type { Claim, ClaimDetail, ClaimState, Evidence } from '../../contract/claims.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { CLAIMS_PAGE } from '../../contract/limits.ts';
import { refuseUnwanted, resubmitted } from '../../domain/claiming.ts';
import { forReviewer } from '../../domain/deciding.ts';
import { isId } from '../../domain/ids.ts';
import { appealAgainst, whyNoAppeal } from '../../domain/review-rules.ts';
import { setupOf, type TaskRow } from '../../domain/task-row.ts';
import { prose } from '../../domain/text.ts';
import { notifyReviewers } from '../notifications/happened.ts';
import { taskColumns } from '../tasks/rows.ts';
import { linkEvidence } from './claim.ts';
import { type ClaimRow, claimColumns, claimOf } from './claim-row.ts';
import { readHistories } from './history.ts';
import { judge } from './judge.ts';
import { emitClaim, type FullRow, findClaim, lockMemberTask, note, shown, withdrawAppeals } from './write.ts';
import { isCheckedAtX, queueXCheck } from './x-judge.ts';

type Mine = { communityId: string; claimId: string; userId: string; now: Date };

/** A member's own claims in a community, latest first. Throws 400 `INVALID_INPUT` for an invalid `after`. */
export async function listMine(
  sql: ISql,
  scope: { communityId: string; userId: string; after: string | undefined; state: ClaimState | undefined },
): Promise<{ items: Claim[]; next: string | null }> {
  const { communityId, userId, after, state } = scope;
  if (after !== undefined && !isId(after))
    throw new HttpError(400, 'INVALID_INPUT', 'after: names no place in the list');
  const rows = await sql<ClaimRow[]>`
    select ${claimColumns(sql)} from claims c left join users reviewer on reviewer.id = c.decided_by
    where c.community_id = ${communityId} and c.user_id = ${userId}
      and ${state === undefined ? sql`true` : sql`c.state = ${state}`}
      and ${
        after === undefined
          ? sql`true`
          : sql`(c.submitted_at, c.id) < (select submitted_at, id from claims where id = ${after} and user_id = ${userId})`
      }
    order by c.submitted_at desc, c.id desc limit ${CLAIMS_PAGE + 1}`;
  const items = rows.slice(0, CLAIMS_PAGE).map(claimOf);
  return { items, next: rows.length > CLAIMS_PAGE ? (items.at(-1)?.id ?? null) : null };
}

/** One claim with its history: the caller's own, or any for reviewers. Throws 404 `NOT_FOUND`. */
export async function readClaim(
  tx: TransactionSql,
  scope: Mine & { role: CommunityRole | null },
): Promise<ClaimDetail> {
  const { communityId, claimId, userId, role, now } = scope;
  const claim = isId(claimId) ? await findClaim(tx, communityId, claimId) : null;
  const reviews = role === 'leader' || role === 'moderator';
  if (!claim || (claim.userId !== userId && !reviews)) throw notFound('claim');
  const isOwn = claim.userId === userId;
  const histories = await readHistories(tx, communityId, [claim.id]);
  const detail = { ...claimOf(claim), history: histories.get(claim.id) ?? [] };
  return {
    ...(isOwn ? detail : forReviewer(detail, role)),
    mayAppeal: isOwn && whyNoAppeal(detail, (await findNewer(tx, claim)) !== null, now) === null,
  };
}

/**
 * Appeals against a rejection, once. An earlier appeal for the same period is withdrawn: the member chooses which
 * answer is heard. Throws 404 `NOT_FOUND`, and what `appealAgainst` throws.
 */
export async function appeal(tx: TransactionSql, scope: Mine, input: { text: string }): Promise<Claim> {
  const { communityId, userId, now } = scope;
  const text = prose('text', input.text);
  const claim = await findMine(tx, scope);
  const { at, outcome } = appealAgainst(claimOf(claim), await findNewer(tx, claim), text, now);
  await withdrawAppeals(tx, { ...claim, now });
  await tx`
    update claims set appeal_text = ${text}, appeal_at = ${at}, appeal_outcome = ${outcome} where id = ${claim.id}`;
  await note(tx, {
    communityId,
    claimId: claim.id,
    kind: 'appealed',
    at: now,
    actorId: userId,
    from: 'rejected',
    to: 'rejected',
    reason: text,
  });
  await notifyReviewers(tx, { communityId, userId, at: now });
  return shown(tx, communityId, claim.id);
}

/**
 * Answers a reviewer's wish with new evidence; the claim waits again. Throws 404 `NOT_FOUND`, 409 `ALREADY_DECIDED`
 * (details: `{ claim, differs }`) where no changes are wanted (any more), and what `judge` throws.
 */
export async function resubmit(
  tx: TransactionSql,
  scope: Mine,
  input: { evidence: Evidence; actedAt?: string | undefined },
) {
  const { communityId, userId, now } = scope;
  const claim = await findMine(tx, scope);
  refuseUnwanted(claimOf(claim), input.evidence);
  const [task] = await tx<TaskRow[]>`select ${taskColumns(tx)} from tasks t where t.id = ${claim.taskId}`;
  if (!task) throw notFound('claim');
  const deviceAt = input.actedAt === undefined ? now : new Date(input.actedAt);
  const submission = {
    communityId,
    taskId: task.id,
    userId,
    at: now,
    deviceAt,
    now,
    isPeriodNow: true,
    period: claim.period,
  };
  const verdict = await judge(tx, submission, setupOf(task), input.evidence);
  const next = resubmitted(claimOf(claim), verdict, claim.coolDownMinutes, now);
  const isRejected = next.state === 'rejected';
  await tx`
    update claims set state = ${next.state}, evidence = ${next.evidence && tx.json(next.evidence)},
      checks = ${tx.json(next.checks)}, answer_hash = ${verdict.hash}, decided_at = ${next.decidedAt}, decided_by = null,
      reason = ${next.reason}, retry_at = ${next.retryAt}
    where id = ${claim.id}`;
  await linkEvidence(tx, { ...claim, communityId }, verdict, now);
  if (isCheckedAtX(verdict)) await queueXCheck(tx, { communityId, claimId: claim.id }, now);
  await note(tx, {
    communityId,
    claimId: claim.id,
    kind: isRejected ? 'checked' : 'resubmitted',
    at: now,
    actorId: userId,
    from: claim.state,
    to: next.state,
    reason: next.reason,
    evidence: next.evidence,
  });
  const sent = await shown(tx, communityId, claim.id);
  const about = { communityId, userId, kind: task.kind, at: now };
  await emitClaim(tx, [isRejected ? 'claim.decided' : 'claim.submitted'], sent, about);
  if (!isRejected && task.kind !== 'partner' && !isCheckedAtX(verdict)) await notifyReviewers(tx, about);
  return sent;
}

/** The claim of the same member, task and period that waits, counts or was reversed; null where there is none. */
async function findNewer(tx: TransactionSql, claim: FullRow): Promise<Claim | null> {
  const [newer] = await tx<ClaimRow[]>`
    select ${claimColumns(tx)} from claims c left join users reviewer on reviewer.id = c.decided_by
    where c.task_id = ${claim.taskId} and c.user_id = ${claim.userId} and c.period = ${claim.period}
      and c.state <> 'rejected' and c.id <> ${claim.id}`;
  return newer ? claimOf(newer) : null;
}

/** The caller's own claim, locked. Throws 404 `NOT_FOUND` for another member's. */
async function findMine(tx: TransactionSql, { communityId, claimId, userId }: Mine): Promise<FullRow> {
  const first = isId(claimId) ? await findClaim(tx, communityId, claimId) : null;
  if (!first || first.userId !== userId) throw notFound('claim');
  await lockMemberTask(tx, first.taskId, userId);
  const claim = await findClaim(tx, communityId, claimId, true);
  if (!claim) throw notFound('claim');
  return claim;
}
