import type { Handlers } from '../../http/handler.ts';
import { refuseEntry } from '../chats/enter.ts';
import { acceptOffer, declineOffer, listOffers } from './offers.ts';

export const offerHandlers = {
  'GET /api/user/offers': async ({ sql, scope }) => ({
    json: await listOffers(sql, scope),
  }),
  'POST /api/user/offers/:placeId': async (call) => {
    const { runtime, sql, actor, params } = call;
    const scope = { userId: actor.userId, now: runtime.now() };
    return { json: await acceptOffer(sql, scope, params.placeId, () => refuseEntry(call, params.placeId)) };
  },
  'DELETE /api/user/offers/:placeId': async ({ runtime, sql, actor, params: { placeId } }) => {
    await declineOffer(sql, { userId: actor.userId, now: runtime.now() }, placeId);
    return { json: { ok: true } };
  },
} satisfies Handlers;
