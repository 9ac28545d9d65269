import type { TransactionSql } from 'postgres';
import { HttpError, notAllowed, notFound } from '../../base/http-error.ts';
import type { Claim } from '../../contract/claims.ts';
import type { CommunityRole } from '../../contract/community.ts';
import type { BulkResult, NewDecision } from '../../contract/review.ts';
import { type Decided, decide, forReviewer, type ReviewFacts, reasonOf } from '../../domain/deciding.ts';
import { whyFull } from '../../domain/gate.ts';
import { isId } from '../../domain/ids.ts';
import { BULK_OUTCOMES, type Outcome } from '../../domain/review-rules.ts';
import type { TaskRow } from '../../domain/task-row.ts';
import { audit } from '../audit/audit.ts';
import { notifyOfDecision } from '../notifications/happened.ts';
import { readFacts } from '../tasks/facts.ts';
import { taskColumns } from '../tasks/rows.ts';
import { claimOf } from './claim-row.ts';
import { award, emitClaim, type FullRow, findClaim, lockMemberTask, lockTask, note, shown } from './write.ts';

type Reviewer = { communityId: string; reviewerId: string; role?: CommunityRole | null; now: Date };
type DecisionScope = Reviewer & { claimId: string };

/**
 * Decides a waiting claim, or the appeal against its rejection. The first decision wins; a later reviewer gets the
 * decision and its author, and one who saw another version gets the current one. An approval counts on the boards of
 * its own day, not the claim's. Throws 404 `NOT_FOUND`, 403 `NOT_ALLOWED`, and what `decide` throws.
 */
export async function decideClaim(tx: TransactionSql, scope: DecisionScope, input: NewDecision): Promise<Claim> {
  await holdClaims(tx, scope.communityId, [scope.claimId]);
  return decideHeld(tx, scope, input);
}

/** Decides several claims, each for itself. Throws nothing that is about one of them. */
export async function decideAll(
  tx: TransactionSql,
  reviewer: Reviewer,
  decisions: readonly (NewDecision & { claimId: string })[],
): Promise<BulkResult[]> {
  for (const decision of decisions) reasonOf(decision);
  // All locks before the first award: the holder of the community's lock must not wait for a claim.
  await holdClaims(
    tx,
    reviewer.communityId,
    decisions.map(({ claimId }) => claimId),
  );
  const results: BulkResult[] = [];
  for (const { claimId, ...decision } of decisions) {
    results.push(await decideOne(tx, { ...reviewer, claimId }, decision));
  }
  return results;
}

async function decideOne(tx: TransactionSql, scope: DecisionScope, decision: NewDecision): Promise<BulkResult> {
  const { communityId, claimId, role } = scope;
  try {
    const claim = await tx.savepoint((nested) => decideHeld(nested, scope, decision));
    return { claimId, outcome: 'decided', claim };
  } catch (error) {
    const outcome = error instanceof HttpError ? BULK_OUTCOMES[error.reason] : undefined;
    if (!outcome) throw error;
    return {
      claimId,
      outcome,
      claim: outcome === 'not_found' ? null : forReviewer(await shown(tx, communityId, claimId), role),
    };
  }
}

/**
 * Locks the claims for the transaction. Claims and decisions both take the member's lock before the claim's: otherwise
 * the member could appeal or answer again in between, and a granted appeal could exceed the task's cap.
 */
async function holdClaims(tx: TransactionSql, communityId: string, claimIds: readonly string[]): Promise<void> {
  const ids = claimIds.filter(isId);
  const locked = await tx<{ taskId: string; userId: string }[]>`
    select distinct task_id as "taskId", user_id as "userId" from claims
    where id = any(${ids}) and community_id = ${communityId} order by task_id, user_id`;
  for (const { taskId, userId } of locked) await lockMemberTask(tx, taskId, userId);
  const capped = await tx<{ id: string }[]>`
    select id from tasks
    where id = any(${locked.map(({ taskId }) => taskId)}) and community_id = ${communityId} and cap_total is not null order by id`;
  for (const { id } of capped) await lockTask(tx, id);
  await tx`select from claims where id = any(${ids}) and community_id = ${communityId} order by id for update`;
}

async function decideHeld(tx: TransactionSql, scope: DecisionScope, input: NewDecision): Promise<Claim> {
  const reason = reasonOf(input);
  const { communityId, claimId, reviewerId, role, now } = scope;
  const row = isId(claimId) ? await findClaim(tx, communityId, claimId) : null;
  if (!row) throw notFound('claim');
  const reviewers = await readReviewers(tx, communityId);
  if (row.userId !== reviewerId && !reviewers.includes(reviewerId)) throw notAllowed('moderator');
  const claim = claimOf(row);
  const { userId: memberId, deciderId, coolDownMinutes } = row;
  const isGrant = row.appealOutcome === 'open' && input.decision === 'approve';
  const full = isGrant ? await readFull(tx, row) : null;
  const shown = forReviewer(claim, role);
  const facts = { claim, shown, memberId, deciderId, coolDownMinutes, reviewerId, reviewers, full };
  const { outcome, ...decided } = decide(facts, input, now);
  await writeDecided(tx, { communityId, claimId: row.id }, reviewerId, decided);
  return afterwards(tx, scope, { claim: row, ...outcome, reason });
}

/** Writes what a decision made of a claim. */
export const writeDecided = (
  tx: TransactionSql,
  { communityId, claimId }: { communityId: string; claimId: string },
  deciderId: string,
  { state, checks, reason, retryAt, appeal, decidedAt }: Omit<Decided, 'outcome'>,
) => tx`
  update claims set state = ${state}, decided_at = ${decidedAt}, decided_by = ${deciderId}, reason = ${reason},
    retry_at = ${retryAt}, checks = ${tx.json(checks)}, appeal_outcome = coalesce(${appeal?.outcome ?? null}, appeal_outcome)
  where id = ${claimId} and community_id = ${communityId}`;

/** Which cap of a claim's task is reached; null for none. */
async function readFull(tx: TransactionSql, { communityId, userId, taskId }: FullRow): Promise<ReviewFacts['full']> {
  const [task] = await tx<TaskRow[]>`select ${taskColumns(tx)} from tasks t
    where t.id = ${taskId} and t.community_id = ${communityId}`;
  return task ? whyFull(task, await readFacts(tx, { communityId, userId, timeZone: 'UTC' }, [task])) : null;
}

/** History, audit, webhooks and, last of all, the award. */
async function afterwards(
  tx: TransactionSql,
  { communityId, reviewerId, role, now }: DecisionScope,
  step: Outcome & { claim: FullRow; reason: string | null },
): Promise<Claim> {
  const { claim, kind, to, action, reason } = step;
  const by = { at: now, actorId: reviewerId };
  await note(tx, { communityId, claimId: claim.id, kind, ...by, from: claim.state, to, reason });
  await auditClaim(tx, { communityId, actorId: reviewerId, action, claim, reason, now });
  const decided = await shown(tx, communityId, claim.id);
  const about = { communityId, userId: claim.userId, kind: claim.kind, at: now };
  await emitClaim(tx, ['claim.decided'], decided, about);
  await notifyOfDecision(tx, decided, about);
  if (to === 'approved') await award(tx, claim, { actorId: reviewerId, now });
  return forReviewer(decided, role);
}

/** Audits what was done to a claim under its member's name. */
export async function auditClaim(
  tx: TransactionSql,
  done: {
    communityId: string;
    actorId: string;
    action: string;
    claim: Pick<FullRow, 'id' | 'userId'>;
    reason: string | null;
    now: Date;
  },
): Promise<void> {
  const { communityId, actorId, action, claim, reason, now } = done;
  const [member] = await tx<{ name: string }[]>`select display_name as name from users where id = ${claim.userId}`;
  const subject = member?.name ?? null;
  await audit(tx, { communityId, actorId, action, subject, subjectId: claim.id, reason, at: now });
}

/** Leaders and moderators of a community who are not suspended. */
async function readReviewers(tx: TransactionSql, communityId: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select u.id from community_members m join users u on u.id = m.user_id
    where m.community_id = ${communityId} and m.role <> 'member' and u.suspended_at is null`;
  return rows.map(({ id }) => id);
}
