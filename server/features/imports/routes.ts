import type { Actor } from '../../base/actor.ts';
import type { Runtime } from '../../base/runtime.ts';
import type { Handlers } from '../../http/handler.ts';
import { listImports, runImport, undoImport } from './imports.ts';
import { judge } from './judge.ts';

type Asked = { runtime: Runtime; actor: Actor; community: { id: string } };
const leaderOf = ({ runtime, actor, community }: Asked) => ({
  communityId: community.id,
  userId: actor.userId,
  now: runtime.now(),
  xPoints: runtime.config.x.actionPoints,
});

export const importHandlers = {
  'GET /api/communities/:communityId/imports': async ({ sql, community }) => ({
    json: await listImports(sql, community.id),
  }),
  'POST /api/communities/:communityId/imports/check': async (call) => ({
    json: (await judge(call.sql, leaderOf(call), call.body)).check,
  }),
  'POST /api/communities/:communityId/imports': async (call) => ({
    json: await runImport(call.sql, leaderOf(call), call.body),
  }),
  'POST /api/communities/:communityId/imports/:importId/undo': async (call) => ({
    json: await undoImport(call.sql, { ...leaderOf(call), importId: call.params.importId }),
  }),
} satisfies Handlers;
