import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Handlers } from '../../http/handler.ts';
import { notBuilt } from '../../http/not-built.ts';
import { Refusal } from '../../http/refusal.ts';
import { readLeaderboard } from './board.ts';

export const boardHandlers = {
  'GET /api/communities/:communityId/leaderboard': async ({ runtime, sql, query, actor, community }) => {
    const period = query.period ?? 'all';
    if (period === 'season') {
      throw new Refusal(409, 'NO_SEASON', 'This community has no season running.');
    }
    const asked = { communityId: community.id, period, me: actor?.userId ?? null, now: runtime.now() };
    return { json: await sql.begin(SNAPSHOT, (snapshot) => readLeaderboard(snapshot, asked)) };
  },
  'GET /api/leaderboard': notBuilt,
  'PUT /api/communities/:communityId/board': notBuilt,
} satisfies Handlers;
