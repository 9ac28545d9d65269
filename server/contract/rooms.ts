import * as z from 'zod/mini';
import { Campaign, Notify } from './campaigns.ts';
import { after, Done, instant, pageOf, trimmed, whole, worded } from './fields.ts';
import {
  ANNOUNCEMENT_BODY_MAX,
  ANNOUNCEMENT_TITLE_MAX,
  API_KEY_MAX_DAYS,
  API_KEY_NAME_MAX,
  LINK_MAX,
} from './limits.ts';
import { ApiScope, command, type Declaration, download, type RouteKey, read } from './route.ts';
import { webhookEvents } from './webhook-events.ts';

export const Announcement = z.object({
  id: z.string(),
  title: z.string(),
  body: z.string(),
  by: z.string(),
  at: z.string(),
  pinnedUntil: z.nullable(z.string()),
});
export type Announcement = z.infer<typeof Announcement>;

const newAnnouncement = z.strictObject({
  title: worded(3, ANNOUNCEMENT_TITLE_MAX),
  body: trimmed(1, ANNOUNCEMENT_BODY_MAX),
  pinnedUntil: z.optional(z.nullable(instant)),
  /** Null: nobody. Absent: everyone, at once. */
  notify: z.optional(z.nullable(Notify)),
});
export type NewAnnouncement = z.infer<typeof newAnnouncement>;

/** An announcement to a community as its leaders see it: on Today, as a notification, or both. */
export const Announced = z.object({
  id: z.string(),
  /** Null where it is on Today no more, or never was. */
  announcementId: z.nullable(z.string()),
  title: z.string(),
  body: z.string(),
  by: z.nullable(z.string()),
  at: z.string(),
  pinnedUntil: z.nullable(z.string()),
  /** Null where nobody was notified. */
  campaign: z.nullable(Campaign),
});
export type Announced = z.infer<typeof Announced>;

export const AnalyticsDays = z.enum(['7', '28', '90']);
export const Analytics = z.object({
  asOf: z.string(),
  /** One entry per UTC day, oldest first. */
  days: z.array(
    z.object({
      day: z.string(),
      active: z.number(),
      joined: z.number(),
      claims: z.number(),
      approved: z.number(),
      points: z.number(),
    }),
  ),
  members: z.object({ all: z.number(), active7: z.number(), active28: z.number() }),
  /** From submission to decision, in minutes; null while nothing was decided. */
  reviewMinutes: z.object({ p50: z.nullable(z.number()), p90: z.nullable(z.number()), waiting: z.number() }),
  /** Drop-off: how many answers a task got in these days, and how many got through or were refused, as counted some seconds ago. */
  tasks: z.array(
    z.object({
      taskId: z.string(),
      title: z.string(),
      answers: z.number(),
      approved: z.number(),
      rejected: z.number(),
    }),
  ),
});
export type Analytics = z.infer<typeof Analytics>;

export const WebhookEvent = z.enum(webhookEvents);
export type WebhookEvent = z.infer<typeof WebhookEvent>;
export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(WebhookEvent),
  active: z.boolean(),
  /** When the server paused it, because as much waited as may; null otherwise. What happened since is not sent. */
  pausedAt: z.nullable(z.string()),
  /** Deliveries that wait. */
  waiting: z.number(),
  createdAt: z.string(),
  lastDelivery: z.nullable(z.object({ at: z.string(), status: z.nullable(z.number()), error: z.nullable(z.string()) })),
});
export type Webhook = z.infer<typeof Webhook>;
/** The secret is shown once: bodies are signed with it, HMAC-SHA-256 over `timestamp.body`. */
export const NewlyMadeWebhook = z.extend(Webhook, { secret: z.string() });
export type NewlyMadeWebhook = z.infer<typeof NewlyMadeWebhook>;
export const Delivery = z.object({
  id: z.string(),
  event: WebhookEvent,
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.number(),
  createdAt: z.string(),
  lastTryAt: z.nullable(z.string()),
  nextTryAt: z.nullable(z.string()),
  /** HTTP status of the last answer; null when none came. */
  status: z.nullable(z.number()),
  error: z.nullable(z.string()),
  body: z.string(),
});
export type Delivery = z.infer<typeof Delivery>;
const webhook = {
  url: trimmed(8, LINK_MAX),
  events: z.array(WebhookEvent).check(z.minLength(1), z.maxLength(WebhookEvent.options.length)),
};

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(ApiScope),
  /** The first characters, to tell keys apart. */
  prefix: z.string(),
  madeBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.nullable(z.string()),
  lastUsedAt: z.nullable(z.string()),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const AuditEntry = z.object({
  id: z.string(),
  at: z.string(),
  action: z.string(),
  by: z.nullable(z.string()),
  /** Name of who or what it was done to. */
  subject: z.nullable(z.string()),
  reason: z.nullable(z.string()),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

const TABLES = {
  query: z.object({ format: z.enum(['csv', 'ndjson']) }),
  fileTypes: ['text/csv', 'application/x-ndjson'],
} as const;

export const roomRoutes = {
  'GET /api/communities/:communityId/announcements': read('member', 'Announcements, pinned ones first', {
    query: z.object({ after }),
    output: pageOf(Announcement),
  }),
  'POST /api/communities/:communityId/announcements': command(
    'leader',
    'Announce something, and notify members of it',
    { body: newAnnouncement, output: Announcement, status: 201, perMinute: 10 },
  ),
  'GET /api/communities/:communityId/announcements/sent': read(
    'leader',
    'What was said to members, the latest first, and how its notification fared',
    { query: z.object({ after }), output: pageOf(Announced) },
  ),
  'PUT /api/communities/:communityId/announcements/:announcementId': command(
    'leader',
    'Change an announcement of which nobody was notified yet',
    { body: newAnnouncement, output: Announcement },
  ),
  'DELETE /api/communities/:communityId/announcements/:announcementId': command('leader', 'Take an announcement back', {
    output: Done,
  }),
  'GET /api/communities/:communityId/analytics': read(
    'moderator',
    'What works: actives, completions, review delay, drop-off',
    { query: z.object({ days: z.optional(AnalyticsDays) }), output: Analytics, perMinute: 60 },
  ),
  'GET /api/communities/:communityId/exports/members': download('leader', 'Members as CSV or NDJSON', {
    scope: 'read:members',
    ...TABLES,
  }),
  'GET /api/communities/:communityId/exports/waiting': download(
    'leader',
    'People who were moved in and have not come yet, as CSV or NDJSON',
    { scope: 'read:members', ...TABLES },
  ),
  'GET /api/communities/:communityId/exports/tasks': download('leader', 'Tasks with their answers, as CSV or NDJSON', {
    ...TABLES,
  }),
  'GET /api/communities/:communityId/exports/claims': download('leader', 'Claims as CSV or NDJSON', {
    scope: 'read:claims',
    ...TABLES,
  }),
  'GET /api/communities/:communityId/exports/history': download(
    'leader',
    'What happened to each claim, by whom and why, as CSV or NDJSON',
    { scope: 'read:claims', ...TABLES },
  ),
  'GET /api/communities/:communityId/exports/ledger': download('leader', 'The ledger as CSV or NDJSON', {
    scope: 'read:ledger',
    ...TABLES,
  }),
  'GET /api/communities/:communityId/webhooks': read('leader', 'Webhooks and how they fare', {
    output: z.array(Webhook),
  }),
  'POST /api/communities/:communityId/webhooks': command('leader', 'Add a webhook; its secret is shown this once', {
    body: z.strictObject(webhook),
    output: NewlyMadeWebhook,
    shownOnce: 'secret',
    status: 201,
  }),
  'PATCH /api/communities/:communityId/webhooks/:webhookId': command('leader', 'Change, stop or start a webhook', {
    body: z.strictObject({
      url: z.optional(webhook.url),
      events: z.optional(webhook.events),
      active: z.optional(z.boolean()),
    }),
    output: Webhook,
  }),
  'DELETE /api/communities/:communityId/webhooks/:webhookId': command('leader', 'Remove a webhook with its log', {
    output: Done,
  }),
  'GET /api/communities/:communityId/webhooks/:webhookId/deliveries': read(
    'leader',
    'What was sent, and what came back',
    { query: z.object({ after }), output: pageOf(Delivery) },
  ),
  'POST /api/communities/:communityId/webhooks/:webhookId/deliveries/:deliveryId/replay': command(
    'leader',
    'Send a delivery again',
    { output: Delivery },
  ),
  'GET /api/communities/:communityId/api-keys': read('leader', 'API keys, never their secrets', {
    output: z.array(ApiKey),
  }),
  'POST /api/communities/:communityId/api-keys': command('leader', 'Make an API key; it is shown this once', {
    body: z.strictObject({
      name: worded(2, API_KEY_NAME_MAX),
      scopes: z.array(ApiScope).check(z.minLength(1), z.maxLength(ApiScope.options.length)),
      days: z.optional(whole(1, API_KEY_MAX_DAYS)),
    }),
    output: z.extend(ApiKey, { key: z.string() }),
    shownOnce: 'key',
    status: 201,
    perMinute: 10,
  }),
  'DELETE /api/communities/:communityId/api-keys/:keyId': command('leader', 'End an API key', { output: Done }),
  'GET /api/communities/:communityId/audit': read('leader', 'Who did what here, the latest first', {
    query: z.object({ after, action: z.optional(z.string().check(z.maxLength(60))) }),
    output: pageOf(AuditEntry),
  }),
} as const satisfies Record<RouteKey, Declaration>;
