import type { Handlers } from '../../http/handler.ts';
import { listImports, runImport, undoImport } from './imports.ts';
import { judge } from './judge.ts';

export const importHandlers = {
  'GET /api/communities/:communityId/imports': async ({ sql, community }) => ({
    json: await listImports(sql, community.id),
  }),
  'POST /api/communities/:communityId/imports/check': async ({ runtime, sql, community, body }) => ({
    json: (await judge(sql, community.id, body, runtime.now())).check,
  }),
  'POST /api/communities/:communityId/imports': async ({ runtime, sql, actor, community, body }) => ({
    json: await runImport(sql, { communityId: community.id, userId: actor.userId, now: runtime.now() }, body),
  }),
  'POST /api/communities/:communityId/imports/:importId/undo': async ({ runtime, sql, actor, community, params }) => {
    const leader = { communityId: community.id, userId: actor.userId, now: runtime.now() };
    return { json: await undoImport(sql, { ...leader, importId: params.importId }) };
  },
} satisfies Handlers;
