import type { Handlers } from '../../http/handler.ts';
import { readFile, storeFile } from './files.ts';
import { readImage, storeImage } from './images.ts';

export const imageHandlers = {
  'PUT /api/communities/:communityId/images/:imageId': async ({ sql, body, scope }) => ({
    json: await storeImage(sql, scope, body),
  }),

  'GET /api/communities/:communityId/images/:imageId': async ({ sql, scope }) => ({
    file: await readImage(sql, scope),
  }),

  'PUT /api/communities/:communityId/files/:fileId': async ({ sql, body, scope }) => ({
    json: await storeFile(sql, scope, body),
  }),

  'GET /api/communities/:communityId/files/:fileId': async ({ sql, scope }) => ({
    file: await readFile(sql, scope),
  }),
} satisfies Handlers;
