import type { ISql } from 'postgres';

/** How many people whom a member invited to the community count: they reached its threshold once. */
export async function qualifiedInvites(sql: ISql, communityId: string, userId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from referrals
    where community_id = ${communityId} and inviter_id = ${userId} and qualified_at is not null`;
  return row?.count ?? 0;
}
