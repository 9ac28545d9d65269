import * as z from 'zod/mini';
import { Done } from './fields.ts';
import { AGREED_TO } from './policies.ts';
import { command, type Declaration, download, type RouteKey, read } from './route.ts';

/** The word that a person types to be erased, so it cannot happen by accident. */
export const ERASE_WORD = 'ERASE';

/** A scheduled erasure. `by`: who requested it. */
export const Erasure = z.object({
  askedAt: z.string(),
  dueAt: z.string(),
  by: z.enum(['person', 'admin', 'operator']),
});
export type Erasure = z.infer<typeof Erasure>;

/** A document with what this person agreed to of it. */
export const Consent = z.object({
  document: z.enum(AGREED_TO),
  /** In force since that day (`2026-11-26`). */
  version: z.string(),
  since: z.string(),
  /** The version that they agreed to last, and when; null when they never did. */
  agreed: z.nullable(z.object({ version: z.string(), at: z.string() })),
  /** What is in force is materially more than they agreed to. */
  isAsked: z.boolean(),
});
export type Consent = z.infer<typeof Consent>;

/** What the page of one's own data shows. */
export const OwnData = z.object({
  consents: z.array(Consent),
  /** Communities that would have no leader without this person. */
  onlyLeaderOf: z.array(z.object({ id: z.string(), slug: z.string(), name: z.string(), members: z.number() })),
  /** The last erasure that signing in cancelled, until its person has read so. */
  cancelled: z.nullable(z.object({ askedAt: z.string(), dueAt: z.string(), cancelledAt: z.string() })),
});
export type OwnData = z.infer<typeof OwnData>;

export const personDataRoutes = {
  'GET /api/user/data': read(
    'user',
    'What I agreed to, which communities only I lead, and an erasure that was cancelled',
    { output: OwnData },
  ),
  'GET /api/user/data/archive': download(
    'user',
    'Everything that is stored about me, as one ZIP of JSON and pictures',
    { fileTypes: ['application/zip'], allowRevoked: true, allowSuspended: true },
  ),
  'POST /api/user/consents': command(
    'user',
    'Agree to the versions that were shown; another version than the one in force is refused',
    {
      body: z.strictObject({
        agreed: z
          .array(z.strictObject({ document: z.enum(AGREED_TO), version: z.string().check(z.maxLength(20)) }))
          .check(z.minLength(1), z.maxLength(AGREED_TO.length)),
      }),
      output: OwnData,
    },
  ),
  'POST /api/user/erasure': command(
    'user',
    'Erase me in 7 days: signed out everywhere at once; signing in before then cancels it',
    {
      body: z.strictObject({
        word: z.literal(ERASE_WORD),
        /** Confirms that communities that only I lead will have no leader. */
        leavesCommunities: z.boolean(),
      }),
      output: Erasure,
      allowRevoked: true,
    },
  ),
  'DELETE /api/user/erasure/notice': command('user', 'I have read that my erasure was cancelled', { output: Done }),
} as const satisfies Record<RouteKey, Declaration>;
