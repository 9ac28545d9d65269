import type { Handlers } from '../../http/handler.ts';
import { notBuilt } from '../../http/not-built.ts';

export const webhookHandlers = {
  'GET /api/communities/:communityId/webhooks': notBuilt,
  'POST /api/communities/:communityId/webhooks': notBuilt,
  'PATCH /api/communities/:communityId/webhooks/:webhookId': notBuilt,
  'DELETE /api/communities/:communityId/webhooks/:webhookId': notBuilt,
  'GET /api/communities/:communityId/webhooks/:webhookId/deliveries': notBuilt,
  'POST /api/communities/:communityId/webhooks/:webhookId/deliveries/:deliveryId/replay': notBuilt,
} satisfies Handlers;
