import type { Handlers } from '../../http/handler.ts';
import { notBuilt } from '../../http/not-built.ts';

export const applicationHandlers = {
  'GET /api/user/leader-application': notBuilt,
  'POST /api/user/leader-application': notBuilt,
  'GET /api/admin/leader-applications': notBuilt,
  'POST /api/admin/leader-applications/:applicationId/decision': notBuilt,
} satisfies Handlers;
