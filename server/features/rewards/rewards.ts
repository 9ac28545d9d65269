import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ISql, TransactionSql } from 'postgres';
import type * as z from 'zod/mini';
import { HttpError, notFound } from '../../base/http-error.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { REWARDS_PER_SEASON, WINNERS_SHOWN } from '../../contract/limits.ts';
import type { NewReward, Reward, RewardDetail } from '../../contract/seasons.ts';
import { isId } from '../../domain/ids.ts';
import { line, prose } from '../../domain/text.ts';
import { audit } from '../audit/audit.ts';
import { type RewardRow, rewardColumns, rewardOf } from '../seasons/reward-rows.ts';
import { findDraft } from '../seasons/seasons.ts';

type Editor = { communityId: string; userId: string; now: Date };
type Change = { [F in keyof z.output<typeof NewReward>]?: z.output<typeof NewReward>[F] | undefined };

/** Throws 404 `NOT_FOUND`. With `lock` it stays as it is until the transaction's end. */
export async function findReward(sql: ISql, communityId: string, rewardId: string, lock = false): Promise<RewardRow> {
  const [row] = isId(rewardId)
    ? await sql<RewardRow[]>`
        select ${rewardColumns(sql)} from rewards r join seasons s on s.id = r.season_id
        where r.id = ${rewardId} and r.community_id = ${communityId} ${lock ? sql`for update of r` : sql``}`
    : [];
  if (!row) throw notFound('reward');
  return row;
}

/** Adds a reward to a draft. Throws 404 `NOT_FOUND`, 409 `SEASON_LOCKED` and `REWARD_LIMIT`. */
export async function addReward(
  tx: TransactionSql,
  editor: Editor & { seasonId: string },
  input: z.output<typeof NewReward>,
): Promise<Reward> {
  const { communityId, now } = editor;
  const season = await findDraft(tx, communityId, editor.seasonId);
  const [held] = await tx<{ count: number }[]>`select count(*)::int from rewards where season_id = ${season.id}`;
  if ((held?.count ?? 0) >= REWARDS_PER_SEASON) {
    throw new HttpError(409, 'REWARD_LIMIT', `A season has at most ${REWARDS_PER_SEASON} rewards.`, {
      details: { limit: REWARDS_PER_SEASON },
    });
  }
  const [row] = await tx<{ id: string }[]>`
    insert into rewards (season_id, community_id, name, description, rule, min_trust, seed, created_at)
    values (${season.id}, ${communityId}, ${line('name', input.name)}, ${prose('description', input.description)},
      ${tx.json(input.rule)}, ${input.minTrust}, ${randomBytes(32)}, ${now})
    returning id`;
  if (!row) throw new Error('an insert returned nothing');
  return rewardOf(await audited(tx, editor, row.id, 'reward.added'));
}

/** Throws 404 `NOT_FOUND`, 409 `SEASON_LOCKED`. */
export async function changeReward(
  tx: TransactionSql,
  editor: Editor & { rewardId: string },
  change: Change,
): Promise<Reward> {
  const { seasonId } = await findReward(tx, editor.communityId, editor.rewardId);
  await findDraft(tx, editor.communityId, seasonId);
  // Read under the season's lock: what another leader changes at the same moment stays.
  const old = await findReward(tx, editor.communityId, editor.rewardId);
  await tx`
    update rewards set name = ${change.name === undefined ? old.name : line('name', change.name)},
      description = ${change.description === undefined ? old.description : prose('description', change.description)},
      rule = ${tx.json(change.rule ?? old.rule)},
      min_trust = ${change.minTrust === undefined ? old.minTrust : change.minTrust}
    where id = ${old.id}`;
  const row = await findReward(tx, editor.communityId, old.id);
  return rewardOf(isDeepStrictEqual(row, old) ? row : await audited(tx, editor, old.id, 'reward.changed'));
}

/** Throws 404 `NOT_FOUND`, 409 `SEASON_LOCKED`. */
export async function dropReward(tx: TransactionSql, editor: Editor & { rewardId: string }): Promise<void> {
  const old = await findReward(tx, editor.communityId, editor.rewardId);
  await findDraft(tx, editor.communityId, old.seasonId);
  await audited(tx, editor, old.id, 'reward.dropped');
  await tx`delete from rewards where id = ${old.id}`;
}

async function audited(tx: TransactionSql, editor: Editor, rewardId: string, action: string): Promise<RewardRow> {
  const { communityId, userId, now } = editor;
  const row = await findReward(tx, communityId, rewardId);
  await audit(tx, { communityId, actorId: userId, action, subject: row.name, subjectId: row.id, at: now });
  return row;
}

type Asker = { communityId: string; rewardId: string; role: CommunityRole | null; me: string | null };

/** The first `WINNERS_SHOWN` winners, and mine. Throws 404 `NOT_FOUND`, also for a draft's that the asker may not see. */
export async function readReward(sql: ISql, scope: Asker): Promise<RewardDetail> {
  const row = await findSeen(sql, scope);
  const winners = await sql<Omit<RewardDetail['winners'][number], 'me'>[]>`
    select w.place, w.user_id as "userId", w.points,
      case when u.id = ${scope.me}::uuid or ${scope.role === 'leader'} then u.display_name else shown_name(u) end as "displayName"
    from reward_winners w join users u on u.id = w.user_id
    where w.reward_id = ${row.id} and (w.place <= ${WINNERS_SHOWN} or w.user_id = ${scope.me}::uuid) order by w.place`;
  return {
    ...rewardOf(row),
    seed: row.drawnAt && row.rule.type === 'raffle' ? row.seed.toString('hex') : null,
    method: row.method,
    entrants: row.entrants ?? 0,
    entrantsHash: row.entrantsHash?.toString('hex') ?? null,
    winners: winners.map((winner) => ({ ...winner, me: winner.userId === scope.me })),
  };
}

/** A reward whose season the asker may see. Throws 404 `NOT_FOUND`. */
export async function findSeen(sql: ISql, { communityId, rewardId, role }: Omit<Asker, 'me'>): Promise<RewardRow> {
  const row = await findReward(sql, communityId, rewardId);
  if (!row.isLive && role !== 'leader') throw notFound('reward');
  return row;
}

type Winner = { place: number; id: string; name: string; telegram: string | null; points: number };

/** Every winner, for the person who hands out the reward. */
export async function readWinners(sql: ISql, rewardId: string): Promise<Winner[]> {
  return sql<Winner[]>`
    select w.place, u.id, u.display_name as name, u.telegram_username as telegram, w.points
    from reward_winners w join users u on u.id = w.user_id where w.reward_id = ${rewardId} order by w.place`;
}
