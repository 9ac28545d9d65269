import type { ISql, TransactionSql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import {
  type Entrant,
  entrantsHash,
  entrantsOf,
  RAFFLE_METHOD,
  type Ticketed,
  ticketsOf,
  winnersOf,
} from '../../domain/draw.ts';
import { audit } from '../audit/audit.ts';
import type { RewardRow } from '../seasons/reward-rows.ts';
import { emit } from '../webhooks/emit.ts';
import { findReward } from './rewards.ts';
import { readTrusts } from './trust.ts';

const PEOPLE_AT_ONCE = 1_000;

/**
 * Draws the winners of a frozen season, once; leaves behind everything that it takes to draw again.
 * Throws 404 `NOT_FOUND`, 409 `NOT_FROZEN`, 409 `ALREADY_DRAWN`.
 */
export async function drawReward(
  tx: TransactionSql,
  scope: { communityId: string; rewardId: string; userId: string; now: Date },
): Promise<void> {
  const { communityId, userId, now } = scope;
  const reward = await findReward(tx, communityId, scope.rewardId, true);
  const [season] = await tx<{ frozenAt: Date | null }[]>`
    select frozen_at as "frozenAt" from seasons where id = ${reward.seasonId}`;
  if (!season?.frozenAt) {
    throw new HttpError(409, 'NOT_FROZEN', 'Results may still change: winners are drawn once the season is frozen.');
  }
  if (reward.drawnAt) throw new HttpError(409, 'ALREADY_DRAWN', 'This reward was drawn already. It is drawn once.');
  const trusted = await onlyTrusted(tx, communityId, reward, await readResults(tx, reward), now);
  const entrants = entrantsOf(reward.rule, trusted);
  const tickets = entrants.map((entrant) => ticketsOf(reward.rule, entrant));
  const winners = winnersOf(reward.rule, entrants, reward.seed);
  const points = new Map(entrants.map((entrant) => [entrant.userId, entrant.points]));
  await tx`
    insert into reward_entrants (community_id, reward_id, user_id, tickets)
    select ${communityId}::uuid, ${reward.id}::uuid, * from unnest(${tickets.map((one) => one.userId)}::uuid[], ${tickets.map((one) => one.tickets)}::int[])`;
  await tx`
    insert into reward_winners (community_id, reward_id, user_id, points, place)
    select ${communityId}::uuid, ${reward.id}::uuid, * from unnest(${winners}::uuid[], ${winners.map((id) => points.get(id) ?? 0)}::int[]) with ordinality`;
  await tx`
    update rewards set drawn_at = ${now}, entrants = ${tickets.length},
      entrants_hash = ${Buffer.from(entrantsHash(tickets), 'hex')},
      method = ${reward.rule.type === 'raffle' ? RAFFLE_METHOD : null}
    where id = ${reward.id}`;
  const data = { reward: { id: reward.id, name: reward.name, seasonId: reward.seasonId, winners: winners.length } };
  await emit(tx, { communityId, event: 'reward.drawn', at: now, data });
  await audit(tx, {
    communityId,
    actorId: userId,
    action: 'reward.drawn',
    subject: reward.name,
    subjectId: reward.id,
    at: now,
  });
}

/**
 * Frozen results, and who first reached the reward's points with points that still count: a false claim must not win.
 * Former members stay in the results; suspended ones win nothing, and the next moves up: `place` and `reached` are
 * orders with possible gaps.
 */
function readResults(sql: ISql, { seasonId, rule }: RewardRow): Promise<Entrant[]> {
  const least = rule.type === 'first_come' ? rule.minPoints : null;
  return sql<Entrant[]>`
    select r.user_id as "userId", r.points,
      row_number() over (order by r.points desc, r.reached_at, r.user_id)::int as place,
      case when first.line is not null then rank() over (order by first.line)::int end as reached
    from season_results r
    left join (
      select user_id, min(id) as line from (
        select user_id, id, sum(points) over (partition by user_id order by id) as sum
        from point_events line where season_id = ${least === null ? null : seasonId} and kind <> 'reverse' and not exists (
          select from point_events back where back.season_id = ${seasonId} and back.kind = 'reverse'
            and back.claim_id = line.claim_id)
      ) sums where sum >= ${least} group by user_id
    ) first on first.user_id = r.user_id
    where r.season_id = ${seasonId}
      and not exists (select from users u where u.id = r.user_id and u.suspended_at is not null)`;
}

async function onlyTrusted(
  sql: ISql,
  communityId: string,
  { minTrust }: RewardRow,
  all: readonly Entrant[],
  now: Date,
): Promise<readonly Entrant[]> {
  if (minTrust === null) return all;
  const passed: Entrant[] = [];
  for (let from = 0; from < all.length; from += PEOPLE_AT_ONCE) {
    const some = all.slice(from, from + PEOPLE_AT_ONCE);
    const trusts = await readTrusts(
      sql,
      communityId,
      some.map(({ userId }) => userId),
      now,
    );
    passed.push(...some.filter(({ userId }) => (trusts.get(userId)?.score ?? 0) >= minTrust));
  }
  return passed;
}

/** A raffle as a file that `muster raffle verify` computes again. */
export type DrawFile = {
  format: 'muster-raffle-1';
  reward: { id: string; name: string; places: number };
  method: string;
  seed: string;
  seedHash: string;
  entrantsHash: string;
  entrants: Ticketed[];
  winners: string[];
};

/** Throws 409 `NOT_DRAWN` when there is nothing to compute again. */
export async function readDraw(sql: ISql, row: RewardRow, seedHash: string | null): Promise<DrawFile> {
  if (!row.drawnAt || row.rule.type !== 'raffle' || !row.method || !row.entrantsHash || seedHash === null) {
    throw new HttpError(409, 'NOT_DRAWN', 'There is no draw of this reward to compute again.');
  }
  const [entrants, winners] = await Promise.all([
    sql<Ticketed[]>`
      select user_id as "userId", tickets from reward_entrants where reward_id = ${row.id} order by user_id`,
    sql<{ userId: string }[]>`
      select user_id as "userId" from reward_winners where reward_id = ${row.id} order by place`,
  ]);
  return {
    format: 'muster-raffle-1',
    reward: { id: row.id, name: row.name, places: row.rule.places },
    method: row.method,
    seed: row.seed.toString('hex'),
    seedHash,
    entrantsHash: row.entrantsHash.toString('hex'),
    entrants: [...entrants],
    winners: winners.map(({ userId }) => userId),
  };
}
