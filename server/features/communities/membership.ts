import type { ISql } from 'postgres';
import type { CommunitySummary } from '../../contract/community.ts';
import { Refusal } from '../../http/refusal.ts';
import { readSummary } from './rows.ts';

type Asked = { communityId: string; userId: string };

/**
 * Makes the person a member; whoever is one already stays what they are. Points of an earlier membership stand again.
 * Must run in a transaction: it meets `decideClaim` at the claims that still wait.
 * Throws 404 `NOT_FOUND` where strangers cannot join: private or suspended communities.
 */
export async function joinCommunity(
  sql: ISql,
  { communityId, userId, now }: Asked & { now: Date },
): Promise<CommunitySummary> {
  await sql`
    select from claims where community_id = ${communityId} and user_id = ${userId} and state = 'submitted'
    order by id for update`;
  await sql`
    insert into community_members (community_id, user_id, role, joined_at)
    select id, ${userId}, 'member', ${now} from communities
    where id = ${communityId} and visibility = 'public' and status = 'active'
    on conflict (community_id, user_id) do nothing`;
  const summary = await readSummary(sql, communityId, userId);
  if (summary.role === null) throw new Refusal(404, 'NOT_FOUND', 'There is no such community.');
  return summary;
}

/**
 * Ends a membership: the person leaves the board, their ledger stays. Must run in a transaction.
 * Throws 409 `LAST_LEADER` for a leader who is the only one.
 */
export async function leaveCommunity(sql: ISql, { communityId, userId }: Asked): Promise<CommunitySummary> {
  // Two leaders who leave at the same moment meet here, in one order.
  const leaders = await sql<{ userId: string }[]>`
    select user_id as "userId" from community_members
    where community_id = ${communityId} and role = 'leader' order by user_id for update`;
  if (leaders.length === 1 && leaders[0]?.userId === userId) {
    throw new Refusal(409, 'LAST_LEADER', 'You are the only leader: a community cannot be left without one.');
  }
  await sql`delete from community_members where community_id = ${communityId} and user_id = ${userId}`;
  return readSummary(sql, communityId, userId);
}
