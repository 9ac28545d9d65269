import { notFound } from '../../base/http-error.ts';
import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Handlers } from '../../http/handler.ts';
import { listCounted, setCounted } from './instance-board.ts';
import { readInstanceBoard, readLeaderboard } from './leaderboard.ts';
import { setBoardState } from './state.ts';

export const boardHandlers = {
  'GET /api/communities/:communityId/leaderboard': async ({ sql, query, actor, scope }) => {
    const asked = {
      ...scope,
      me: actor?.userId ?? null,
      period: query.period ?? (query.seasonId === undefined ? 'all' : 'season'),
      seasonId: query.seasonId,
    };
    return { json: await sql.begin(SNAPSHOT, (snapshot) => readLeaderboard(snapshot, asked)) };
  },

  'GET /api/leaderboard': async ({ runtime, sql, query, actor }) => {
    const scope = { period: query.period ?? 'all', me: actor.userId, now: runtime.now() };
    return { json: await sql.begin(SNAPSHOT, (snapshot) => readInstanceBoard(snapshot, scope)) };
  },

  'PUT /api/communities/:communityId/board': async ({ sql, body, scope }) => {
    const { state, since } = await setBoardState(sql, { ...scope, ...body });
    return { json: { state, since: since.toISOString() } };
  },

  'GET /api/admin/instance-board': async ({ sql }) => ({ json: await listCounted(sql) }),

  'PUT /api/admin/instance-board': async ({ runtime, sql, body, actor }) => {
    const word = { ...body, actorId: actor.userId, now: runtime.now() };
    const json = await setCounted(sql, word);
    if (!json) throw notFound('community');
    return { json };
  },
} satisfies Handlers;
