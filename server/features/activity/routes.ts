import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Handlers } from '../../http/handler.ts';
import { readActivity } from './activity.ts';

export const activityHandlers = {
  'GET /api/communities/:communityId/activity': async ({ sql, query, actor, community }) => {
    const scope = { communityId: community.id, me: actor?.userId ?? null, after: query.after };
    return { json: await sql.begin(SNAPSHOT, (snapshot) => readActivity(snapshot, scope)) };
  },
} satisfies Handlers;
