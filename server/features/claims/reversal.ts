import type { TransactionSql } from 'postgres';
import { notFound } from '../../base/http-error.ts';
import type { Claim } from '../../contract/claims.ts';
import { reverse } from '../../domain/deciding.ts';
import { isId } from '../../domain/ids.ts';
import { prose } from '../../domain/text.ts';
import { recordPoints } from '../awards/record.ts';
import { notifyOfDecision } from '../notifications/happened.ts';
import { claimOf } from './claim-row.ts';
import { auditClaim, writeDecided } from './decision.ts';
import { emitClaim, findClaim, note, shown } from './write.ts';

/**
 * Takes an approval back, with its points: the award stays in the ledger and a reversal beside it. The period is never
 * awarded again. Throws 404 `NOT_FOUND`, 403 `OWN_CLAIM`, 409 `ALREADY_DECIDED` (details: `{ claim }`) for what is not
 * approved.
 */
export async function reverseClaim(
  tx: TransactionSql,
  { communityId, claimId, leaderId, now }: { communityId: string; claimId: string; leaderId: string; now: Date },
  input: { reason: string },
): Promise<Claim> {
  const reason = prose('reason', input.reason);
  const claim = isId(claimId) ? await findClaim(tx, communityId, claimId, true) : null;
  if (!claim) throw notFound('claim');
  const decidable = { claim: claimOf(claim), memberId: claim.userId, deciderId: claim.deciderId };
  const { outcome, ...decided } = reverse(decidable, leaderId, reason, now);
  await writeDecided(tx, { communityId, claimId }, leaderId, decided);
  const { action, ...step } = outcome;
  await note(tx, { ...step, communityId, claimId, at: now, actorId: leaderId, from: claim.state, reason });
  await auditClaim(tx, { communityId, actorId: leaderId, action, claim, reason, now });
  const reversed = await shown(tx, communityId, claim.id);
  const { userId, taskId, kind, points, period } = claim;
  const about = { communityId, userId, kind, at: now };
  await emitClaim(tx, ['claim.reversed'], reversed, about);
  await notifyOfDecision(tx, reversed, about);
  await recordPoints(tx, now, [
    { communityId, userId, kind: 'reverse', points: -points, taskId, claimId, period, reason, actorId: leaderId },
  ]);
  return reversed;
}
