import * as z from 'zod/mini';
import { CommunityRole } from './community.ts';
import { after, instant, trimmed, worded } from './fields.ts';
import { DECISION_REASON_MAX, LINK_MAX, SEARCH_MAX } from './limits.ts';
import { TrustSignal } from './members.ts';
import { ERASE_WORD, Erasure } from './person-data.ts';
import { command, type Declaration, download, type RouteKey, read } from './route.ts';
import { SessionSummary, User } from './user.ts';
import { X_HANDLE } from './x-post.ts';

/** Why and until when an account is suspended. `until` null: until an administrator lifts it. */
export const Suspension = z.object({
  since: z.string(),
  until: z.nullable(z.string()),
  reason: z.nullable(z.string()),
});
export type Suspension = z.infer<typeof Suspension>;

/** One account in the list of people. */
export const Person = z.extend(User, {
  joinedAt: z.string(),
  /** Last request of any live session; null when there is none. */
  lastSeenAt: z.nullable(z.string()),
  suspension: z.nullable(Suspension),
  /** The account is to be erased, or is being erased. */
  erasure: z.nullable(Erasure),
});
export type Person = z.infer<typeof Person>;

/** What an account was called before: an @username, an X handle, or the name that Telegram shows. */
export const FormerName = z.object({
  kind: z.enum(['telegram', 'x', 'display']),
  name: z.string(),
  until: z.string(),
});
export type FormerName = z.infer<typeof FormerName>;

/** One account with what an administrator needs to decide about it. None of the person's answers, and no secret. */
export const PersonDetail = z.extend(Person, {
  xLinkedAt: z.nullable(z.string()),
  /** How it was proven; null where none is linked. */
  xLinkedBy: z.nullable(z.enum(['oauth', 'post', 'admin'])),
  timeZone: z.string(),
  membership: z.enum(['member', 'left', 'kicked', 'restricted', 'unknown']),
  claims: z.object({ waiting: z.number(), approved: z.number(), rejected: z.number(), reversed: z.number() }),
  communities: z.array(
    z.object({ id: z.string(), slug: z.string(), name: z.string(), role: CommunityRole, points: z.number() }),
  ),
  formerNames: z.array(FormerName),
  /** In the communities with the most points: 0 to 100 with its signals. Advisory: it gates rewards, never access. */
  trust: z.array(
    z.object({ communityId: z.string(), name: z.string(), score: z.number(), signals: z.array(TrustSignal) }),
  ),
  sessions: z.array(z.omit(SessionSummary, { current: true })),
  /** Devices that take notifications. */
  devices: z.number(),
  /** What administrators and leaders did to this account, the latest first. */
  history: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      action: z.string(),
      by: z.nullable(z.string()),
      community: z.nullable(z.string()),
      reason: z.nullable(z.string()),
    }),
  ),
});
export type PersonDetail = z.infer<typeof PersonDetail>;

export const PeopleFilter = z.enum(['all', 'suspended', 'staff']);
export type PeopleFilter = z.infer<typeof PeopleFilter>;

const reason = worded(3, DECISION_REASON_MAX);
const because = z.strictObject({ reason });

export const peopleRoutes = {
  'GET /api/admin/people': read(
    'admin',
    'Everybody with an account, found by name, @name, Telegram id, X handle or id',
    {
      query: z.object({
        after,
        search: z.optional(z.string().check(z.maxLength(SEARCH_MAX))),
        filter: z.optional(PeopleFilter),
      }),
      output: z.object({ items: z.array(Person), next: z.nullable(z.string()), total: z.number() }),
      cache: 'no-store',
    },
  ),
  'GET /api/admin/people/:userId': read(
    'admin',
    'One account: identities, communities, sessions, and what was done to it',
    { output: PersonDetail, cache: 'no-store' },
  ),
  'POST /api/admin/people/:userId/suspension': command(
    'admin',
    'Suspend an account, with a reason that its person reads, until a time or until it is lifted',
    { body: z.strictObject({ reason, until: z.nullable(instant) }), output: PersonDetail },
  ),
  'POST /api/admin/people/:userId/restoration': command('admin', 'Lift a suspension: everything is as it was before', {
    body: because,
    output: PersonDetail,
  }),
  'POST /api/admin/people/:userId/sign-out': command(
    'admin',
    'End every session of an account, with the notifications of its devices',
    { body: because, output: PersonDetail },
  ),
  'POST /api/admin/people/:userId/sessions/:sessionId/end': command(
    'admin',
    'End one session of an account, with the notifications of its device',
    { body: because, output: PersonDetail },
  ),
  'POST /api/admin/people/:userId/x': command('admin', 'Verify an account by hand, or take its X account off it', {
    body: z.strictObject({ decision: z.enum(['verify', 'unlink']), reason }),
    output: PersonDetail,
  }),
  'POST /api/admin/people/:userId/x-link': command(
    'admin',
    'Link an X account to somebody by an administrator’s decision, with where its evidence is',
    {
      body: z.strictObject({
        handle: z.string().check(z.regex(X_HANDLE, 'must be a name at X, without @')),
        evidence: trimmed(8, LINK_MAX),
        reason,
      }),
      output: PersonDetail,
    },
  ),
  'POST /api/admin/people/:userId/archive': download(
    'admin',
    'Everything that is stored about somebody, as the archive that they would get themselves',
    { body: because, fileTypes: ['application/zip'] },
  ),
  'POST /api/admin/people/:userId/erasure': command(
    'admin',
    'Erase an account in 7 days: shut out at once; its person signing in before then cancels it',
    { body: z.strictObject({ word: z.literal(ERASE_WORD), reason }), output: PersonDetail },
  ),
  'POST /api/admin/people/:userId/erasure-cancellation': command(
    'admin',
    'Cancel an erasure that waits: everything is as it was before',
    { body: because, output: PersonDetail },
  ),
  'PUT /api/admin/people/:userId/role': command(
    'admin',
    'Make somebody an operator or an administrator, or a member again; the last administrator stays',
    { body: z.strictObject({ role: z.enum(['member', 'ops', 'admin']), reason }), output: PersonDetail },
  ),
} as const satisfies Record<RouteKey, Declaration>;
