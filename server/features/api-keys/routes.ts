import type { Handlers } from '../../http/handler.ts';
import { endKey, listKeys, makeKey } from './keys.ts';

export const apiKeyHandlers = {
  'GET /api/communities/:communityId/api-keys': async ({ sql, community }) => ({
    json: await listKeys(sql, community.id),
  }),

  'POST /api/communities/:communityId/api-keys': async ({ runtime, sql, actor, body, community }) => ({
    json: await makeKey(sql, { communityId: community.id, userId: actor.userId, now: runtime.now() }, body),
  }),

  'DELETE /api/communities/:communityId/api-keys/:keyId': async ({ runtime, sql, actor, params, community }) => {
    await endKey(sql, { communityId: community.id, userId: actor.userId, now: runtime.now() }, params.keyId);
    return { json: { ok: true } };
  },
} satisfies Handlers;
