import type { CommunityRole } from '../../../../server/contract/community.ts';
import type { NewDecision } from '../../../../server/contract/review.ts';
import { number, signed } from '../../../lib/format.ts';
import { announcementSubject, decisionSubject, memberSubject, pointsSubject } from '../../../lib/subjects.ts';
import { m } from '../../../paraglide/messages.js';
import { enqueueCommand, press } from '../../../shared/commands/acts.ts';
import { roleWord } from '../../../shared/tasks/words.ts';
import type { Sent } from '../../composer/written.ts';

/** What leaders and moderators may do without a connection: each is kept on the device and sent in its order. */
type CommandResult = Promise<string | null>;
type Someone = { id: string; displayName: string };
/** A claim as whoever decides it sees it, and whose it is. */
export type Seen = { claimId: string; version: number; who: string };

type DecisionOnly = Omit<NewDecision, 'version'>;

const DECISION_WORDS = {
  approve: m.leader_approve_label,
  reject: m.leader_reject_label,
  request_changes: m.leader_changes_label,
} as const;

/** Decisions on different claims go out beside each other; what is done to members keeps its place among all the rest. */
const ofClaim = (claimId: string): string => `claim:${claimId}`;

/**
 * Decides a claim as it was seen: where it has changed by the time this arrives, nothing is decided. `who` is the member
 * whose claim it is, for the list of unsent acts.
 */
function decisionOn(communityId: string, { claimId, version, who }: Seen, decision: DecisionOnly) {
  const path = `/api/communities/${communityId}/claims/${claimId}/decision`;
  const label = DECISION_WORDS[decision.decision]({ who });
  const body = { ...decision, version } satisfies NewDecision;
  return { communityId, within: ofClaim(claimId), path, body, label, subject: decisionSubject(claimId) };
}

/**
 * Decides several claims alike. Each stays an act of its own: one that lost its race holds up no other and is told of.
 * Answers whether the device has kept them all.
 */
export async function decideAll(
  communityId: string,
  claims: readonly Seen[],
  decision: DecisionOnly,
): Promise<boolean> {
  if (claims.length === 0) return true;
  const n = number(claims.length);
  const who = claims.length === 1 ? (claims[0]?.who ?? '') : m.leader_several({ count: claims.length, n });
  const commands = claims.map((seen) => decisionOn(communityId, seen, decision));
  return (await press(commands, DECISION_WORDS[decision.decision]({ who }))) !== null;
}

/** Takes an approval back, with its points. */
export function reverse(communityId: string, claimId: string, who: string, reason: string): CommandResult {
  const path = `/api/communities/${communityId}/claims/${claimId}/reversal`;
  const label = m.leader_reverse_label({ who });
  return enqueueCommand(
    { communityId, within: ofClaim(claimId), path, body: { reason }, label, subject: decisionSubject(claimId) },
    true,
  );
}

/** Gives (or takes, below zero) points by hand. */
export function adjust(communityId: string, member: Someone, points: number, reason: string): CommandResult {
  const path = `/api/communities/${communityId}/adjustments`;
  const body = { userId: member.id, points, reason };
  const label = m.leader_adjust_label({ points: signed(points), who: member.displayName });
  return enqueueCommand({ communityId, path, body, label, subject: pointsSubject(member.id) }, true);
}

/** Gives a member a task that only leaders can give. */
export function grant(
  communityId: string,
  task: { id: string; title: string },
  member: Someone,
  reason: string,
): CommandResult {
  const path = `/api/communities/${communityId}/tasks/${task.id}/grants`;
  const label = m.leader_grant_label({ task: task.title, who: member.displayName });
  return enqueueCommand(
    { communityId, path, body: { userId: member.id, reason }, label, subject: pointsSubject(member.id) },
    true,
  );
}

export function setRole(communityId: string, member: Someone, role: CommunityRole): CommandResult {
  const path = `/api/communities/${communityId}/members/${member.id}/role`;
  const label = m.leader_role_label({ who: member.displayName, role: roleWord(role) });
  return enqueueCommand(
    { communityId, method: 'PUT', path, body: { role }, label, subject: memberSubject(member.id) },
    true,
  );
}

export function remove(communityId: string, member: Someone, reason: string): CommandResult {
  const path = `/api/communities/${communityId}/members/${member.id}/removal`;
  const label = m.leader_remove_label({ who: member.displayName });
  return enqueueCommand({ communityId, path, body: { reason }, label, subject: memberSubject(member.id) }, true);
}

export function announce(communityId: string, announcement: Sent): CommandResult {
  const path = `/api/communities/${communityId}/announcements`;
  const label = m.leader_announce_label({ title: announcement.title });
  const subject = announcementSubject(crypto.randomUUID());
  return enqueueCommand({ communityId, path, body: announcement, label, subject }, true);
}

/** Changes an announcement, and with it a notification that is not sent yet. */
export function changeAnnouncement(communityId: string, id: string, announcement: Sent): CommandResult {
  const path = `/api/communities/${communityId}/announcements/${id}`;
  const label = m.compose_change({ title: announcement.title });
  return enqueueCommand(
    { communityId, method: 'PUT', path, body: announcement, label, subject: announcementSubject(id) },
    true,
  );
}

const takenBack = (communityId: string, path: string, { id, title }: { id: string; title: string }): CommandResult =>
  enqueueCommand(
    {
      communityId,
      method: 'DELETE',
      path: `/api/communities/${communityId}/${path}/${id}`,
      body: undefined,
      label: m.leader_unannounce_label({ title }),
      subject: announcementSubject(id),
    },
    true,
  );
export const takeBack = (communityId: string, announcement: { id: string; title: string }): CommandResult =>
  takenBack(communityId, 'announcements', announcement);
/** Of a notification that stands on nobody's Today. */
export const takeBackCampaign = (communityId: string, campaign: { id: string; title: string }): CommandResult =>
  takenBack(communityId, 'campaigns', campaign);
