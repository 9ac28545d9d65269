import type { Handlers } from '../../http/handler.ts';
import { announce, changeAnnouncement, listAnnounced, listAnnouncements, retract } from './announcements.ts';

export const announcementHandlers = {
  'GET /api/communities/:communityId/announcements': async ({ sql, query, scope }) => ({
    json: await listAnnouncements(sql, { ...scope, after: query.after }),
  }),

  'POST /api/communities/:communityId/announcements': async ({ sql, body, scope }) => ({
    json: await announce(sql, scope, body),
  }),

  'GET /api/communities/:communityId/announcements/sent': async ({ sql, query, community }) => ({
    json: await listAnnounced(sql, { communityId: community.id, after: query.after }),
  }),

  'PUT /api/communities/:communityId/announcements/:announcementId': async ({ sql, params, body, scope }) => ({
    json: await changeAnnouncement(sql, scope, params.announcementId, body),
  }),

  'DELETE /api/communities/:communityId/announcements/:announcementId': async ({ sql, params, scope }) => {
    await retract(sql, scope, params.announcementId);
    return { json: { ok: true } };
  },
} satisfies Handlers;
