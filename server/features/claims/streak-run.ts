import type { ISql } from 'postgres';
import type { DayRun } from '../../domain/streak.ts';

/** A member's latest unbroken run of days with an approved claim, in one community or (null) in all of them. */
export async function readRun(sql: ISql, userId: string, communityId: string | null): Promise<DayRun | null> {
  const [run] = await sql<DayRun[]>`
    select max(day)::text as last, count(*)::int as length
    from (
      -- Going back day by day, the day plus its place stays the same until one is missing.
      select day, day + (row_number() over (order by day desc))::int as run
      from (
        select distinct local_day as day from claims
        where user_id = ${userId} and state = 'approved'
          and (${communityId}::uuid is null or community_id = ${communityId}::uuid)
      ) days
    ) runs
    group by run order by run desc limit 1`;
  return run ?? null;
}
