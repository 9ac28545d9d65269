import type { TransactionSql } from 'postgres';
import { notAllowed, notFound } from '../../base/http-error.ts';
import type { CommunityRole, CommunitySummary } from '../../contract/community.ts';
import { isId } from '../../domain/ids.ts';
import { requireALeader } from '../../domain/roles.ts';
import { prose } from '../../domain/text.ts';
import { audit } from '../audit/audit.ts';
import { closeOffer } from '../imports/closed-offers.ts';
import { matchPerson } from '../imports/match.ts';
import { lockCommunity } from '../ledger/lock.ts';
import { emit } from '../webhooks/emit.ts';
import { readSummary } from './rows.ts';

type MembershipScope = { communityId: string; userId: string; now: Date };
/** A leader's change to another member's membership. */
export type Over = MembershipScope & { leaderId: string };

/**
 * Makes the person a member; members keep their role. Points of an earlier membership count again. `invited` opens
 * private communities too. Throws 404 `NOT_FOUND` for private or suspended communities.
 */
export async function joinCommunity(
  tx: TransactionSql,
  { communityId, userId, now, invited = false }: MembershipScope & { invited?: boolean },
): Promise<CommunitySummary> {
  const [joined] = await tx`
    insert into community_members (community_id, user_id, role, joined_at)
    select id, ${userId}, 'member', ${now} from communities
    where id = ${communityId} and status = 'active' and (visibility = 'public' or ${invited})
    on conflict (community_id, user_id) do nothing returning user_id`;
  const summary = await readSummary(tx, communityId, userId);
  if (summary.role === null) throw notFound('community');
  if (joined) {
    await emit(tx, { communityId, event: 'member.joined', at: now, data: { userId } });
    // What an import brought for them here is theirs from now on.
    await matchPerson(tx, userId);
  }
  return summary;
}

/**
 * Ends one's own membership: the person leaves the board, their ledger stays.
 * Throws 409 `LAST_LEADER` for a leader who is the only one.
 */
export async function leaveCommunity(tx: TransactionSql, scope: MembershipScope): Promise<CommunitySummary> {
  const { communityId, userId, now } = scope;
  requireALeader(await holdLeaders(tx, communityId), userId);
  const [left] = await tx`
    delete from community_members where community_id = ${communityId} and user_id = ${userId} returning user_id`;
  if (left) {
    await closeOffer(tx, scope);
    await emit(tx, { communityId, event: 'member.left', at: now, data: { userId, removed: false } });
  }
  return readSummary(tx, communityId, userId);
}

/**
 * Ends a membership; the person may join again where anyone may. Throws 404 `NOT_FOUND`, 403 `NOT_ALLOWED`, 409
 * `LAST_LEADER`.
 */
export async function removeMember(tx: TransactionSql, over: Over, input: { reason: string }): Promise<void> {
  const { communityId, userId, leaderId, now } = over;
  const reason = prose('reason', input.reason);
  const { name, leaders } = await asLeader(tx, over);
  requireALeader(leaders, userId);
  await tx`delete from community_members where community_id = ${communityId} and user_id = ${userId}`;
  await closeOffer(tx, over);
  await emit(tx, { communityId, event: 'member.left', at: now, data: { userId, removed: true } });
  await audit(tx, {
    communityId,
    actorId: leaderId,
    action: 'member.removed',
    subject: name,
    subjectId: userId,
    reason,
    at: now,
  });
}

/** Changes a member's role. Throws 404 `NOT_FOUND`, 403 `NOT_ALLOWED`, 409 `LAST_LEADER`. */
export async function changeRole(tx: TransactionSql, over: Over, role: CommunityRole): Promise<void> {
  const { communityId, userId, leaderId, now } = over;
  const { name, leaders } = await asLeader(tx, over);
  if (role !== 'leader') requireALeader(leaders, userId);
  const [changed] = await tx`
    update community_members set role = ${role}
    where community_id = ${communityId} and user_id = ${userId} and role <> ${role} returning user_id`;
  if (!changed) return;
  await audit(tx, {
    communityId,
    actorId: leaderId,
    action: `member.made_${role}`,
    subject: name,
    subjectId: userId,
    at: now,
  });
}

/**
 * The member's name and the leaders, after checking that the actor still leads: another leader may just have ended
 * that.
 */
async function asLeader(
  tx: TransactionSql,
  { communityId, userId, leaderId }: Over,
): Promise<{ name: string; leaders: string[] }> {
  const leaders = await holdLeaders(tx, communityId);
  if (!leaders.includes(leaderId)) throw notAllowed('leader');
  const [member] = isId(userId)
    ? await tx<{ name: string }[]>`
        select u.display_name as name from community_members m join users u on u.id = m.user_id
        where m.community_id = ${communityId} and m.user_id = ${userId}`
    : [];
  if (!member) throw notFound('member');
  return { name: member.name, leaders };
}

/**
 * Locks the leaders for the transaction, so concurrent changes wait. It is the lock of every membership change
 * (`standings_follow_membership` in the schema): row locks would miss a future leader.
 */
async function holdLeaders(tx: TransactionSql, communityId: string): Promise<string[]> {
  await lockCommunity(tx, communityId);
  // Suspended leaders do not count: a community with only them would have no leader.
  const rows = await tx<{ userId: string }[]>`
    select m.user_id as "userId" from community_members m join users u on u.id = m.user_id
    where m.community_id = ${communityId} and m.role = 'leader' and u.suspended_at is null`;
  return rows.map((row) => row.userId);
}
