import type { Handlers } from '../../http/handler.ts';
import { notBuilt } from '../../http/not-built.ts';
import { changeTask, createTask, readTask } from './tasks.ts';

export const taskHandlers = {
  'POST /api/communities/:communityId/tasks': async ({ runtime, sql, actor, body, community }) => ({
    json: await createTask(sql, { communityId: community.id, userId: actor.userId, now: runtime.now() }, body),
  }),

  'PATCH /api/communities/:communityId/tasks/:taskId': async ({ runtime, sql, params, body, community }) => ({
    json: await changeTask(sql, { communityId: community.id, taskId: params.taskId, now: runtime.now() }, body),
  }),

  'GET /api/communities/:communityId/tasks/:taskId': async ({ runtime, sql, params, actor, community }) => {
    const { userId, timeZone } = actor;
    const asker = { communityId: community.id, userId, timeZone, now: runtime.now() };
    return { json: await readTask(sql, asker, params.taskId) };
  },

  'GET /api/communities/:communityId/tasks': notBuilt,
  'POST /api/communities/:communityId/tasks/:taskId/copies': notBuilt,
  'GET /api/communities/:communityId/tasks/:taskId/preview': notBuilt,
  'POST /api/communities/:communityId/tasks/:taskId/grants': notBuilt,
  'GET /api/communities/:communityId/tasks/:taskId/poll': notBuilt,
} satisfies Handlers;
