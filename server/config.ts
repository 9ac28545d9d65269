import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type ConfigProblem, type Environment, LAST_PORT, readSettings, type Setting } from './base/environment.ts';
import { readRetention } from './domain/backup-plan.ts';
import { SETTINGS } from './settings.ts';

/** The whole configuration, checked once at start. */
export type Config = ReturnType<typeof readConfig>;

/** Every problem of a configuration at once. The process that meets it exits with 78 (`EX_CONFIG` of sysexits.h). */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const lines = problems.map(
      ({ name, problem, example }) => `  ${name} ${problem}\n    for example ${name}=${example}`,
    );
    super(`The configuration has ${problems.length === 1 ? 'a problem' : 'problems'}:\n${lines.join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

export const EXIT_CONFIG = 78;

const S3_NEEDS = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const;

/**
 * Reads the whole configuration from environment variables, as `SETTINGS` declares them, secrets also from files; an
 * empty value counts as not given. Values of secrets are never part of a message. Throws `ConfigError` with every
 * problem found.
 */
export function readConfig(env: Environment) {
  const read = readSettings(SETTINGS, env);
  const { values, production } = read;
  const port = values.PORT;
  const neighbour = port < LAST_PORT ? port + 1 : port - 1;
  const sandboxPort = values.SANDBOX_PORT ?? neighbour;
  if (sandboxPort === port) read.refuse('SANDBOX_PORT', 'must be a different port from PORT', String(neighbour));
  if (production && !read.isGiven('PUBLIC_ORIGIN')) read.refuse('PUBLIC_ORIGIN', 'must be given in production');
  const publicOrigin = values.PUBLIC_ORIGIN ?? `http://localhost:${port}`;
  requirePairs(read);
  if (read.problems.length > 0) throw new ConfigError(read.problems);
  const home = resolve(values.MUSTER_HOME ?? defaultHome());
  const s3 = s3Of(values);
  return {
    port,
    sandboxPort,
    host: values.HOST,
    /** Decides the cookie's `__Host-` prefix and Secure, too. */
    publicOrigin,
    hstsSubdomains: values.HSTS_SUBDOMAINS,
    securityContact: values.SECURITY_CONTACT,
    production,
    home,
    databaseUrl: values.DATABASE_URL,
    databasePool: values.DATABASE_POOL,
    databaseJobsPool: values.DATABASE_JOBS_POOL,
    databaseLimitMb: values.DATABASE_LIMIT_MB,
    productName: values.PRODUCT_NAME,
    productSlug: values.PRODUCT_SLUG,
    productionHosts: values.PRODUCTION_HOSTS,
    trustedProxies: values.TRUSTED_PROXIES,
    alerts: {
      telegramChat: values.ALERTS_TELEGRAM_CHAT,
      webhook: values.ALERTS_WEBHOOK,
      /** Null: alerts to webhooks are not signed. */
      secret: values.ALERTS_WEBHOOK_SECRET,
    },
    heartbeatUrl: values.HEARTBEAT_URL,
    metrics: { token: values.METRICS_TOKEN, port: values.METRICS_PORT },
    telegram: {
      botToken: values.TELEGRAM_BOT_TOKEN,
      clientId: values.TELEGRAM_CLIENT_ID,
      clientSecret: values.TELEGRAM_CLIENT_SECRET,
      oidcIssuer: values.TELEGRAM_OIDC_ISSUER,
      apiRoot: values.TELEGRAM_API_ROOT,
      requiredChannel: values.TELEGRAM_REQUIRED_CHANNEL,
      login: values.TELEGRAM_LOGIN,
      webOrigins: values.TELEGRAM_WEB_ORIGINS,
      webhookSecret: values.TELEGRAM_WEBHOOK_SECRET,
    },
    x: {
      clientId: values.X_CLIENT_ID,
      clientSecret: values.X_CLIENT_SECRET,
      apiRoot: values.X_API_ROOT,
      authorizeUrl: values.X_AUTHORIZE_URL,
      oembedUrl: values.X_OEMBED_URL,
      actionPoints: values.X_ACTION_POINTS,
    },
    ai: { baseUrl: values.AI_BASE_URL, apiKey: values.AI_API_KEY, model: values.AI_MODEL },
    clientLogDays: values.CLIENT_LOG_DAYS,
    clientLogDayMb: values.CLIENT_LOG_DAY_MB,
    clientLogTotalMb: values.CLIENT_LOG_TOTAL_MB,
    clientLogRate: values.CLIENT_LOG_RATE,
    push: {
      subject:
        values.VAPID_SUBJECT ??
        (publicOrigin.startsWith('https:') ? publicOrigin : `mailto:admin@${new URL(publicOrigin).hostname}`),
      hosts: values.PUSH_HOSTS,
    },
    backup: {
      /** Null: the product does not back itself up. */
      at: timeOf(values.BACKUP_AT),
      dir:
        values.BACKUP_DIR !== null
          ? resolve(values.BACKUP_DIR)
          : values.DATABASE_URL === null || s3
            ? join(home, 'backups')
            : null,
      keep: readRetention(values.BACKUP_KEEP),
      recipient: values.BACKUP_RECIPIENT,
    },
    s3,
    prices: { baseUrl: values.PRICES_BASE_URL, apiKey: values.PRICES_API_KEY },
    connections: {
      most: values.MAX_CONNECTIONS,
      perAddress: values.CONNECTIONS_PER_ADDRESS,
      keepAliveS: values.KEEP_ALIVE_SECONDS,
    },
    shutdownDelayS: values.SHUTDOWN_DELAY_SECONDS,
    adminTelegramIds: values.ADMIN_TELEGRAM_IDS,
    newCommunitiesCount: values.NEW_COMMUNITIES_COUNT,
    logLevel: values.LOG_LEVEL,
    serviceWorker: values.SERVICE_WORKER,
  };
}

type SettingValues = ReturnType<typeof readSettings<typeof SETTINGS>>['values'];

function s3Of(values: SettingValues) {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = values;
  if (endpoint === null || bucket === null || accessKey === null || secretKey === null) return null;
  return { endpoint, bucket, region: values.S3_REGION, accessKey, secretKey };
}

function timeOf(text: string) {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return text === 'off' ? null : { hours, minutes };
}

/** Refuses a setting without another that it needs. */
function requirePairs({ pair, values }: ReturnType<typeof readSettings<typeof SETTINGS>>): void {
  pair('TELEGRAM_CLIENT_ID', 'TELEGRAM_CLIENT_SECRET');
  pair('TELEGRAM_CLIENT_SECRET', 'TELEGRAM_CLIENT_ID');
  if (values.TELEGRAM_LOGIN === 'widget') pair('TELEGRAM_BOT_TOKEN', 'TELEGRAM_LOGIN');
  pair('TELEGRAM_BOT_TOKEN', 'TELEGRAM_REQUIRED_CHANNEL');
  pair('TELEGRAM_BOT_TOKEN', 'ALERTS_TELEGRAM_CHAT');
  pair('PRICES_BASE_URL', 'PRICES_API_KEY');
  pair('AI_BASE_URL', 'AI_MODEL');
  if (values.AI_MODEL === null) pair('AI_BASE_URL', 'AI_API_KEY');
  pair('AI_MODEL', 'AI_BASE_URL');
  pair('X_CLIENT_ID', 'X_CLIENT_SECRET');
  for (const needed of S3_NEEDS) for (const present of S3_NEEDS) if (needed !== present) pair(needed, present);
}

const SECRETS = new Set(Object.entries<Setting>(SETTINGS).flatMap(([name, { secret }]) => (secret ? name : [])));

export const isSecret = (name: string): boolean => SECRETS.has(name);

/** An environment for a program that needs no secret. */
export const withoutSecrets = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !isSecret(name)));

/** Reads the configuration of this process, whose threads and children then inherit no secret. */
export function takeConfig(env: Record<string, string | undefined>): Config {
  const config = readConfig(env);
  for (const name of SECRETS) delete env[name];
  return config;
}

/** Whether Telegram's credentials are given; without any, and outside production, the sandbox replaces Telegram. */
export const hasTelegramCredentials = ({ telegram }: Pick<Config, 'telegram'>): boolean =>
  telegram.botToken !== null || telegram.clientId !== null || telegram.clientSecret !== null;

/** Folder of package.json, above this file in the sources as in the build. */
export function projectRoot(): string {
  for (let at = import.meta.dirname; ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at;
    if (at === dirname(at)) return process.cwd();
  }
}

/**
 * Root gets a folder the database's own uid can reach, separate for each checkout; other users get ./data beside the
 * sources.
 */
function defaultHome(): string {
  const root = realpathSync(projectRoot());
  if (process.geteuid?.() !== 0) return join(root, 'data');
  return join('/var/lib/muster', createHash('sha256').update(root).digest('hex').slice(0, 12));
}
