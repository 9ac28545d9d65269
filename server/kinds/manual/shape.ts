import * as z from 'zod/mini';

const Manual = z.strictObject({ kind: z.literal('manual') });
export const manualShape = { setup: Manual, ask: Manual };
