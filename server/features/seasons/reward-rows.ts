import { createHash } from 'node:crypto';
import type { ISql } from 'postgres';
import type { Reward, RewardRule } from '../../contract/seasons.ts';

export type RewardRow = Pick<Reward, 'id' | 'seasonId' | 'name' | 'description' | 'minTrust'> & {
  rule: RewardRule;
  /** Never send it before the draw. */
  seed: Buffer;
  isLive: boolean;
  method: string | null;
  entrants: number | null;
  entrantsHash: Buffer | null;
  drawnAt: Date | null;
};

/** Columns of a `RewardRow` from `rewards r` joined with its season `s`. */
export const rewardColumns = (sql: ISql) => sql`
  r.id, r.season_id as "seasonId", r.name, r.description, r.rule, r.min_trust as "minTrust", r.seed,
  s.started_at is not null as "isLive", r.method, r.entrants, r.entrants_hash as "entrantsHash", r.drawn_at as "drawnAt"`;

/** Rewards of the seasons, in the order they were added. */
export async function readRewards(sql: ISql, seasonIds: readonly string[]): Promise<RewardRow[]> {
  return sql<RewardRow[]>`
    select ${rewardColumns(sql)} from rewards r join seasons s on s.id = r.season_id
    where r.season_id = any(${[...seasonIds]}::uuid[]) order by r.created_at, r.id`;
}

/** A reward as everyone sees it; of a raffle's seed only its digest, once the season is live. */
export const rewardOf = (row: RewardRow): Reward => ({
  id: row.id,
  seasonId: row.seasonId,
  name: row.name,
  description: row.description,
  rule: row.rule,
  minTrust: row.minTrust,
  seedHash: row.isLive && row.rule.type === 'raffle' ? createHash('sha256').update(row.seed).digest('hex') : null,
  drawnAt: row.drawnAt?.toISOString() ?? null,
});
