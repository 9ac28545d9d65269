import * as z from 'zod/mini';

const CheckIn = z.strictObject({ kind: z.literal('check_in') });
export const checkInShape = { setup: CheckIn, ask: CheckIn, evidence: CheckIn };
