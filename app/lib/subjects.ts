export { imageSubject } from '../../worker/unsent.ts';

/** Names of commands in the outbox. The subject says what one is about; commands in one lane keep their order. */
export const laneOf = (communityId: string): string => `community:${communityId}`;
/** A lane within the community's: commands on different things wait only for those on the whole community. */
export const laneWithin = (communityId: string, thing: string): string => `${laneOf(communityId)}/${thing}`;
/** The community of a lane or of a lane within its; null for lanes of other features. */
export const communityOf = (lane: string): string | null => /^community:([^/]+)/.exec(lane)?.[1] ?? null;
export const claimSubject = (communityId: string, taskId: string): string => `claim:${communityId}:${taskId}`;
export const joinSubject = (communityId: string): string => `join:${communityId}`;
export const decisionSubject = (claimId: string): string => `decision:${claimId}`;
export const appealSubject = (claimId: string): string => `appeal:${claimId}`;
export const inviteSubject = (code: string): string => `invite:${code}`;
export const ZONE = 'zone:own';
export const VISIBILITY = 'visibility:own';
/** Points granted or deducted by a leader. */
export const pointsSubject = (userId: string): string => `points:${userId}`;
/** A member's role, or their membership. */
export const memberSubject = (userId: string): string => `member:${userId}`;
/** `id` comes from the server, or from the device for one that is not posted yet. */
export const announcementSubject = (id: string): string => `announcement:${id}`;

/** The member's graded attempt, whose answers are sent. */
export const quizSubject = (attemptId: string): string => `quiz:${attemptId}`;

/** What a subject is about; null for the subjects of other features. */
export type Subject =
  | { kind: 'claim'; communityId: string; taskId: string }
  | { kind: 'join'; communityId: string }
  | { kind: 'decision' | 'appeal'; claimId: string }
  | { kind: 'invite'; code: string }
  | { kind: 'zone' | 'visibility' }
  | { kind: 'points' | 'member'; userId: string }
  | { kind: 'announcement' | 'quiz'; id: string };

export function readSubject(subject: string): Subject | null {
  const [kind, first, second] = subject.split(':');
  if (kind === 'claim' && first && second) return { kind, communityId: first, taskId: second };
  if (kind === 'join' && first) return { kind, communityId: first };
  if ((kind === 'decision' || kind === 'appeal') && first) return { kind, claimId: first };
  if (kind === 'invite' && first) return { kind, code: first };
  if (kind === 'zone' || kind === 'visibility') return { kind };
  if ((kind === 'points' || kind === 'member') && first) return { kind, userId: first };
  if ((kind === 'announcement' || kind === 'quiz') && first) return { kind, id: first };
  return null;
}
