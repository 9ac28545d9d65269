import type { Handlers } from '../../http/handler.ts';
import { endKey, listKeys, makeKey } from './keys.ts';

export const apiKeyHandlers = {
  'GET /api/communities/:communityId/api-keys': async ({ sql, community }) => ({
    json: await listKeys(sql, community.id),
  }),

  'POST /api/communities/:communityId/api-keys': async ({ sql, body, scope }) => ({
    json: await makeKey(sql, scope, body),
  }),

  'DELETE /api/communities/:communityId/api-keys/:keyId': async ({ sql, params, scope }) => {
    await endKey(sql, scope, params.keyId);
    return { json: { ok: true } };
  },
} satisfies Handlers;
