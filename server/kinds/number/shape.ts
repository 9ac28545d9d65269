import * as z from 'zod/mini';
import { trimmed, whole } from '../../contract/fields.ts';
import { NUMBER_DECIMALS_MAX, NUMBER_MAX, NUMBER_UNIT_MAX } from '../../contract/limits.ts';

const amount = z.number().check(z.gte(-NUMBER_MAX), z.lte(NUMBER_MAX));

/** A number of a unit (`km`), as exact as `decimals` says. */
export const NumberSetup = z.strictObject({
  kind: z.literal('number'),
  unit: trimmed(0, NUMBER_UNIT_MAX),
  min: z.nullable(amount),
  max: z.nullable(amount),
  decimals: whole(0, NUMBER_DECIMALS_MAX),
  /** With it an answer is judged at once. Members never receive it. */
  expected: z.optional(z.strictObject({ value: amount, tolerance: z.number().check(z.gte(0), z.lte(NUMBER_MAX)) })),
  /** Whether it is reviewed; ignored where a number is expected. */
  review: z.boolean(),
});
export type NumberSetup = z.infer<typeof NumberSetup>;

export const NumberAsk = z.strictObject({
  kind: z.literal('number'),
  unit: z.string(),
  min: z.nullable(z.number()),
  max: z.nullable(z.number()),
  decimals: z.number(),
});
export type NumberAsk = z.infer<typeof NumberAsk>;

export const NumberEvidence = z.strictObject({ kind: z.literal('number'), value: amount });
export type NumberEvidence = z.infer<typeof NumberEvidence>;

export const numberShape = { setup: NumberSetup, ask: NumberAsk, evidence: NumberEvidence };
