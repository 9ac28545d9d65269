import type { ISql } from 'postgres';
import type { Badge, BadgeCode } from '../../contract/badges.ts';

/** A person's badges, the latest first: those of one community, or (null) all of them. */
export async function readBadges(sql: ISql, userId: string, communityId: string | null): Promise<Badge[]> {
  const rows = await sql<{ code: BadgeCode; communityId: string | null; earnedAt: Date }[]>`
    select code, community_id as "communityId", earned_at as "earnedAt" from badges
    where user_id = ${userId} and (${communityId}::uuid is null or community_id = ${communityId}::uuid)
    order by earned_at desc, code`;
  return rows.map((row) => ({ ...row, earnedAt: row.earnedAt.toISOString() }));
}
