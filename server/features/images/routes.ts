import type { Handlers } from '../../http/handler.ts';
import { readFile, storeFile } from './files.ts';
import { readImage, storeImage } from './images.ts';

export const imageHandlers = {
  'PUT /api/communities/:communityId/images/:imageId': async ({ runtime, sql, params, actor, body, community }) => {
    const scope = { communityId: community.id, imageId: params.imageId, userId: actor.userId, now: runtime.now() };
    return { json: await storeImage(sql, scope, body) };
  },

  'GET /api/communities/:communityId/images/:imageId': async ({ sql, params, actor, community }) => ({
    file: await readImage(sql, { communityId: community.id, imageId: params.imageId, userId: actor.userId }),
  }),

  'PUT /api/communities/:communityId/files/:fileId': async ({ runtime, sql, params, actor, body, community }) => {
    const scope = { communityId: community.id, fileId: params.fileId, userId: actor.userId, now: runtime.now() };
    return { json: await storeFile(sql, scope, body) };
  },

  'GET /api/communities/:communityId/files/:fileId': async ({ sql, params, actor, community }) => ({
    file: await readFile(sql, { communityId: community.id, fileId: params.fileId, userId: actor.userId }),
  }),
} satisfies Handlers;
