import { SNAPSHOT } from '../../domain/snapshot.ts';
import type { Handlers } from '../../http/handler.ts';
import { readLeague } from './league.ts';

export const leagueHandlers = {
  'GET /api/communities/:communityId/league': async ({ sql, scope }) => ({
    json: await sql.begin(SNAPSHOT, (snapshot) => readLeague(snapshot, scope)),
  }),
} satisfies Handlers;
