import type { Handlers } from '../../http/handler.ts';
import { notBuilt } from '../../http/not-built.ts';

export const memberHandlers = {
  'GET /api/communities/:communityId/members': notBuilt,
  'GET /api/communities/:communityId/members/:userId': notBuilt,
  'PUT /api/communities/:communityId/members/:userId/role': notBuilt,
  'POST /api/communities/:communityId/members/:userId/removal': notBuilt,
} satisfies Handlers;
