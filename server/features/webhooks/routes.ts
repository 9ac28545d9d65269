import type { Handlers } from '../../http/handler.ts';
import { addWebhook, changeWebhook, listDeliveries, listWebhooks, removeWebhook, replay } from './webhooks.ts';

export const webhookHandlers = {
  'GET /api/communities/:communityId/webhooks': async ({ sql, community }) => ({
    json: await listWebhooks(sql, community.id),
  }),

  'POST /api/communities/:communityId/webhooks': async ({ runtime, sql, actor, body, community }) => ({
    json: await addWebhook(sql, { communityId: community.id, userId: actor.userId, now: runtime.now() }, body),
  }),

  'PATCH /api/communities/:communityId/webhooks/:webhookId': async (call) => {
    const { runtime, sql, actor, body, params, community } = call;
    const by = { communityId: community.id, userId: actor.userId, now: runtime.now() };
    return { json: await changeWebhook(sql, by, params.webhookId, body) };
  },

  'DELETE /api/communities/:communityId/webhooks/:webhookId': async (call) => {
    const { runtime, sql, actor, params, community } = call;
    const by = { communityId: community.id, userId: actor.userId, now: runtime.now() };
    await removeWebhook(sql, by, params.webhookId);
    return { json: { ok: true } };
  },

  'GET /api/communities/:communityId/webhooks/:webhookId/deliveries': async ({ sql, query, params, community }) => ({
    json: await listDeliveries(sql, { communityId: community.id, webhookId: params.webhookId, after: query.after }),
  }),

  'POST /api/communities/:communityId/webhooks/:webhookId/deliveries/:deliveryId/replay': async (call) => {
    const { runtime, sql, actor, params, community } = call;
    const by = { communityId: community.id, userId: actor.userId, now: runtime.now() };
    return { json: await replay(sql, by, params.webhookId, params.deliveryId) };
  },
} satisfies Handlers;
