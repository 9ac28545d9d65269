import type { TransactionSql } from 'postgres';
import type { Check } from '../../contract/claims.ts';
import { notifyOfDecision } from '../notifications/happened.ts';
import { award, emitClaim, type FullRow, note, shown } from './write.ts';

/** A claim's checks with this one in place of the previous one of the same kind. */
export const checksWith = (claim: FullRow, check: Check): Check[] => [
  ...claim.checks.filter(({ what, ok }) => what !== check.what || ok !== null),
  check,
];

/**
 * Decides a claim by a partner's or X's answer: history, points and notification. Their answer is the reason for a
 * rejection. `retryAt`: when a rejected claim may be made again.
 */
export async function decideAnswered(
  tx: TransactionSql,
  claim: FullRow,
  check: Check & { ok: boolean; note: string },
  { retryAt, now }: { retryAt: Date | null; now: Date },
): Promise<void> {
  const { id: claimId, communityId, userId, kind } = claim;
  const to = check.ok ? 'approved' : 'rejected';
  const reason = check.ok ? null : check.note;
  await tx`
    update claims set state = ${to}, decided_at = ${now}, decided_by = null, reason = ${reason}, retry_at = ${retryAt},
      checks = ${tx.json(checksWith(claim, check))}
    where id = ${claimId}`;
  await note(tx, { communityId, claimId, kind: 'answered', at: now, actorId: null, from: claim.state, to, reason });
  const decided = await shown(tx, communityId, claimId);
  const about = { communityId, userId, kind, at: now };
  await emitClaim(tx, ['claim.decided'], decided, about);
  await notifyOfDecision(tx, decided, about);
  if (check.ok) await award(tx, claim, { actorId: null, now });
}
