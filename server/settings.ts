import {
  any,
  contact,
  databaseUrl,
  flag,
  hook,
  hosts,
  list,
  listening,
  megabytes,
  networks,
  number,
  oneOf,
  origin,
  origins,
  outside,
  port,
  setting,
  text,
  url,
} from './base/environment.ts';
import { LOG_DAY_MB, LOG_RETENTION_DAYS, LOG_TOTAL_MB } from './contract/limits.ts';

const INSTANCE = {
  NODE_ENV: setting(any, {
    meaning: '`production`: the sandbox is never started, and `PUBLIC_ORIGIN` must be given',
    example: 'production',
  }),
  PUBLIC_ORIGIN: setting(origin, {
    meaning: 'the address people type, never taken from a request; put a TLS proxy in front',
    example: 'https://muster.example',
    otherwise: '`http://localhost:PORT`; in production it must be given',
  }),
  PORT: setting(port, { meaning: 'where the process listens', fallback: 3000 }),
  HOST: setting(listening, { meaning: 'the address it listens on', fallback: '127.0.0.1' }),
  TRUSTED_PROXIES: setting(networks, {
    meaning:
      'addresses or networks of that proxy, whose `X-Forwarded-For` says who asked: so rate limits count the people behind it and not the proxy',
    example: '127.0.0.1,10.0.0.0/8',
    fallback: [],
  }),
  MUSTER_HOME: setting(any, {
    meaning: 'where data and secrets are stored',
    example: '/var/lib/muster',
    otherwise: '`./data`, or a folder under `/var/lib/muster` for root',
  }),
  PRODUCT_NAME: setting(text(/^[^<>"\p{Cc}]{1,40}$/u, 'must be 1 to 40 characters without <, > or "'), {
    meaning: 'your name for it',
    fallback: 'Muster',
  }),
  PRODUCT_SLUG: setting(
    text(/^(?=.{1,31}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'must be up to 31 lower-case letters, digits and single hyphens'),
    { meaning: 'the same in names of files', fallback: 'muster' },
  ),
  PRODUCTION_HOSTS: setting(hosts, {
    meaning: 'further hosts on which notifications may be asked for inside a frame',
    example: 'muster.example,www.muster.example',
    fallback: [],
  }),
  ADMIN_TELEGRAM_IDS: setting(
    list((id) => /^[1-9]\d{0,17}$/.test(id), 'must be numeric Telegram user ids, separated by commas'),
    {
      meaning: 'numeric Telegram ids of people who are administrators from their sign-in on',
      example: '1001,1002',
      fallback: [],
    },
  ),
  NEW_COMMUNITIES_COUNT: setting(flag, {
    meaning:
      '`on`: a public community counts on the instance’s board from its founding. Otherwise an administrator says which do: `npm run muster -- board count <slug>`',
    fallback: false,
  }),
  LOG_LEVEL: setting(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), {
    meaning: '`fatal` to `trace`, or `silent`',
    fallback: 'info',
  }),
  SERVICE_WORKER: setting(flag, {
    meaning: '`off` removes the service worker from every device that comes by, see [updates](updates.md)',
    fallback: true,
  }),
  HSTS_SUBDOMAINS: setting(flag, {
    meaning:
      '`on`: browsers are told to use https for every subdomain of `PUBLIC_ORIGIN`, too (HSTS), for two years; only where all of them have it',
    fallback: false,
  }),
  SECURITY_CONTACT: setting(contact('people may write to about security'), {
    meaning: '`mailto:` or `https:` address for reports of weaknesses, told in `/.well-known/security.txt`',
    example: 'mailto:security@muster.example',
    otherwise: 'the form for partnerships, which reaches the administrators',
  }),
  CLIENT_LOG_DAYS: setting(number(1, 365), {
    meaning: 'days for which client logs are stored',
    fallback: LOG_RETENTION_DAYS,
  }),
  CLIENT_LOG_DAY_MB: setting(megabytes, {
    meaning: 'megabytes of client logs that are accepted in a day',
    fallback: LOG_DAY_MB,
  }),
  CLIENT_LOG_TOTAL_MB: setting(megabytes, {
    meaning: 'megabytes of client logs that are stored in all: over that the oldest days go',
    fallback: LOG_TOTAL_MB,
  }),
  CLIENT_LOG_RATE: setting(number(1, 9_999), {
    meaning: 'what the limits on log requests are multiplied by: more where a proxy makes all senders one',
    fallback: 1,
  }),
};

const DATABASE = {
  DATABASE_URL: setting(databaseUrl, {
    meaning:
      'your own PostgreSQL ≥ 15; any number of processes may share it (Debian’s build writes points a sixth faster)',
    example: 'postgres://user:password@localhost:5432/muster',
    otherwise: 'the embedded one, with 40 MB of buffers: enough for some ten thousand members',
    secret: true,
  }),
  DATABASE_POOL: setting(number(2, 100), {
    meaning: 'connections to the database of one process, for requests',
    fallback: 4,
  }),
  DATABASE_JOBS_POOL: setting(number(2, 100), {
    meaning: 'the same for jobs, which never take one of theirs',
    fallback: 3,
  }),
  DATABASE_LIMIT_MB: setting(megabytes, {
    meaning: 'megabytes that your own database may take: its check warns at 90 % of them',
    example: '50000',
    otherwise: 'how much room it has is not known',
  }),
  MAX_CONNECTIONS: setting(number(10, 60_000), { meaning: 'connections to the process', fallback: 2_000 }),
  CONNECTIONS_PER_ADDRESS: setting(number(6, 60_000), {
    meaning: 'the same from one address; `TRUSTED_PROXIES` and this machine apart',
    fallback: 100,
  }),
  KEEP_ALIVE_SECONDS: setting(number(1, 3_600), {
    meaning: 'how long an idle one is kept open: longer than your proxy keeps its own',
    fallback: 75,
  }),
  SHUTDOWN_DELAY_SECONDS: setting(number(0, 300), {
    meaning:
      'for how long a process that is told to stop (SIGTERM) serves on, while `/readyz` says 503 and proxies turn to another one; a second SIGTERM ends the wait. Let it be killed no sooner than 12 seconds later (`TimeoutStopSec`), see [updates](updates.md)',
    fallback: 0,
  }),
};

const BEING_TOLD = {
  METRICS_TOKEN: setting(text(/^[\x21-\x7e]{16,256}$/, 'must be 16 to 256 letters, digits or signs'), {
    meaning: '`GET /metrics` answers who sends it (`Authorization: Bearer`). See [monitoring](monitoring.md)',
    example: '6f1c0c1e9a0b4d0fa8c3',
    otherwise: 'there is no `/metrics`',
    secret: true,
  }),
  METRICS_PORT: setting(port, {
    meaning: 'a port of 127.0.0.1 on which `GET /metrics` answers without a token',
    example: '9464',
    otherwise: 'there is none',
  }),
  HEARTBEAT_URL: setting(url, {
    meaning:
      'an address that is asked each minute while the process serves and its database answers: a service that misses it calls you. See [monitoring](monitoring.md)',
    example: 'https://heartbeat.muster.example/ping/12ab34cd',
    secret: true,
  }),
  ALERTS_TELEGRAM_CHAT: setting(text(/^(-?\d{1,18}|@\w{4,32})$/, 'must be a chat id or @name'), {
    meaning:
      'the chat in which the bot says that a check needs attention, and that it is well again. See [monitoring](monitoring.md)',
    example: '-1001234567890',
  }),
  ALERTS_WEBHOOK: setting(hook, {
    meaning: 'an address of the open internet to which the same is posted as JSON',
    example: 'https://hooks.muster.example/alerts?key=12ab34cd',
    secret: true,
  }),
  ALERTS_WEBHOOK_SECRET: setting(text(/^[\x21-\x7e]{16,256}$/, 'must be 16 to 256 letters, digits or signs'), {
    meaning: 'what alerts to webhooks are signed with (`Muster-Signature`)',
    example: '6f1c0c1e9a0b4d0fa8c3',
    otherwise: 'made once and stored in `MUSTER_HOME`, beside `ALERTS_WEBHOOK`',
    secret: true,
  }),
};

const BACKUPS = {
  BACKUP_AT: setting(text(/^(([01]\d|2[0-3]):[0-5]\d|off)$/, 'must be a time of day, or off'), {
    meaning:
      'when the product backs itself up each day, by the clock of the process’s own time zone (`TZ`), or `off`. See [backups](backups.md)',
    fallback: '03:00',
  }),
  BACKUP_DIR: setting(any, {
    meaning: 'the folder that backups go to',
    example: '/srv/muster-backups',
    otherwise:
      '`backups` in `MUSTER_HOME`; with `DATABASE_URL` and without `S3_ENDPOINT` the product does not back itself up',
  }),
  BACKUP_KEEP: setting(
    text(/^(?=.*[1-9])(?=.)(\d{1,3}d)?(\d{1,3}w)?(\d{1,3}m)?$/, 'must be numbers of days, weeks and months'),
    {
      meaning: 'which are kept: the newest of each of so many days, weeks and months',
      fallback: '7d4w12m',
    },
  ),
  BACKUP_RECIPIENT: setting(text(/^age1[02-9ac-hj-np-z]{58,}$/, 'must be a recipient as age-keygen prints it'), {
    meaning: 'whom backups are encrypted for (age): its identity opens them, which this machine does not have',
    example: 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
    otherwise: 'they are not encrypted',
  }),
  S3_ENDPOINT: setting(url, {
    meaning: 'a storage that speaks Amazon’s S3 protocol, where each backup is copied to and kept by the same rule',
    example: 'https://s3.eu-central-1.amazonaws.com',
    otherwise: 'backups stay on this machine',
  }),
  S3_BUCKET: setting(text(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'), {
    meaning: 'the bucket there, which has to exist',
    example: 'muster-backups',
  }),
  S3_REGION: setting(text(/^[\w-]{1,40}$/, 'must be the name of a region'), {
    meaning: 'its region, as the service names it',
    fallback: 'us-east-1',
  }),
  S3_ACCESS_KEY: setting(any, {
    meaning: 'a key that may read, write, list and delete there',
    example: 'AKIA0123456789',
  }),
  S3_SECRET_KEY: setting(any, { meaning: 'the secret of that key', example: 'the-secret-of-the-key', secret: true }),
};

const SERVICES = {
  TELEGRAM_CLIENT_ID: setting(any, {
    meaning: 'sign-in: BotFather → Bot Settings → Web Login; allow `PUBLIC_ORIGIN/api/auth/telegram/callback`',
    example: '123456',
  }),
  TELEGRAM_CLIENT_SECRET: setting(any, {
    meaning: 'the secret shown there',
    example: 'the-secret-of-the-login-settings',
    secret: true,
  }),
  TELEGRAM_LOGIN: setting(oneOf('oidc', 'widget'), {
    meaning:
      '`widget` signs people in by Telegram’s old login widget, for a bot that was never switched to Web Login: set its domain with BotFather’s /setdomain; only `TELEGRAM_BOT_TOKEN` is needed',
    fallback: 'oidc',
  }),
  TELEGRAM_BOT_TOKEN: setting(text(/^\d+:[\w-]+$/, 'must be the token from @BotFather'), {
    meaning: 'the bot, Mini App sign-in, and membership of the required channel',
    example: '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11',
    secret: true,
  }),
  TELEGRAM_REQUIRED_CHANNEL: setting(text(/^(-\d+|@\w{4,32})$/, "must be the channel's numeric id or its @name"), {
    meaning:
      'id or @name of the channel that people must be in. The bot must be an administrator there. Its webhook is set to `PUBLIC_ORIGIN/api/telegram/webhook`, so a removal takes effect at once',
    example: '-1001234567890',
    otherwise: 'none is required',
  }),
  TELEGRAM_WEBHOOK_SECRET: setting(text(/^[\w-]{16,256}$/, 'must be 16 to 256 letters, digits, _ or -'), {
    meaning:
      'what proves that a call to the webhook is Telegram’s; give the same one to several machines behind one address',
    example: '6f1c0c1e9a0b4d0fa8c3',
    otherwise: 'made once and stored in `MUSTER_HOME`',
    secret: true,
  }),
  TELEGRAM_WEB_ORIGINS: setting(origins, {
    meaning: 'sites that may show the Mini App (`/mini`) in a frame',
    fallback: ['https://web.telegram.org'],
  }),
  X_CLIENT_ID: setting(any, {
    meaning: 'X developer portal; allow `PUBLIC_ORIGIN/twitter-return`',
    example: 'bXktYXBw',
  }),
  X_CLIENT_SECRET: setting(any, {
    meaning: 'the secret of that app, where it has one',
    example: 'the-secret-of-the-app',
    secret: true,
  }),
  X_ACTION_POINTS: setting(flag, {
    meaning: '`on`: an administrator may let tasks on X give points, see [integrations](../integrations.md#x)',
    fallback: false,
  }),
  VAPID_SUBJECT: setting(contact('push services may write to'), {
    meaning: 'the contact that push services are given (RFC 8292), see [push](push.md)',
    example: 'mailto:admin@muster.example',
    otherwise: '`PUBLIC_ORIGIN`, or `mailto:admin@` its host without https',
  }),
  PUSH_HOSTS: setting(hosts, {
    meaning:
      'push services beside the known ones, `host` or `host:port`; they may have an address that is not of the open internet',
    example: 'push.muster.example:8443',
    fallback: [],
  }),
  AI_BASE_URL: setting(url, {
    meaning: 'a service that speaks OpenAI’s protocol, for the assistant. See [hosting](hosting.md)',
    example: 'https://api.openai.com/v1',
    otherwise: 'answers are quoted, and nothing about questions leaves the server',
  }),
  AI_MODEL: setting(text(/^[^\s<>"]{1,200}$/, 'must be the name the service uses for its model'), {
    meaning: 'its model',
    example: 'gpt-5-mini',
  }),
  AI_API_KEY: setting(any, { meaning: 'its key, where it wants one', example: 'sk-12ab34cd', secret: true }),
  PRICES_BASE_URL: setting(outside, {
    meaning:
      'a source of coins’ prices for the calculators, that speaks as CoinGecko’s API does. See [hosting](hosting.md)',
    example: 'https://api.coingecko.com/api/v3',
    otherwise: 'no prices are offered',
  }),
  PRICES_API_KEY: setting(text(/^[\x21-\x7e]{1,200}$/, 'must be the key as the source gave it'), {
    meaning: 'its key, where it wants one',
    example: 'CG-Xy12',
    secret: true,
  }),
};

const DEVELOPMENT = {
  SANDBOX_PORT: setting(port, {
    meaning: 'where the sandbox answers that stands in for Telegram and X',
    example: '3001',
    otherwise: 'the port after `PORT`',
  }),
  TELEGRAM_OIDC_ISSUER: setting(url, {
    meaning: 'where Telegram is asked who signs in',
    fallback: 'https://oauth.telegram.org',
  }),
  TELEGRAM_API_ROOT: setting(url, {
    meaning: 'where the bot speaks with Telegram, such as a Bot API server of your own',
    fallback: 'https://api.telegram.org',
  }),
  X_API_ROOT: setting(url, { meaning: 'where X is asked', fallback: 'https://api.x.com' }),
  X_AUTHORIZE_URL: setting(url, {
    meaning: 'where people let X tell who they are',
    fallback: 'https://x.com/i/oauth2/authorize',
  }),
  X_OEMBED_URL: setting(url, {
    meaning: 'where X shows a post to everyone (oEmbed)',
    fallback: 'https://publish.x.com/oembed',
  }),
};

/** Each setting, once, in groups: what docs/operations/settings.md shows is made from it. */
export const SETTING_GROUPS = {
  'The instance': INSTANCE,
  'Database and connections': DATABASE,
  Backups: BACKUPS,
  'Being told': BEING_TOLD,
  'Other services': SERVICES,
  'For tests and development': DEVELOPMENT,
};
export const SETTINGS = { ...INSTANCE, ...DATABASE, ...BACKUPS, ...BEING_TOLD, ...SERVICES, ...DEVELOPMENT };
