import * as z from 'zod/mini';
import { trimmed, uuid } from '../../contract/fields.ts';
import { FILE_BYTES, FILE_NAME_MAX, SUBMISSION_TEXT_MAX } from '../../contract/limits.ts';
import { type Declaration, type RouteKey, read, route } from '../../contract/route.ts';

export const FILE_TYPES = ['application/pdf', 'text/plain'] as const;
export type FileType = (typeof FILE_TYPES)[number];

export const FileSetup = z.strictObject({ kind: z.literal('file') });
export const FileAsk = z.strictObject({ kind: z.literal('file') });
export const FileEvidence = z.strictObject({
  kind: z.literal('file'),
  /** A file that was uploaded before, see `PUT …/files/:fileId`. */
  fileId: uuid,
  /** The file's name on the member's device: shown, and never part of an address. */
  name: trimmed(1, FILE_NAME_MAX),
  note: z.optional(trimmed(0, SUBMISSION_TEXT_MAX)),
});
export type FileEvidence = z.infer<typeof FileEvidence>;

export const fileShape = { setup: FileSetup, ask: FileAsk, evidence: FileEvidence };

export const fileRoutes = {
  'PUT /api/communities/:communityId/files/:fileId': route(
    'member',
    'Store a PDF or plain text under an id the device made; the same bytes again change nothing',
    {
      bodyTypes: FILE_TYPES,
      bodyBytes: FILE_BYTES,
      output: z.object({ id: z.string() }),
      cache: 'no-store',
      perMinute: 30,
    },
  ),
  'GET /api/communities/:communityId/files/:fileId': read(
    'member',
    'The bytes of a file, to be saved: mine, or any for who reviews',
    { fileTypes: FILE_TYPES },
  ),
} as const satisfies Record<RouteKey, Declaration>;
