import { addressKey } from '../../http/call-counts.ts';
import type { Handlers } from '../../http/handler.ts';
import { decide, listRequests } from './desk.ts';
import { listOwn, readStatus, strangersToday, submitRequest } from './requests.ts';

export const partnershipHandlers = {
  'PUT /api/partnership-requests/:requestId': async ({ runtime, params, body, actor, ip, setStatus }) => {
    const sender = { userId: actor?.userId ?? null, address: addressKey(ip) };
    const scope = { id: params.requestId, sender, strangers: runtime.own(strangersToday), now: runtime.now() };
    const { isNew, ...json } = await submitRequest(runtime.sql, scope, body);
    if (!isNew) setStatus(200);
    return { json };
  },

  'GET /api/partnership-requests/:requestId': async ({ sql, params }) => ({
    json: await readStatus(sql, params.requestId),
  }),

  'GET /api/user/partnership-requests': async ({ sql, actor }) => ({ json: await listOwn(sql, actor.userId) }),

  'GET /api/admin/partnership-requests': async ({ sql, query }) => ({ json: await listRequests(sql, query) }),

  'POST /api/admin/partnership-requests/:requestId/state': async ({ sql, actor, body, scope }) => ({
    json: await decide(sql, { ...scope, adminId: actor.userId }, body),
  }),
} satisfies Handlers;
