import type { ISql, TransactionSql } from 'postgres';
import type { MyCommunity } from '../../contract/communities.ts';
import { DIRECTORY_PAGE, LEDGER_PAGE, X_RELINK_LOCK_MS } from '../../contract/limits.ts';
import type { Profile } from '../../contract/user.ts';
import { localDay } from '../../domain/periods.ts';
import { streakOf } from '../../domain/streak.ts';
import type { Actor } from '../../http/handler.ts';
import { readBadges } from '../badges/badges.ts';
import { summaryColumns } from '../communities/rows.ts';
import { INSTANCE } from '../ledger/record.ts';
import { periodNow } from '../tasks/tasks.ts';
import { readDays } from './days.ts';

type Me = { createdAt: Date; xLinkedAt: Date | null; points: number };
type LedgerRow = Omit<Profile['ledger'][number], 'at'> & { at: Date };

/**
 * A member's own room as of one moment (`sql` must be one snapshot). Points and streak run over all communities;
 * the ledger shows the latest `LEDGER_PAGE` entries.
 */
export async function readProfile(sql: TransactionSql, actor: Actor, now: Date): Promise<Profile> {
  const { userId, timeZone } = actor;
  const [[me], communities, ledger, days, badges] = await Promise.all([
    sql<Me[]>`
      select created_at as "createdAt", x_linked_at as "xLinkedAt",
        (select coalesce(sum(points), 0)::int from standings where user_id = u.id and period = 'all' and community_id <> ${INSTANCE}) as points
      from users u where id = ${userId}`,
    sql<Profile['communities']>`
      select c.id, c.slug, c.name, m.role, coalesce(s.points, 0) as points
      from community_members m
      join communities c on c.id = m.community_id and c.status = 'active'
      left join standings s on s.community_id = m.community_id and s.period = 'all' and s.user_id = m.user_id
      where m.user_id = ${userId} order by m.joined_at, c.id limit ${DIRECTORY_PAGE}`,
    sql<LedgerRow[]>`
      select e.id::text, e.at, e.kind, e.points, c.name as community, t.title as task, e.reason
      from point_events e
      join communities c on c.id = e.community_id
      left join tasks t on t.id = e.task_id
      where e.user_id = ${userId} order by e.at desc, e.id desc limit ${LEDGER_PAGE}`,
    readDays(sql, userId, null),
    readBadges(sql, userId, null),
  ]);
  if (!me) throw new Error('the person behind a session is gone');
  return {
    user: {
      id: userId,
      telegramUserId: actor.telegramUserId,
      telegramUsername: actor.telegramUsername,
      twitterUsername: actor.twitterUsername,
      isVerified: actor.isVerified,
      displayName: actor.displayName,
      role: actor.role,
    },
    joinedAt: me.createdAt.toISOString(),
    timeZone,
    points: me.points,
    timeZoneChangeAt: null,
    streak: streakOf(days, localDay(now, timeZone)),
    badges,
    relinkAllowedAt: relinkAllowedAt(me.xLinkedAt, now),
    communities: [...communities],
    ledger: ledger.map((row) => ({ ...row, at: row.at.toISOString() })),
  };
}

function relinkAllowedAt(linkedAt: Date | null, now: Date): string | null {
  if (!linkedAt) return null;
  const allowed = new Date(linkedAt.getTime() + X_RELINK_LOCK_MS);
  return allowed > now ? allowed.toISOString() : null;
}

/**
 * My communities in the order I joined them, each with what is to do there. A claim that was turned down leaves its
 * task open; leaders have no tasks of their own. At most `DIRECTORY_PAGE`.
 */
export async function readMyCommunities(
  sql: ISql,
  { userId, timeZone }: { userId: string; timeZone: string },
  now: Date,
): Promise<MyCommunity[]> {
  const rows = await sql<MyCommunity[]>`
    select ${summaryColumns(sql, userId)},
      coalesce(s.points, 0) as points,
      case when s.competes and s.points > 0 then (
        select 1 + count(*) from standings o
        where o.community_id = c.id and o.period = 'all' and o.competes and o.points > 0 and o.points > s.points
      )::int end as rank,
      case when mine.role = 'leader' then 0 else (
        select count(*) from tasks t
        where t.community_id = c.id and t.status = 'live' and not exists (
          select from claims l
          where l.community_id = t.community_id and l.task_id = t.id and l.user_id = ${userId}
            and l.period = ${periodNow(sql, { timeZone, now })} and l.state in ('submitted', 'approved'))
      ) end::int as todo,
      (select count(*)::int from claims w
        where w.community_id = c.id and w.user_id = ${userId} and w.state = 'submitted') as waiting,
      case when mine.role = 'member' then 0 else (
        select count(*) from claims r
        where r.community_id = c.id and r.state = 'submitted' and r.user_id <> ${userId}
      ) end::int as "toReview"
    from community_members mine
    join communities c on c.id = mine.community_id and c.status = 'active'
    left join standings s on s.community_id = c.id and s.period = 'all' and s.user_id = mine.user_id
    where mine.user_id = ${userId} order by mine.joined_at, c.id limit ${DIRECTORY_PAGE}`;
  return [...rows];
}
