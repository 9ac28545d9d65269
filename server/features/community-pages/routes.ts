import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Handlers } from '../../http/handler.ts';
import { readAdmin } from './admin.ts';
import { readDashboard } from './dashboard.ts';
import { readDetail } from './detail.ts';
import { readMorning } from './morning.ts';

/** What one page of a community shows, read from many features as of one moment. */
export const communityPageHandlers = {
  'GET /api/communities/:communityId': async ({ sql, scope }) => ({
    json: await sql.begin(SNAPSHOT, (snapshot) => readDetail(snapshot, scope)),
  }),

  'GET /api/communities/:communityId/dashboard': async ({ sql, actor: { timeZone }, scope }) => ({
    json: await sql.begin(SNAPSHOT, (snapshot) => readDashboard(snapshot, { ...scope, timeZone })),
  }),

  'GET /api/communities/:communityId/morning': async ({ runtime, sql, actor, community }) => {
    const asker = { communityId: community.id, userId: actor.userId, now: runtime.now() };
    return { json: await sql.begin(SNAPSHOT, (snapshot) => readMorning(snapshot, asker)) };
  },

  'GET /api/communities/:communityId/admin': async ({ runtime, sql, actor, community }) => ({
    json: await sql.begin(SNAPSHOT, (snapshot) =>
      readAdmin(snapshot, community.id, actor.userId, runtime.now(), community.role),
    ),
  }),
} satisfies Handlers;
