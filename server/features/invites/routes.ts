import type { Handlers } from '../../http/handler.ts';
import { joinByInvite, readInvitation, readInvite } from './invites.ts';

export const inviteHandlers = {
  'GET /api/communities/:communityId/invite': async ({ runtime, sql, scope }) => {
    const { publicOrigin: origin } = runtime.config;
    return {
      json: await readInvite(sql, { ...scope, origin }),
    };
  },
  'GET /api/invites': async ({ sql, query, actor }) => ({
    json: await readInvitation(sql, query.code, actor?.userId ?? null),
  }),
  'POST /api/invites/accept': async ({ sql, body, scope }) => ({
    json: await joinByInvite(sql, { ...scope, code: body.code }),
  }),
} satisfies Handlers;
