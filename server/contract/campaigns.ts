import * as z from 'zod/mini';
import { CommunityRole } from './community.ts';
import { after, Done, instant, pageOf, trimmed, wallClock, whole, worded } from './fields.ts';
import { ANNOUNCEMENT_TITLE_MAX, CAMPAIGN_BODY_MAX, DECISION_REASON_MAX } from './limits.ts';
import { Topic } from './push.ts';
import { command, type Declaration, type RouteKey, read, route } from './route.ts';

/**
 * Who gets it, in a community or on the whole instance; an absent filter admits everyone. On the whole instance, roles
 * are those in any community, and `activeDays` counts activity anywhere; points exist only in a community.
 */
export const CampaignAudience = z.strictObject({
  roles: z.optional(z.array(CommunityRole).check(z.minLength(1), z.maxLength(3))),
  minPoints: z.optional(whole(1, 1_000_000)),
  activeDays: z.optional(whole(1, 365)),
});
export type CampaignAudience = z.infer<typeof CampaignAudience>;

export const Campaign = z.object({
  id: z.string(),
  topic: Topic,
  title: z.string(),
  body: z.string(),
  by: z.nullable(z.string()),
  sendAt: z.string(),
  /**
   * The local time at which each member is notified; `sendAt` is then the first of those moments. Null: all at once.
   * Copies from earlier builds lack it.
   */
  localTime: z.optional(z.nullable(z.string())),
  state: z.enum(['waiting', 'spreading', 'sending', 'done', 'cancelled']),
  startedAt: z.nullable(z.string()),
  finishedAt: z.nullable(z.string()),
  audience: CampaignAudience,
  /** Members in the audience; of those, who opted out of the topic, and who had reached the day's limit. */
  members: z.number(),
  optedOut: z.number(),
  capped: z.number(),
  /** Browsers and Telegram chats that it goes to, and what came of them. */
  queued: z.number(),
  sent: z.number(),
  told: z.number(),
  gone: z.number(),
  failed: z.number(),
  /** Members who saw it, pressed it, put it away. */
  shown: z.number(),
  clicked: z.number(),
  dismissed: z.number(),
  services: z.array(z.object({ service: z.string(), sent: z.number(), gone: z.number(), failed: z.number() })),
});
export type Campaign = z.infer<typeof Campaign>;

/**
 * Who is notified of an announcement, and when; `sendAt` null: at once. With `localTime` each member is notified when
 * their own clock shows it, and at once where it has passed.
 */
export const Notify = z.strictObject({
  sendAt: z.nullable(instant),
  localTime: z.optional(z.nullable(wallClock)),
  audience: CampaignAudience,
});
export type Notify = z.infer<typeof Notify>;
const words = { title: worded(3, ANNOUNCEMENT_TITLE_MAX), body: trimmed(1, CAMPAIGN_BODY_MAX) };
const newCampaign = z.strictObject({ ...words, ...Notify.shape });
export type NewCampaign = z.infer<typeof newCampaign>;
/**
 * Who would get it at that time: the audience, by push and on how many browsers, by Telegram alone, opted out, and over
 * the day's limit. The rest cannot be reached. Of a large audience some are asked, and the figures are in proportion.
 */
export const Reach = z.object({
  everybody: z.number(),
  push: z.number(),
  browsers: z.number(),
  telegram: z.number(),
  optedOut: z.number(),
  capped: z.number(),
  /** How many were asked; null: all. */
  workedOutFrom: z.nullable(z.number()),
});
export type Reach = z.infer<typeof Reach>;
const reachQuery = z.object({
  /** Comma-separated. */
  roles: z.optional(z.string().check(z.regex(/^(member|moderator|leader)(,(member|moderator|leader)){0,2}$/))),
  minPoints: z.optional(z.string().check(z.regex(/^[1-9]\d{0,5}$/))),
  activeDays: z.optional(z.string().check(z.regex(/^[1-9]\d{0,2}$/))),
  /** Now when absent. */
  sendAt: z.optional(instant),
  localTime: z.optional(wallClock),
});
export type ReachQuery = z.infer<typeof reachQuery>;

export const campaignRoutes = {
  'GET /api/communities/:communityId/campaigns': read('leader', 'What was sent to members, and how it fared', {
    query: z.object({ after }),
    output: pageOf(Campaign),
  }),
  'POST /api/communities/:communityId/campaigns': command('leader', 'Send members a notification, now or later', {
    body: newCampaign,
    output: Campaign,
    status: 201,
    perMinute: 10,
  }),
  'GET /api/communities/:communityId/campaigns/reach': route(
    'leader',
    'How many members and browsers a notification would go to, and who is left out',
    { query: reachQuery, output: Reach, cache: 'no-store', perMinute: 60 },
  ),
  'POST /api/communities/:communityId/campaigns/test': command(
    'leader',
    'Send the notification to my own devices only',
    { body: z.strictObject(words), output: Done, perMinute: 10 },
  ),
  'DELETE /api/communities/:communityId/campaigns/:campaignId': command(
    'leader',
    'Take back a notification that is not sent yet',
    { output: Done },
  ),
  'GET /api/admin/campaigns': route('admin', 'What was sent to everybody here, and how it fared', {
    query: z.object({ after }),
    output: pageOf(Campaign),
    cache: 'no-store',
    perMinute: 120,
  }),
  'POST /api/admin/campaigns': command('admin', 'Send everybody here a notification, now or later', {
    body: newCampaign,
    output: Campaign,
    status: 201,
    perMinute: 10,
  }),
  'PUT /api/admin/campaigns/:campaignId': command('admin', 'Change an announcement to everybody that is not sent yet', {
    body: newCampaign,
    output: Campaign,
  }),
  'GET /api/admin/campaigns/reach': route('admin', 'How many an announcement to everybody here would go to, and how', {
    query: z.omit(reachQuery, { minPoints: true }),
    output: Reach,
    cache: 'no-store',
    perMinute: 60,
  }),
  'POST /api/admin/campaigns/test': command('admin', 'Send the announcement to my own devices only', {
    body: z.strictObject(words),
    output: Done,
    perMinute: 10,
  }),
  'POST /api/admin/campaigns/:campaignId/cancellation': command(
    'admin',
    'Take back an announcement to everybody that is not sent yet, with a reason',
    { body: z.strictObject({ reason: worded(3, DECISION_REASON_MAX) }), output: Done },
  ),
} as const satisfies Record<RouteKey, Declaration>;
