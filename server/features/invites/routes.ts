import type { Handlers } from '../../http/handler.ts';
import { joinByInvite, readInvitation, readInvite } from './invites.ts';

export const inviteHandlers = {
  'GET /api/communities/:communityId/invite': async ({ runtime, sql, actor, community }) => {
    const { publicOrigin: origin } = runtime.config;
    return {
      json: await readInvite(sql, { communityId: community.id, userId: actor.userId, origin, now: runtime.now() }),
    };
  },
  'GET /api/invites': async ({ sql, query, actor }) => ({
    json: await readInvitation(sql, query.code, actor?.userId ?? null),
  }),
  'POST /api/invites/accept': async ({ runtime, sql, actor, body }) => ({
    json: await joinByInvite(sql, { code: body.code, userId: actor.userId, now: runtime.now() }),
  }),
} satisfies Handlers;
