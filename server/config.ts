import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type ConfigProblem, type Environment, LAST_PORT, reader } from './base/environment.ts';
import { LOG_DAY_MB, LOG_RETENTION_DAYS, LOG_TOTAL_MB } from './contract/limits.ts';

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

const AI_EXAMPLE = 'https://api.openai.com/v1';
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/**
 * One long function, because it is the list of all settings, and `Config` is derived from it.
 *
 * Reads the whole configuration from environment variables; an empty value counts as not given. Touches no file.
 * Values of secrets are never part of a message. Throws `ConfigError` with every problem found. A setting is one line
 * here, from which `Config` is derived, and one in docs/operations/settings.md.
 */
export function readConfig(env: Environment) {
  const read = reader(env);
  const production = env['NODE_ENV'] === 'production';
  const port = read.port('PORT', 3000);
  const neighbour = port < LAST_PORT ? port + 1 : port - 1;
  const sandboxPort = read.port('SANDBOX_PORT', neighbour);
  if (sandboxPort === port) read.refuse('SANDBOX_PORT', 'must be a different port from PORT', String(neighbour));
  const publicOrigin = read.origin('PUBLIC_ORIGIN', production ? null : `http://localhost:${port}`, production);
  const api = (name: string, fallback: string) => read.url(name, fallback, production);
  const config = {
    port,
    /** Where the sandbox answers when it stands in for Telegram. */
    sandboxPort,
    host: hostOf(read.text('HOST', /^(\[[\da-f:.]+\]|[\w.:-]+)$/i, 'must be an address to listen on', '127.0.0.1')),
    /** Origin people type, never the Host header; decides the cookie's `__Host-` prefix and Secure. */
    publicOrigin,
    /** Whether browsers must use https for its subdomains, too (HSTS). */
    hstsSubdomains: read.flag('HSTS_SUBDOMAINS'),
    /** Where people report weaknesses of this instance. Null: by the form that reaches its administrators. */
    securityContact: read.contact('SECURITY_CONTACT', 'people may write to about security'),
    production,
    home: resolve(read.any('MUSTER_HOME') ?? defaultHome()),
    databaseUrl: read.databaseUrl(),
    /** Connections to the database of one process: for requests, and for jobs, which never take those of people. */
    databasePool: read.number('DATABASE_POOL', { from: 2, to: 100, fallback: 4 }),
    databaseJobsPool: read.number('DATABASE_JOBS_POOL', { from: 2, to: 100, fallback: 3 }),
    productName:
      read.text('PRODUCT_NAME', /^[^<>"\p{Cc}]{1,40}$/u, 'must be 1 to 40 characters without <, > or "', 'Muster') ??
      'Muster',
    productSlug:
      read.text(
        'PRODUCT_SLUG',
        /^(?=.{1,31}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
        'must be up to 31 lower-case letters, digits and single hyphens',
        'muster',
      ) ?? 'muster',
    productionHosts: read.hosts('PRODUCTION_HOSTS'),
    /** Addresses and networks whose `X-Forwarded-For` says who asked. */
    trustedProxies: read.networks('TRUSTED_PROXIES'),
    telegram: {
      botToken: read.text(
        'TELEGRAM_BOT_TOKEN',
        /^\d+:[\w-]+$/,
        'must be the token from @BotFather',
        '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11',
      ),
      clientId: read.any('TELEGRAM_CLIENT_ID'),
      clientSecret: read.any('TELEGRAM_CLIENT_SECRET'),
      oidcIssuer: api('TELEGRAM_OIDC_ISSUER', 'https://oauth.telegram.org'),
      apiRoot: api('TELEGRAM_API_ROOT', 'https://api.telegram.org'),
      requiredChannel: read.text(
        'TELEGRAM_REQUIRED_CHANNEL',
        /^(-\d+|@\w{4,32})$/,
        "must be the channel's numeric id or its @name",
        '-1001234567890',
      ),
      /** How people sign in: OpenID Connect, or the old login widget for a bot that was never switched over. */
      login: read.oneOf('TELEGRAM_LOGIN', ['oidc', 'widget'], 'oidc'),
      /** Origins of Telegram's web clients: the only ones that may show the Mini App's document in a frame. */
      webOrigins: read.origins('TELEGRAM_WEB_ORIGINS', 'https://web.telegram.org'),
      webhookSecret: read.text(
        'TELEGRAM_WEBHOOK_SECRET',
        /^[\w-]{16,256}$/,
        'must be 16 to 256 letters, digits, _ or -',
        '6f1c0c1e9a0b4d0fa8c3',
      ),
    },
    x: {
      clientId: read.any('X_CLIENT_ID'),
      clientSecret: read.any('X_CLIENT_SECRET'),
      apiRoot: api('X_API_ROOT', 'https://api.x.com'),
      authorizeUrl: api('X_AUTHORIZE_URL', 'https://x.com/i/oauth2/authorize'),
      /** oEmbed: what X shows of a post to everyone. */
      oembedUrl: api('X_OEMBED_URL', 'https://publish.x.com/oembed'),
      actionPoints: read.flag('X_ACTION_POINTS'),
    },
    /** A service that speaks OpenAI's protocol; without its address nothing about questions leaves the server. */
    ai: {
      baseUrl: read.any('AI_BASE_URL') === null ? null : api('AI_BASE_URL', AI_EXAMPLE),
      apiKey: read.any('AI_API_KEY'),
      model: read.text(
        'AI_MODEL',
        /^[^\s<>"]{1,200}$/,
        'must be the name the service uses for its model',
        'gpt-5-mini',
      ),
    },
    /** Days for which client logs are stored. */
    clientLogDays: read.number('CLIENT_LOG_DAYS', { from: 1, to: 365, fallback: LOG_RETENTION_DAYS }),
    /** Megabytes of client logs that are accepted in a day, and stored in all. */
    clientLogDayMb: read.megabytes('CLIENT_LOG_DAY_MB', LOG_DAY_MB),
    clientLogTotalMb: read.megabytes('CLIENT_LOG_TOTAL_MB', LOG_TOTAL_MB),
    /** Factor on the limits of log requests: more where a proxy makes all senders one. */
    clientLogRate: read.number('CLIENT_LOG_RATE', { from: 1, to: 9_999, fallback: 1 }),
    push: {
      /** Contact that push services get (RFC 8292): `mailto:` or `https:`. */
      subject:
        read.contact('VAPID_SUBJECT', 'push services may write to') ??
        (publicOrigin.startsWith('https:') ? publicOrigin : `mailto:admin@${new URL(publicOrigin).hostname}`),
      /** Push services beside the known ones, `host` or `host:port`; they may have an address that is not of the open internet. */
      hosts: read.hosts('PUSH_HOSTS'),
    },
    /** A source of coins' prices that speaks as CoinGecko's API does; without one none are offered. */
    prices: {
      baseUrl: read.outside('PRICES_BASE_URL', 'https://api.coingecko.com/api/v3'),
      apiKey: read.text('PRICES_API_KEY', /^[\x21-\x7e]{1,200}$/, 'must be the key as the source gave it', 'CG-Xy12'),
    },
    /** Connections to this process. */
    connections: {
      most: read.number('MAX_CONNECTIONS', { from: 10, to: 60_000, fallback: 2_000 }),
      perAddress: read.number('CONNECTIONS_PER_ADDRESS', { from: 6, to: 60_000, fallback: 100 }),
      /** Seconds for which an idle one is kept open. */
      keepAliveS: read.number('KEEP_ALIVE_SECONDS', { from: 1, to: 3_600, fallback: 75 }),
    },
    /** Numeric Telegram ids of people who are administrators from their sign-in on. */
    adminTelegramIds:
      read
        .text(
          'ADMIN_TELEGRAM_IDS',
          /^[1-9]\d{0,17}(\s*,\s*[1-9]\d{0,17})*$/,
          'must be numeric Telegram user ids, separated by commas',
          '1001,1002',
        )
        ?.split(',')
        .map((id) => id.trim()) ?? [],
    /** Whether a public community counts on the instance's board from its founding, not only once an administrator says so. */
    newCommunitiesCount: read.flag('NEW_COMMUNITIES_COUNT'),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    /** False takes the service worker off every device that comes by. */
    serviceWorker: read.oneOf('SERVICE_WORKER', ['on', 'off'], 'on') === 'on',
  };
  requirePairs(read, config);
  if (read.problems.length > 0) throw new ConfigError(read.problems);
  return config;
}

/** Refuses a setting without another that it needs. */
function requirePairs(
  read: ReturnType<typeof reader>,
  config: { telegram: { login: string }; ai: { model: string | null } },
): void {
  read.pair('TELEGRAM_CLIENT_ID', 'TELEGRAM_CLIENT_SECRET', '123456');
  read.pair('TELEGRAM_CLIENT_SECRET', 'TELEGRAM_CLIENT_ID', 'the-secret-of-the-login-settings');
  if (config.telegram.login === 'widget') {
    read.pair('TELEGRAM_BOT_TOKEN', 'TELEGRAM_LOGIN', '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11');
  }
  read.pair('TELEGRAM_BOT_TOKEN', 'TELEGRAM_REQUIRED_CHANNEL', '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11');
  read.pair('PRICES_BASE_URL', 'PRICES_API_KEY', 'https://api.coingecko.com/api/v3');
  read.pair('AI_BASE_URL', 'AI_MODEL', AI_EXAMPLE);
  if (config.ai.model === null) read.pair('AI_BASE_URL', 'AI_API_KEY', AI_EXAMPLE);
  read.pair('AI_MODEL', 'AI_BASE_URL', 'gpt-5-mini');
  read.pair('X_CLIENT_ID', 'X_CLIENT_SECRET', 'bXktYXBw');
}

/** Whether Telegram's credentials are given; without any, and outside production, the sandbox replaces Telegram. */
export const hasTelegramCredentials = (env: Environment) =>
  Boolean(env['TELEGRAM_BOT_TOKEN'] || env['TELEGRAM_CLIENT_ID'] || env['TELEGRAM_CLIENT_SECRET']);

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

/** An IPv6 address has brackets in a URL, but not when listening. */
const hostOf = (given: string | null) => given?.replace(/^\[(.*)\]$/, '$1') ?? '127.0.0.1';
