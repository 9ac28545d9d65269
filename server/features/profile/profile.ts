import type { ISql, TransactionSql } from 'postgres';
import type { Actor } from '../../base/actor.ts';
import { HttpError } from '../../base/http-error.ts';
import type { MyCommunity } from '../../contract/communities.ts';
import { DIRECTORY_PAGE, TIME_ZONE_LOCK_MS, X_RELINK_LOCK_MS } from '../../contract/limits.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import type { Profile } from '../../contract/user.ts';
import { localDay, nextDay } from '../../domain/periods.ts';
import { streakOf } from '../../domain/streak.ts';
import { canonicalZone, chosenZone } from '../../domain/time-zone.ts';
import { readBadges } from '../badges/badges.ts';
import { readDays } from '../claims/days.ts';
import { appealsFor, waitingCounts } from '../claims/waiting.ts';
import { summaryColumns } from '../communities/rows.ts';
import { readLedger } from '../ledger/entries.ts';
import { INSTANCE } from '../ledger/record.ts';
import { EVER } from '../ledger/standings.ts';
import { countTodo } from '../tasks/todo.ts';

type Me = {
  createdAt: Date;
  xLinkedAt: Date | null;
  timeZone: string;
  timeZoneFrom: Date | null;
  timeZoneChangedAt: Date | null;
  points: number;
  hidden: boolean;
};

/**
 * A member's own room as of one moment (`sql` must be one snapshot). Points and streak run over all communities;
 * the ledger shows its first page.
 */
export async function readProfile(sql: TransactionSql, actor: Actor, now: Date): Promise<Profile> {
  const { userId } = actor;
  const [[me], communities, ledger, days, badges] = await Promise.all([
    sql<Me[]>`
      select created_at as "createdAt", x_linked_at as "xLinkedAt", time_zone as "timeZone",
        hidden_at is not null as hidden, time_zone_changed_at as "timeZoneChangedAt",
        case when time_zone_from > ${now} then time_zone_from end as "timeZoneFrom",
        (select coalesce(sum(points), 0)::float8 from scores where user_id = u.id and community_id <> ${INSTANCE}) as points
      from users u where id = ${userId}`,
    sql<Profile['communities']>`
      select c.id, c.slug, c.name, m.role, coalesce(s.points, 0) as points
      from community_members m
      join communities c on c.id = m.community_id and c.status = 'active'
      left join scores s on s.community_id = m.community_id and s.user_id = m.user_id
      where m.user_id = ${userId} order by m.joined_at, c.id limit ${DIRECTORY_PAGE}`,
    readLedger(sql, { userId }),
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
    timeZone: me.timeZone,
    timeZoneFrom: me.timeZoneFrom?.toISOString() ?? null,
    points: me.points,
    timeZoneChangeAt: allowedAgain(me.timeZoneChangedAt, TIME_ZONE_LOCK_MS, now),
    streak: streakOf(days, localDay(now, actor.timeZone)),
    badges,
    hidden: me.hidden,
    relinkAllowedAt: allowedAgain(me.xLinkedAt, X_RELINK_LOCK_MS, now),
    communities: [...communities],
    ledger: ledger.items,
  };
}

/** When something that was last done at `last` may be done again; null when that is now. */
function allowedAgain(last: Date | null, lockMs: number, now: Date): string | null {
  if (!last) return null;
  const allowed = new Date(last.getTime() + lockMs);
  return allowed > now ? allowed.toISOString() : null;
}

/**
 * Moves a member to another time zone, from the midnight on that ends their present day: no moment is of two days. Days that
 * were counted stay where they are. Throws 400 `INVALID_INPUT`, 409 `TIME_ZONE_LOCKED` (details: `{ allowedAt }`).
 */
export async function changeTimeZone(tx: TransactionSql, userId: string, name: string, now: Date): Promise<void> {
  const timeZone = chosenZone(name);
  // No stronger lock: another command of the same person may hold the row and would wait for this one.
  const [old] = await tx<{ chosen: string; timeZone: string; changedAt: Date | null }[]>`
    select time_zone as chosen, time_zone_changed_at as "changedAt",
      case when time_zone_from > ${now} then time_zone_before else time_zone end as "timeZone"
    from users where id = ${userId} for no key update`;
  if (!old || canonicalZone(old.chosen) === timeZone) return;
  const allowedAt = allowedAgain(old.changedAt, TIME_ZONE_LOCK_MS, now);
  if (allowedAt !== null) {
    const message = 'The time zone was changed a short while ago: it can be changed once in 30 days.';
    throw new HttpError(409, 'TIME_ZONE_LOCKED', message, {
      details: { allowedAt } satisfies ErrorDetails['TIME_ZONE_LOCKED'],
    });
  }
  await tx`
    update users set time_zone = ${timeZone}, time_zone_before = ${old.timeZone},
      time_zone_from = ${nextDay(now, old.timeZone)}, time_zone_changed_at = ${now}
    where id = ${userId}`;
  // The evening in which they are reminded is another from then on.
  await tx`update member_days set look_at = ${now} where user_id = ${userId} and community_id = ${INSTANCE}`;
}

/** Changes whether others see the member; other settings stay. */
export async function changeVisibility(tx: TransactionSql, userId: string, hidden: boolean, now: Date): Promise<void> {
  await tx`
    update users set hidden_at = case when ${hidden} then coalesce(hidden_at, ${now}) end where id = ${userId}`;
}

/** My communities in the order I joined them, each with what is to do there. At most `DIRECTORY_PAGE`. */
export async function readMyCommunities(
  sql: ISql,
  { userId, timeZone }: { userId: string; timeZone: string },
  now: Date,
): Promise<MyCommunity[]> {
  const rows = await sql<(Omit<MyCommunity, 'todo'> & { days: string[] })[]>`
    select ${summaryColumns(sql, userId)},
      coalesce(s.points, 0) as points,
      case c.board_state
        when 'open' then case when s.competes and s.points > 0 then (
          select rank from board_rank(c.id, 'all', ${EVER}, s.points)) end
        when 'frozen' then (
          select rank from frozen_boards f where f.community_id = c.id and f.period = 'all' and f.user_id = mine.user_id)
      end as rank,
      (select count(*)::int from claims w
        where w.community_id = c.id and w.user_id = ${userId} and w.state in ('submitted', 'checking')) as waiting,
      case when mine.role = 'member' then 0 else (
        select coalesce(sum(answers), 0) from ${waitingCounts(sql, { communityId: sql`mine.community_id`, reviewerId: userId })} w
      ) + (
        select count(*) from claims c where c.community_id = mine.community_id and ${appealsFor(sql, userId)}
      ) end::int as "toReview",
      array(select distinct d.local_day from claims d
        where d.user_id = ${userId} and d.state = 'approved' and d.community_id = c.id)::text[] as days
    from community_members mine
    join communities c on c.id = mine.community_id and c.status = 'active'
    left join scores s on s.community_id = c.id and s.user_id = mine.user_id
    where mine.user_id = ${userId} order by mine.joined_at, c.id limit ${DIRECTORY_PAGE}`;
  const todo = await countTodo(sql, { userId, timeZone, now }, rows);
  const today = localDay(now, timeZone);
  return rows.map(({ days, ...row }) => {
    const { days: streakDays, countedToday } = streakOf(days, today);
    return { ...row, todo: todo.get(row.id) ?? 0, streakDays, countedToday };
  });
}
