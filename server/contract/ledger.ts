import * as z from 'zod/mini';
import { after, pageOf, uuid, worded } from './fields.ts';
import { ADJUSTMENT_MAX, DECISION_REASON_MAX } from './limits.ts';
import { command, type Declaration, download, type RouteKey, read } from './route.ts';

export const LedgerEntry = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.enum(['award', 'adjust', 'reverse']),
  points: z.number(),
  community: z.string(),
  task: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** Name of who did it; null for the server. */
  by: z.nullable(z.string()),
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;
export const CommunityLedgerEntry = z.extend(LedgerEntry, {
  userId: z.string(),
  displayName: z.string(),
});
export type CommunityLedgerEntry = z.infer<typeof CommunityLedgerEntry>;

export const ledgerRoutes = {
  'GET /api/user/ledger': read('user', 'My points, the latest first', {
    query: z.object({ after, communityId: z.optional(uuid) }),
    output: pageOf(LedgerEntry),
  }),
  'GET /api/user/ledger/export': download(
    'user',
    'All my points as signed JSON, verified by `muster ledger verify <file>`',
    { fileTypes: ['application/json'] },
  ),
  'GET /api/ledger/public-key': read('public', 'The key that signed exports are verified with', {
    output: z.object({
      keyId: z.string(),
      algorithm: z.literal('Ed25519'),
      /** Raw 32 bytes, base64url. */
      publicKey: z.string(),
    }),
  }),
  'GET /api/communities/:communityId/ledger': read('moderator', 'Points of the community, the latest first', {
    scope: 'read:ledger',
    query: z.object({ after, userId: z.optional(uuid) }),
    output: pageOf(CommunityLedgerEntry),
  }),
  'POST /api/communities/:communityId/adjustments': command('leader', 'Give or take points by hand, with a reason', {
    scope: 'write:points',
    body: z.strictObject({
      userId: uuid,
      points: z.int().check(
        z.gte(-ADJUSTMENT_MAX),
        z.lte(ADJUSTMENT_MAX),
        z.refine((points) => points !== 0, 'Zero points change nothing'),
      ),
      reason: worded(3, DECISION_REASON_MAX),
    }),
    output: CommunityLedgerEntry,
    status: 201,
  }),
} as const satisfies Record<RouteKey, Declaration>;
