import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Handlers } from '../../http/handler.ts';
import { changeSeason, createSeason, dropSeason, endSeason, listSeasons, readSeason, startSeason } from './seasons.ts';

export const seasonHandlers = {
  'GET /api/communities/:communityId/seasons': async ({ runtime, sql, community }) => {
    const scope = { communityId: community.id, role: community.role, now: runtime.now() };
    return { json: await sql.begin(SNAPSHOT, (snapshot) => listSeasons(snapshot, scope)) };
  },

  'POST /api/communities/:communityId/seasons': async ({ runtime, sql, actor, community, body }) => {
    const editor = { communityId: community.id, userId: actor.userId, now: runtime.now() };
    return { json: await createSeason(sql, editor, body) };
  },

  'GET /api/communities/:communityId/seasons/:seasonId': async ({ runtime, sql, community, params }) => {
    const scope = {
      communityId: community.id,
      seasonId: params.seasonId,
      role: community.role,
      now: runtime.now(),
    };
    return { json: await sql.begin(SNAPSHOT, (snapshot) => readSeason(snapshot, scope)) };
  },

  'PATCH /api/communities/:communityId/seasons/:seasonId': async ({ runtime, sql, actor, community, params, body }) => {
    const editor = { communityId: community.id, userId: actor.userId, seasonId: params.seasonId, now: runtime.now() };
    return { json: await changeSeason(sql, editor, body) };
  },

  'DELETE /api/communities/:communityId/seasons/:seasonId': async ({ runtime, sql, actor, community, params }) => {
    const editor = { communityId: community.id, userId: actor.userId, seasonId: params.seasonId, now: runtime.now() };
    await dropSeason(sql, editor);
    return { json: { ok: true } };
  },

  'POST /api/communities/:communityId/seasons/:seasonId/start': async ({ runtime, sql, actor, community, params }) => {
    const editor = { communityId: community.id, userId: actor.userId, seasonId: params.seasonId, now: runtime.now() };
    return { json: await startSeason(sql, editor) };
  },

  'POST /api/communities/:communityId/seasons/:seasonId/end': async ({ runtime, sql, actor, community, params }) => {
    const editor = { communityId: community.id, userId: actor.userId, seasonId: params.seasonId, now: runtime.now() };
    return { json: await endSeason(sql, editor) };
  },
} satisfies Handlers;
