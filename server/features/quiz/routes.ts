import type { Handlers } from '../../http/handler.ts';
import { drawForTask, drawOwn, gradeOwn, readQuiz } from './attempts.ts';
import { addPack, changePack, listMisses, listPacks, readPack, removePack } from './packs.ts';

export const quizHandlers = {
  'GET /api/quiz': async ({ sql, scope }) => ({
    json: await readQuiz(sql, scope),
  }),

  'POST /api/quiz/attempts': async ({ sql, body, scope }) => ({
    json: await drawOwn(sql, scope, body.pack),
  }),

  'POST /api/quiz/attempts/:attemptId/answers': async ({ sql, body, scope }) => ({
    json: await gradeOwn(sql, scope, body),
  }),

  'POST /api/communities/:communityId/tasks/:taskId/attempts': async ({ sql, scope }) => ({
    json: await drawForTask(sql, scope),
  }),

  'GET /api/communities/:communityId/quiz-packs': async ({ sql, community }) => ({
    json: { items: await listPacks(sql, community.id) },
  }),

  'POST /api/communities/:communityId/quiz-packs': async ({ sql, body, scope }) => ({
    json: await addPack(sql, scope, body),
  }),

  'GET /api/communities/:communityId/quiz-packs/:packId': async ({ sql, params, community }) => ({
    json: await readPack(sql, community.id, params.packId),
  }),

  'PUT /api/communities/:communityId/quiz-packs/:packId': async ({ sql, params, body, scope }) => ({
    json: await changePack(sql, scope, params.packId, body),
  }),

  'DELETE /api/communities/:communityId/quiz-packs/:packId': async ({ sql, params, scope }) => {
    await removePack(sql, scope, params.packId);
    return { json: { ok: true } };
  },

  'GET /api/communities/:communityId/quiz-misses': async ({ sql, community }) => ({
    json: { items: await listMisses(sql, community.id) },
  }),
} satisfies Handlers;
