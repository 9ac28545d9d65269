import * as z from 'zod/mini';

/** What every refused request answers. `reason` is stable and for programs; `message` is for people. */
export const ApiError = z.object({
  status: z.number(),
  reason: z.string(),
  message: z.string(),
  details: z.optional(z.unknown()),
  requestId: z.string(),
});
export type ApiError = z.infer<typeof ApiError>;

/** Marker that the specification's client looks for in an error message (section 4). */
export const MEMBERSHIP_REVOKED = 'TELEGRAM_MEMBERSHIP_REVOKED';

/** Reason of every answer to a suspended account. */
export const SUSPENDED = 'SUSPENDED';

/** Reason of a 401 to a device whose member was erased: the device deletes their data too. `details`: `{ userId }`. */
export const FORGOTTEN = 'FORGOTTEN';
