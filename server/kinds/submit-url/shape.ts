import * as z from 'zod/mini';
import { trimmed } from '../../contract/fields.ts';
import { LINK_MAX, SUBMISSION_TEXT_MAX, URL_HOSTS_MAX } from '../../contract/limits.ts';

export const submitUrlShape = {
  setup: z.strictObject({
    kind: z.literal('submit_url'),
    /** Allowed hosts of a link; none: any. */
    hosts: z.array(trimmed(3, 253)).check(z.maxLength(URL_HOSTS_MAX)),
  }),
  ask: z.strictObject({ kind: z.literal('submit_url'), hosts: z.array(z.string()) }),
  evidence: z.strictObject({
    kind: z.literal('submit_url'),
    url: trimmed(8, LINK_MAX),
    note: z.optional(trimmed(0, SUBMISSION_TEXT_MAX)),
  }),
};
