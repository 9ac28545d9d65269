import type { Handlers } from '../../http/handler.ts';
import { cancelCampaign, listCampaigns, readReach, startCampaign, testCampaign } from './campaigns.ts';
import { publicKey } from './keys.ts';
import { notify } from './notify.ts';
import { readInstanceReach } from './reach.ts';
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
    const bot = () => botName(runtime.telegram, runtime.config.telegram.botToken !== null);
    return { json: await readRoom(sql, actor, { bot }) };
  },

  'GET /api/communities/:communityId/campaigns': async ({ sql, query, community }) => ({
    json: await listCampaigns(sql, { communityId: community.id, after: query.after }),
  }),

  'POST /api/communities/:communityId/campaigns': async ({ runtime, sql, actor, body, community }) => ({
    json: await startCampaign(sql, { communityId: community.id, userId: actor.userId, now: runtime.now() }, body),
  }),

  'GET /api/communities/:communityId/campaigns/reach': async ({ sql, query, community }) => {
    const { role, minPoints, activeDays } = query;
    const audience = {
      ...(role && { roles: [role] }),
      ...(minPoints && { minPoints: Number(minPoints) }),
      ...(activeDays && { activeDays: Number(activeDays) }),
    };
    return { json: await readReach(sql, community.id, audience) };
  },

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

  'GET /api/admin/campaigns/reach': async ({ runtime, sql, actor, query: { role, activeDays } }) => {
    const { requiredChannel, botToken } = runtime.config.telegram;
    const roles = role === 'leader' ? (['leader', 'moderator'] as const) : role && ([role] as const);
    const audience = {
      except: actor.userId,
      ...(roles && { roles }),
      ...(activeDays && { activeDays: Number(activeDays) }),
    };
    const asked = { now: runtime.now(), bot: botToken !== null, isChannelRequired: requiredChannel !== null };
    return { json: await readInstanceReach(sql, audience, asked) };
  },

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
