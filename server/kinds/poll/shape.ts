import * as z from 'zod/mini';
import { localId, trimmed } from '../../contract/fields.ts';
import { POLL_OPTIONS_MAX, QUIZ_OPTION_MAX } from '../../contract/limits.ts';

const option = z.strictObject({ id: localId, text: trimmed(1, QUIZ_OPTION_MAX) });
export const pollShape = {
  setup: z.strictObject({
    kind: z.literal('poll'),
    choices: z.array(option).check(z.minLength(2), z.maxLength(POLL_OPTIONS_MAX)),
    multiple: z.boolean(),
  }),
  ask: z.strictObject({ kind: z.literal('poll'), choices: z.array(option), multiple: z.boolean() }),
  evidence: z.strictObject({
    kind: z.literal('poll'),
    optionIds: z.array(localId).check(z.minLength(1), z.maxLength(POLL_OPTIONS_MAX)),
  }),
};
