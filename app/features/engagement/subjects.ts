/**
 * Names under which one act is found again in the outbox. The subject says what the act is about, the lane
 * which acts keep their order among each other.
 */
export const laneOf = (communityId: string): string => `community:${communityId}`;
/** Within the community's: acts on different things do not wait for each other, but for what is of the whole community. */
export const laneWithin = (communityId: string, thing: string): string => `${laneOf(communityId)}/${thing}`;
/** The community whose lane it is, or lies within; null for the lanes of other features. */
export const communityOf = (lane: string): string | null => /^community:([^/]+)/.exec(lane)?.[1] ?? null;
export const claimSubject = (communityId: string, taskId: string): string => `claim:${communityId}:${taskId}`;
export const joinSubject = (communityId: string): string => `join:${communityId}`;
export const decisionSubject = (claimId: string): string => `decision:${claimId}`;

/** What a subject is about; null for the subjects of other features. */
export type Subject =
  | { kind: 'claim'; communityId: string; taskId: string }
  | { kind: 'join'; communityId: string }
  | { kind: 'decision'; claimId: string };

export function readSubject(subject: string): Subject | null {
  const [kind, first, second] = subject.split(':');
  if (kind === 'claim' && first && second) return { kind, communityId: first, taskId: second };
  if (kind === 'join' && first) return { kind, communityId: first };
  if (kind === 'decision' && first) return { kind, claimId: first };
  return null;
}
