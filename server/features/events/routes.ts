import type { Handlers } from '../../http/handler.ts';
import { readEventKey } from './keys.ts';

export const eventHandlers = {
  'GET /api/communities/:communityId/tasks/:taskId/event-key': async ({ runtime, sql, params, community }) => ({
    json: await readEventKey(sql, { communityId: community.id, taskId: params.taskId, now: runtime.now() }),
  }),
} satisfies Handlers;
