import type { Handlers } from '../../http/handler.ts';
import { notBuilt } from '../../http/not-built.ts';

export const seasonHandlers = {
  'GET /api/communities/:communityId/seasons': notBuilt,
  'POST /api/communities/:communityId/seasons': notBuilt,
  'GET /api/communities/:communityId/seasons/:seasonId': notBuilt,
  'PATCH /api/communities/:communityId/seasons/:seasonId': notBuilt,
  'DELETE /api/communities/:communityId/seasons/:seasonId': notBuilt,
  'POST /api/communities/:communityId/seasons/:seasonId/start': notBuilt,
  'POST /api/communities/:communityId/seasons/:seasonId/end': notBuilt,
} satisfies Handlers;
