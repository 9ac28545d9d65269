import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Handlers } from '../../http/handler.ts';
import { readLeague } from './league.ts';

export const leagueHandlers = {
  'GET /api/communities/:communityId/league': async ({ runtime, sql, actor, community }) => {
    const scope = { communityId: community.id, userId: actor.userId, role: community.role, now: runtime.now() };
    return { json: await sql.begin(SNAPSHOT, (snapshot) => readLeague(snapshot, scope)) };
  },
} satisfies Handlers;
