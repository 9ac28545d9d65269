import type { ISql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { zonesOf } from '../../storage/zone.ts';

export type Person = { id: string; timeZone: string; zoneBefore: string | null; zoneFrom: Date | null; now: Date };
export type BotCommunity = { id: string; slug: string; name: string; isPublic: boolean; role: CommunityRole | null };

/**
 * The account of a person who writes to the bot; null without one, or while suspended or out of the required channel.
 */
export async function personOf(sql: ISql, { config, now: clock }: Runtime, telegramId: number): Promise<Person | null> {
  const now = clock();
  const isChannelRequired = config.telegram.requiredChannel !== null;
  const [row] = await sql<Omit<Person, 'now'>[]>`
    select u.id, ${zonesOf(sql, now)} from users u
    where u.telegram_user_id = ${telegramId} and u.suspended_at is null
      and ${isChannelRequired ? sql`u.membership not in ('left', 'kicked')` : sql`true`}`;
  return row ? { ...row, now } : null;
}

/** A community as this person may see it: a private one only as a member. */
export async function findCommunity(
  sql: ISql,
  userId: string | null,
  communityId: string,
): Promise<BotCommunity | null> {
  const [community] = await sql<BotCommunity[]>`
    select c.id, c.slug, c.name, c.visibility = 'public' as "isPublic", m.role from communities c
    left join community_members m on m.community_id = c.id and m.user_id = ${userId}
    where c.id = ${communityId} and c.status = 'active' and (c.visibility = 'public' or m.role is not null)`;
  return community ?? null;
}

/** The community that a person talks about in private: the one they came by the link of, else where they were active or joined last. */
export async function lastCommunity(sql: ISql, userId: string): Promise<BotCommunity | null> {
  const [row] = await sql<{ id: string }[]>`
    select m.community_id as id from community_members m
    join communities c on c.id = m.community_id and c.status = 'active'
    left join bot_places p on p.user_id = m.user_id and p.community_id = m.community_id
    left join lateral (
      select submitted_at from claims where community_id = m.community_id and user_id = m.user_id
      order by submitted_at desc limit 1) last on true
    where m.user_id = ${userId}
    order by p.user_id is null, coalesce(last.submitted_at, m.joined_at) desc limit 1`;
  return row ? findCommunity(sql, userId, row.id) : null;
}

export async function rememberCommunity(sql: ISql, userId: string, communityId: string, now: Date): Promise<void> {
  await sql`
    insert into bot_places (user_id, community_id, chosen_at) values (${userId}, ${communityId}, ${now})
    on conflict (user_id) do update set community_id = excluded.community_id, chosen_at = excluded.chosen_at`;
}
