import type { Handlers } from '../../http/handler.ts';
import { readEventKey } from './event-keys.ts';
import { orderTasks } from './order.ts';
import { renewPartnerKey } from './partner-keys.ts';
import { listTasks, readPoll } from './read.ts';
import { changeTask, copyTask, createTask } from './tasks.ts';

export const taskHandlers = {
  'GET /api/communities/:communityId/tasks': async ({ runtime, sql, query, community }) => ({
    json: await listTasks(sql, {
      communityId: community.id,
      role: community.role,
      now: runtime.now(),
      after: query.after,
      status: query.status,
    }),
  }),

  'POST /api/communities/:communityId/tasks': async ({ runtime, sql, actor, body, community }) => ({
    json: await createTask(
      sql,
      {
        communityId: community.id,
        userId: actor.userId,
        now: runtime.now(),
        xPoints: runtime.config.x.actionPoints,
      },
      body,
    ),
  }),

  'PUT /api/communities/:communityId/task-order': async ({ runtime, sql, actor, body, community }) => {
    await orderTasks(sql, { communityId: community.id, actorId: actor.userId, now: runtime.now() }, body.taskIds);
    return { json: { ok: true } };
  },

  'PATCH /api/communities/:communityId/tasks/:taskId': async ({ runtime, sql, params, actor, body, community }) => {
    const editor = {
      communityId: community.id,
      userId: actor.userId,
      taskId: params.taskId,
      now: runtime.now(),
      xPoints: runtime.config.x.actionPoints,
    };
    return { json: await changeTask(sql, editor, body) };
  },

  'POST /api/communities/:communityId/tasks/:taskId/copies': async ({ runtime, sql, params, actor, community }) => {
    const editor = { communityId: community.id, userId: actor.userId, taskId: params.taskId, now: runtime.now() };
    return { json: await copyTask(sql, editor) };
  },

  'GET /api/communities/:communityId/tasks/:taskId/poll': async ({ sql, params, actor, community }) => {
    const scope = { communityId: community.id, userId: actor.userId, role: community.role, taskId: params.taskId };
    return { json: await readPoll(sql, scope) };
  },

  'GET /api/communities/:communityId/tasks/:taskId/event-key': async ({ runtime, sql, params, community }) => ({
    json: await readEventKey(sql, { communityId: community.id, taskId: params.taskId, now: runtime.now() }),
  }),

  'POST /api/communities/:communityId/tasks/:taskId/partner-secret': async (call) => {
    const { runtime, sql, params, actor, community } = call;
    const by = { communityId: community.id, taskId: params.taskId, userId: actor.userId, now: runtime.now() };
    return { json: await renewPartnerKey(sql, by) };
  },
} satisfies Handlers;
