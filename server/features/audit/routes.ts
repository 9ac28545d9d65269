import type { Handlers } from '../../http/handler.ts';
import { notBuilt } from '../../http/not-built.ts';

export const auditHandlers = {
  'GET /api/communities/:communityId/audit': notBuilt,
} satisfies Handlers;
