import type { Handlers } from '../../http/handler.ts';
import { notBuilt } from '../../http/not-built.ts';

export const ledgerHandlers = {
  'GET /api/user/ledger': notBuilt,
  'GET /api/user/ledger/export': notBuilt,
  'GET /api/ledger/public-key': notBuilt,
  'GET /api/communities/:communityId/ledger': notBuilt,
  'POST /api/communities/:communityId/adjustments': notBuilt,
} satisfies Handlers;
