import * as z from 'zod/mini';
import { pastedPost } from '../kinds/x/shape.ts';
import { Done, whole, worded } from './fields.ts';
import { ANSWER_UPSTREAM_MS, DECISION_REASON_MAX, X_BUDGET_MAX } from './limits.ts';
import { command, type Declaration, type RouteKey, read, route } from './route.ts';
import { User } from './user.ts';
import { X_POST } from './x-post.ts';

export const PostCheck = z.object({
  /** X shows the post publicly. */
  found: z.boolean(),
  /** Its author, without @. */
  author: z.nullable(z.string()),
  /** Whether its text contains the code. */
  hasCode: z.boolean(),
});
export type PostCheck = z.infer<typeof PostCheck>;

/** How my X account was proven, and since when X may be checked for my tasks. */
export const XLink = z.object({
  configured: z.boolean(),
  provenBy: z.nullable(z.enum(['oauth', 'post', 'admin'])),
  checksSince: z.nullable(z.string()),
});
export type XLink = z.infer<typeof XLink>;

/** A community's use of X. Money is in thousandths of a dollar. */
export const XStanding = z.object({
  /** The month that is counted, `2026-11`, UTC. */
  month: z.string(),
  /** Whether the instance has credentials for X. */
  configured: z.boolean(),
  budget: z.number(),
  spent: z.number(),
  calls: z.number(),
  /**
   * Whether tasks at X may give points; `byEnvironment`: whether the environment permits it, so an administrator can.
   */
  givesPoints: z.boolean(),
  byEnvironment: z.boolean(),
});
export type XStanding = z.infer<typeof XStanding>;

/** Whether tasks at X give points: environment and administrator must both allow it. */
export const XPointsSwitch = z.object({
  byEnvironment: z.boolean(),
  isOn: z.boolean(),
  reason: z.nullable(z.string()),
  by: z.nullable(z.string()),
  changedAt: z.nullable(z.string()),
});
export type XPointsSwitch = z.infer<typeof XPointsSwitch>;

const reason = worded(3, DECISION_REASON_MAX);
const post = pastedPost.check(z.regex(X_POST, 'must be the address of a post at x.com'));

export const xRoutes = {
  'GET /api/x/intents': read(
    'public',
    'Where X opens what is to be done there: a post (its text goes into the query `text`), a follow, a like, a repost',
    { output: z.object({ post: z.string(), follow: z.string(), like: z.string(), repost: z.string() }), perMinute: 60 },
  ),
  'POST /api/x/post-checks': route(
    'public',
    'Reads a public post once, to show how a proof works; nothing is kept and nobody is counted',
    {
      body: z.strictObject({
        url: post,
        code: z.string().check(z.regex(/^[A-Z0-9]{6}$/, 'must be six capital letters and digits')),
      }),
      output: PostCheck,
      cache: 'no-store',
      perMinute: 10,
    },
  ),
  'GET /api/auth/x': route('user', 'How my X account was proven, and whether X may be asked as me', {
    output: XLink,
    cache: 'no-store',
    perMinute: 60,
  }),
  'DELETE /api/auth/x': route(
    'user',
    'Unlink my X account, within 15 minutes of a sign-in with Telegram; another can be linked 30 days after this one was',
    { output: z.object({ user: User }), cache: 'no-store', perMinute: 10 },
  ),
  'POST /api/auth/x/proof-codes': route(
    'user',
    'Take a one-time code that proves an X account by a post; it ends after 15 minutes, the one before at once',
    { output: z.object({ code: z.string(), expiresAt: z.string() }), cache: 'no-store', perMinute: 10 },
  ),
  'POST /api/auth/x/proof': route('user', 'Link the X account whose public post holds my code', {
    body: z.strictObject({ url: post }),
    output: z.object({ user: User }),
    cache: 'no-store',
    perMinute: 10,
    answerMs: ANSWER_UPSTREAM_MS,
  }),
  'DELETE /api/auth/x/checks': route('user', 'Have X asked as me no more; what it gave for that is revoked there', {
    output: Done,
    cache: 'no-store',
    perMinute: 10,
  }),
  'GET /api/communities/:communityId/x': read(
    'moderator',
    'What this community may spend at X this month and has, and whether its tasks there may give points',
    { output: XStanding },
  ),
  'GET /api/admin/communities/:placeId/x': route('admin', 'What a community may spend at X this month, and has', {
    output: XStanding,
    cache: 'no-store',
    perMinute: 240,
  }),
  'PUT /api/admin/communities/:placeId/x-budget': command(
    'admin',
    'Set what a community may spend at X in a month, in thousandths of a dollar; 0: X is not asked',
    { body: z.strictObject({ thousandths: whole(0, X_BUDGET_MAX), reason }), output: XStanding },
  ),
  'GET /api/admin/switches/x-points': route('admin', 'Whether tasks at X give points, and who said so', {
    output: XPointsSwitch,
    cache: 'no-store',
    perMinute: 120,
  }),
  'PUT /api/admin/switches/x-points': command(
    'admin',
    'Let tasks at X give points, against X’s policy, or no longer; the environment has to allow it, too',
    { body: z.strictObject({ isOn: z.boolean(), reason }), output: XPointsSwitch },
  ),
} as const satisfies Record<RouteKey, Declaration>;
