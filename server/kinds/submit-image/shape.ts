import * as z from 'zod/mini';
import { trimmed, uuid } from '../../contract/fields.ts';
import { SUBMISSION_TEXT_MAX } from '../../contract/limits.ts';

const SubmitImage = z.strictObject({ kind: z.literal('submit_image') });
export const submitImageShape = {
  setup: SubmitImage,
  ask: SubmitImage,
  evidence: z.strictObject({
    kind: z.literal('submit_image'),
    /** An image that was uploaded before, see `PUT …/images/:imageId`. */
    imageId: uuid,
    note: z.optional(trimmed(0, SUBMISSION_TEXT_MAX)),
  }),
};
