import type { Claim, ClaimDetail } from '../../../../server/contract/claims.ts';
import { whyNoAppeal } from '../../../../server/domain/review-rules.ts';
import type { Asker, StoredClaim, World } from './world.ts';

/** A row as its member sees it. */
export function shownClaim(world: World, claim: StoredClaim): Claim {
  const { communityId: _, userId: __, deciderId, history: ___, actedAt: ____, day: _____, ...shown } = claim;
  return { ...shown, decidedBy: world.nameOf(deciderId) };
}

/** The claim of the same member, task and period that waits, counts or was taken back. */
export function newerThan(world: World, claim: StoredClaim): Claim | null {
  const newer = world.claims.find(
    (one) =>
      one.id !== claim.id &&
      one.taskId === claim.taskId &&
      one.userId === claim.userId &&
      one.period === claim.period &&
      one.state !== 'rejected',
  );
  return newer ? shownClaim(world, newer) : null;
}

export const claimDetail = ({ world, me, now }: Asker, claim: StoredClaim): ClaimDetail => ({
  ...shownClaim(world, claim),
  history: claim.history,
  mayAppeal: claim.userId === me.id && whyNoAppeal(claim, newerThan(world, claim) !== null, now) === null,
});
