import { notFound } from '../../../../server/base/http-error.ts';
import type { CommunityLedgerEntry, LedgerEntry } from '../../../../server/contract/ledger.ts';
import type { Member } from '../../../../server/contract/members.ts';
import { grant } from '../../../../server/domain/deciding.ts';
import { localDay } from '../../../../server/domain/periods.ts';
import { refuseLeader, requireALeader } from '../../../../server/domain/roles.ts';
import { prose } from '../../../../server/domain/text.ts';
import { trustOf } from '../../../../server/domain/trust.ts';
import { type AnswersFor, onePage } from './answers.ts';
import { badgesIn } from './badges.ts';
import { shownClaim } from './claim-shown.ts';
import { notifyMember } from './review.ts';
import { factsOf, findTask } from './tasks.ts';
import {
  type Asker,
  audit,
  type Community,
  type Entry,
  leadersOf,
  type Membership,
  membershipOf,
  note,
  record,
  recordClaim,
  roleIn,
  type StoredClaim,
  type World,
} from './world.ts';

const DAY_MS = 86_400_000;

function findMembership(community: Community, userId: string): Membership {
  const membership = membershipOf(community, userId);
  if (!membership) throw notFound('member');
  return membership;
}

function memberOf(world: World, community: Community, { userId, role, joinedAt }: Membership): Member {
  const person = world.personOf(userId);
  const sent = world.claimsOf(community.id).filter((claim) => claim.userId === userId);
  return {
    id: userId,
    displayName: person?.name ?? '',
    telegramUsername: person?.handle ?? null,
    twitterUsername: person?.handle ?? null,
    role,
    joinedAt,
    points: world.pointsOf(userId, community.id),
    lastActiveAt:
      sent
        .map(({ submittedAt }) => submittedAt)
        .sort()
        .at(-1) ?? null,
  };
}

const ORDERS: Record<'points' | 'joined' | 'name', (a: Member, b: Member) => number> = {
  points: (a, b) => b.points - a.points,
  joined: (a, b) => Date.parse(b.joinedAt) - Date.parse(a.joinedAt),
  name: (a, b) => a.displayName.toLowerCase().localeCompare(b.displayName.toLowerCase()),
};

/** A ledger entry with text from other records. */
export const shownEntry = (world: World, entry: Entry): LedgerEntry => ({
  id: entry.id,
  at: entry.at,
  kind: entry.kind,
  points: entry.points,
  community: world.communities.find(({ id }) => id === entry.communityId)?.name ?? '',
  task: world.titleOf(entry.taskId),
  reason: entry.reason,
  by: world.nameOf(entry.actorId),
});
const shownToLeaders = (world: World, entry: Entry): CommunityLedgerEntry => ({
  ...shownEntry(world, entry),
  userId: entry.userId,
  displayName: world.nameOf(entry.userId) ?? '',
});

export const memberAnswersForReviewers = {
  'GET /api/communities/:communityId/members': ({ asker, community, query }) => {
    const { search = '', role, order = 'points' } = query;
    const words = search.trim().replace(/^@/, '').toLowerCase();
    const items = community.members
      .filter((member) => role === undefined || member.role === role)
      .map((member) => memberOf(asker.world, community, member))
      .filter((member) => `${member.displayName} ${member.telegramUsername}`.toLowerCase().includes(words))
      .sort((a, b) => ORDERS[order](a, b) || a.id.localeCompare(b.id));
    return { ...onePage(items), total: items.length };
  },

  'GET /api/communities/:communityId/ledger': ({ asker: { world }, community, query: { userId } }) =>
    onePage(
      world.ledger
        .filter((entry) => entry.communityId === community.id && (userId === undefined || entry.userId === userId))
        .toReversed()
        .slice(0, 50)
        .map((entry) => shownToLeaders(world, entry)),
    ),
} satisfies AnswersFor<'moderator'>;

export const memberAnswersForLeaders = {
  'GET /api/communities/:communityId/members/:userId': ({ asker, community, params }) => {
    const { world, now } = asker;
    const membership = findMembership(community, params.userId);
    const claims = world.claimsOf(community.id).filter(({ userId }) => userId === membership.userId);
    const countOf = (state: string, byPerson = false) =>
      claims.filter((claim) => claim.state === state && (!byPerson || claim.deciderId !== null)).length;
    const daysSince = (at: string | undefined) => (at ? (now.getTime() - Date.parse(at)) / DAY_MS : 0);
    const person = world.personOf(membership.userId);
    const did = { approved: countOf('approved'), rejected: countOf('rejected', true), reversed: countOf('reversed') };
    const facts = {
      ...did,
      accountDays: daysSince(person?.joinedAt),
      memberDays: daysSince(membership.joinedAt),
      xLinked: true,
      burst: 0,
      alike: 0,
      invitedBeside: 0,
    };
    return {
      ...memberOf(world, community, membership),
      ...did,
      invitedBy: null,
      badges: person ? badgesIn(world, person, community.id) : [],
      trust: trustOf(facts),
    };
  },

  'PUT /api/communities/:communityId/members/:userId/role': ({ asker, community, params, body: { role } }) => {
    const membership = findMembership(community, params.userId);
    if (role !== 'leader') requireALeader(leadersOf(community), membership.userId);
    membership.role = role;
    const subject = asker.world.nameOf(membership.userId);
    audit(asker, community, `member.made_${role}`, subject);
    return memberOf(asker.world, community, membership);
  },

  'POST /api/communities/:communityId/members/:userId/removal': ({ asker, community, params, body }) => {
    const membership = findMembership(community, params.userId);
    requireALeader(leadersOf(community), membership.userId);
    community.members = community.members.filter((member) => member !== membership);
    const subject = asker.world.nameOf(membership.userId);
    audit(asker, community, 'member.removed', subject, prose('reason', body.reason));
    return { ok: true };
  },

  'POST /api/communities/:communityId/adjustments': ({ asker, community, body: { userId, points, reason } }) => {
    const { world, me } = asker;
    refuseLeader(findMembership(community, userId).role, 'They');
    const why = prose('reason', reason);
    const entry = { kind: 'adjust', points, communityId: community.id, userId, taskId: null, claimId: null } as const;
    const subject = `${world.nameOf(userId)}: ${points > 0 ? '+' : ''}${points}`;
    audit(asker, community, 'points.adjusted', subject, why);
    return shownToLeaders(world, record(asker, { ...entry, reason: why, actorId: me.id }));
  },

  'POST /api/communities/:communityId/tasks/:taskId/grants': ({ asker, community, params, body }) =>
    shownClaim(asker.world, give(asker, community, params.taskId, body)),
} satisfies AnswersFor<'leader'>;

function give(
  asker: Asker,
  community: Community,
  taskId: string,
  given: { userId: string; reason: string },
): StoredClaim {
  const { world, me, now } = asker;
  const { userId } = given;
  const reason = prose('reason', given.reason);
  const task = findTask(world, community, taskId);
  const member = world.personOf(userId);
  const role = roleIn(community, userId);
  if (!member || !role) throw notFound('task');
  const { timeZone } = member;
  const gates = factsOf({ ...asker, me: member }, community);
  const isHeld = (period: string) =>
    world.claims.some(
      (one) => one.taskId === task.id && one.userId === userId && one.period === period && one.state !== 'rejected',
    );
  const claim: StoredClaim = {
    ...grant({ task, role, timeZone, gates, isHeld }, { id: world.newId(), reason }, now),
    communityId: community.id,
    userId,
    deciderId: me.id,
    history: [],
    actedAt: now.toISOString(),
    day: localDay(now, timeZone),
  };
  world.claims.push(claim);
  note(asker, claim, 'given', null, { reason });
  const subject = `${task.title}: ${member.name}`;
  audit(asker, community, 'task.granted', subject, reason);
  recordClaim(asker, claim, 'award', me.id);
  notifyMember(asker, community, claim);
  return claim;
}
