import * as z from 'zod/mini';
import { CommunityRole } from './community.ts';
import { after, instant, uuid, worded } from './fields.ts';
import { DECISION_REASON_MAX, SEARCH_MAX } from './limits.ts';
import { Suspension } from './people.ts';
import { command, type Declaration, download, type RouteKey, route } from './route.ts';

/** A community as administrators see it: nothing of what its members answered. */
export const DeskCommunity = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  visibility: z.enum(['public', 'private']),
  createdAt: z.string(),
  members: z.number(),
  /** Members who answered a task in the last 7 days, and when the last answer came. */
  active7: z.number(),
  lastAnswerAt: z.nullable(z.string()),
  suspension: z.nullable(Suspension),
  /** Shown first in the directory since then. */
  featuredAt: z.nullable(z.string()),
  /** What is earned here counts on the board of the instance. */
  counts: z.boolean(),
});
export type DeskCommunity = z.infer<typeof DeskCommunity>;

export const DeskCommunityDetail = z.extend(DeskCommunity, {
  /** Since when it may move in as many people as fit; null: few, and its founder's other communities with it. */
  largeImportsAt: z.nullable(z.string()),
  description: z.string(),
  tasks: z.number(),
  answers: z.object({ waiting: z.number(), approved: z.number(), rejected: z.number() }),
  /** When the oldest answer that waits for a reviewer came. */
  oldestWaitingAt: z.nullable(z.string()),
  /** Leaders and moderators, leaders first. */
  staff: z.array(
    z.object({
      id: z.string(),
      displayName: z.string(),
      role: CommunityRole,
      isSuspended: z.boolean(),
      lastSeenAt: z.nullable(z.string()),
    }),
  ),
  /** What administrators did to it, the latest first. */
  history: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      action: z.string(),
      by: z.nullable(z.string()),
      reason: z.nullable(z.string()),
    }),
  ),
});
export type DeskCommunityDetail = z.infer<typeof DeskCommunityDetail>;

export const DeskCommunitiesFilter = z.enum(['all', 'suspended', 'featured', 'counting']);
export type DeskCommunitiesFilter = z.infer<typeof DeskCommunitiesFilter>;

/** One entry of the instance's audit. */
export const AuditEntry = z.object({
  id: z.string(),
  at: z.string(),
  action: z.string(),
  /** Null: the server itself, or as `via` says. */
  by: z.nullable(z.object({ id: z.string(), displayName: z.string() })),
  via: z.nullable(z.enum(['cli', 'config'])),
  subject: z.nullable(z.string()),
  subjectId: z.nullable(z.string()),
  reason: z.nullable(z.string()),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

const auditFilters = {
  /** An account's id, or `cli`, `config` or `server`. */
  who: z.optional(z.union([uuid, z.enum(['cli', 'config', 'server'])])),
  act: z.optional(z.string().check(z.maxLength(60))),
  /** A part of the name, or the id of who or what it was done to. */
  subject: z.optional(z.string().check(z.maxLength(SEARCH_MAX))),
  from: z.optional(instant),
  to: z.optional(instant),
};
export type AuditFilters = z.infer<z.ZodMiniObject<typeof auditFilters>>;

const reason = worded(3, DECISION_REASON_MAX);
const because = z.strictObject({ reason });
/** Something done to a community; it answers the community as it is then. */
const act = <B extends z.ZodMiniType>(summary: string, body: B) =>
  command('admin', summary, { body, output: DeskCommunityDetail });

export const deskRoutes = {
  'GET /api/admin/communities': route(
    'admin',
    'Every community of the instance, private and suspended ones too, the newest first',
    {
      query: z.object({
        after,
        search: z.optional(z.string().check(z.maxLength(SEARCH_MAX))),
        filter: z.optional(DeskCommunitiesFilter),
      }),
      output: z.object({ items: z.array(DeskCommunity), next: z.nullable(z.string()), total: z.number() }),
      cache: 'no-store',
      perMinute: 240,
    },
  ),
  'GET /api/admin/communities/:placeId': route(
    'admin',
    'One community: who runs it, how it fares, and what was done to it',
    { output: DeskCommunityDetail, cache: 'no-store', perMinute: 240 },
  ),
  'POST /api/admin/communities/:placeId/suspension': act(
    'Suspend a community, with a reason that its members read, until a time or until it is lifted',
    z.strictObject({ reason, until: z.nullable(instant) }),
  ),
  'POST /api/admin/communities/:placeId/restoration': act(
    'Lift the suspension of a community: everything is as it was before',
    because,
  ),
  'POST /api/admin/communities/:placeId/handover': act(
    'Make somebody leader of a community; those who led it stay leaders, or become members',
    z.strictObject({ userId: uuid, others: z.enum(['stay', 'member']), reason }),
  ),
  'PUT /api/admin/communities/:placeId/featured': act(
    'Show a community first in the directory, or no longer',
    z.strictObject({ featured: z.boolean(), reason }),
  ),
  'PUT /api/admin/communities/:placeId/large-imports': act(
    'Let a community move in as many people as fit, or few again',
    z.strictObject({ allowed: z.boolean(), reason }),
  ),
  'GET /api/admin/audit': route(
    'admin',
    'What was done to the instance: who, what, to whom, why and when, the latest first',
    {
      query: z.object({ after, ...auditFilters }),
      output: z.object({
        items: z.array(AuditEntry),
        next: z.nullable(z.string()),
        /** Actors and actions, for the filters. */
        actors: z.array(z.object({ id: z.string(), displayName: z.string() })),
        actions: z.array(z.string()),
      }),
      cache: 'no-store',
      perMinute: 240,
    },
  ),
  'GET /api/admin/audit/export': download('admin', 'The audit of the instance as CSV or NDJSON, the oldest first', {
    query: z.object({ format: z.enum(['csv', 'ndjson']), ...auditFilters }),
    fileTypes: ['text/csv', 'application/x-ndjson'],
  }),
  'POST /api/auth/admin-link': route('user', 'Become an administrator with the one-time link that the server printed', {
    body: z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(100)) }),
    output: z.object({ role: z.literal('admin') }),
    cache: 'no-store',
    perMinute: 10,
  }),
} as const satisfies Record<RouteKey, Declaration>;
