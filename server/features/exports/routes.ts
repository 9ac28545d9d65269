import type { Handlers } from '../../http/handler.ts';
import { notBuilt } from '../../http/not-built.ts';

export const exportHandlers = {
  'GET /api/communities/:communityId/exports/members': notBuilt,
  'GET /api/communities/:communityId/exports/claims': notBuilt,
  'GET /api/communities/:communityId/exports/ledger': notBuilt,
} satisfies Handlers;
