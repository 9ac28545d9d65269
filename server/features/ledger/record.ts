import type { TransactionSql } from 'postgres';
import { firstDaysOf } from '../../domain/periods.ts';
import { lockCommunities } from './lock.ts';

/** The community whose boards are those of the whole instance. */
export const INSTANCE = '00000000-0000-0000-0000-000000000000';

/** A line for the ledger. */
export type PointEvent = {
  communityId: string;
  userId: string;
  kind: 'award' | 'adjust' | 'reverse';
  /** Signed: a reversal takes its award's points away. */
  points: number;
  taskId?: string | null;
  claimId?: string | null;
  /** Of an award: the task's period. */
  period?: string | null;
  reason?: string | null;
  /** Null: the server itself. */
  actorId: string | null;
  /** When the member did it: which season it belongs to. The moment of recording when absent. */
  actedAt?: Date;
};

/**
 * The one way into the ledger: writes the lines and every projection of them (scores in the community with its season
 * and in the instance; the histogram follows scores by itself) in one statement, however many they are. They count on
 * the calendar boards of `now`. An award that is there already, and a second reversal of one claim, are left out: the
 * answer holds the ids of the lines that were written. Locks the communities until the transaction ends, so call it last.
 * Nothing follows from it here: call `recordPoints` of `awards/` for badges and invited people who count.
 */
export async function record(tx: TransactionSql, now: Date, events: readonly PointEvent[]): Promise<string[]> {
  if (events.length === 0) return [];
  const places = [...new Set(events.map((event) => event.communityId))].sort();
  // Sent together and done one after the other, so that the lock is held for one answer's time: each statement sees what
  // is there once the lock is taken. Communities in one order and the instance last: writers wait for each other and
  // never in a circle.
  const [, rows] = await Promise.all([lockCommunities(tx, [...places, INSTANCE], byKeys(tx)), write(tx, now, events)]);
  return rows.map(({ id }) => id);
}

/** Among a few thousand members a plan for all numbers of events would read every row, for a single one too. */
const byKeys = (tx: TransactionSql) =>
  tx`, set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`;

/**
 * A column of the events; nothing at all where it is empty, which reads the same. By name: functions made for each call would
 * be compiled for speed again and again.
 */
function column<Name extends keyof PointEvent>(events: readonly PointEvent[], name: Name) {
  const values: (NonNullable<PointEvent[Name]> | null)[] = [];
  let filled = false;
  for (const event of events) {
    const value = event[name] ?? null;
    values.push(value);
    filled ||= value !== null;
  }
  return filled ? values : [];
}

function write(tx: TransactionSql, now: Date, events: readonly PointEvent[]) {
  const { day, week, month } = firstDaysOf(now);
  return tx<{ id: string }[]>`
    with given as (
      -- A reversal counts where its award did: the community may have been opened or closed to the public since.
      select e.*, coalesce(award.instance, c.visibility = 'public') as instance, season.id as season_id
      -- Hidden in selects, so that the planner sees no lengths and keeps one plan.
      from unnest((select ${column(events, 'communityId')}::uuid[]),
        (select ${column(events, 'userId')}::uuid[]), (select ${column(events, 'kind')}::text[]),
        (select ${column(events, 'points')}::integer[]), (select ${column(events, 'taskId')}::uuid[]),
        (select ${column(events, 'claimId')}::uuid[]), (select ${column(events, 'period')}::text[]),
        (select ${column(events, 'reason')}::text[]), (select ${column(events, 'actorId')}::uuid[]),
        (select ${column(events, 'actedAt').map((at) => at?.toISOString() ?? null)}::timestamptz[]))
        as e (community_id, user_id, kind, points, task_id, claim_id, period, reason, actor_id, acted_at)
      join communities c on c.id = e.community_id
      left join point_events award on e.kind = 'reverse' and award.claim_id = e.claim_id and award.claim_id is not null
        and award.kind = 'award'
      left join seasons season on season.community_id = e.community_id
        and season.started_at is not null and season.frozen_at is null
        and ${now}::timestamptz < season.ends_at + make_interval(hours => season.grace_hours)
        and case when award.id is not null then award.season_id = season.id
          else coalesce(e.acted_at, ${now}) >= season.started_at and coalesce(e.acted_at, ${now}) < season.ends_at
            and (cardinality(season.task_ids) = 0 or e.task_id = any(season.task_ids)) end
    ), written as (
      insert into point_events
        (community_id, user_id, kind, points, task_id, claim_id, period, reason, actor_id, at, instance, season_id)
      select community_id, user_id, kind, points, task_id, claim_id, period, reason, actor_id, ${now}::timestamptz,
        instance, season_id
      from given
      on conflict do nothing
      returning id, community_id, user_id, points, instance, season_id
    ), moved as (
      select community_id, user_id, sum(points)::integer as points, max(season_id::text)::uuid as season_id,
        coalesce(sum(points) filter (where season_id is not null), 0)::integer as season_points
      from (
        select community_id, user_id, points, season_id from written
        union all
        select ${INSTANCE}::uuid, user_id, points, null from written where instance
      ) placed group by community_id, user_id
    ), known as (
      update scores s set
        points = s.points + m.points, reached_at = ${reached(tx, 's.reached_at', 'm.points', now)},
        ${dated(tx, 'day', day)}, ${dated(tx, 'week', week)}, ${dated(tx, 'month', month)},
        season_id = coalesce(m.season_id, s.season_id),
        season_points = case when m.season_id <> s.season_id then m.season_points
          else s.season_points + m.season_points end,
        season_at = case when m.season_id is null then s.season_at
          when m.season_id is distinct from s.season_id then ${begun(tx, 'm.season_points', now)}
          else ${reached(tx, 's.season_at', 'm.season_points', now)} end
      from moved m where s.user_id = m.user_id and s.community_id = m.community_id
      returning s.community_id, s.user_id
    ), fresh as (
      insert into scores (community_id, user_id, competes, points, reached_at, day, day_points, week, week_points, month,
        month_points, season_id, season_points, season_at)
      -- As "may_compete" of 0006_boards.sql, without a call for each row.
      select m.community_id, m.user_id,
        (select u.suspended_at is null from users u where u.id = m.user_id) and (m.community_id = ${INSTANCE}::uuid or exists (
          select from community_members r
          where r.community_id = m.community_id and r.user_id = m.user_id and r.role <> 'leader')),
        m.points, ${begun(tx, 'm.points', now)}, ${day}::date, m.points, ${week}::date, m.points, ${month}::date, m.points,
        m.season_id, m.season_points,
        case when m.season_id is not null then ${begun(tx, 'm.season_points', now)} end
      from moved m where (m.community_id, m.user_id) not in (select community_id, user_id from known)
    )
    select id::text from written`.execute();
}

/** When a total was reached: the latest moment that moved it, whichever clock wrote last. */
const reached = (tx: TransactionSql, at: string, points: string, now: Date) => tx`
  case when ${tx.unsafe(points)} = 0 then ${tx.unsafe(at)} else greatest(${tx.unsafe(at)}, ${now}) end`;

/** The same of a first total; one of nothing was never reached. */
const begun = (tx: TransactionSql, points: string, now: Date) => tx`
  case when ${tx.unsafe(points)} = 0 then '-infinity' else ${now}::timestamptz end`;

/** A board of the calendar begins anew with the first event of its period; what comes for an earlier one is past. */
const dated = (tx: TransactionSql, part: 'day' | 'week' | 'month', first: string) => {
  const points = tx(`${part}_points`);
  return tx`
    ${tx(part)} = greatest(s.${tx(part)}, ${first}::date),
    ${points} = case when ${first}::date < s.${tx(part)} then s.${points}
      when ${first}::date = s.${tx(part)} then s.${points} + m.points
      else m.points end`;
};
