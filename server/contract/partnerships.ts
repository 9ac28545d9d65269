import * as z from 'zod/mini';
import {
  PARTNERSHIP_CONTACT_MAX,
  PARTNERSHIP_MESSAGE_MAX,
  PARTNERSHIP_MESSAGE_MIN,
  PARTNERSHIP_NAME_MAX,
} from './desk-limits.ts';
import { after, pageOf, trimmed, worded } from './fields.ts';
import { DECISION_REASON_MAX, SEARCH_MAX } from './limits.ts';
import { type Declaration, type RouteKey, route } from './route.ts';

/** What the sender wants: bring a community, give a reward, connect software, run an instance, or anything else. */
export const PartnershipKind = z.enum(['community', 'reward', 'software', 'hosting', 'other']);
export type PartnershipKind = z.infer<typeof PartnershipKind>;
export const PartnershipState = z.enum(['new', 'in_talk', 'accepted', 'declined']);
export type PartnershipState = z.infer<typeof PartnershipState>;

export const NewPartnership = z.strictObject({
  name: worded(2, PARTNERSHIP_NAME_MAX),
  /** Empty: for themselves. */
  organisation: trimmed(0, PARTNERSHIP_NAME_MAX),
  /** Where to answer: a mail address, an @username, a link. */
  contact: worded(3, PARTNERSHIP_CONTACT_MAX),
  kind: PartnershipKind,
  message: worded(PARTNERSHIP_MESSAGE_MIN, PARTNERSHIP_MESSAGE_MAX),
});
export type NewPartnership = z.infer<typeof NewPartnership>;

/** What its sender sees of a request: of their own text only its kind. */
export const PartnershipStatus = z.object({
  id: z.string(),
  /** What both sides call it: `referenceOf(id)`. */
  reference: z.string(),
  kind: PartnershipKind,
  state: PartnershipState,
  answer: z.nullable(z.string()),
  sentAt: z.string(),
  changedAt: z.string(),
});
export type PartnershipStatus = z.infer<typeof PartnershipStatus>;

/** The whole request, for administrators. */
export const Partnership = z.extend(PartnershipStatus, {
  name: z.string(),
  organisation: z.string(),
  contact: z.string(),
  message: z.string(),
  /** The account that sent it; null: a visitor. */
  from: z.nullable(z.object({ userId: z.string(), displayName: z.string() })),
  /** What was decided about it and why, the latest first. */
  history: z.array(
    z.object({ at: z.string(), action: z.string(), by: z.nullable(z.string()), note: z.nullable(z.string()) }),
  ),
});
export type Partnership = z.infer<typeof Partnership>;

export const partnershipRoutes = {
  'PUT /api/partnership-requests/:requestId': route(
    'public',
    'Ask for a partnership, signed in or not; the id is made by the device, and the same one again is the same request',
    { body: NewPartnership, output: PartnershipStatus, status: 201, cache: 'no-store', perMinute: 10 },
  ),
  'GET /api/partnership-requests/:requestId': route('public', 'What became of a request, for who holds its id', {
    output: PartnershipStatus,
    cache: 'no-store',
    perMinute: 60,
  }),
  'GET /api/user/partnership-requests': route('user', 'My own requests for a partnership, the latest first', {
    output: z.array(PartnershipStatus),
    cache: 'private',
    perMinute: 120,
  }),
  'GET /api/admin/partnership-requests': route(
    'admin',
    'All requests for a partnership: those that wait first, the longest waiting at the top, then the decided ones',
    {
      query: z.object({
        after,
        search: z.optional(z.string().check(z.maxLength(SEARCH_MAX))),
        state: z.optional(PartnershipState),
      }),
      output: z.extend(pageOf(Partnership), { waiting: z.number() }),
      cache: 'no-store',
      perMinute: 240,
    },
  ),
  'POST /api/admin/partnership-requests/:requestId/state': route(
    'admin',
    'Say where a request stands, with a note for the desk and, where given, an answer that its sender reads',
    {
      body: z.strictObject({
        /** The state that the screen showed: two administrators who decide at once do not overwrite each other. */
        from: PartnershipState,
        to: z.enum(['in_talk', 'accepted', 'declined']),
        reason: worded(3, DECISION_REASON_MAX),
        answer: z.optional(trimmed(0, DECISION_REASON_MAX)),
      }),
      output: Partnership,
      cache: 'no-store',
      perMinute: 60,
      idempotent: true,
    },
  ),
} as const satisfies Record<RouteKey, Declaration>;
