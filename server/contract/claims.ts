import * as z from 'zod/mini';
import { Evidence } from '../kinds/shapes.ts';
import { after, instant, pageOf, worded } from './fields.ts';
import { APPEAL_MAX, IMAGE_BYTES } from './limits.ts';
import { command, type Declaration, type RouteKey, read, route } from './route.ts';

/** `draft` and `queued` are the device's own. From `submitted` or `checking` a claim is decided; only `approved` has points. */
export const ClaimState = z.enum(['submitted', 'checking', 'approved', 'rejected', 'changes_requested', 'reversed']);
export type ClaimState = z.infer<typeof ClaimState>;

export { Evidence };

/** One check by the server or a person: what, when, result. */
export const Check = z.object({
  what: z.enum([
    'window',
    'conditions',
    'cap',
    'answers',
    'code',
    'link',
    'image',
    'invites',
    'telegram',
    'pace',
    'likeness',
    'partner',
    'x',
    'review',
    'appeal',
  ]),
  at: z.string(),
  /** Null: looked at, without a verdict. */
  ok: z.nullable(z.boolean()),
  /** For people: `4 of 6 right, 5 are needed`. Never contains an answer. */
  note: z.nullable(z.string()),
});
export type Check = z.infer<typeof Check>;

export const Appeal = z.object({
  text: z.string(),
  at: z.string(),
  /** `withdrawn`: replaced by the member's newer answer or appeal. */
  outcome: z.enum(['open', 'granted', 'refused', 'withdrawn']),
});
export type Appeal = z.infer<typeof Appeal>;

/** A claim as its member sees it: what was checked, when, by whom, why it failed and when to retry. */
export const Claim = z.object({
  id: z.string(),
  /** Grows with all that happens to the claim; 1 is what was sent first. A decision names the one that it is about. */
  version: z.number(),
  taskId: z.string(),
  /** `once`, `2026-11-21`, `2026-W47` or `2026-11`: the (member, task, period) key of the ledger. */
  period: z.string(),
  state: ClaimState,
  points: z.number(),
  evidence: z.nullable(Evidence),
  checks: z.array(Check),
  submittedAt: z.string(),
  decidedAt: z.nullable(z.string()),
  /** Name of the reviewer; null for what the server decided itself. */
  decidedBy: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** When another attempt is possible; null: now, or none is needed. */
  retryAt: z.nullable(z.string()),
  appeal: z.nullable(Appeal),
});
export type Claim = z.infer<typeof Claim>;

/** One event of a claim's history. Sending and checking at the same moment are two. */
export const ClaimStep = z.object({
  kind: z.enum([
    'submitted',
    'checked',
    'approved',
    'rejected',
    'sent_back',
    'resubmitted',
    'appealed',
    'appeal_granted',
    'appeal_refused',
    'appeal_withdrawn',
    'given',
    'counted',
    'reversed',
  ]),
  at: z.string(),
  /** Who acted: the claim's member, a reviewer or leader, or the server (checks and counts). */
  actor: z.enum(['member', 'reviewer', 'server']),
  /** The actor's name; null for the server. */
  by: z.nullable(z.string()),
  from: z.nullable(ClaimState),
  to: ClaimState,
  /** Why: the actor's own words (those of an appeal too), or what the check found. */
  reason: z.nullable(z.string()),
  /** What the ledger has of it: counted, or (below zero) taken back. */
  points: z.nullable(z.number()),
  /** The version of the claim from here on. */
  version: z.number(),
  /** What the member sent with it. */
  evidence: z.nullable(Evidence),
});
export type ClaimStep = z.infer<typeof ClaimStep>;

export const ClaimDetail = z.extend(Claim, {
  /** All that happened to it, the oldest first. */
  history: z.array(ClaimStep),
  /** Whether its member can appeal now. */
  mayAppeal: z.boolean(),
});
export type ClaimDetail = z.infer<typeof ClaimDetail>;

export const NewClaim = z.strictObject({
  evidence: z.optional(Evidence),
  /** Device time of the action, ISO 8601; advisory (offline claims). */
  actedAt: z.optional(instant),
});
export type NewClaim = z.infer<typeof NewClaim>;

const IMAGE_TYPES = ['image/webp', 'image/jpeg'] as const;

export const claimRoutes = {
  'POST /api/communities/:communityId/tasks/:taskId/claims': command(
    'member',
    'Claim a task: one idempotent command; an open appeal for the same period gives way to it',
    { body: NewClaim, output: Claim, status: 201, perMinute: 120 },
  ),
  'GET /api/communities/:communityId/claims': read('member', 'My claims, the latest first', {
    query: z.object({ after, state: z.optional(ClaimState) }),
    output: pageOf(Claim),
  }),
  'GET /api/communities/:communityId/claims/:claimId': read(
    'member',
    'One claim with its history: mine, or any for who reviews',
    { output: ClaimDetail },
  ),
  'POST /api/communities/:communityId/claims/:claimId/resubmission': command(
    'member',
    'Answer to requested changes with new evidence',
    { body: z.strictObject({ evidence: Evidence, actedAt: z.optional(instant) }), output: Claim },
  ),
  'POST /api/communities/:communityId/claims/:claimId/appeal': command(
    'member',
    'Appeal against a rejection, once; an earlier open appeal for the same period gives way to it',
    { body: z.strictObject({ text: worded(10, APPEAL_MAX) }), output: Claim },
  ),
  'PUT /api/communities/:communityId/images/:imageId': route(
    'member',
    'Store an image under an id the device made; the same bytes again change nothing',
    {
      bodyTypes: IMAGE_TYPES,
      bodyBytes: IMAGE_BYTES,
      output: z.object({ id: z.string(), width: z.number(), height: z.number() }),
      cache: 'no-store',
      perMinute: 30,
    },
  ),
  'GET /api/communities/:communityId/images/:imageId': read(
    'member',
    'The bytes of an image: mine, or any for who reviews',
    { fileTypes: IMAGE_TYPES },
  ),
} as const satisfies Record<RouteKey, Declaration>;
