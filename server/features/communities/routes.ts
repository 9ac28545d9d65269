import type { Handlers } from '../../http/handler.ts';
import { refuseEntry } from '../chats/enter.ts';
import { changeCommunity } from './change.ts';
import { createCommunity } from './create.ts';
import { listCommunities } from './directory.ts';
import { joinCommunity, leaveCommunity } from './membership.ts';

export const communityHandlers = {
  'GET /api/communities': async ({ sql, actor, query }) => ({
    json: await listCommunities(sql, actor?.userId ?? null, query),
  }),

  'POST /api/communities': async ({ runtime, sql, body, scope }) => {
    const founder = { ...scope, config: runtime.config };
    return { json: await createCommunity(sql, founder, body) };
  },

  'POST /api/communities/:communityId/join': async (call) => {
    const { runtime, sql, actor, community } = call;
    if (community.role === null) await refuseEntry(call, community.id);
    const scope = { communityId: community.id, userId: actor.userId, now: runtime.now() };
    return { json: await joinCommunity(sql, scope) };
  },

  'POST /api/communities/:communityId/leave': async ({ sql, scope }) => ({
    json: await leaveCommunity(sql, scope),
  }),

  'PATCH /api/communities/:communityId': async ({ sql, body, scope }) => ({
    json: await changeCommunity(sql, scope, body),
  }),
} satisfies Handlers;
