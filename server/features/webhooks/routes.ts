import type { Handlers } from '../../http/handler.ts';
import { addWebhook, changeWebhook, listDeliveries, listWebhooks, removeWebhook, replay } from './webhooks.ts';

export const webhookHandlers = {
  'GET /api/communities/:communityId/webhooks': async ({ sql, community }) => ({
    json: await listWebhooks(sql, community.id),
  }),

  'POST /api/communities/:communityId/webhooks': async ({ sql, body, scope }) => ({
    json: await addWebhook(sql, scope, body),
  }),

  'PATCH /api/communities/:communityId/webhooks/:webhookId': async ({ sql, body, params, scope }) => ({
    json: await changeWebhook(sql, scope, params.webhookId, body),
  }),

  'DELETE /api/communities/:communityId/webhooks/:webhookId': async ({ sql, params, scope }) => {
    await removeWebhook(sql, scope, params.webhookId);
    return { json: { ok: true } };
  },

  'GET /api/communities/:communityId/webhooks/:webhookId/deliveries': async ({ sql, query, scope }) => ({
    json: await listDeliveries(sql, { ...scope, after: query.after }),
  }),

  'POST /api/communities/:communityId/webhooks/:webhookId/deliveries/:deliveryId/replay': async ({
    sql,
    params,
    scope,
  }) => ({ json: await replay(sql, scope, params.webhookId, params.deliveryId) }),
} satisfies Handlers;
