import type { Handlers } from '../../http/handler.ts';
import { notBuilt } from '../../http/not-built.ts';

export const referralHandlers = {
  'GET /api/communities/:communityId/invite': notBuilt,
  'GET /api/invites': notBuilt,
  'POST /api/invites/accept': notBuilt,
} satisfies Handlers;
