import type { Handlers } from '../../http/handler.ts';
import { grantTask } from '../claims/grant.ts';
import { listTasks, previewTask, readPoll, readTask } from './read.ts';
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
    json: await createTask(sql, { communityId: community.id, userId: actor.userId, now: runtime.now() }, body),
  }),

  'PATCH /api/communities/:communityId/tasks/:taskId': async ({ runtime, sql, params, actor, body, community }) => {
    const editor = { communityId: community.id, userId: actor.userId, taskId: params.taskId, now: runtime.now() };
    return { json: await changeTask(sql, editor, body) };
  },

  'POST /api/communities/:communityId/tasks/:taskId/copies': async ({ runtime, sql, params, actor, community }) => {
    const editor = { communityId: community.id, userId: actor.userId, taskId: params.taskId, now: runtime.now() };
    return { json: await copyTask(sql, editor) };
  },

  'GET /api/communities/:communityId/tasks/:taskId': async ({ runtime, sql, params, actor, community }) => {
    const { userId, timeZone } = actor;
    const asker = { communityId: community.id, userId, timeZone, role: community.role, now: runtime.now() };
    return { json: await readTask(sql, asker, params.taskId) };
  },

  'GET /api/communities/:communityId/tasks/:taskId/preview': async ({ runtime, sql, params, actor, community }) => {
    const { userId, timeZone } = actor;
    const asker = { communityId: community.id, userId, timeZone, now: runtime.now() };
    return { json: await previewTask(sql, asker, params.taskId) };
  },

  'POST /api/communities/:communityId/tasks/:taskId/grants': async ({
    runtime,
    sql,
    params,
    actor,
    body,
    community,
  }) => {
    const asked = { communityId: community.id, taskId: params.taskId, leaderId: actor.userId, now: runtime.now() };
    return { json: await grantTask(sql, asked, body) };
  },

  'GET /api/communities/:communityId/tasks/:taskId/poll': async ({ sql, params, actor, community }) => {
    const asked = { communityId: community.id, userId: actor.userId, role: community.role, taskId: params.taskId };
    return { json: await readPoll(sql, asked) };
  },
} satisfies Handlers;
