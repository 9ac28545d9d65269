import type { JSONValue, TransactionSql } from 'postgres';
import { standingKeys } from '../../domain/periods.ts';
import { awardBadges } from '../badges/award.ts';
import { qualifyGuests } from '../referral/referral.ts';
import { takeTurn } from './turn.ts';

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
 * The one way into the ledger: writes the lines and every projection of them (standings of community, instance and
 * season; the histogram follows standings by itself) in one statement. They count on the calendar boards of `now`.
 * An award that is there already, and a second reversal of one claim, are left out: the answer names what was
 * written. Writers of one community take turns until their transaction ends, so call it last.
 */
export async function record(tx: TransactionSql, now: Date, events: readonly PointEvent[]): Promise<Recorded[]> {
  if (events.length === 0) return [];
  await takeTurns(tx, events);
  const given = events.map((event) => ({ ...event, actedAt: (event.actedAt ?? now).toISOString() }));
  const keys = standingKeys(now);
  const recorded = await tx<Recorded[]>`
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
      select community_id, unnest(${keys}::text[]) as period, user_id, points from written
      union all
      select community_id, 'season:' || season_id, user_id, points from written where season_id is not null
      union all
      select ${INSTANCE}::uuid, unnest(${keys}::text[]), user_id, points from written where instance
    ), counted as (
      insert into standings (community_id, period, user_id, points, reached_at, competes)
      select p.community_id, p.period, p.user_id, sum(p.points), ${now}::timestamptz,
        p.community_id = ${INSTANCE}::uuid or exists (
          select from community_members m
          where m.community_id = p.community_id and m.user_id = p.user_id and m.role <> 'leader')
      from placed p group by p.community_id, p.period, p.user_id
      order by p.community_id, p.period, p.user_id
      on conflict (community_id, period, user_id) do update set
        points = standings.points + excluded.points,
        reached_at = case when excluded.points = 0 then standings.reached_at
          when standings.points = 0 then excluded.reached_at
          else greatest(standings.reached_at, excluded.reached_at) end,
        competes = excluded.competes
    )
    select id::text, community_id as "communityId", user_id as "userId", kind, points from written`;
  await afterPoints(tx, now, recorded);
  return recorded;
}

/** What new points bring about: badges, and invited people who count from now on. */
async function afterPoints(tx: TransactionSql, now: Date, recorded: readonly Recorded[]): Promise<void> {
  const earners = recorded.filter(({ kind, points }) => kind === 'award' || points > 0);
  if (earners.length === 0) return;
  await Promise.all([awardBadges(tx, now, earners), qualifyGuests(tx, now, earners)]);
}

/**
 * Communities in one order and the instance last: writers wait for each other and never in a circle. A change of a
 * membership takes its community's lock too (migration 0003), so that who competes is never read too early.
 */
async function takeTurns(tx: TransactionSql, events: readonly PointEvent[]): Promise<void> {
  const places = [...new Set(events.map((event) => event.communityId))].sort();
  for (const place of [...places, INSTANCE]) await takeTurn(tx, place);
}
