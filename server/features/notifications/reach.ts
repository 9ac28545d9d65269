import type { Sql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import type { Reach, ReachQuery } from '../../contract/campaigns.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { NOTIFICATION_CAP_DEFAULT } from '../../contract/limits.ts';
import type { Channel } from '../../contract/push.ts';
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

/** People asked of a larger audience: ids are random, so the first people are like all. */
const ASKED_MOST = 1_000;
/** People that one statement asks: it reads some pages for each. */
const AT_ONCE = 50;

type AskedPerson = {
  zone: string;
  quietFrom: number | null;
  quietTo: number | null;
  cap: number | null;
  channel: Channel;
  hears: boolean;
  browsers: number;
  /** How many notifications they got on days of their own calendar. */
  days: Record<string, number>;
};

/**
 * The expected reach of an announcement, by the rules of `spread.ts`: channel, browsers, the bot's permission, and
 * today's limit. For a later day it uses what is known now. Of a large audience in proportion to `ASKED_MOST` of them.
 */
export async function readReach(
  { sql, config, now: clock }: Pick<Runtime, 'sql' | 'config' | 'now'>,
  scope: ReachScope,
): Promise<Reach> {
  const { communityId, userId, query } = scope;
  const now = clock();
  const sendAt = query.sendAt === undefined ? now : new Date(Math.max(now.getTime(), Date.parse(query.sendAt)));
  const { requiredChannel, botToken } = config.telegram;
  const meant = sql`
    u.suspended_at is null and u.id <> ${userId}
    and ${audienceScope(sql, { communityId, userId: null, audience: audienceOf(userId, query) })}
    and ${requiredChannel === null ? sql`true` : sql`u.membership not in ('left', 'kicked')`}`;
  const { ids, all } = await findPeople(sql, scope);
  const asked = ids.slice(0, ASKED_MOST);
  const told: AskedPerson[] = [];
  for (let from = 0; from < asked.length; from += AT_ONCE)
    told.push(
      ...(await sql<AskedPerson[]>`
        select u.zone, s.quiet_from as "quietFrom", s.quiet_to as "quietTo", s.daily_cap as cap,
          coalesce(own.channel, everywhere.channel, 'push') as channel, s.telegram_refused_at is null as hears,
          (select count(*)::int from push_subscriptions p join sessions o on o.id = p.session_id
            where p.user_id = u.id and o.expires_at > ${now}) as browsers,
          (select coalesce(jsonb_object_agg(n.day, n.count), '{}') from notification_days n
            where n.user_id = u.id and n.day >= ${sendAt}::date - 1) as days
        from unnest(${asked.slice(from, from + AT_ONCE)}::uuid[]) one (id)
        -- One by one: as a join of all its members would be read.
        cross join lateral (
          select u.id, ${zoneOf(sql, sendAt)} as zone from users u where u.id = one.id and ${meant} limit 1) u
        left join notification_settings s on s.user_id = u.id
        left join notification_choices own on own.user_id = u.id and own.topic = 'announcement'
          and own.community_id = ${communityId}
        left join notification_choices everywhere on everywhere.user_id = u.id and everywhere.topic = 'announcement'
          and everywhere.community_id is null`),
    );
  const hasEnough = limitOf(sendAt, query.localTime ?? null);
  const each = told.map((one) => {
    const isTold = { push: one.channel !== 'none' && one.channel !== 'telegram' && one.browsers > 0, bot: false };
    isTold.bot = botToken !== null && one.hears && one.channel !== 'none' && !isTold.push;
    return { ...one, isTold, isCapped: hasEnough(one) };
  });
  const reached = each.filter(({ isCapped }) => !isCapped);
  const byPush = reached.filter(({ isTold }) => isTold.push);
  const share = (count: number) => (asked.length === 0 ? 0 : Math.round((count * all) / asked.length));
  return {
    everybody: share(each.length),
    push: share(byPush.length),
    browsers: share(byPush.reduce((sum, { browsers }) => sum + browsers, 0)),
    telegram: share(reached.filter(({ isTold }) => isTold.bot).length),
    optedOut: share(each.filter(({ channel }) => channel === 'none').length),
    capped: share(each.filter(({ isTold, isCapped }) => isCapped && (isTold.push || isTold.bot)).length),
    workedOutFrom: all > asked.length ? asked.length : null,
  };
}

/** Tells whether a person has had enough on the day of delivery, by their zone and quiet hours. */
function limitOf(sendAt: Date, localTime: string | null): (one: AskedPerson) => boolean {
  const known = new Map<string, string>();
  return ({ zone, quietFrom: from, quietTo: to, cap, days }) => {
    const name = `${zone} ${from} ${to}`;
    const quiet = from === null || to === null ? null : { from, to };
    const day = known.get(name) ?? localDay(afterQuiet(ownMoment(sendAt, zone, localTime), zone, quiet), zone);
    known.set(name, day);
    return (days[day] ?? 0) >= (cap ?? NOTIFICATION_CAP_DEFAULT);
  };
}

/** People it may be for, in the order of their ids: all, or one more than are asked, with how many there are. */
async function findPeople(
  sql: Sql,
  { communityId, query: { roles } }: ReachScope,
): Promise<{ ids: string[]; all: number }> {
  const isStaff = roles !== undefined && !roles.split(',').includes('member');
  const here = communityId === null ? sql`true` : sql`community_id = ${communityId}`;
  const most = isStaff ? null : ASKED_MOST + 1;
  const people =
    isStaff || communityId !== null
      ? sql`select distinct user_id as id from community_members where ${here} and ${isStaff ? sql`role <> 'member'` : sql`true`}`
      : sql`select id from users`;
  const ids = (await sql<{ id: string }[]>`${people} order by 1 limit ${most}`).map(({ id }) => id);
  if (isStaff || ids.length <= ASKED_MOST) return { ids, all: ids.length };
  const [row] = await sql<[{ count: number }]>`
    select ${
      communityId === null
        ? // As of the last analysis of the table.
          sql`greatest(reltuples, ${ids.length})::int as count from pg_class where oid = 'users'::regclass`
        : sql`members as count from communities where id = ${communityId}`
    }`;
  return { ids, all: row.count };
}
