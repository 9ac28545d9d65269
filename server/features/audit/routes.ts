import type { Handlers } from '../../http/handler.ts';
import { listEntries } from './entries.ts';

export const auditHandlers = {
  'GET /api/communities/:communityId/audit': async ({ sql, query, community }) => ({
    json: await listEntries(sql, { communityId: community.id, ...query }),
  }),
} satisfies Handlers;
