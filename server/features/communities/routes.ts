import type { Handlers } from '../../http/handler.ts';
import { isBeingAsked, refuseOutside, standingsOf } from '../chats/gate.ts';
import { askPerson } from '../chats/members.ts';
import { changeCommunity } from './change.ts';
import { createCommunity } from './create.ts';
import { listCommunities } from './directory.ts';
import { joinCommunity, leaveCommunity } from './membership.ts';

export const communityHandlers = {
  'GET /api/communities': async ({ sql, actor, query }) => ({
    json: await listCommunities(sql, actor?.userId ?? null, query),
  }),

  'POST /api/communities': async ({ runtime, sql, actor, body }) => {
    const { productSlug, newCommunitiesCount: counts } = runtime.config;
    const founder = { userId: actor.userId, productSlug, now: runtime.now(), counts };
    return { json: await createCommunity(sql, founder, body) };
  },

  'POST /api/communities/:communityId/join': async ({ runtime, sql, actor, community }) => {
    const asked = { communityId: community.id, userId: actor.userId, now: runtime.now() };
    try {
      if (community.role === null) refuseOutside(await standingsOf(sql, asked), ['enter'], asked.now);
    } catch (error) {
      if (isBeingAsked(error)) void askPerson(runtime, community.id, actor).catch(() => undefined);
      throw error;
    }
    return { json: await joinCommunity(sql, asked) };
  },

  'POST /api/communities/:communityId/leave': async ({ runtime, sql, actor, community }) => ({
    json: await leaveCommunity(sql, { communityId: community.id, userId: actor.userId, now: runtime.now() }),
  }),

  'PATCH /api/communities/:communityId': async ({ runtime, sql, actor, community, body }) => {
    const asked = { communityId: community.id, userId: actor.userId, now: runtime.now() };
    return { json: await changeCommunity(sql, asked, body) };
  },
} satisfies Handlers;
