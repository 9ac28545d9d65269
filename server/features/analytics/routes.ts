import type { Handlers } from '../../http/handler.ts';
import { notBuilt } from '../../http/not-built.ts';

export const analyticsHandlers = {
  'GET /api/communities/:communityId/analytics': notBuilt,
} satisfies Handlers;
