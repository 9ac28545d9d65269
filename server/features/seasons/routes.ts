import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Handlers } from '../../http/handler.ts';
import { changeSeason, createSeason, dropSeason, endSeason, listSeasons, readSeason, startSeason } from './seasons.ts';

export const seasonHandlers = {
  'GET /api/communities/:communityId/seasons': async ({ sql, scope }) => ({
    json: await sql.begin(SNAPSHOT, (snapshot) => listSeasons(snapshot, scope)),
  }),

  'POST /api/communities/:communityId/seasons': async ({ sql, body, scope }) => ({
    json: await createSeason(sql, scope, body),
  }),

  'GET /api/communities/:communityId/seasons/:seasonId': async ({ sql, scope }) => ({
    json: await sql.begin(SNAPSHOT, (snapshot) => readSeason(snapshot, scope)),
  }),

  'PATCH /api/communities/:communityId/seasons/:seasonId': async ({ sql, body, scope }) => ({
    json: await changeSeason(sql, scope, body),
  }),

  'DELETE /api/communities/:communityId/seasons/:seasonId': async ({ sql, scope }) => {
    await dropSeason(sql, scope);
    return { json: { ok: true } };
  },

  'POST /api/communities/:communityId/seasons/:seasonId/start': async ({ sql, scope }) => ({
    json: await startSeason(sql, scope),
  }),

  'POST /api/communities/:communityId/seasons/:seasonId/end': async ({ sql, scope }) => ({
    json: await endSeason(sql, scope),
  }),
} satisfies Handlers;
