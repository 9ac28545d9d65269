import type { JSONValue, TransactionSql } from 'postgres';
import { calendarOf } from '../../domain/periods.ts';
import { awardBadges } from '../badges/award.ts';
import { qualifyGuests } from '../referral/referral.ts';
import { takeTurns } from './turn.ts';

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
export type Recorded = { id: string; communityId: string; userId: string; kind: PointEvent['kind']; points: number };

/**
 * The one way into the ledger: writes the lines and every projection of them (scores in the community with its season
 * and in the instance; the histogram follows scores by itself) in one statement, however many they are. They count on
 * the calendar boards of `now`. An award that is there already, and a second reversal of one claim, are left out: the answer names what was
 * written. Writers of one community take turns until their transaction ends, so call it last.
 */
export async function record(tx: TransactionSql, now: Date, events: readonly PointEvent[]): Promise<Recorded[]> {
  if (events.length === 0) return [];
  const places = [...new Set(events.map((event) => event.communityId))].sort();
  // Sent together and done one after the other: the second sees what is there once it is its turn. Communities in one
  // order and the instance last: writers wait for each other and never in a circle.
  const [, recorded] = await Promise.all([takeTurns(tx, [...places, INSTANCE]), write(tx, now, events)]);
  await afterPoints(tx, now, recorded);
  return recorded;
}

function write(tx: TransactionSql, now: Date, events: readonly PointEvent[]) {
  const given = events.map((event) => ({ ...event, actedAt: (event.actedAt ?? now).toISOString() }));
  const { day, week, month } = calendarOf(now);
  return tx<Recorded[]>`
    with given as (
      select e.*, c.visibility = 'public' as instance, season.id as season_id
      from jsonb_to_recordset(${tx.json(given as unknown as JSONValue)}) as e (
        "communityId" uuid, "userId" uuid, kind text, points integer, "taskId" uuid, "claimId" uuid, period text,
        reason text, "actorId" uuid, "actedAt" timestamptz)
      join communities c on c.id = e."communityId"
      left join point_events award on e.kind = 'reverse' and award.claim_id = e."claimId" and award.kind = 'award'
      left join seasons season on season.community_id = e."communityId"
        and season.started_at is not null and season.frozen_at is null
        and ${now}::timestamptz < season.ends_at + make_interval(hours => season.grace_hours)
        and case when award.id is not null then award.season_id = season.id
          else e."actedAt" >= season.started_at and e."actedAt" < season.ends_at
            and (cardinality(season.task_ids) = 0 or e."taskId" = any(season.task_ids)) end
    ), written as (
      insert into point_events
        (community_id, user_id, kind, points, task_id, claim_id, period, reason, actor_id, at, instance, season_id)
      select "communityId", "userId", kind, points, "taskId", "claimId", period, reason, "actorId",
        ${now}::timestamptz, instance, season_id
      from given
      on conflict do nothing
      returning id, community_id, user_id, kind, points, instance, season_id
    ), placed as (
      select community_id, user_id, points, season_id from written
      union all
      select ${INSTANCE}::uuid, user_id, points, null from written where instance
    ), counted as (
      insert into scores as s (community_id, user_id, competes, points, reached_at, day, day_points, day_at,
        week, week_points, week_at, month, month_points, month_at, season_id, season_points, season_at)
      select p.community_id, p.user_id,
        p.community_id = ${INSTANCE}::uuid or exists (
          select from community_members m
          where m.community_id = p.community_id and m.user_id = p.user_id and m.role <> 'leader'),
        p.points, at, ${day}, p.points, at, ${week}, p.points, at, ${month}, p.points, at,
        p.season_id, p.season_points, case when p.season_id is not null then at end
      from (
        select community_id, user_id, sum(points) as points, max(season_id::text)::uuid as season_id,
          coalesce(sum(points) filter (where season_id is not null), 0) as season_points, ${now}::timestamptz as at
        from placed group by community_id, user_id
      ) p
      order by p.community_id, p.user_id
      on conflict (user_id, community_id) do update set
        competes = excluded.competes,
        points = s.points + excluded.points, reached_at = ${reached(tx, 'reached_at', 'points')},
        ${dated(tx, 'day')}, ${dated(tx, 'week')}, ${dated(tx, 'month')},
        season_id = coalesce(excluded.season_id, s.season_id),
        season_points = case when excluded.season_id <> s.season_id then excluded.season_points
          else s.season_points + excluded.season_points end,
        season_at = case when excluded.season_id is null then s.season_at
          when excluded.season_id is distinct from s.season_id then excluded.season_at
          else ${reached(tx, 'season_at', 'season_points')} end
    )
    select id::text, community_id as "communityId", user_id as "userId", kind, points from written`;
}

/** When a total was reached: the latest moment that moved it, whichever clock wrote last. */
const reached = (tx: TransactionSql, at: string, points: string) => tx`
  case when excluded.${tx(points)} = 0 then s.${tx(at)}
    when s.${tx(points)} = 0 then excluded.${tx(at)}
    else greatest(s.${tx(at)}, excluded.${tx(at)}) end`;

/** A board of the calendar begins anew with the first event of its period; what comes for an earlier one is past. */
const dated = (tx: TransactionSql, part: 'day' | 'week' | 'month') => {
  const [points, at] = [`${part}_points`, `${part}_at`];
  return tx`
    ${tx(part)} = greatest(s.${tx(part)}, excluded.${tx(part)}),
    ${tx(points)} = case when excluded.${tx(part)} > s.${tx(part)} then excluded.${tx(points)}
      when excluded.${tx(part)} < s.${tx(part)} then s.${tx(points)}
      else s.${tx(points)} + excluded.${tx(points)} end,
    ${tx(at)} = case when excluded.${tx(part)} > s.${tx(part)} then excluded.${tx(at)}
      when excluded.${tx(part)} < s.${tx(part)} then s.${tx(at)}
      else ${reached(tx, at, points)} end`;
};

/** What new points bring about: badges, and invited people who count from now on. */
async function afterPoints(tx: TransactionSql, now: Date, recorded: readonly Recorded[]): Promise<void> {
  const earners = recorded.filter(({ kind, points }) => kind === 'award' || points > 0);
  if (earners.length === 0) return;
  await Promise.all([awardBadges(tx, now, earners), qualifyGuests(tx, now, earners)]);
}
