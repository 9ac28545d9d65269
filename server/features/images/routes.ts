import type { Handlers } from '../../http/handler.ts';
import { notBuilt } from '../../http/not-built.ts';

export const imageHandlers = {
  'PUT /api/communities/:communityId/images/:imageId': notBuilt,
  'GET /api/communities/:communityId/images/:imageId': notBuilt,
} satisfies Handlers;
