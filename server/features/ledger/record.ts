import type { TransactionSql } from 'postgres';
import { lockCommunities } from './lock.ts';
import { addToScores, countedAt } from './scores.ts';

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
  /** For an award: the task's period. */
  period?: string | null;
  reason?: string | null;
  /** Null: the server itself. */
  actorId: string | null;
  /** When the member did it: which season it belongs to. The moment of recording when absent. */
  actedAt?: Date;
  /**
   * What was moved in from elsewhere: it counts for all time in its community, and on no other board. One line of each kind for
   * each import and member.
   */
  importId?: string;
};

/**
 * The only way into the ledger: writes entries and scores in one statement. Counts behind ranks follow by a trigger,
 * and the instance's boards within a second (`countForInstance`) for public communities that an administrator lets
 * count. Entries count on the calendar boards of `now`, imported ones on none. Existing awards and second reversals are
 * skipped: the result holds the ids that were written. Writers of one community wait for each other until the end of
 * their transaction, so call it last. Badges and invited people need `recordPoints` of `awards/`.
 */
export async function record(tx: TransactionSql, now: Date, events: readonly PointEvent[]): Promise<string[]> {
  if (events.length === 0) return [];
  const communities = [...new Set(events.map((event) => event.communityId))].sort();
  // Pipelined and run in sequence, so locks are held for one round trip and each statement sees the data under them.
  // Communities are in one order, which prevents deadlocks.
  const [, rows] = await Promise.all([lockCommunities(tx, communities), write(tx, now, events)]);
  return rows.map(({ id }) => id);
}

const SCORES_OF_WRITTEN = addToScores(
  `select community_id, user_id, points, ${countedAt('written')} as at, season_id from written`,
);

function write(tx: TransactionSql, now: Date, events: readonly PointEvent[]) {
  const column = <K extends keyof PointEvent>(name: K) => events.map((event) => event[name] ?? null);
  return tx<{ id: string }[]>`
    with given as (
      -- A reversal counts where its award did: the community may have been opened or closed to the public since.
      -- What a leader gives by hand counts in their community only.
      select e.*, e.kind <> 'adjust' and e.import_id is null
        and coalesce(award.instance, c.counts_on_instance and c.visibility = 'public') as instance,
        season.id as season_id
      -- In selects, which hide their lengths from the planner: one plan for all.
      from unnest((select ${column('communityId')}::uuid[]), (select ${column('userId')}::uuid[]),
        (select ${column('kind')}::text[]), (select ${column('points')}::integer[]), (select ${column('taskId')}::uuid[]),
        (select ${column('claimId')}::uuid[]), (select ${column('period')}::text[]), (select ${column('reason')}::text[]),
        (select ${column('actorId')}::uuid[]),
        (select ${events.map(({ actedAt }) => actedAt?.toISOString() ?? null)}::timestamptz[]),
        (select ${column('importId')}::uuid[]))
        as e (community_id, user_id, kind, points, task_id, claim_id, period, reason, actor_id, acted_at, import_id)
      join communities c on c.id = e.community_id
      left join point_events award on e.kind = 'reverse' and award.community_id = e.community_id
        and award.claim_id = e.claim_id and award.claim_id is not null and award.kind = 'award'
      left join seasons season on season.community_id = e.community_id and e.import_id is null
        and season.started_at is not null and season.frozen_at is null
        and ${now}::timestamptz < season.ends_at + make_interval(hours => season.grace_hours)
        and case when award.id is not null then award.season_id = season.id
          else coalesce(e.acted_at, ${now}) >= season.started_at and coalesce(e.acted_at, ${now}) < season.ends_at
            and (cardinality(season.task_ids) = 0 or e.task_id = any(season.task_ids)) end
    ), written as (
      insert into point_events
        (community_id, user_id, kind, points, task_id, claim_id, period, reason, actor_id, at, instance, season_id, import_id)
      select community_id, user_id, kind, points, task_id, claim_id, period, reason, actor_id, ${now}::timestamptz,
        instance, season_id, import_id
      from given
      on conflict do nothing
      returning id, community_id, user_id, points, instance, season_id, at, import_id
    ), queued as (
      insert into instance_queue (community_id, event_id) select community_id, id from written where instance
    ), days as (
      insert into point_days as d (community_id, day, points)
      select community_id, (at at time zone 'UTC')::date, sum(points) from written group by 1, 2
      on conflict (community_id, day) do update set points = d.points + excluded.points
    ), ${tx.unsafe(SCORES_OF_WRITTEN)}
    select id::text from written`.execute();
}
