import * as z from 'zod/mini';
import { instant, trimmed } from '../../contract/fields.ts';
import { LINK_MAX } from '../../contract/limits.ts';

export const visitLinkShape = {
  setup: z.strictObject({ kind: z.literal('visit_link'), url: trimmed(8, LINK_MAX) }),
  ask: z.strictObject({ kind: z.literal('visit_link'), url: z.string() }),
  evidence: z.strictObject({ kind: z.literal('visit_link'), openedAt: instant }),
};
