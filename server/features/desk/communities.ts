import type { ISql, TransactionSql } from 'postgres';
import { notFound } from '../../base/http-error.ts';
import type { DeskCommunitiesFilter, DeskCommunity, DeskCommunityDetail } from '../../contract/desk.ts';
import { ACCOUNTS_PAGE, NAMES_SHOWN, PERSON_HISTORY } from '../../contract/limits.ts';
import { cursorOf, pageOf, readCursor } from '../../domain/page.ts';
import { dayAfter, dayOf } from '../analytics/days.ts';
import { readWaiting } from '../claims/waiting.ts';
import { stateCounts } from '../tasks/state-counts.ts';

type Dated = 'createdAt' | 'lastAnswerAt' | 'featuredAt' | 'suspension';
type Row = Omit<DeskCommunity, Dated> & {
  createdAt: Date;
  lastAnswerAt: Date | null;
  featuredAt: Date | null;
  status: 'active' | 'suspended';
  suspendedAt: Date | null;
  suspendedUntil: Date | null;
  suspendedReason: string | null;
};
type DeskScope = {
  after?: string | undefined;
  search?: string | undefined;
  filter?: DeskCommunitiesFilter | undefined;
  now: Date;
};

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

const columns = (sql: ISql, now: Date) => sql`
  c.id, c.slug, c.name, c.visibility, c.created_at as "createdAt", c.members, c.status,
  c.suspended_at as "suspendedAt", c.suspended_until as "suspendedUntil", c.suspended_reason as "suspendedReason",
  c.featured_at as "featuredAt", c.counts_on_instance as counts,
  coalesce((select people from active_counts a
    where a.community_id = c.id and span = 'week' and starts = ${dayAfter(dayOf(now), -6)}), 0) as active7,
  (select a.submitted_at from claims a where a.community_id = c.id order by a.submitted_at desc limit 1) as "lastAnswerAt"`;

function communityOf({ status, suspendedAt, suspendedUntil, suspendedReason, ...row }: Row): DeskCommunity {
  // A suspension of an earlier release has no time: it counts as old as the community.
  const since = (suspendedAt ?? row.createdAt).toISOString();
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastAnswerAt: iso(row.lastAnswerAt),
    featuredAt: iso(row.featuredAt),
    suspension: status === 'active' ? null : { since, until: iso(suspendedUntil), reason: suspendedReason },
  };
}

/** Condition on `communities c`: part of its name or address, a leader's name or @name, or its whole id. */
function matching(sql: ISql, search: string) {
  const words = search.trim().replace(/^@/, '').toLowerCase();
  if (words === '') return sql`true`;
  return sql`(strpos(lower(c.name), ${words}) > 0 or strpos(c.slug, ${words}) > 0 or c.id::text = ${words} or exists (
    select from community_members m join users u on u.id = m.user_id where m.community_id = c.id and m.role = 'leader'
      and (strpos(lower(u.display_name), ${words}) > 0 or strpos(lower(u.telegram_username), ${words}) > 0)))`;
}

function only(sql: ISql, filter: DeskCommunitiesFilter) {
  if (filter === 'suspended') return sql`c.status = 'suspended'`;
  if (filter === 'featured') return sql`c.featured_at is not null`;
  return filter === 'counting' ? sql`c.counts_on_instance` : sql`true`;
}

/** One page of communities, newest first. Throws 400 `INVALID_INPUT` for an invalid `after`. */
export async function listForDesk(
  sql: ISql,
  { after, search = '', filter = 'all', now }: DeskScope,
): Promise<{ items: DeskCommunity[]; next: string | null; total: number }> {
  const position = readCursor(after);
  const wanted = sql`${matching(sql, search)} and ${only(sql, filter)}`;
  // Pages carry milliseconds, so rows are ordered by them.
  const at = sql`date_trunc('milliseconds', c.created_at)`;
  const beyond = position ? sql`(${at}, c.id) < (${position.at}, ${position.id}::uuid)` : sql`true`;
  const [rows, [total]] = await Promise.all([
    sql<Row[]>`
      select ${columns(sql, now)} from communities c
      where ${wanted} and ${beyond} order by ${at} desc, c.id desc limit ${ACCOUNTS_PAGE + 1}`,
    sql<{ count: number }[]>`select count(*)::int from communities c where ${wanted}`,
  ]);
  const page = pageOf(rows, ACCOUNTS_PAGE, {
    item: communityOf,
    cursor: (row) => cursorOf({ at: row.createdAt, id: row.id }),
  });
  return { ...page, total: total?.count ?? 0 };
}

type DetailRow = Row & { largeImportsAt: Date | null } & Pick<DeskCommunityDetail, 'description' | 'tasks' | 'answers'>;
type StaffRow = Omit<DeskCommunityDetail['staff'][number], 'lastSeenAt'> & { lastSeenAt: Date | null };
type HistoryRow = Omit<DeskCommunityDetail['history'][number], 'at'> & { at: Date };

/** One community with all details. Throws 404 `NOT_FOUND`. */
export async function readForDesk(
  sql: ISql | TransactionSql,
  placeId: string,
  now: Date,
): Promise<DeskCommunityDetail> {
  const [row] = await sql<DetailRow[]>`
    select ${columns(sql, now)}, c.description, c.large_imports_at as "largeImportsAt",
      (select count(*)::int from tasks t where t.community_id = c.id and t.status = 'live') as tasks,
      (select jsonb_build_object('approved', coalesce(sum(approved), 0), 'rejected', coalesce(sum(rejected), 0))
        from ${stateCounts(sql, placeId)} k) as answers
    from communities c where c.id = ${placeId}`;
  if (!row) throw notFound('community');
  const staff = await sql<StaffRow[]>`
    select u.id, u.display_name as "displayName", m.role, u.suspended_at is not null as "isSuspended",
      (select max(s.last_seen_at) from sessions s where s.user_id = u.id and s.expires_at > ${now}) as "lastSeenAt"
    from community_members m join users u on u.id = m.user_id
    where m.community_id = ${placeId} and m.role <> 'member' order by m.role, m.joined_at, u.id limit ${2 * NAMES_SHOWN}`;
  const history = await sql<HistoryRow[]>`
    select e.id::text, e.at, e.action, by.display_name as by, e.reason
    from audit_entries e left join users by on by.id = e.actor_id
    where e.subject_id = ${placeId} and e.community_id is null order by e.id desc limit ${PERSON_HISTORY}`;
  const waiting = await readWaiting(sql, placeId);
  const { description, tasks, answers, largeImportsAt, ...rest } = row;
  return {
    ...communityOf(rest),
    description,
    largeImportsAt: iso(largeImportsAt),
    tasks,
    answers: { ...answers, waiting: waiting.count },
    oldestWaitingAt: iso(waiting.oldestAt),
    staff: staff.map((one) => ({ ...one, lastSeenAt: iso(one.lastSeenAt) })),
    history: history.map((one) => ({ ...one, at: one.at.toISOString() })),
  };
}
