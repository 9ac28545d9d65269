import type { Claim, ClaimDetail } from '../../../../server/contract/claims.ts';
import { forReviewer } from '../../../../server/domain/deciding.ts';
import { whyNoAppeal } from '../../../../server/domain/review-rules.ts';
import { type Asker, type Community, roleIn, type StoredClaim, type World } from './world.ts';

export function shownClaim(world: World, claim: StoredClaim): Claim {
  const { communityId: _, userId: __, deciderId, history: ___, actedAt: ____, day: _____, ...shown } = claim;
  return { ...shown, decidedBy: world.nameOf(deciderId) };
}

/** A later claim of the same member, task and period that is waiting, counted or reversed. */
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

export const shownToReviewer = ({ world, me }: Asker, community: Community, claim: StoredClaim): Claim =>
  forReviewer(shownClaim(world, claim), roleIn(community, me.id));

export function claimDetail({ world, me, now }: Asker, community: Community, claim: StoredClaim): ClaimDetail {
  const isOwn = claim.userId === me.id;
  const detail = { ...shownClaim(world, claim), history: claim.history };
  const mayAppeal = isOwn && whyNoAppeal(claim, newerThan(world, claim) !== null, now) === null;
  return { ...(isOwn ? detail : forReviewer(detail, roleIn(community, me.id))), mayAppeal };
}
