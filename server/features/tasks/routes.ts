import type { Handlers } from '../../http/handler.ts';
import { readEventKey } from './event-keys.ts';
import { renewPartnerKey } from './partner-keys.ts';
import { listTasks, readPoll } from './read.ts';
import { changeTask, copyTask, createTask, orderTasks } from './tasks.ts';

export const taskHandlers = {
  'GET /api/communities/:communityId/tasks': async ({ sql, query, scope }) => ({
    json: await listTasks(sql, { ...scope, after: query.after, status: query.status }),
  }),

  'POST /api/communities/:communityId/tasks': async ({ runtime, sql, body, scope }) => ({
    json: await createTask(sql, { ...scope, xPoints: runtime.config.x.actionPoints }, body),
  }),

  'PUT /api/communities/:communityId/task-order': async ({ sql, actor, body, scope }) => {
    await orderTasks(sql, { ...scope, actorId: actor.userId }, body.taskIds);
    return { json: { ok: true } };
  },

  'PATCH /api/communities/:communityId/tasks/:taskId': async ({ runtime, sql, body, scope }) => ({
    json: await changeTask(sql, { ...scope, xPoints: runtime.config.x.actionPoints }, body),
  }),

  'POST /api/communities/:communityId/tasks/:taskId/copies': async ({ sql, scope }) => ({
    json: await copyTask(sql, scope),
  }),

  'GET /api/communities/:communityId/tasks/:taskId/poll': async ({ sql, scope }) => ({
    json: await readPoll(sql, scope),
  }),

  'GET /api/communities/:communityId/tasks/:taskId/event-key': async ({ sql, scope }) => ({
    json: await readEventKey(sql, scope),
  }),

  'POST /api/communities/:communityId/tasks/:taskId/partner-secret': async ({ sql, scope }) => ({
    json: await renewPartnerKey(sql, scope),
  }),
} satisfies Handlers;
