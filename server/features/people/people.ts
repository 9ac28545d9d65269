import type { ISql, TransactionSql } from 'postgres';
import { notFound } from '../../base/http-error.ts';
import { TRUST_SHOWN } from '../../contract/desk-limits.ts';
import { ACCOUNTS_PAGE, COUNTED_MOST, PERSON_HISTORY, SEARCH_FOUND, SESSION_IDLE_MS } from '../../contract/limits.ts';
import type { PeopleFilter, Person, PersonDetail, Suspension } from '../../contract/people.ts';
import type { Erasure } from '../../contract/person-data.ts';
import { isId } from '../../domain/ids.ts';
import { pageOf } from '../../domain/page.ts';
import { anywhere, microsOf, momentAt, readPlace } from '../../storage/places.ts';
import { readTrust } from '../rewards/trust.ts';
import { readFormerNames } from './former-names.ts';

type Dated = 'joinedAt' | 'lastSeenAt' | 'suspension' | 'erasure';
type Row = Omit<Person, Dated> & {
  joinedAt: Date;
  lastSeenAt: Date | null;
  suspendedAt: Date | null;
  suspendedUntil: Date | null;
  suspendedReason: string | null;
  erasureAskedAt: Date | null;
  erasureDueAt: Date | null;
  erasureBy: Erasure['by'] | null;
};
type PeopleQuery = {
  after?: string | undefined;
  search?: string | undefined;
  filter?: PeopleFilter | undefined;
  now: Date;
};

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

const columns = (sql: ISql, now: Date) => sql`
  u.id, u.telegram_user_id::text as "telegramUserId", u.telegram_username as "telegramUsername",
  u.twitter_username as "twitterUsername", u.is_verified as "isVerified", u.display_name as "displayName", u.role,
  u.created_at as "joinedAt", e.asked_at as "erasureAskedAt", e.due_at as "erasureDueAt", e.asked_by as "erasureBy",
  -- While an erasure waits, the suspension that stood before is kept with it.
  case when e.user_id is null then u.suspended_at else e.suspended_at end as "suspendedAt",
  case when e.user_id is null then u.suspended_until else e.suspended_until end as "suspendedUntil",
  case when e.user_id is null then u.suspended_reason else e.suspended_reason end as "suspendedReason",
  (select max(s.last_seen_at) from sessions s where s.user_id = u.id and s.expires_at > ${now}) as "lastSeenAt"`;

/** Accounts that there are, `u`, with the erasure of each that waits, `e`. */
const accounts = (sql: ISql) => sql`
  users u left join erasures e on e.user_id = u.id and e.cancelled_at is null`;

function suspensionOf({
  suspendedAt,
  suspendedUntil,
  suspendedReason,
}: Pick<Row, 'suspendedAt' | 'suspendedUntil' | 'suspendedReason'>): Suspension | null {
  if (suspendedAt === null) return null;
  return { since: suspendedAt.toISOString(), until: iso(suspendedUntil), reason: suspendedReason };
}

function erasureOf(askedAt: Date | null, dueAt: Date | null, by: Erasure['by'] | null): Erasure | null {
  return askedAt && dueAt && by && { askedAt: askedAt.toISOString(), dueAt: dueAt.toISOString(), by };
}

function personOf(all: Row): Person {
  const { suspendedAt, suspendedUntil, suspendedReason, erasureAskedAt, erasureDueAt, erasureBy, ...row } = all;
  return {
    ...row,
    joinedAt: row.joinedAt.toISOString(),
    lastSeenAt: iso(row.lastSeenAt),
    suspension: suspensionOf(all),
    erasure: erasureOf(erasureAskedAt, erasureDueAt, erasureBy),
  };
}

/**
 * Ids of accounts: part of a name or handle, also of a former one, the beginning of a Telegram id, or an account's whole id. Each way
 * has its own index, which an `or` over them could not use, and its own end.
 */
function foundBy(sql: ISql, words: string, filter: PeopleFilter) {
  const most = SEARCH_FOUND + 1;
  const wanted = sql`u.erased_at is null and ${only(sql, filter)}`;
  const among = sql`select u.id from ${accounts(sql)} where ${wanted} and`;
  return sql`
    (${among} u.words like ${anywhere(words)} limit ${most})
    union (${among} u.telegram_user_id::text like ${anywhere(words).slice(1)} limit ${most})
    union (select u.id from former_names f join ${accounts(sql)} on u.id = f.user_id
      where ${wanted} and lower(f.name) like ${anywhere(words)} limit ${most})
    union (${among} u.id = ${isId(words) ? words : null})
    limit ${most}`;
}

function only(sql: ISql, filter: PeopleFilter) {
  if (filter === 'suspended')
    return sql`u.suspended_at is not null and (e.user_id is null or e.suspended_at is not null)`;
  return filter === 'staff' ? sql`u.role <> 'member'` : sql`true`;
}

/**
 * One page of accounts, newest first. Of a search `SEARCH_FOUND` are put in order, else `COUNTED_MOST` are counted: `total` is one
 * more where there are more.
 * `sql` must be one snapshot. Throws 400 `INVALID_INPUT` for an invalid `after`.
 */
export async function listPeople(
  sql: TransactionSql,
  { after, search = '', filter = 'all', now }: PeopleQuery,
): Promise<{ items: Person[]; next: string | null; total: number }> {
  const position = readPlace(after);
  const words = search.trim().replace(/^@/, '').toLowerCase();
  const found = words === '' ? null : (await sql<{ id: string }[]>`${foundBy(sql, words, filter)}`).map(({ id }) => id);
  const wanted = sql`
    u.erased_at is null and ${only(sql, filter)}
    and ${found === null ? sql`true` : sql`u.id = any(${found.slice(0, SEARCH_FOUND)}::uuid[])`}`;
  const beyond = position
    ? sql`(u.created_at, u.id) < (${momentAt(sql, position.micros)}, ${position.id}::uuid)`
    : sql`true`;
  const rows = await sql<(Row & { micros: string })[]>`
    select ${columns(sql, now)}, ${microsOf(sql, 'u.created_at')} as micros from ${accounts(sql)}
    where ${wanted} and ${beyond} order by u.created_at desc, u.id desc limit ${ACCOUNTS_PAGE + 1}`;
  const page = pageOf(rows, ACCOUNTS_PAGE, {
    item: ({ micros: _, ...row }) => personOf(row),
    cursor: ({ micros, id }) => `${micros}_${id}`,
  });
  return { ...page, total: found?.length ?? (await countPeople(sql, filter)) };
}

async function countPeople(sql: ISql, filter: PeopleFilter): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int from (
      select from ${accounts(sql)} where u.erased_at is null and ${only(sql, filter)} limit ${COUNTED_MOST + 1}) counted`;
  return row.count;
}

type DetailRow = Row & {
  xLinkedAt: Date | null;
} & Pick<PersonDetail, 'xLinkedBy' | 'timeZone' | 'membership' | 'claims' | 'communities' | 'devices'>;
type SessionRow = Omit<PersonDetail['sessions'][number], 'createdAt' | 'lastSeenAt'> & {
  createdAt: Date;
  lastSeenAt: Date;
};
type HistoryRow = Omit<PersonDetail['history'][number], 'at'> & { at: Date };

/** One account with all details. Throws 404 `NOT_FOUND`. */
export async function readPerson(sql: ISql, userId: string, now: Date): Promise<PersonDetail> {
  const [row] = isId(userId)
    ? await sql<DetailRow[]>`
        select ${columns(sql, now)}, u.x_linked_at as "xLinkedAt",
          case when u.twitter_username is not null then coalesce(u.x_linked_by, 'oauth') end as "xLinkedBy", u.time_zone as "timeZone", u.membership,
          (select jsonb_build_object(
            'waiting', count(*) filter (where c.state in ('submitted', 'checking')),
            'approved', count(*) filter (where c.state = 'approved'),
            'rejected', count(*) filter (where c.state = 'rejected'),
            'reversed', count(*) filter (where c.state = 'reversed'))
            from claims c where c.user_id = u.id) as claims,
          (select coalesce(jsonb_agg(jsonb_build_object(
              'id', c.id, 'slug', c.slug, 'name', c.name, 'role', m.role, 'points', coalesce(s.points, 0))
              order by m.joined_at, c.id), '[]')
            from community_members m join communities c on c.id = m.community_id
            left join scores s on s.community_id = c.id and s.user_id = u.id
            where m.user_id = u.id) as communities,
          (select count(*)::int from push_subscriptions p where p.user_id = u.id) as devices
        from ${accounts(sql)} where u.id = ${userId} and u.erased_at is null`
    : [];
  if (!row) throw notFound('account');
  const [sessions, history, formerNames, trust] = await Promise.all([
    readSessions(sql, userId, now),
    readHistory(sql, userId),
    readFormerNames(sql, userId),
    readTrustOf(sql, userId, row.communities, now),
  ]);
  const { xLinkedAt, xLinkedBy, timeZone, membership, claims, communities, devices, ...person } = row;
  return {
    ...personOf(person),
    xLinkedAt: iso(xLinkedAt),
    xLinkedBy,
    timeZone,
    membership,
    claims,
    communities,
    devices,
    formerNames,
    trust,
    sessions,
    history,
  };
}

/** In the account's communities with the most points; leaders do not compete there. */
function readTrustOf(
  sql: ISql,
  userId: string,
  communities: PersonDetail['communities'],
  now: Date,
): Promise<PersonDetail['trust']> {
  const shown = communities.toSorted((a, b) => b.points - a.points).slice(0, TRUST_SHOWN);
  return Promise.all(
    shown.map(async ({ id, name }) => ({ communityId: id, name, ...(await readTrust(sql, id, userId, now)) })),
  );
}

async function readSessions(sql: ISql, userId: string, now: Date): Promise<PersonDetail['sessions']> {
  const rows = await sql<SessionRow[]>`
    select id, kind, created_at as "createdAt", last_seen_at as "lastSeenAt", user_agent as "userAgent" from sessions
    where user_id = ${userId} and expires_at > ${now} and last_seen_at > ${new Date(now.getTime() - SESSION_IDLE_MS)}
    order by last_seen_at desc, id`;
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
  }));
}

async function readHistory(sql: ISql, userId: string): Promise<PersonDetail['history']> {
  const rows = await sql<HistoryRow[]>`
    select e.id::text, e.at, e.action, by.display_name as by, c.name as community, e.reason
    from audit_entries e left join users by on by.id = e.actor_id left join communities c on c.id = e.community_id
    where e.subject_id = ${userId} order by e.id desc limit ${PERSON_HISTORY}`;
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
