import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Handlers } from '../../http/handler.ts';
import { tableText } from '../exports/table.ts';
import { rewardOf } from '../seasons/reward-rows.ts';
import { drawReward, readDraw } from './draw.ts';
import { addReward, changeReward, dropReward, findReward, findSeen, readReward, readWinners } from './rewards.ts';

export const rewardHandlers = {
  'POST /api/communities/:communityId/seasons/:seasonId/rewards': async ({
    runtime,
    sql,
    actor,
    community,
    params,
    body,
  }) => {
    const editor = { communityId: community.id, userId: actor.userId, seasonId: params.seasonId, now: runtime.now() };
    return { json: await addReward(sql, editor, body) };
  },

  'GET /api/communities/:communityId/rewards/:rewardId': async ({ sql, actor, community, params }) => {
    const scope = {
      communityId: community.id,
      rewardId: params.rewardId,
      role: community.role,
      me: actor?.userId ?? null,
    };
    return { json: await sql.begin(SNAPSHOT, (snapshot) => readReward(snapshot, scope)) };
  },

  'PATCH /api/communities/:communityId/rewards/:rewardId': async ({ runtime, sql, actor, community, params, body }) => {
    const editor = { communityId: community.id, userId: actor.userId, rewardId: params.rewardId, now: runtime.now() };
    return { json: await changeReward(sql, editor, body) };
  },

  'DELETE /api/communities/:communityId/rewards/:rewardId': async ({ runtime, sql, actor, community, params }) => {
    const editor = { communityId: community.id, userId: actor.userId, rewardId: params.rewardId, now: runtime.now() };
    await dropReward(sql, editor);
    return { json: { ok: true } };
  },

  'POST /api/communities/:communityId/rewards/:rewardId/draw': async ({ runtime, sql, actor, community, params }) => {
    const reward = { communityId: community.id, rewardId: params.rewardId };
    await drawReward(sql, { ...reward, userId: actor.userId, now: runtime.now() });
    return { json: await readReward(sql, { ...reward, role: community.role, me: actor.userId }) };
  },

  'GET /api/communities/:communityId/rewards/:rewardId/draw': async ({ sql, community, params }) => {
    const scope = { communityId: community.id, rewardId: params.rewardId, role: community.role };
    const file = await sql.begin(SNAPSHOT, async (snapshot) => {
      const row = await findSeen(snapshot, scope);
      return readDraw(snapshot, row, rewardOf(row).seedHash);
    });
    const content = Buffer.from(`${JSON.stringify(file, null, 1)}\n`);
    return { file: { type: 'application/json', content, name: `${community.slug}-raffle.json` } };
  },

  'GET /api/communities/:communityId/rewards/:rewardId/winners': async ({ sql, community, params }) => {
    const { id } = await findReward(sql, community.id, params.rewardId);
    const winners = await readWinners(sql, id);
    const once = async function* () {
      yield winners;
    };
    const columns = ['place', 'id', 'name', 'telegram', 'points'];
    return {
      file: { type: 'text/csv', content: tableText('csv', columns, once()), name: `${community.slug}-winners.csv` },
    };
  },
} satisfies Handlers;
