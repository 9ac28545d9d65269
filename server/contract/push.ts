import * as z from 'zod/mini';
import { Done, instant, uuid, whole } from './fields.ts';
import { NOTIFICATION_CAP_MAX, NOTIFICATION_CHOICES_MAX, PUSH_ENDPOINT_MAX } from './limits.ts';
import { command, type Declaration, type RouteKey, read, route } from './route.ts';

const base64url = (characters: number) =>
  z
    .string()
    .check(z.regex(new RegExp(`^[A-Za-z0-9_-]{${characters}}={0,2}$`), `${characters} characters of base64url`));

/** The output of `PushSubscription.toJSON()`: RFC 8291 keys of 65 and 16 bytes. */
export const PushSubscriptionJson = z.strictObject({
  endpoint: z.string().check(z.minLength(1), z.maxLength(PUSH_ENDPOINT_MAX)),
  expirationTime: z.optional(z.nullable(z.number())),
  keys: z.strictObject({ p256dh: base64url(87), auth: base64url(22) }),
});
export type PushSubscriptionJson = z.infer<typeof PushSubscriptionJson>;

/** Topic of a notification. `queue` is for reviewers, `test` for the member who requested a test. */
export const Topic = z.enum(['task', 'review', 'announcement', 'streak', 'season', 'security', 'queue', 'test']);
export type Topic = z.infer<typeof Topic>;
/** The ones that a member can choose about. */
export const CHOSEN_TOPICS = ['task', 'review', 'announcement', 'streak', 'season', 'queue', 'security'] as const;
export const ChosenTopic = z.enum(CHOSEN_TOPICS);
export type ChosenTopic = z.infer<typeof ChosenTopic>;
export const Channel = z.enum(['push', 'telegram', 'both', 'none']);
export type Channel = z.infer<typeof Channel>;

/** `22:00`, of the member's own day. */
const clock = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day, as 22:00'));
export const NotificationChoice = z.strictObject({
  /** Null: every community without a setting of its own. */
  communityId: z.nullable(uuid),
  topic: ChosenTopic,
  channel: Channel,
});
export type NotificationChoice = z.infer<typeof NotificationChoice>;
const settings = {
  /** No notification is sent between the two; null: at any time. */
  quiet: z.nullable(z.strictObject({ from: clock, to: clock })),
  /** At most so many on one day of the member's own calendar. */
  dailyCap: whole(1, NOTIFICATION_CAP_MAX),
  /** A newer one replaces the previous one about the same topic. */
  collapse: z.boolean(),
  choices: z.array(NotificationChoice).check(z.maxLength(NOTIFICATION_CHOICES_MAX)),
};
export const NotificationSettings = z.strictObject(settings);
export type NotificationSettings = z.infer<typeof NotificationSettings>;

export const PushDevice = z.object({
  id: z.string(),
  /** Host of the push service. */
  service: z.string(),
  userAgent: z.nullable(z.string()),
  /** The caller's own session. */
  current: z.boolean(),
  savedAt: z.string(),
  lastTryAt: z.nullable(z.string()),
  lastOkAt: z.nullable(z.string()),
  /** Status of the push service for the last message; null when there was none, or no answer. */
  lastStatus: z.nullable(z.number()),
});
export type PushDevice = z.infer<typeof PushDevice>;

export const NotificationRoom = z.object({
  ...settings,
  timeZone: z.string(),
  communities: z.array(z.object({ id: z.string(), name: z.string(), reviews: z.boolean() })),
  devices: z.array(PushDevice),
  /**
   * Telegram as the other channel; `bot` is null where this instance has none, `refused` when the bot may not write to
   * me.
   */
  telegram: z.object({ bot: z.nullable(z.string()), refused: z.boolean() }),
  /** The last ones addressed to me alone. */
  latest: z.array(
    z.object({
      id: z.string(),
      topic: Topic,
      title: z.string(),
      at: z.string(),
      state: z.enum(['waiting', 'sent', 'shown', 'not_sent']),
    }),
  ),
});
export type NotificationRoom = z.infer<typeof NotificationRoom>;

export const NotificationEvent = z.enum(['shown', 'clicked', 'dismissed', 'done', 'snoozed']);
export type NotificationEvent = z.infer<typeof NotificationEvent>;
export const NotificationText = z.object({
  id: z.string(),
  topic: Topic,
  title: z.string(),
  body: z.string(),
  path: z.string(),
});
export type NotificationText = z.infer<typeof NotificationText>;

/**
 * The encrypted payload of a push: a kind, an id and neutral text. It is in the declarative form (W3C Push API,
 * "Declarative Web Push"), so a browser that supports it shows it without a service worker.
 */
export type PushPayload = {
  web_push: 8030;
  notification: {
    title: string;
    body: string;
    /** Absolute address of the screen. */
    navigate: string;
    tag: string;
    lang: string;
    actions: { action: 'open' | 'done' | 'snooze'; title: string; navigate: string }[];
    data: { id: string; kind: Topic; path: string };
  };
  /** The service worker may replace the text. */
  mutable: true;
};

export const pushRoutes = {
  'GET /api/vapid-public-key': route('public', 'Key that a browser subscribes to push with', {
    output: z.object({ publicKey: z.string() }),
    cache: 'no-store',
    perMinute: 120,
  }),
  'POST /api/pwa/subscribe': route(
    'user',
    'Save the push subscription of this browser; it is mine from now on, whoever had it before',
    {
      body: z.strictObject({
        subscription: PushSubscriptionJson,
        /** Key that it was made with; the present one when absent. */
        publicKey: z.optional(base64url(87)),
      }),
      output: z.object({ ok: z.literal(true), id: z.string() }),
      cache: 'no-store',
      perMinute: 30,
    },
  ),
  'POST /api/pwa/unsubscribe': route('user', 'Forget a push subscription of mine', {
    body: z.strictObject({ endpoint: PushSubscriptionJson.shape.endpoint }),
    output: Done,
    cache: 'no-store',
    perMinute: 30,
    allowRevoked: true,
  }),
  'POST /api/pwa/test': route('user', 'Send a notification to my own devices', {
    output: z.object({ id: z.string() }),
    cache: 'no-store',
    perMinute: 5,
  }),
  'GET /api/pwa/notifications/:notificationId': route('user', 'What a notification of mine says', {
    output: NotificationText,
    cache: 'no-store',
    perMinute: 240,
  }),
  'POST /api/pwa/notifications/:notificationId/events': route(
    'user',
    'Say that a notification was shown, clicked, dismissed, done or put off',
    {
      body: z.strictObject({ event: NotificationEvent, at: instant }),
      output: Done,
      cache: 'no-store',
      perMinute: 240,
    },
  ),
  'GET /api/user/notifications': read('user', 'What I am told, where and when, and how that fares', {
    output: NotificationRoom,
  }),
  'PUT /api/user/notifications': command('user', 'Choose what I am told, where and when', {
    body: NotificationSettings,
    output: NotificationSettings,
  }),
} as const satisfies Record<RouteKey, Declaration>;
