import type { CommunityRole } from '../../../../server/contract/community.ts';
import type { NewDecision } from '../../../../server/contract/review.ts';
import { number, signed } from '../../../lib/format.ts';
import { announcementSubject, decisionSubject, memberSubject, pointsSubject } from '../../../lib/subjects.ts';
import { m } from '../../../paraglide/messages.js';
import { enqueueCommand, press } from '../../../shared/commands/member-commands.ts';
import { roleWord } from '../../../shared/tasks/words.ts';
import type { Sent } from '../../composer/written.ts';

/** Commands of leaders and moderators that work offline: each is stored on the device and sent in order. */
type CommandResult = Promise<string | null>;
type Someone = { id: string; displayName: string };
/** A claim as its reviewer saw it, and its member. */
export type Seen = { claimId: string; version: number; who: string };

type DecisionOnly = Omit<NewDecision, 'version'>;

const DECISION_WORDS = {
  approve: m.leader_approve_label,
  reject: m.leader_reject_label,
  request_changes: m.leader_changes_label,
} as const;

/** Decisions on different claims are sent in parallel; commands on members keep their order among all others. */
const claimLane = (claimId: string): string => `claim:${claimId}`;

/**
 * Decides a claim in the version that was seen: if it has changed when this arrives, nothing is decided. `who` is the
 * claim's member, for the list of unsent commands.
 */
function decisionOn(communityId: string, { claimId, version, who }: Seen, decision: DecisionOnly) {
  const path = `/api/communities/${communityId}/claims/${claimId}/decision`;
  const label = DECISION_WORDS[decision.decision]({ who });
  const body = { ...decision, version } satisfies NewDecision;
  return { communityId, within: claimLane(claimId), path, body, label, subject: decisionSubject(claimId) };
}

/**
 * Decides several claims alike, each by its own command: one that conflicts is reported and delays no other. Answers
 * whether the device has stored them all.
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

export function reverse(communityId: string, claimId: string, who: string, reason: string): CommandResult {
  const path = `/api/communities/${communityId}/claims/${claimId}/reversal`;
  const label = m.leader_reverse_label({ who });
  return enqueueCommand(
    { communityId, within: claimLane(claimId), path, body: { reason }, label, subject: decisionSubject(claimId) },
    true,
  );
}

/** Grants points by hand, or deducts them when negative. */
export function adjust(communityId: string, member: Someone, points: number, reason: string): CommandResult {
  const path = `/api/communities/${communityId}/adjustments`;
  const body = { userId: member.id, points, reason };
  const label = m.leader_adjust_label({ points: signed(points), who: member.displayName });
  return enqueueCommand({ communityId, path, body, label, subject: pointsSubject(member.id) }, true);
}

/** Awards a task that only leaders can give. */
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

/** Changes an announcement, and its notification if that is not sent yet. */
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
/** For a notification that is not on Today. */
export const takeBackCampaign = (communityId: string, campaign: { id: string; title: string }): CommandResult =>
  takenBack(communityId, 'campaigns', campaign);
