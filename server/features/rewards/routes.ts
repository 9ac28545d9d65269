import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Handlers } from '../../http/handler.ts';
import { tableText } from '../exports/table.ts';
import { rewardOf } from '../seasons/reward-rows.ts';
import { drawReward, readDraw } from './draw.ts';
import { addReward, changeReward, dropReward, findReward, findSeen, readReward, readWinners } from './rewards.ts';

export const rewardHandlers = {
  'POST /api/communities/:communityId/seasons/:seasonId/rewards': async ({ sql, body, scope }) => ({
    json: await addReward(sql, scope, body),
  }),

  'GET /api/communities/:communityId/rewards/:rewardId': async ({ sql, actor, scope }) => ({
    json: await sql.begin(SNAPSHOT, (snapshot) => readReward(snapshot, { ...scope, me: actor?.userId ?? null })),
  }),

  'PATCH /api/communities/:communityId/rewards/:rewardId': async ({ sql, body, scope }) => ({
    json: await changeReward(sql, scope, body),
  }),

  'DELETE /api/communities/:communityId/rewards/:rewardId': async ({ sql, scope }) => {
    await dropReward(sql, scope);
    return { json: { ok: true } };
  },

  'POST /api/communities/:communityId/rewards/:rewardId/draw': async ({ sql, scope }) => {
    await drawReward(sql, scope);
    return { json: await readReward(sql, { ...scope, me: scope.userId }) };
  },

  'GET /api/communities/:communityId/rewards/:rewardId/draw': async ({ sql, community, scope }) => {
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
