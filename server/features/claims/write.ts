import type { JSONValue, TransactionSql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { Claim, ClaimState, ClaimStep, Evidence } from '../../contract/claims.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import type { TaskKind } from '../../contract/tasks.ts';
import { recordPoints } from '../awards/record.ts';
import { emitAll } from '../webhooks/emit.ts';
import { type ClaimRow, claimColumns, claimOf } from './claim-row.ts';

/** A claim with the internal columns that decisions need. */
export type FullRow = ClaimRow & {
  communityId: string;
  userId: string;
  actedAt: Date;
  deciderId: string | null;
  kind: TaskKind;
  coolDownMinutes: number;
};

/** A claim with its reviewer's name; null when there is none in this community. `lock`: locked for the transaction. */
export async function findClaim(
  tx: TransactionSql,
  communityId: string,
  claimId: string,
  lock = false,
): Promise<FullRow | null> {
  const [row] = await tx<FullRow[]>`
    select ${claimColumns(tx)}, c.community_id as "communityId", c.user_id as "userId", c.acted_at as "actedAt",
      c.decided_by as "deciderId", t.kind, t.cool_down_minutes as "coolDownMinutes"
    from claims c join tasks t on t.id = c.task_id and t.community_id = c.community_id left join users reviewer on reviewer.id = c.decided_by
    where c.id = ${claimId} and c.community_id = ${communityId}
    ${lock ? tx`for update of c` : tx``}`;
  return row ?? null;
}

/**
 * The kinds of steps that are written down; the ledger adds what was counted. `answered`: the server decided what was sent
 * earlier, which reads as `checked`.
 */
type StepKind = Exclude<ClaimStep['kind'], 'counted'> | 'answered';

/** One transition of a claim for its history: all but the first change the claim's version. */
export const note = (
  tx: TransactionSql,
  step: {
    communityId: string;
    claimId: string;
    kind: StepKind;
    at: Date;
    actorId: string | null;
    from: ClaimState | null;
    to: ClaimState;
    reason: string | null;
    evidence?: Evidence | null;
  },
) => tx`
  with c as (
    update claims set version = version + ${step.from === null ? 0 : 1} where id = ${step.claimId} and community_id = ${step.communityId}
    returning version
  )
  insert into claim_events (community_id, claim_id, version, kind, at, actor_id, from_state, to_state, reason, evidence)
  select ${step.communityId}, ${step.claimId}, c.version, ${step.kind}, ${step.at}, ${step.actorId}, ${step.from}::text,
    ${step.to}, ${step.reason}::text, ${step.evidence ? tx.json(step.evidence) : null}::jsonb
  from c`;

/**
 * Withdraws a member's open appeals for a task and period, because something newer replaces them. Returns whether there
 * was one. The member's lock is held.
 */
export async function withdrawAppeals(
  tx: TransactionSql,
  {
    communityId,
    taskId,
    userId,
    period,
    now,
  }: {
    communityId: string;
    taskId: string;
    userId: string;
    period: string;
    now: Date;
  },
): Promise<boolean> {
  const withdrawn = await tx<{ id: string }[]>`
    update claims set appeal_outcome = 'withdrawn'
    where task_id = ${taskId} and user_id = ${userId} and period = ${period} and appeal_outcome = 'open' returning id`;
  const step = { communityId, kind: 'appeal_withdrawn', at: now, actorId: userId, reason: null } as const;
  for (const { id } of withdrawn) await note(tx, { ...step, claimId: id, from: 'rejected', to: 'rejected' });
  return withdrawn.length > 0;
}

/** Locks a member's claims for one task (`wholeTask`: those of all members) for the transaction. */
export async function lockMemberTask(
  tx: TransactionSql,
  taskId: string,
  userId: string,
  wholeTask = false,
): Promise<void> {
  await Promise.all([
    // Ids may arrive in capitals: the lock is the same.
    tx`select pg_advisory_xact_lock(hashtextextended(${`${taskId} ${userId}`.toLowerCase()}, 6))`.execute(),
    wholeTask ? lockTask(tx, taskId) : null,
  ]);
}

/** Lock of a task with a total cap, always after the member's, which prevents deadlocks. */
export const lockTask = (tx: TransactionSql, taskId: string) =>
  tx`select pg_advisory_xact_lock(hashtextextended(${taskId}, 7))`.execute();

export type WebhookClaim = Pick<Claim, 'id' | 'taskId' | 'period' | 'state' | 'points'>;

type WebhookOfClaim = 'claim.submitted' | 'claim.decided' | 'claim.reversed';

/** Tells webhooks of a claim, of one event after the other; never what was sent for it. */
export const emitClaim = (
  tx: TransactionSql,
  events: readonly WebhookOfClaim[],
  claim: WebhookClaim,
  { communityId, userId, kind, at }: { communityId: string; userId: string; kind: TaskKind; at: Date },
) => {
  const { id, taskId, period, state, points } = claim;
  const data: JSONValue = { claim: { id, taskId, kind, userId, period, state, points } };
  return emitAll(tx, events, { communityId, at, data });
};

/**
 * Writes the award of a newly approved claim. Last in its transaction, because the ledger takes the community's lock.
 * Throws 409 `ALREADY_CLAIMED` where the period was awarded before, even if reversed since.
 */
export async function award(
  tx: TransactionSql,
  claim: Pick<FullRow, 'id' | 'taskId' | 'period' | 'points' | 'communityId' | 'userId' | 'actedAt'>,
  { actorId, now }: { actorId: string | null; now: Date },
): Promise<void> {
  const { id, communityId, userId, points, taskId, period, actedAt } = claim;
  const written = await recordPoints(tx, now, [
    { communityId, userId, kind: 'award', points, taskId, claimId: id, period, actorId, actedAt },
  ]);
  if (written.length === 0)
    throw new HttpError(409, 'ALREADY_CLAIMED', 'This period was awarded once. It counts once.', {
      details: { of: 'them' } satisfies ErrorDetails['ALREADY_CLAIMED'],
    });
}

/** The claim as it is now. */
export async function shown(tx: TransactionSql, communityId: string, claimId: string): Promise<Claim> {
  const row = await findClaim(tx, communityId, claimId);
  if (!row) throw new Error('a claim is gone that was just written');
  return claimOf(row);
}
