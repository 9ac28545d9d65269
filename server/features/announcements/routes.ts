import type { Handlers } from '../../http/handler.ts';
import { announce, changeAnnouncement, listAnnounced, listAnnouncements, retract } from './announcements.ts';

export const announcementHandlers = {
  'GET /api/communities/:communityId/announcements': async ({ runtime, sql, query, community }) => ({
    json: await listAnnouncements(sql, { communityId: community.id, after: query.after, now: runtime.now() }),
  }),

  'POST /api/communities/:communityId/announcements': async ({ runtime, sql, actor, body, community }) => ({
    json: await announce(sql, { communityId: community.id, userId: actor.userId, now: runtime.now() }, body),
  }),

  'GET /api/communities/:communityId/announcements/sent': async ({ sql, query, community }) => ({
    json: await listAnnounced(sql, { communityId: community.id, after: query.after }),
  }),

  'PUT /api/communities/:communityId/announcements/:announcementId': async (call) => {
    const { runtime, sql, actor, params, body, community } = call;
    const by = { communityId: community.id, userId: actor.userId, now: runtime.now() };
    return { json: await changeAnnouncement(sql, by, params.announcementId, body) };
  },

  'DELETE /api/communities/:communityId/announcements/:announcementId': async (call) => {
    const { runtime, sql, actor, params, community } = call;
    const by = { communityId: community.id, userId: actor.userId, now: runtime.now() };
    await retract(sql, by, params.announcementId);
    return { json: { ok: true } };
  },
} satisfies Handlers;
