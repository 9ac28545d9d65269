import type { ISql } from 'postgres';
import { ACTED_AT_GRACE_MS } from '../../contract/limits.ts';
import { type Score, timesOf } from '../../domain/leagues.ts';

/**
 * A week's points from the ledger by `weekOf`, of everyone or of `members`. A reversal counts where its award does
 * while that week is open; imported points never count. Only members with entries are included.
 */
export async function pointsOf(
  sql: ISql,
  communityId: string,
  week: string,
  members: readonly string[] | null = null,
): Promise<Map<string, Score>> {
  const { startsAt, settlesAt } = timesOf(week);
  const grace = `${ACTED_AT_GRACE_MS / 1_000} seconds`;
  // A group's members have an index for their own lines: only those that were written since shortly before the week.
  const lines =
    members === null
      ? sql`point_events`
      : sql`(
          select line.* from unnest(${[...members]}::uuid[]) as one (id) cross join lateral (
            select user_id, community_id, id, kind, points, claim_id, import_id, at from point_events
            where user_id = one.id and id > coalesce((
              select id from point_events
              where community_id = ${communityId} and at < ${startsAt}::timestamptz - interval '1 hour'
              order by at desc, id desc limit 1), 0)
            -- Kept from being turned into a look through the whole week of the community.
            offset 0
          ) line)`;
  const rows = await sql<Score[]>`
    select user_id as "userId", sum(points)::integer as points, max(at) filter (where points <> 0) as "reachedAt"
    from (
      select e.user_id, e.points, e.at, coalesce(award.at, e.at) as recorded,
        case when e.kind = 'adjust' then e.at else coalesce(c.acted_at, award.at, e.at) end as done
      from ${lines} e
      left join claims c on c.id = e.claim_id
      -- Looked up for each reversal: joined at once, the whole ledger would be read for the few that there are.
      left join lateral (
        select at from point_events where e.kind = 'reverse' and kind = 'award' and claim_id = e.claim_id limit 1
      ) award on true
      where e.community_id = ${communityId} and e.import_id is null
        and e.at >= ${startsAt} and e.at < ${settlesAt}
    ) line cross join lateral (
      select date_trunc('week', done at time zone 'UTC') as own, date_trunc('week', recorded at time zone 'UTC') as came
    ) weeks
    where case when recorded at time zone 'UTC' < own + interval '7 days' + ${grace}::interval then own else came end
        = ${week}::date
    group by user_id`;
  return new Map(rows.map((row) => [row.userId, row]));
}
