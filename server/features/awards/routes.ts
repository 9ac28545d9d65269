import type { Handlers } from '../../http/handler.ts';
import { adjust } from './adjust.ts';

export const awardHandlers = {
  'POST /api/communities/:communityId/adjustments': async ({ runtime, sql, actor, community, body }) => ({
    json: await adjust(sql, { communityId: community.id, leaderId: actor.userId, now: runtime.now() }, body),
  }),
} satisfies Handlers;
