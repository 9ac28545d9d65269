import type { ISql, TransactionSql } from 'postgres';
import { notFound } from '../../base/http-error.ts';
import type { Member, MemberDetail } from '../../contract/members.ts';
import { isId } from '../../domain/ids.ts';
import { readBadges } from '../badges/badges.ts';
import { readTrust } from '../rewards/trust.ts';

export type MemberRow = Omit<Member, 'joinedAt' | 'lastActiveAt'> & { joinedAt: Date; lastActiveAt: Date | null };

export const memberColumns = (sql: ISql) => sql`
  u.id, u.display_name as "displayName", u.telegram_username as "telegramUsername",
  u.twitter_username as "twitterUsername", m.role, m.joined_at as "joinedAt", coalesce(s.points, 0) as points,
  (select c.submitted_at from claims c where c.community_id = m.community_id and c.user_id = m.user_id
    order by c.submitted_at desc limit 1) as "lastActiveAt"`;
export const members = (sql: ISql) => sql`
  community_members m join users u on u.id = m.user_id
  left join scores s on s.community_id = m.community_id and s.user_id = m.user_id`;

export const memberOf = (row: MemberRow): Member => ({
  ...row,
  joinedAt: row.joinedAt.toISOString(),
  lastActiveAt: row.lastActiveAt?.toISOString() ?? null,
});

/** One member as the list shows them. Throws 404 `NOT_FOUND`. */
export async function readMember(sql: ISql, communityId: string, userId: string): Promise<Member> {
  const [row] = isId(userId)
    ? await sql<MemberRow[]>`
        select ${memberColumns(sql)} from ${members(sql)}
        where m.community_id = ${communityId} and m.user_id = ${userId}`
    : [];
  if (!row) throw notFound('member');
  return memberOf(row);
}

type Past = Pick<MemberDetail, 'approved' | 'rejected' | 'reversed' | 'invitedBy'>;

/** A member with what they did and the signals of trust. `sql` must be one snapshot. Throws 404 `NOT_FOUND`. */
export async function readMemberDetail(
  sql: TransactionSql,
  communityId: string,
  userId: string,
  now: Date,
): Promise<MemberDetail> {
  const member = await readMember(sql, communityId, userId);
  const [[past], badges, trust] = await Promise.all([
    sql<[Past]>`
      select count(*) filter (where state = 'approved')::int as approved,
        count(*) filter (where state = 'rejected' and decided_by is not null)::int as rejected,
        count(*) filter (where state = 'reversed')::int as reversed,
        (select u.display_name from referrals r join users u on u.id = r.inviter_id
          where r.community_id = ${communityId} and r.invitee_id = ${userId}) as "invitedBy"
      from claims where community_id = ${communityId} and user_id = ${userId}`,
    readBadges(sql, userId, communityId),
    readTrust(sql, communityId, userId, now),
  ]);
  return { ...member, ...past, badges, trust };
}
