import type { ISql } from 'postgres';
import { standingKeys } from '../../domain/periods.ts';

/**
 * The tail of a statement that approves claims: notes the transition, writes the award to the ledger and brings the
 * standings up to date, all in the statement of the state change, so that none of it is ever there without the rest.
 * It reads two tables of the statement before it:
 * `changed` (id, community_id, user_id, task_id, period, points, state, reason, from_state, actor_id) and
 * `membership` (role), the claimant's, locked against a change until the award is written.
 * The ledger's unique index holds when everything else fails. Points count on the boards of `at`, the time of the
 * award in UTC; `reached_at` moves only when the total does.
 */
export const thenAward = (sql: ISql, at: Date) => sql`
  noted as (
    insert into claim_events (community_id, claim_id, at, actor_id, from_state, to_state, reason)
    select community_id, id, ${at}::timestamptz, actor_id, from_state, state, reason from changed
  ), ledger as (
    insert into point_events (community_id, user_id, kind, points, task_id, claim_id, period, actor_id, at)
    select community_id, user_id, 'award', points, task_id, id, period, actor_id, ${at}::timestamptz
    from changed where state = 'approved'
    returning community_id, user_id, points, at
  ), counted as (
    insert into standings (community_id, period, user_id, points, reached_at, competes)
    select l.community_id, k.period, l.user_id, l.points, l.at,
      exists (select from membership where role <> 'leader')
    from ledger l cross join unnest(${standingKeys(at)}::text[]) as k (period)
    order by k.period
    on conflict (community_id, period, user_id) do update set
      points = standings.points + excluded.points,
      reached_at = case when excluded.points = 0 then standings.reached_at
        when standings.points = 0 then excluded.reached_at
        else greatest(standings.reached_at, excluded.reached_at) end,
      competes = excluded.competes
  )`;
