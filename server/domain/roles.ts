import { HttpError, notAllowed } from '../base/http-error.ts';
import type { CommunityRole } from '../contract/community.ts';

const RANK: Record<CommunityRole, number> = { member: 1, moderator: 2, leader: 3 };

/** Whether a role in a community reaches another one. */
export const reaches = (role: CommunityRole | null, least: CommunityRole): boolean =>
  role !== null && RANK[role] >= RANK[least];

/** Throws 403 `NOT_A_MEMBER` or `NOT_ALLOWED` where a role in a community does not reach `least`. */
export function demandRole(role: CommunityRole | null, least: CommunityRole): void {
  if (reaches(role, least)) return;
  if (least === 'member') throw new HttpError(403, 'NOT_A_MEMBER', 'Join this community first.');
  throw notAllowed(least);
}

/** Throws 403 `LEADERS_DO_NOT_COMPETE` for a leader: the one who asks, or another member whom they mean. */
export function refuseLeader(role: CommunityRole | null, who: 'You' | 'They'): void {
  if (role !== 'leader') return;
  const message = `${who} lead this community: leaders do not compete on its board.`;
  throw new HttpError(403, 'LEADERS_DO_NOT_COMPETE', message);
}

/** Throws 409 `LAST_LEADER` where `userId` is the only one who leads. */
export function requireALeader(leaders: readonly string[], userId: string): void {
  if (leaders.length !== 1 || leaders[0] !== userId) return;
  throw new HttpError(409, 'LAST_LEADER', 'This is the only leader: a community cannot be without one.');
}
