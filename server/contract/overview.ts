import * as z from 'zod/mini';
import { type Declaration, type RouteKey, route } from './route.ts';

/** Each part of the instance that is looked after, in the order in which it is shown. */
export const CheckName = z.enum([
  'disk',
  'database',
  'size',
  'backups',
  'jobs',
  'telegram',
  'push',
  'intake',
  'webhooks',
  'ledger',
  'clock',
  'certificate',
]);
export type CheckName = z.infer<typeof CheckName>;
/** `unknown`: the check itself could not be made. */
export const CheckState = z.enum(['fine', 'attention', 'failed', 'unknown']);
export type CheckState = z.infer<typeof CheckState>;

const nullableText = z.nullable(z.string());
/**
 * One check: its state and since when, what was found, and each of the last 14 days (its worst state, and one figure of
 * the part). `facts` is null where the check failed; `error` says why.
 */
const check = <S extends z.ZodMiniType>(facts: S) =>
  z.object({
    state: CheckState,
    since: nullableText,
    error: nullableText,
    facts: z.nullable(facts),
    /** What to do where it is not fine. */
    wayOut: z.string(),
    days: z.array(z.object({ day: z.string(), state: CheckState, figure: z.nullable(z.number()) })),
  });

export const Checks = z.object({
  disk: check(
    z.object({
      /** False: the database is elsewhere, and this is the disk of its keys and files alone. */
      holdsDatabase: z.boolean(),
      totalBytes: z.number(),
      freeBytes: z.number(),
      /** The day on which it is full at the rate of the last weeks; null where it does not grow, or not within two years. */
      fullOn: nullableText,
    }),
  ),
  database: check(
    z.object({
      kind: z.enum(['embedded', 'external']),
      version: z.string(),
      schema: z.number(),
      bytes: z.number(),
      answeredMs: z.number(),
      waitingLocks: z.number(),
      connections: z.number(),
      maxConnections: z.number(),
    }),
  ),
  /** How large the database is, against the room that it may take. */
  size: check(
    z.object({
      bytes: z.number(),
      /** What the operator allows an external database; null where nothing is said: then its room is not known. */
      limitBytes: z.nullable(z.number()),
      /** The day on which it reaches its limit at the rate of the last weeks. */
      fullOn: nullableText,
      /** On the disk of the instance's folder, which has a check of its own. */
      isBeside: z.boolean(),
    }),
  ),
  backups: check(
    z.object({
      /** The last that went well, and why the last one failed where it did. */
      goodAt: nullableText,
      failedAt: nullableText,
      failure: nullableText,
      /** Where the product backs itself up: when next, and how large and where the last one is. `nextAt` null: it does not. */
      nextAt: nullableText,
      bytes: z.nullable(z.number()),
      places: z.array(z.string()),
      /** When one was last restored as a trial. */
      triedAt: nullableText,
    }),
  ),
  jobs: check(
    z.object({
      all: z.number(),
      lastAt: nullableText,
      /** Jobs whose runs fail, or that have not run for much longer than they should. */
      behind: z.array(z.object({ name: z.string(), since: nullableText, okAt: nullableText, error: nullableText })),
    }),
  ),
  telegram: check(
    z.object({
      configured: z.boolean(),
      botUsername: nullableText,
      requiredChannel: nullableText,
      error: nullableText,
      /** Null where no channel is required. `isOurs`: it points to this instance. */
      webhook: z.nullable(
        z.object({ isOurs: z.boolean(), pending: z.number(), errorAt: nullableText, error: nullableText }),
      ),
    }),
  ),
  push: check(
    z.object({
      subscriptions: z.number(),
      /** In seven days. */
      sent: z.number(),
      gone: z.number(),
      failed: z.number(),
      services: z.array(z.object({ service: z.string(), sent: z.number(), failed: z.number() })),
      /** Services that asked for a pause. */
      resting: z.array(z.string()),
    }),
  ),
  intake: check(
    z.object({
      waiting: z.number(),
      oldestS: z.number(),
      today: z.number(),
      refusedToday: z.number(),
      /** Alert rules whose channel takes nothing. */
      deafRules: z.array(z.string()),
    }),
  ),
  webhooks: check(
    z.object({
      active: z.number(),
      waiting: z.number(),
      /** Deliveries given up within a day. */
      failed: z.number(),
      /** Communities whose webhooks are paused or fail, the worst first. */
      troubled: z.array(z.object({ slug: z.string(), name: z.string(), failed: z.number(), paused: z.number() })),
    }),
  ),
  ledger: check(z.object({ differences: z.number(), checkedAt: nullableText })),
  clock: check(
    z.object({
      /** Seconds by which this machine's clock is ahead of the database's. */
      databaseS: z.number(),
      /** The same against an upstream that answered; null where none did of late. */
      upstreamS: z.nullable(z.number()),
      upstream: nullableText,
    }),
  ),
  certificate: check(
    z.object({
      host: z.string(),
      /** Null where the instance has no certificate, as on a local address. */
      validTo: nullableText,
      daysLeft: z.nullable(z.number()),
      /** Why browsers do not trust it; null: they do. */
      refused: nullableText,
      /** Receivers of webhooks whose own certificate was refused within a day. */
      upstreams: z.array(z.string()),
    }),
  ),
});
export type Checks = z.infer<typeof Checks>;

/** What waits for an answer. `oldestAt` null: nothing. */
const queue = z.object({ count: z.number(), oldestAt: nullableText });
/** A part that could not be read is null: it fails alone. */
const part = <S extends z.ZodMiniType>(of: S) => z.nullable(of);

export const AdminOverview = z.object({
  asOf: z.string(),
  checks: Checks,
  waiting: z.object({
    applications: part(queue),
    partnerships: part(queue),
    reviews: part(queue),
    appeals: part(queue),
  }),
  /** Who is told of checks. */
  alerts: part(
    z.object({
      channels: z.array(
        z.object({ kind: z.enum(['telegram', 'webhook']), failingSince: nullableText, error: nullableText }),
      ),
      /** Rules of operators that are told, too. */
      rules: z.number(),
      heartbeat: z.boolean(),
    }),
  ),
  counts: part(
    z.object({ people: z.number(), verified: z.number(), communities: z.number(), activeToday: z.number() }),
  ),
  versions: z.object({ build: z.string(), startedAt: z.string(), node: z.string() }),
});
export type AdminOverview = z.infer<typeof AdminOverview>;

/**
 * A job and what its runs came to that are told of last: of an hour's job one run, of a second's job those of a minute.
 * `share` of their time the database worked for them.
 */
export const JobRun = z.object({
  name: z.string(),
  everyMs: z.number(),
  ranAt: z.string(),
  runs: z.number(),
  longestMs: z.number(),
  statements: z.number(),
  /** That were read or written. */
  rows: z.number(),
  share: z.number(),
  /** It takes more of the database than a job should. */
  isOver: z.boolean(),
});
export type JobRun = z.infer<typeof JobRun>;

/** A setting of the environment, as this process was started with it. Never the value of a secret. */
export const Switch = z.object({
  name: z.enum([
    'X_ACTION_POINTS',
    'NEW_COMMUNITIES_COUNT',
    'SERVICE_WORKER',
    'TELEGRAM_BOT_TOKEN',
    'TELEGRAM_REQUIRED_CHANNEL',
    'X_CLIENT_ID',
    'AI_BASE_URL',
    'PRICES_BASE_URL',
    'PUSH_HOSTS',
    'CLIENT_LOG_DAYS',
  ]),
  isOn: z.boolean(),
  /** What it is set to, where that may be shown. */
  value: nullableText,
});
export type Switch = z.infer<typeof Switch>;

export const overviewRoutes = {
  'GET /api/admin/overview': route('ops', 'How the instance fares: checks, what waits, counts and versions', {
    output: AdminOverview,
    cache: 'private',
    perMinute: 120,
  }),
  'GET /api/admin/switches': route('ops', 'Features that the environment switches, as this process has them', {
    output: z.array(Switch),
    cache: 'private',
    perMinute: 120,
  }),
  'GET /api/admin/jobs': route(
    'ops',
    'What the jobs of the server read and how long they took, the largest share first',
    {
      output: z.array(JobRun),
      cache: 'private',
      perMinute: 120,
    },
  ),
  'GET /api/admin/recent-acts': route('ops', 'The last things that administrators and the command line did', {
    output: z.array(
      z.object({
        id: z.string(),
        at: z.string(),
        action: z.string(),
        by: nullableText,
        subject: nullableText,
        reason: nullableText,
      }),
    ),
    // It contains names: no device caches it.
    cache: 'no-store',
    perMinute: 120,
  }),
} as const satisfies Record<RouteKey, Declaration>;
