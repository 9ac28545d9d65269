import type { Handlers } from '../../http/handler.ts';
import { notBuilt } from '../../http/not-built.ts';

export const apiKeyHandlers = {
  'GET /api/communities/:communityId/api-keys': notBuilt,
  'POST /api/communities/:communityId/api-keys': notBuilt,
  'DELETE /api/communities/:communityId/api-keys/:keyId': notBuilt,
} satisfies Handlers;
