import type { Claim, ClaimDetail } from '../../../../server/contract/claims.ts';
import { whyNoAppeal } from '../../../../server/domain/review-rules.ts';
import type { Asker, StoredClaim, World } from './world.ts';
import { nameOf } from './world.ts';

const dateOf = (at: string | null | undefined): Date | null => (at ? new Date(at) : null);

/** A row as its member sees it. */
export function shownClaim(world: World, claim: StoredClaim): Claim {
  const { communityId: _, userId: __, deciderId, history: ___, ...shown } = claim;
  return { ...shown, decidedBy: nameOf(world, deciderId) };
}

/** The times that decide whether an appeal is possible. */
export const timesOf = (claim: StoredClaim) => ({
  state: claim.state,
  appealAt: dateOf(claim.appeal?.at),
  decidedAt: dateOf(claim.decidedAt),
});

export const claimDetail = ({ world, me, now }: Asker, claim: StoredClaim): ClaimDetail => ({
  ...shownClaim(world, claim),
  history: claim.history,
  mayAppeal: claim.userId === me.id && whyNoAppeal(timesOf(claim), now) === null,
});
