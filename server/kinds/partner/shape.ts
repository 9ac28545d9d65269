import * as z from 'zod/mini';
import { trimmed } from '../../contract/fields.ts';
import { PARTNER_ANSWER_MAX, PARTNER_ASKS_MAX, WEBHOOK_URL_MAX } from '../../contract/limits.ts';
import { command, type Declaration, type RouteKey } from '../../contract/route.ts';

/** The leader's own program decides. */
export const PartnerSetup = z.strictObject({
  kind: z.literal('partner'),
  /** HTTPS on the open internet. Members see its host only: the rest may be a secret. */
  url: trimmed(8, WEBHOOK_URL_MAX),
  /** What a member types for it, such as `Order number`; empty: nothing. */
  asks: trimmed(0, PARTNER_ASKS_MAX),
});
export type PartnerSetup = z.infer<typeof PartnerSetup>;

export const PartnerAsk = z.strictObject({ kind: z.literal('partner'), host: z.string(), asks: z.string() });
export type PartnerAsk = z.infer<typeof PartnerAsk>;

export const PartnerEvidence = z.strictObject({
  kind: z.literal('partner'),
  answer: z.optional(trimmed(1, PARTNER_ANSWER_MAX)),
});
export type PartnerEvidence = z.infer<typeof PartnerEvidence>;

export const partnerShape = { setup: PartnerSetup, ask: PartnerAsk, evidence: PartnerEvidence };

export const partnerRoutes = {
  'POST /api/communities/:communityId/tasks/:taskId/partner-secret': command(
    'leader',
    'Make the secret anew with which requests of a partner task are signed; it is shown this once',
    { output: z.object({ secret: z.string() }), shownOnce: 'secret', status: 201 },
  ),
} as const satisfies Record<RouteKey, Declaration>;
