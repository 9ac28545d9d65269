import * as z from 'zod/mini';
import { trimmed, whole } from '../../contract/fields.ts';
import { SCALE_LABEL_MAX, SCALE_MAX } from '../../contract/limits.ts';

/** An opinion from 1 to `SCALE_MAX`; the labels name its ends. */
export const ScaleSetup = z.strictObject({
  kind: z.literal('scale'),
  low: trimmed(1, SCALE_LABEL_MAX),
  high: trimmed(1, SCALE_LABEL_MAX),
});
export type ScaleSetup = z.infer<typeof ScaleSetup>;

export const ScaleAsk = z.strictObject({ kind: z.literal('scale'), low: z.string(), high: z.string() });
export type ScaleAsk = z.infer<typeof ScaleAsk>;

export const ScaleEvidence = z.strictObject({ kind: z.literal('scale'), value: whole(1, SCALE_MAX) });
export type ScaleEvidence = z.infer<typeof ScaleEvidence>;

export const scaleShape = { setup: ScaleSetup, ask: ScaleAsk, evidence: ScaleEvidence };
