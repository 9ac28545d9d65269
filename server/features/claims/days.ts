import type { ISql } from 'postgres';

/** The days of `readDays` in one community as a list. SQL text with parameter names. */
export const daysText = (user: string, community: string) => `array(
  select distinct local_day from claims
  where user_id = ${user}::uuid and state = 'approved' and community_id = ${community}::uuid)::text[]`;

/** Every day (`YYYY-MM-DD`) on which a member has an approved claim, in one community or (null) in all of them. */
export async function readDays(sql: ISql, userId: string, communityId: string | null): Promise<string[]> {
  const rows = await sql<{ day: string }[]>`
    select distinct local_day::text as day from claims
    where user_id = ${userId} and state = 'approved'
      and (${communityId}::uuid is null or community_id = ${communityId}::uuid)`;
  return rows.map((row) => row.day);
}
