import type { Handlers } from '../../http/handler.ts';
import { drawForTask, drawOwn, gradeOwn, readQuiz } from './attempts.ts';
import { addPack, changePack, listMisses, listPacks, readPack, removePack } from './packs.ts';

export const quizHandlers = {
  'GET /api/quiz': async ({ runtime, sql, actor }) => ({
    json: await readQuiz(sql, { userId: actor.userId, now: runtime.now() }),
  }),

  'POST /api/quiz/attempts': async ({ runtime, sql, actor, body }) => ({
    json: await drawOwn(sql, { userId: actor.userId, now: runtime.now() }, body.pack),
  }),

  'POST /api/quiz/attempts/:attemptId/answers': async ({ runtime, sql, actor, params, body }) => {
    const asker = { userId: actor.userId, attemptId: params.attemptId, now: runtime.now() };
    return { json: await gradeOwn(sql, asker, body) };
  },

  'POST /api/communities/:communityId/tasks/:taskId/attempts': async ({ runtime, sql, actor, params, community }) => {
    const { userId } = actor;
    const asker = { communityId: community.id, userId, taskId: params.taskId, now: runtime.now() };
    return { json: await drawForTask(sql, asker) };
  },

  'GET /api/communities/:communityId/quiz-packs': async ({ sql, community }) => ({
    json: { items: await listPacks(sql, community.id) },
  }),

  'POST /api/communities/:communityId/quiz-packs': async ({ runtime, sql, actor, body, community }) => {
    const by = { communityId: community.id, userId: actor.userId, now: runtime.now() };
    return { json: await addPack(sql, by, body) };
  },

  'GET /api/communities/:communityId/quiz-packs/:packId': async ({ sql, params, community }) => ({
    json: await readPack(sql, community.id, params.packId),
  }),

  'PUT /api/communities/:communityId/quiz-packs/:packId': async ({ runtime, sql, actor, params, body, community }) => {
    const by = { communityId: community.id, userId: actor.userId, now: runtime.now() };
    return { json: await changePack(sql, by, params.packId, body) };
  },

  'DELETE /api/communities/:communityId/quiz-packs/:packId': async ({ runtime, sql, actor, params, community }) => {
    const by = { communityId: community.id, userId: actor.userId, now: runtime.now() };
    await removePack(sql, by, params.packId);
    return { json: { ok: true } };
  },

  'GET /api/communities/:communityId/quiz-misses': async ({ sql, community }) => ({
    json: { items: await listMisses(sql, community.id) },
  }),
} satisfies Handlers;
