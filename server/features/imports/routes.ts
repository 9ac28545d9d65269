import type { Actor } from '../../base/actor.ts';
import { HttpError } from '../../base/http-error.ts';
import { TooManyWait } from '../../base/own-thread.ts';
import type { Runtime } from '../../base/runtime.ts';
import type { ImportQuery } from '../../contract/imports.ts';
import type { Handlers } from '../../http/handler.ts';
import { mayGivePoints } from '../x/switch.ts';
import { listImports, runImport, undoImport } from './imports.ts';
import { readInThread } from './in-thread.ts';
import { judge } from './judge.ts';
import type { FileRead } from './read-file.ts';

type ImportCall = { runtime: Runtime; actor: Actor; community: { id: string } };
const leaderOf = ({ runtime, actor, community }: ImportCall) => ({
  communityId: community.id,
  userId: actor.userId,
  now: runtime.now(),
});

type Sent = { runtime: Runtime; body: { bytes: Buffer<ArrayBuffer> }; query: ImportQuery };
async function read({ runtime, body, query }: Sent): Promise<FileRead> {
  const { sql, config } = runtime;
  const xPoints = await mayGivePoints(sql, config.x.actionPoints);
  return readInThread({ bytes: body.bytes, query, now: runtime.now(), xPoints }).catch((error: unknown) => {
    if (!(error instanceof TooManyWait)) throw error;
    throw new HttpError(503, 'TRY_AGAIN', 'Other files are being read just now. Nothing was changed.', {
      retryAfterSeconds: 5,
    });
  });
}

export const importHandlers = {
  'GET /api/communities/:communityId/imports': async ({ sql, community }) => ({
    json: await listImports(sql, community.id),
  }),
  'POST /api/communities/:communityId/imports/check': async (call) => ({
    json: (await judge(call.sql, leaderOf(call), call.query, await read(call))).check,
  }),
  'POST /api/communities/:communityId/imports': {
    async prepare(call) {
      const file = await read(call);
      return async ({ sql }) => ({ json: await runImport(sql, leaderOf(call), call.query, file) });
    },
  },
  'POST /api/communities/:communityId/imports/:importId/undo': async (call) => ({
    json: await undoImport(call.sql, { ...leaderOf(call), importId: call.params.importId }),
  }),
} satisfies Handlers;
