import * as z from 'zod/mini';
import { whole } from '../../contract/fields.ts';
import { INVITES_NEEDED_MAX } from '../../contract/limits.ts';

export const inviteShape = {
  setup: z.strictObject({ kind: z.literal('invite'), needed: whole(1, INVITES_NEEDED_MAX) }),
  ask: z.strictObject({ kind: z.literal('invite'), needed: z.number() }),
  evidence: z.strictObject({ kind: z.literal('invite') }),
};
