import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Handlers } from '../../http/handler.ts';
import { readAnalytics } from './analytics.ts';

export const analyticsHandlers = {
  'GET /api/communities/:communityId/analytics': async ({ runtime, sql, query, actor, community }) => {
    const days = Number(query.days ?? '28');
    const scope = { communityId: community.id, userId: actor.userId, days, now: runtime.now() };
    return { json: await sql.begin(SNAPSHOT, (snapshot) => readAnalytics(snapshot, scope)) };
  },
} satisfies Handlers;
