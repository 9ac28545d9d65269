import type { Sql } from 'postgres';
import type { InstanceReach } from '../../contract/campaigns.ts';
import type { Audience } from './notify.ts';
import { inInstance } from './spread.ts';

type Asked = { now: Date; bot: boolean; isChannelRequired: boolean };

/**
 * How many an announcement to the instance would go to now, and how, by what `spread.ts` looks at when it is sent. Quiet hours and
 * daily caps only tell then.
 */
export async function readInstanceReach(
  sql: Sql,
  audience: Audience,
  { now, bot, isChannelRequired }: Asked,
): Promise<InstanceReach> {
  const [row] = await sql<[InstanceReach]>`
    with wanted as (
      select coalesce(everywhere.channel, 'push') as channel, s.telegram_refused_at is null as hears,
        exists (select from push_subscriptions p join sessions o on o.id = p.session_id
          where p.user_id = u.id and o.expires_at > ${now}) as has_browser
      from users u
      left join notification_settings s on s.user_id = u.id
      left join notification_choices everywhere on everywhere.user_id = u.id and everywhere.topic = 'announcement'
        and everywhere.community_id is null
      where u.suspended_at is null and ${inInstance(sql, audience)}
        and ${isChannelRequired ? sql`u.membership not in ('left', 'kicked')` : sql`true`}
        and ${audience.except === undefined ? sql`true` : sql`u.id <> ${audience.except}`}
    ), told as (
      select channel, channel in ('push', 'both') and has_browser as by_push,
        ${bot} and hears and channel <> 'none' as by_bot from wanted
    )
    select count(*)::int as everybody, count(*) filter (where by_push)::int as push,
      count(*) filter (where by_bot and not by_push)::int as telegram,
      count(*) filter (where channel = 'none')::int as "optedOut"
    from told`;
  return row;
}
