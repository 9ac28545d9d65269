import type { Handlers } from '../../http/handler.ts';
import { notBuilt } from '../../http/not-built.ts';

export const announcementHandlers = {
  'GET /api/communities/:communityId/announcements': notBuilt,
  'POST /api/communities/:communityId/announcements': notBuilt,
  'DELETE /api/communities/:communityId/announcements/:announcementId': notBuilt,
} satisfies Handlers;
