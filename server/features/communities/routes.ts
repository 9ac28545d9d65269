import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Handlers } from '../../http/handler.ts';
import { readAdmin } from './admin.ts';
import { changeCommunity } from './change.ts';
import { createCommunity } from './create.ts';
import { readDashboard } from './dashboard.ts';
import { listCommunities, readDetail } from './directory.ts';
import { joinCommunity, leaveCommunity } from './membership.ts';

export const communityHandlers = {
  'GET /api/communities': async ({ sql, actor, query }) => ({
    json: await listCommunities(sql, actor?.userId ?? null, query),
  }),

  'POST /api/communities': async ({ runtime, sql, actor, body }) => {
    const founder = { userId: actor.userId, productSlug: runtime.config.productSlug, now: runtime.now() };
    return { json: await createCommunity(sql, founder, body) };
  },

  'GET /api/communities/:communityId': async ({ runtime, sql, actor, community }) => {
    const now = runtime.now();
    const asked = { communityId: community.id, userId: actor?.userId ?? null, role: community.role, now };
    return { json: await sql.begin(SNAPSHOT, (snapshot) => readDetail(snapshot, asked)) };
  },

  'POST /api/communities/:communityId/join': async ({ runtime, sql, actor, community }) => ({
    json: await joinCommunity(sql, { communityId: community.id, userId: actor.userId, now: runtime.now() }),
  }),

  'POST /api/communities/:communityId/leave': async ({ runtime, sql, actor, community }) => ({
    json: await leaveCommunity(sql, { communityId: community.id, userId: actor.userId, now: runtime.now() }),
  }),

  'GET /api/communities/:communityId/dashboard': async ({ runtime, sql, actor, community }) => {
    const { userId, timeZone } = actor;
    const asker = { communityId: community.id, userId, timeZone, now: runtime.now() };
    return { json: await sql.begin(SNAPSHOT, (snapshot) => readDashboard(snapshot, asker)) };
  },

  'GET /api/communities/:communityId/admin': async ({ runtime, sql, actor, community }) => ({
    json: await sql.begin(SNAPSHOT, (snapshot) =>
      readAdmin(snapshot, community.id, actor.userId, runtime.now(), community.role),
    ),
  }),

  'PATCH /api/communities/:communityId': async ({ runtime, sql, actor, community, body }) => {
    const asked = { communityId: community.id, userId: actor.userId, now: runtime.now() };
    return { json: await changeCommunity(sql, asked, body) };
  },
} satisfies Handlers;
