import type { Handlers } from '../../http/handler.ts';
import { notBuilt } from '../../http/not-built.ts';

export const rewardHandlers = {
  'POST /api/communities/:communityId/seasons/:seasonId/rewards': notBuilt,
  'GET /api/communities/:communityId/rewards/:rewardId': notBuilt,
  'PATCH /api/communities/:communityId/rewards/:rewardId': notBuilt,
  'DELETE /api/communities/:communityId/rewards/:rewardId': notBuilt,
  'POST /api/communities/:communityId/rewards/:rewardId/draw': notBuilt,
  'GET /api/communities/:communityId/rewards/:rewardId/winners': notBuilt,
} satisfies Handlers;
