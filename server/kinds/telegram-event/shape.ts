import * as z from 'zod/mini';
import { instant, trimmed } from '../../contract/fields.ts';
import { EVENT_CODE_MAX } from '../../contract/limits.ts';

export const telegramEventShape = {
  setup: z.strictObject({
    kind: z.literal('telegram_event'),
    place: trimmed(0, 200),
    startsAt: instant,
    endsAt: instant,
  }),
  ask: z.strictObject({
    kind: z.literal('telegram_event'),
    place: z.string(),
    startsAt: z.string(),
    endsAt: z.string(),
    /** Ed25519, base64url: a device verifies scanned codes with it offline. */
    publicKey: z.string(),
  }),
  evidence: z.strictObject({ kind: z.literal('telegram_event'), code: trimmed(1, EVENT_CODE_MAX) }),
};
