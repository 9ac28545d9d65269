import * as z from 'zod/mini';
import { fileRoutes } from '../kinds/file/shape.ts';
import { partnerRoutes } from '../kinds/partner/shape.ts';
import { activityRoutes } from './activity.ts';
import { analyticsRoutes } from './analytics.ts';
import { assistantRoutes } from './assistant.ts';
import { boardRoutes } from './boards.ts';
import { campaignRoutes } from './campaigns.ts';
import { chatRoutes } from './chats.ts';
import { claimRoutes } from './claims.ts';
import { communityRoutes, MyCommunity } from './communities.ts';
import { deskRoutes } from './desk.ts';
import { embedRoutes } from './embeds.ts';
import { Done } from './fields.ts';
import { importRoutes } from './imports.ts';
import { leagueRoutes } from './leagues.ts';
import { ledgerRoutes } from './ledger.ts';
import { ANSWER_UPSTREAM_MS, LOG_BUCKETS } from './limits.ts';
import { liveRoutes } from './live.ts';
import { ClientLog, ClientLogBatch, ClientLogResults } from './logs.ts';
import { memberRoutes } from './members.ts';
import { morningRoutes } from './morning.ts';
import { opsLogRoutes } from './ops-log-routes.ts';
import { overviewRoutes } from './overview.ts';
import { partnershipRoutes } from './partnerships.ts';
import { peopleRoutes } from './people.ts';
import { personDataRoutes } from './person-data.ts';
import { priceRoutes } from './prices.ts';
import { pushRoutes } from './push.ts';
import { quizRoutes } from './quiz.ts';
import { reviewRoutes } from './review.ts';
import { roomRoutes } from './rooms.ts';
import { type Declaration, type RouteKey, route } from './route.ts';
import { seasonRoutes } from './seasons.ts';
import { taskRoutes } from './tasks.ts';
import { TELEGRAM_UPDATE_BYTES, TelegramUpdate } from './telegram.ts';
import { MembershipStatus, Profile, ProfileChange, SessionSummary, User } from './user.ts';
import { writingRoutes } from './writing.ts';
import { xRoutes } from './x.ts';

const shortText = z.string().check(z.maxLength(2_000));
/** From one address: a whole club signs in over one Wi-Fi. */
const SIGN_INS_PER_MINUTE = 120;

/** The one list of what the server answers. The server refuses to start when a handler or a declaration is missing. */
export const routes = {
  'GET /livez': route('public', 'The process runs', {
    output: z.object({
      ok: z.literal(true),
      /** By a proxy that is trusted, by another one (its `X-Forwarded-For` does not count), or by none. */
      way: z.enum(['direct', 'proxy', 'unknown-proxy']),
    }),
    cache: 'no-store',
    perMinute: 600,
    probe: true,
  }),
  'GET /readyz': route('public', 'Storage answers', { output: Done, cache: 'no-store', perMinute: 600, probe: true }),
  'GET /api/health': route('public', 'The server answers, with its build', {
    output: z.object({ ok: z.literal(true), build: z.string() }),
    cache: 'no-store',
    perMinute: 600,
    probe: true,
  }),
  'GET /.well-known/security.txt': route('public', 'Where weaknesses of this instance are told of (RFC 9116)', {
    fileTypes: ['text/plain'],
    cache: 'public',
    perMinute: 60,
  }),
  'GET /api/openapi.json': route('public', 'This list, as OpenAPI 3.1', {
    output: z.unknown(),
    cache: 'no-store',
    perMinute: 60,
  }),

  'GET /api/auth/telegram/start': route(
    'public',
    'Begin Telegram sign-in; 302 to the provider, or to the old login widget where that is set',
    {
      query: z.object({ next: z.optional(shortText) }),
      status: 302,
      backTo: '/?sign-in',
      cache: 'no-store',
      perMinute: SIGN_INS_PER_MINUTE,
    },
  ),
  'GET /api/auth/telegram/callback': route('public', 'Finish Telegram sign-in; 302 back into the app', {
    query: z.object({
      code: z.optional(shortText),
      state: z.optional(shortText),
      error: z.optional(shortText),
      error_description: z.optional(shortText),
      iss: z.optional(shortText),
    }),
    status: 302,
    backTo: '/?sign-in',
    cache: 'no-store',
    perMinute: SIGN_INS_PER_MINUTE,
    answerMs: ANSWER_UPSTREAM_MS,
  }),
  'POST /api/auth/telegram/callback': route(
    'public',
    "Finish sign-in by Telegram's old login widget with what it returned",
    {
      body: z.strictObject({
        state: z.string().check(z.minLength(1), z.maxLength(500)),
        /** The base64url behind `#tgAuthResult=`. */
        result: z.string().check(z.regex(/^[\w-]{1,8192}={0,2}$/)),
      }),
      output: z.object({ user: User, next: z.string() }),
      cache: 'no-store',
      perMinute: SIGN_INS_PER_MINUTE,
      answerMs: ANSWER_UPSTREAM_MS,
    },
  ),
  'POST /api/auth/telegram/mini-app': route('public', 'Sign in from a Telegram Mini App with its initData', {
    body: z.strictObject({ initData: z.string().check(z.minLength(1), z.maxLength(8_192)) }),
    output: User,
    cache: 'no-store',
    perMinute: SIGN_INS_PER_MINUTE,
    answerMs: ANSWER_UPSTREAM_MS,
  }),
  'POST /api/auth/logout': route('public', 'End this session', {
    output: Done,
    cache: 'no-store',
    perMinute: 30,
    allowRevoked: true,
  }),
  'GET /api/auth/user': route('user', 'Who I am; 401 signed out, 403 when the membership was revoked', {
    output: User,
    cache: 'private',
    perMinute: 240,
  }),
  'POST /api/auth/membership/check': route('user', 'Ask Telegram now whether I am in the required channel', {
    output: MembershipStatus,
    cache: 'no-store',
    perMinute: 10,
    allowRevoked: true,
  }),
  'GET /api/auth/membership': route('user', 'The required channel and what is known of me there', {
    output: MembershipStatus,
    cache: 'no-store',
    perMinute: 60,
    allowRevoked: true,
  }),
  'POST /api/telegram/webhook': route(
    'telegram',
    'An update of the Bot API: messages to the bot, who joins and leaves',
    {
      body: TelegramUpdate,
      bodyBytes: TELEGRAM_UPDATE_BYTES,
      output: Done,
      cache: 'no-store',
      perMinute: 6_000,
      answerMs: ANSWER_UPSTREAM_MS,
      passesOver: true,
    },
  ),
  'GET /api/auth/sessions': route('user', 'My sessions', {
    output: z.array(SessionSummary),
    cache: 'no-store',
    perMinute: 60,
  }),
  'DELETE /api/auth/sessions/:sessionId': route('user', 'End one of my sessions', {
    output: Done,
    cache: 'no-store',
    perMinute: 30,
  }),
  'GET /api/auth/x/start': route('user', 'Begin linking X; 302 to X, which returns to /twitter-return', {
    query: z.object({
      next: z.optional(shortText),
      /** The same account again: `renamed` at X, or to permit checks of tasks at X (`checks`). */
      again: z.optional(z.enum(['renamed', 'checks'])),
    }),
    status: 302,
    backTo: '/profile-accounts?x',
    cache: 'no-store',
    perMinute: 10,
  }),
  'POST /api/auth/x/complete': route('user', 'Finish linking X with the code it returned', {
    body: z.strictObject({
      code: z.string().check(z.minLength(1), z.maxLength(2_000)),
      state: z.string().check(z.minLength(1), z.maxLength(500)),
    }),
    output: z.object({ user: User, next: z.string() }),
    cache: 'no-store',
    perMinute: 10,
    answerMs: ANSWER_UPSTREAM_MS,
  }),

  'GET /api/user/profile': route('user', 'My standing, communities and recent ledger', {
    output: Profile,
    cache: 'private',
    perMinute: 120,
  }),
  'PATCH /api/user/profile': route('user', 'Change my time zone, once in 30 days', {
    body: ProfileChange,
    output: Profile,
    cache: 'no-store',
    perMinute: 20,
    idempotent: true,
  }),
  'PUT /api/user/visibility': route(
    'user',
    'Choose whether others see me on boards and lists; those who lead my communities do in any case',
    {
      body: z.strictObject({ hidden: z.boolean() }),
      output: Profile,
      cache: 'no-store',
      perMinute: 20,
      idempotent: true,
    },
  ),
  'GET /api/user/communities': route('user', 'My communities', {
    output: z.array(MyCommunity),
    cache: 'private',
    perMinute: 240,
  }),

  ...communityRoutes,
  ...taskRoutes,
  ...chatRoutes,
  ...claimRoutes,
  ...fileRoutes,
  ...partnerRoutes,
  ...reviewRoutes,
  ...ledgerRoutes,
  ...activityRoutes,
  ...boardRoutes,
  ...leagueRoutes,
  ...seasonRoutes,
  ...memberRoutes,
  ...morningRoutes,
  ...peopleRoutes,
  ...personDataRoutes,
  ...deskRoutes,
  ...partnershipRoutes,
  ...roomRoutes,
  ...importRoutes,
  ...embedRoutes,
  ...liveRoutes,
  ...pushRoutes,
  ...campaignRoutes,
  ...priceRoutes,
  ...quizRoutes,
  ...assistantRoutes,
  ...writingRoutes,
  ...xRoutes,

  'POST /api/debug/client-logs': route('public', 'Store one client log entry', {
    body: ClientLog,
    output: z.object({ id: z.string(), status: z.enum(['stored', 'duplicate']) }),
    status: 201,
    cache: 'no-store',
    perMinute: 240,
    buckets: LOG_BUCKETS,
    lenientBody: true,
    allowRevoked: true,
  }),
  'POST /api/debug/client-logs/batch': route('public', 'Store client log entries; each gets its own result', {
    body: ClientLogBatch,
    output: ClientLogResults,
    cache: 'no-store',
    perMinute: 240,
    buckets: LOG_BUCKETS,
    lenientBody: true,
    allowRevoked: true,
  }),

  ...overviewRoutes,
  ...analyticsRoutes,
  ...opsLogRoutes,
} as const satisfies Record<RouteKey, Declaration>;

export type Routes = typeof routes;
export type Key = keyof Routes;
/** JSON that route `K` answers. */
export type OutputOf<K extends Key> = Routes[K] extends { output: infer S extends z.ZodMiniType }
  ? z.output<S>
  : undefined;
/** JSON body that route `K` takes. */
export type BodyOf<K extends Key> = Routes[K] extends { body: infer S extends z.ZodMiniType } ? z.input<S> : undefined;
/** Query that route `K` takes. */
export type QueryOf<K extends Key> = Routes[K] extends { query: infer S extends z.ZodMiniType }
  ? z.input<S>
  : undefined;
