import type { Handlers } from '../../http/handler.ts';
import { cancelCampaign, changeCampaign, listCampaigns, startCampaign, testCampaign } from './campaigns.ts';
import { publicKey } from './keys.ts';
import { notify } from './notify.ts';
import { readReach } from './reach.ts';
import { botName, changeSettings, readRoom } from './settings.ts';
import { removeSubscription, saveSubscription } from './subscriptions.ts';
import { noteEvent, readText } from './texts.ts';

export const notificationHandlers = {
  'GET /api/vapid-public-key': async ({ sql }) => ({ json: { publicKey: await publicKey(sql) } }),

  'POST /api/pwa/subscribe': async ({ runtime, sql, actor, body, userAgent }) => {
    const { userId, sessionId } = actor;
    const saver = { userId, sessionId, userAgent, now: runtime.now() };
    const id = await saveSubscription(sql, saver, { ...body, hosts: runtime.config.push.hosts });
    return { json: { ok: true, id } };
  },

  'POST /api/pwa/unsubscribe': async ({ sql, actor, body }) => {
    await removeSubscription(sql, actor.userId, body.endpoint);
    return { json: { ok: true } };
  },

  'POST /api/pwa/test': async ({ runtime, sql, actor }) => {
    const id = await notify(sql, {
      topic: 'test',
      userId: actor.userId,
      path: '/profile',
      title: 'It works',
      body: 'Notifications reach this device.',
      at: runtime.now(),
    });
    return { json: { id } };
  },

  'GET /api/pwa/notifications/:notificationId': async ({ sql, actor, params }) => ({
    json: await readText(sql, actor.userId, params.notificationId),
  }),

  'POST /api/pwa/notifications/:notificationId/events': async ({ runtime, sql, actor, params, body }) => {
    const { userId } = actor;
    const at = new Date(body.at);
    await noteEvent(sql, { userId, id: params.notificationId, event: body.event, at, now: runtime.now() });
    return { json: { ok: true } };
  },

  'GET /api/user/notifications': async ({ runtime, sql, actor }) => {
    const bot = () => botName(runtime);
    return { json: await readRoom(sql, actor, { bot }) };
  },

  'GET /api/communities/:communityId/campaigns': async ({ sql, query, community }) => ({
    json: await listCampaigns(sql, { communityId: community.id, after: query.after }),
  }),

  'POST /api/communities/:communityId/campaigns': async ({ runtime, sql, actor, body, community }) => ({
    json: await startCampaign(sql, { communityId: community.id, userId: actor.userId, now: runtime.now() }, body),
  }),

  'GET /api/communities/:communityId/campaigns/reach': async ({ runtime, actor, query, community }) => ({
    json: await readReach(runtime, { communityId: community.id, userId: actor.userId, query }),
  }),

  'POST /api/communities/:communityId/campaigns/test': async ({ runtime, sql, actor, body, community }) => {
    await testCampaign(sql, { communityId: community.id, userId: actor.userId, now: runtime.now() }, body);
    return { json: { ok: true } };
  },

  'DELETE /api/communities/:communityId/campaigns/:campaignId': async (call) => {
    const { runtime, sql, actor, params, community } = call;
    const by = { communityId: community.id, userId: actor.userId, now: runtime.now() };
    await cancelCampaign(sql, by, params.campaignId);
    return { json: { ok: true } };
  },

  'GET /api/admin/campaigns': async ({ sql, query }) => ({
    json: await listCampaigns(sql, { communityId: null, after: query.after }),
  }),

  'POST /api/admin/campaigns': async ({ runtime, sql, actor, body }) => ({
    json: await startCampaign(sql, { communityId: null, userId: actor.userId, now: runtime.now() }, body),
  }),

  'PUT /api/admin/campaigns/:campaignId': async ({ runtime, sql, actor, params, body }) => {
    const by = { communityId: null, userId: actor.userId, now: runtime.now() };
    return { json: await changeCampaign(sql, by, params.campaignId, body) };
  },

  'GET /api/admin/campaigns/reach': async ({ runtime, actor, query }) => ({
    json: await readReach(runtime, { communityId: null, userId: actor.userId, query }),
  }),

  'POST /api/admin/campaigns/test': async ({ runtime, sql, actor, body }) => {
    await testCampaign(sql, { communityId: null, userId: actor.userId, now: runtime.now() }, body);
    return { json: { ok: true } };
  },

  'POST /api/admin/campaigns/:campaignId/cancellation': async ({ runtime, sql, actor, params, body }) => {
    const by = { communityId: null, userId: actor.userId, now: runtime.now() };
    await cancelCampaign(sql, by, params.campaignId, body.reason);
    return { json: { ok: true } };
  },

  'PUT /api/user/notifications': async ({ sql, actor, body }) => ({
    json: await changeSettings(sql, actor.userId, body),
  }),
} satisfies Handlers;
