import type { Handlers } from '../../http/handler.ts';
import { adjust } from './adjust.ts';

export const awardHandlers = {
  'POST /api/communities/:communityId/adjustments': async ({ sql, actor, body, scope }) => ({
    json: await adjust(sql, { ...scope, leaderId: actor.userId }, body),
  }),
} satisfies Handlers;
