import type { ISql } from 'postgres';
import type { Badge, BadgeCode } from '../../contract/badges.ts';

export type BadgeRow = { code: BadgeCode; communityId: string | null; earnedAt: Date | string };

/** The badges of `readBadges` in one community as JSON, in text; `user` and `place` name parameters. */
export const badgesText = (user: string, community: string) => `(
  select coalesce(jsonb_agg(to_jsonb(one)), '[]') from (
    select code, community_id as "communityId", earned_at as "earnedAt" from badges
    where user_id = ${user}::uuid and community_id = ${community}::uuid order by earned_at desc, code) one)`;

/** Times are text where the row came as JSON. */
export const badgeOf = (row: BadgeRow): Badge => ({ ...row, earnedAt: new Date(row.earnedAt).toISOString() });

/** A person's badges, the latest first: those of one community, or (null) all of them. */
export async function readBadges(sql: ISql, userId: string, communityId: string | null): Promise<Badge[]> {
  const rows = await sql<BadgeRow[]>`
    select code, community_id as "communityId", earned_at as "earnedAt" from badges
    where user_id = ${userId} and (${communityId}::uuid is null or community_id = ${communityId}::uuid)
    order by earned_at desc, code`;
  return rows.map(badgeOf);
}
