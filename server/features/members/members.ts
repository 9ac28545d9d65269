import type { ISql, TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { MEMBERS_PAGE } from '../../contract/limits.ts';
import type { Member, MemberDetail } from '../../contract/members.ts';
import { isId } from '../../domain/ids.ts';
import { pageOf } from '../../domain/page.ts';
import { anywhere, microsOf, momentAt } from '../../storage/places.ts';
import { readBadges } from '../badges/badges.ts';
import { readTrust } from '../rewards/trust.ts';

type Row = Omit<Member, 'joinedAt' | 'lastActiveAt'> & { joinedAt: Date; lastActiveAt: Date | null };
type Placed = Row & { joinedMicros: string };
type Order = 'points' | 'joined' | 'name';
type MembersScope = {
  communityId: string;
  after?: string | undefined;
  search?: string | undefined;
  role?: CommunityRole | undefined;
  order?: Order | undefined;
};

const memberColumns = (sql: ISql) => sql`
  u.id, u.display_name as "displayName", u.telegram_username as "telegramUsername",
  u.twitter_username as "twitterUsername", m.role, m.joined_at as "joinedAt", coalesce(s.points, 0) as points,
  (select c.submitted_at from claims c where c.community_id = m.community_id and c.user_id = m.user_id
    order by c.submitted_at desc limit 1) as "lastActiveAt"`;
const members = (sql: ISql) => sql`
  community_members m join users u on u.id = m.user_id
  left join scores s on s.community_id = m.community_id and s.user_id = m.user_id`;

const memberOf = (row: Row): Member => ({
  ...row,
  joinedAt: row.joinedAt.toISOString(),
  lastActiveAt: row.lastActiveAt?.toISOString() ?? null,
});

/**
 * One page of members whose name or handle contains `search`: most points first, latest first, or by name. `sql` must
 * be one snapshot. Throws 400 `INVALID_INPUT` for an invalid `after`.
 */
export async function listMembers(
  sql: TransactionSql,
  { communityId, after, search = '', role, order = 'points' }: MembersScope,
): Promise<{ items: Member[]; next: string | null; total: number }> {
  const words = search.trim().replace(/^@/, '').toLowerCase();
  const wanted = sql`
    m.community_id = ${communityId}
    and ${role === undefined ? sql`true` : sql`m.role = ${role}`}
    and ${words === '' ? sql`true` : sql`m.words like ${anywhere(words)}`}`;
  const [rows, total] = await Promise.all([
    sql<Placed[]>`
      select ${memberColumns(sql)}, ${microsOf(sql, 'm.joined_at')} as "joinedMicros" from ${members(sql)}
      where ${wanted} and ${after === undefined ? sql`true` : beyond(sql, order, after)}
      order by ${by(sql, order)} limit ${MEMBERS_PAGE + 1}`,
    words === '' && role === undefined
      ? sql<{ count: number }[]>`select members as count from communities where id = ${communityId}`
      : sql<{ count: number }[]>`select count(*)::int from community_members m where ${wanted}`,
  ]);
  const item = ({ joinedMicros: _, ...row }: Placed) => memberOf(row);
  const cursor = (row: Placed) => cursorIn(order, row);
  return { ...pageOf(rows, MEMBERS_PAGE, { item, cursor }), total: total[0]?.count ?? 0 };
}

function by(sql: ISql, order: Order) {
  if (order === 'points') return sql`coalesce(s.points, 0) desc, u.id`;
  return order === 'joined' ? sql`m.joined_at desc, m.user_id desc` : sql`lower(u.display_name) collate "C", u.id`;
}

/** Points and times change or stay with the row; a name is looked up again, because it may be long. */
function cursorIn(order: Order, row: Placed): string {
  if (order === 'name') return row.id;
  return `${order === 'points' ? row.points : row.joinedMicros}_${row.id}`;
}

function beyond(sql: ISql, order: Order, after: string) {
  const [, value, id = ''] = /^(?:(-?\d{1,17})_)?([0-9a-f-]{36})$/.exec(after) ?? [];
  if (!isId(id) || (value === undefined) !== (order === 'name')) {
    throw new HttpError(400, 'INVALID_INPUT', 'after: names no place in the list');
  }
  if (value === undefined) {
    return sql`(lower(u.display_name) collate "C", u.id)
      > (select lower(display_name) collate "C", id from users where id = ${id})`;
  }
  if (order === 'joined') return sql`(m.joined_at, m.user_id) < (${momentAt(sql, value)}, ${id}::uuid)`;
  return sql`(-coalesce(s.points, 0)::bigint, u.id) > (-(${value}::bigint), ${id}::uuid)`;
}

/** One member as the list shows them. Throws 404 `NOT_FOUND`. */
export async function readMember(sql: ISql, communityId: string, userId: string): Promise<Member> {
  const [row] = isId(userId)
    ? await sql<Row[]>`
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
