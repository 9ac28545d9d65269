import type { Fragment, Sql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import type { Reach, ReachQuery } from '../../contract/campaigns.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { NOTIFICATION_CAP_DEFAULT } from '../../contract/limits.ts';
import { localDay } from '../../domain/periods.ts';
import { afterQuiet } from '../../domain/quiet-hours.ts';
import { zoneOf } from '../../storage/zone.ts';
import type { Audience } from './notify.ts';
import { audienceScope, ownMoment } from './spread.ts';

type ReachScope = { communityId: string | null; userId: string; query: ReachQuery };

function audienceOf(userId: string, { roles, minPoints, activeDays }: ReachQuery): Audience {
  return {
    except: userId,
    ...(roles && { roles: roles.split(',') as CommunityRole[] }),
    ...(minPoints && { minPoints: Number(minPoints) }),
    ...(activeDays && { activeDays: Number(activeDays) }),
  };
}

/**
 * The expected reach of an announcement, by the rules of `spread.ts`: channel, browsers, the bot's permission, and
 * today's limit. For a later day it uses what is known now.
 */
export async function readReach(
  { sql, config, now: clock }: Pick<Runtime, 'sql' | 'config' | 'now'>,
  { communityId, userId, query }: ReachScope,
): Promise<Reach> {
  const now = clock();
  const sendAt = query.sendAt === undefined ? now : new Date(Math.max(now.getTime(), Date.parse(query.sendAt)));
  const { requiredChannel, botToken } = config.telegram;
  const meant = sql`
    u.suspended_at is null and u.id <> ${userId}
    and ${audienceScope(sql, { communityId, userId: null, audience: audienceOf(userId, query) })}
    and ${requiredChannel === null ? sql`true` : sql`u.membership not in ('left', 'kicked')`}`;
  const days = await readDays(sql, meant, sendAt, query.localTime ?? null);
  const [row] = await sql<[Reach]>`
    with meant as (
      select u.id, ${zoneOf(sql, sendAt)} as zone, s.quiet_from, s.quiet_to, s.daily_cap,
        coalesce(own.channel, everywhere.channel, 'push') as channel, s.telegram_refused_at is null as hears,
        (select count(*) from push_subscriptions p join sessions o on o.id = p.session_id
          where p.user_id = u.id and o.expires_at > ${now}) as browsers
      from users u
      left join notification_settings s on s.user_id = u.id
      left join notification_choices own on own.user_id = u.id and own.topic = 'announcement'
        and own.community_id = ${communityId}
      left join notification_choices everywhere on everywhere.user_id = u.id and everywhere.topic = 'announcement'
        and everywhere.community_id is null
      where ${meant}
    ), told as (
      select m.channel, m.channel in ('push', 'both') and m.browsers > 0 as by_push, m.browsers,
        ${botToken !== null} and m.hears and m.channel <> 'none' as by_bot,
        coalesce(n.count >= coalesce(m.daily_cap, ${NOTIFICATION_CAP_DEFAULT}), false) as has_enough
      from meant m
      left join unnest(${days.map(({ zone }) => zone)}::text[], ${days.map(({ from }) => from)}::int[],
        ${days.map(({ to }) => to)}::int[], ${days.map(({ day }) => day)}::date[]) as d (zone, quiet_from, quiet_to, day)
        on d.zone = m.zone and d.quiet_from is not distinct from m.quiet_from
          and d.quiet_to is not distinct from m.quiet_to
      left join notification_days n on n.user_id = m.id and n.day = d.day
    )
    select count(*)::int as everybody, count(*) filter (where by_push and not has_enough)::int as push,
      coalesce(sum(browsers) filter (where by_push and not has_enough), 0)::int as browsers,
      count(*) filter (where by_bot and not by_push and not has_enough)::int as telegram,
      count(*) filter (where channel = 'none')::int as "optedOut",
      count(*) filter (where (by_push or by_bot) and has_enough)::int as capped
    from told`;
  return row;
}

type Day = { zone: string; from: number | null; to: number | null; day: string };
/** The local day of delivery per zone and quiet hours. */
async function readDays(sql: Sql, meant: Fragment, sendAt: Date, localTime: string | null): Promise<Day[]> {
  const rows = await sql<Omit<Day, 'day'>[]>`
    select distinct ${zoneOf(sql, sendAt)} as zone, s.quiet_from as from, s.quiet_to as to
    from users u left join notification_settings s on s.user_id = u.id where ${meant}`;
  return rows.map((row) => {
    const quiet = row.from === null || row.to === null ? null : { from: row.from, to: row.to };
    const at = afterQuiet(ownMoment(sendAt, row.zone, localTime), row.zone, quiet);
    return { ...row, day: localDay(at, row.zone) };
  });
}
