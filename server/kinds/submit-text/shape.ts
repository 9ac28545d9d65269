import * as z from 'zod/mini';
import { trimmed, whole } from '../../contract/fields.ts';
import { SUBMISSION_TEXT_MAX } from '../../contract/limits.ts';

export const submitTextShape = {
  setup: z.strictObject({ kind: z.literal('submit_text'), minLength: z.optional(whole(1, SUBMISSION_TEXT_MAX)) }),
  ask: z.strictObject({ kind: z.literal('submit_text'), minLength: z.number() }),
  evidence: z.strictObject({ kind: z.literal('submit_text'), text: trimmed(1, SUBMISSION_TEXT_MAX) }),
};
