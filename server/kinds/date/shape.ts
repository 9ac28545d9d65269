import * as z from 'zod/mini';

/** A day of the calendar without a time zone, as `2026-11-21`. */
const calendarDate = z.iso.date();

export const DateSetup = z.strictObject({
  kind: z.literal('date'),
  earliest: z.nullable(calendarDate),
  latest: z.nullable(calendarDate),
  /** Whether it is reviewed; otherwise it counts at once. */
  review: z.boolean(),
});
export type DateSetup = z.infer<typeof DateSetup>;

export const DateAsk = z.strictObject({
  kind: z.literal('date'),
  earliest: z.nullable(z.string()),
  latest: z.nullable(z.string()),
});
export type DateAsk = z.infer<typeof DateAsk>;

export const DateEvidence = z.strictObject({ kind: z.literal('date'), date: calendarDate });
export type DateEvidence = z.infer<typeof DateEvidence>;

export const dateShape = { setup: DateSetup, ask: DateAsk, evidence: DateEvidence };
