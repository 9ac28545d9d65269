import type { TransactionSql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { MEMBERS_PAGE, SEARCH_FOUND } from '../../contract/limits.ts';
import type { Member } from '../../contract/members.ts';
import { isId } from '../../domain/ids.ts';
import { pageOf } from '../../domain/page.ts';
import { anywhere, microsOf, momentAt } from '../../storage/places.ts';
import { type MemberRow, memberColumns, memberOf, members } from './members.ts';

type Order = 'points' | 'joined' | 'name';
type Which = { communityId: string; role?: CommunityRole | undefined };
type MembersScope = Which & { after?: string | undefined; search?: string | undefined; order?: Order | undefined };
/** Null: none, so the place is behind all who have points. */
type Reached = { points: string; micros: string } | null;
type MemberPlace = { id: string; reached: Reached; joined: string };
type Row = MemberRow & { joinedMicros: string; reachedMicros: string | null };

/**
 * One page of members: who got most points first, latest first, or by name. With `search` those whose name or handle contains it,
 * of which `SEARCH_FOUND` are put in order; `total` is one more where there are more. `sql` must be one snapshot. Throws 400
 * `INVALID_INPUT` for an invalid `after`.
 */
export async function listMembers(
  sql: TransactionSql,
  { communityId, role, after, search = '', order = 'points' }: MembersScope,
): Promise<{ items: Member[]; next: string | null; total: number }> {
  const which = { communityId, role };
  const words = search.trim().replace(/^@/, '').toLowerCase();
  const place = after === undefined ? null : readMemberPlace(after, order);
  const most = MEMBERS_PAGE + 1;
  const ids =
    words !== '' || (role !== undefined && role !== 'member')
      ? await idsOfFew(sql, { ...which, words, order, place, most })
      : await idsInOrder(sql, { ...which, order, place, most });
  const rows = await sql<Row[]>`
    select ${memberColumns(sql)}, ${microsOf(sql, 'm.joined_at')} as "joinedMicros",
      ${microsOf(sql, 's.reached_at')} as "reachedMicros"
    from ${members(sql)} where m.community_id = ${communityId} and m.user_id = any(${ids}::uuid[])
    order by array_position(${ids}::uuid[], m.user_id)`;
  const page = pageOf(rows, MEMBERS_PAGE, {
    item: ({ joinedMicros: _, reachedMicros: __, ...row }) => memberOf(row),
    cursor: (row) => cursorIn(order, row),
  });
  return { ...page, total: await countMembers(sql, which, words) };
}

/** Points and times change or stay with the row; a name is looked up again, because it may be long. */
function cursorIn(order: Order, { id, points, joinedMicros, reachedMicros }: Row): string {
  if (order === 'joined') return `${joinedMicros}_${id}`;
  if (order === 'name') return id;
  return reachedMicros === null ? `none_${id}` : `${points}_${reachedMicros}_${id}`;
}

const PLACES: Record<Order, RegExp> = {
  points: /^(?:none|(?<points>-?\d{1,10})_(?<micros>-?\d{1,17}))_(?<id>[0-9a-f-]{36})$/,
  joined: /^(?<joined>-?\d{1,17})_(?<id>[0-9a-f-]{36})$/,
  name: /^(?<id>[0-9a-f-]{36})$/,
};

function readMemberPlace(after: string, order: Order): MemberPlace {
  const { id = '', joined = '', points, micros } = PLACES[order].exec(after)?.groups ?? {};
  if (!isId(id)) throw new HttpError(400, 'INVALID_INPUT', 'after: names no place in the list');
  return { id, joined, reached: points === undefined || micros === undefined ? null : { points, micros } };
}

type MembersPage = Which & { order: Order; place: MemberPlace | null; most: number };

/** Members `m` of a community, in a role where one is asked for. */
const ofRole = (sql: TransactionSql, { communityId, role }: Which) => sql`
  m.community_id = ${communityId} and ${role === undefined ? sql`true` : sql`m.role = ${role}`}`;

/** Behind a place, in the order of an index of `community_members m`. */
function beyond(sql: TransactionSql, { communityId, order, place }: MembersPage) {
  if (place === null) return sql`true`;
  if (order === 'joined') return sql`(m.joined_at, m.user_id) < (${momentAt(sql, place.joined)}, ${place.id}::uuid)`;
  return sql`(m.words collate "C", m.user_id) > ((select words collate "C" from community_members
    where community_id = ${communityId} and user_id = ${place.id}), ${place.id}::uuid)`;
}

const by = (sql: TransactionSql, order: Order) =>
  order === 'joined' ? sql`m.joined_at desc, m.user_id desc` : sql`m.words collate "C", m.user_id`;

/** Members who hold a role, or whose words match: few enough to put in order. */
async function idsOfFew(sql: TransactionSql, { words, ...asked }: MembersPage & { words: string }): Promise<string[]> {
  const { order, place, most } = asked;
  const behind =
    place?.reached === null
      ? sql`s.points is null and m.user_id > ${place.id}`
      : sql`(${behindPoints(sql, place)} or s.points is null)`;
  const rows = await sql<{ id: string }[]>`
    select m.user_id as id
    from (${foundOf(sql, asked, words)}) m
    left join scores s on s.community_id = m.community_id and s.user_id = m.user_id
    where ${order === 'points' ? behind : beyond(sql, asked)}
    order by ${order === 'points' ? sql`-s.points, s.reached_at, m.user_id` : by(sql, order)} limit ${most}`;
  return rows.map(({ id }) => id);
}

const foundOf = (sql: TransactionSql, which: Which, words: string, most = SEARCH_FOUND) => sql`
  select m.* from community_members m
  where ${ofRole(sql, which)} and ${
    words === '' ? sql`m.role <> 'member'` : sql`m.words like ${anywhere(words)}`
  } limit ${most}`;

const behindPoints = (sql: TransactionSql, place: MemberPlace | null) =>
  place?.reached
    ? sql`(-s.points, s.reached_at, s.user_id)
        > (-(${place.reached.points}::int), ${momentAt(sql, place.reached.micros)}, ${place.id}::uuid)`
    : sql`true`;

/** All members, in the order of an index. */
export async function idsInOrder(sql: TransactionSql, asked: MembersPage): Promise<string[]> {
  const { communityId, order, place, most } = asked;
  if (order !== 'points') {
    const rows = await sql<{ id: string }[]>`
      select m.user_id as id from community_members m where ${ofRole(sql, asked)} and ${beyond(sql, asked)}
      order by ${by(sql, order)} limit ${most}`;
    return rows.map(({ id }) => id);
  }
  // The board's index lacks leaders, suspended members and members without points; another index holds them.
  const part = (isOnBoard: ReturnType<TransactionSql>) => sql`
    select s.user_id, s.points, s.reached_at
    from scores s join community_members m on m.community_id = s.community_id and m.user_id = s.user_id
    where s.community_id = ${communityId} and ${isOnBoard} and ${ofRole(sql, asked)} and ${behindPoints(sql, place)}
    order by -s.points, s.reached_at, s.user_id limit ${most}`;
  const scored =
    place && place.reached === null
      ? []
      : await sql<{ id: string }[]>`
          select user_id as id from (
            (${part(sql`s.competes and s.points > 0`)}) union all (${part(sql`not (s.competes and s.points > 0)`)})
          ) s order by -points, reached_at, user_id limit ${most}`;
  const others =
    scored.length === most
      ? []
      : await sql<{ id: string }[]>`
          select m.user_id as id from community_members m
          where ${ofRole(sql, asked)} and ${place?.reached === null ? sql`m.user_id > ${place.id}` : sql`true`}
            and not exists (select from scores s where s.community_id = m.community_id and s.user_id = m.user_id)
          order by m.user_id limit ${most - scored.length}`;
  return [...scored, ...others].map(({ id }) => id);
}

/** How many there are; of a search at most one more than are found. */
async function countMembers(sql: TransactionSql, which: Which, words: string): Promise<number> {
  const { communityId, role } = which;
  const leading = sql`select count(*) from community_members where community_id = ${communityId} and role <> 'member'`;
  const [row] =
    words !== '' || (role !== undefined && role !== 'member')
      ? await sql<{ count: number }[]>`
          select count(*)::int from (${foundOf(sql, which, words, SEARCH_FOUND + 1)}) found`
      : await sql<{ count: number }[]>`
          select (members - case when ${role === undefined} then 0 else (${leading}) end)::int as count
          from communities where id = ${communityId}`;
  return row?.count ?? 0;
}
