import { resolve4, resolve6, resolveMx } from 'node:dns/promises';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { isIP } from 'node:net';
import { dirname } from 'node:path';
import { withoutToken } from '../base/text.ts';
import type { Config } from '../config.ts';
import { publicKeyOf } from '../features/ledger/export.ts';
import { certificateOf } from '../integrations/certificate.ts';
import { isTrouble } from '../integrations/telegram/chats.ts';
import { createTelegram } from '../integrations/telegram/client.ts';
import { upstreamClock } from '../integrations/upstream-clock.ts';
import { createLog } from '../log.ts';
import { StorageError } from '../storage/error.ts';
import { openStorage } from '../storage/open.ts';
import { findLedgerKey } from '../storage/secrets.ts';

type Found = { state: 'fine' | 'doubtful' | 'failed' | 'left'; found: string; wayOut?: string };
export type Trial = Found & { what: string };

const fine = (found: string): Found => ({ state: 'fine', found });
const left = (found: string): Found => ({ state: 'left', found });
const doubtful = (found: string, wayOut: string): Found => ({ state: 'doubtful', found, wayOut });
const failed = (found: string, wayOut: string): Found => ({ state: 'failed', found, wayOut });

/** For one answer, and for one trial with all of its answers. */
const ANSWER_MS = 5_000;
const TRIAL_MS = 15_000;
const DAY_MS = 86_400_000;

/** Tries what is configured, all at once, and changes nothing of it: no webhook, no table, no file. */
export async function tryConfig(config: Config): Promise<Trial[]> {
  const { telegram, x } = config;
  const upstreams = [telegram.apiRoot, telegram.oidcIssuer, x.apiRoot];
  const clock = upstreamClock(
    upstreams.map((address) => new URL(address).host),
    () => new Date(),
  );
  try {
    const trials = await Promise.all([
      attempt('Database', 'Check that it runs, and DATABASE_URL or MUSTER_HOME.', () => tryDatabase(config)),
      attempt('Disk', 'Check MUSTER_HOME.', () => tryDisk(config)),
      attempt('Telegram bot', 'Check TELEGRAM_BOT_TOKEN, and that this machine reaches Telegram.', () =>
        tryBot(config),
      ),
      attempt('Telegram sign-in', 'Check that this machine reaches it.', () => trySignIn(config)),
      attempt('X', 'Check that this machine reaches it.', () => tryX(config)),
      attempt('Own address', WAY_TO_US, () => tryOrigin(config)),
      attempt('Certificate', WAY_TO_US, () => tryCertificate(config)),
      attempt('Push', 'Set VAPID_SUBJECT to an address that you read.', () => tryPush(config)),
    ]);
    // By the answers to all others.
    return [...trials, { what: 'Clock', ...timeOf(clock.ahead()) }];
  } finally {
    clock.close();
  }
}

async function attempt(what: string, wayOut: string, look: () => Promise<Found>): Promise<Trial> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Found>((resolve) => {
    timer = setTimeout(resolve, TRIAL_MS, failed(`no answer within ${TRIAL_MS / 1_000} s`, wayOut));
  });
  try {
    return { what, ...(await Promise.race([look(), late])) };
  } catch (error) {
    return { what, ...failed(wordsOf(error), wayOut) };
  } finally {
    clearTimeout(timer);
  }
}

/** Node's errors of the network say what happened in their causes alone; the Bot API's client repeats the token. */
function wordsOf(error: unknown): string {
  if (error instanceof StorageError || !(error instanceof Error))
    return withoutToken(error instanceof Error ? error.message : String(error));
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause instanceof Error ? wordsOf(error.cause) : withoutToken(error.message);
}

const quiet = { info() {}, warn() {} };

async function tryDatabase(config: Config): Promise<Found> {
  const isBuiltIn = config.databaseUrl === null;
  const storage = await openStorage(config, quiet, isBuiltIn ? 'instance' : 'database').catch((error: unknown) => {
    if (isBuiltIn && error instanceof StorageError && error.code === 'no-data') return null;
    throw error;
  });
  if (storage === null) return left(`the built-in one, which the first start makes under ${config.home}`);
  const { sql } = storage;
  try {
    const [row] = await sql<
      [{ version: string; mayCreate: boolean; mayExtend: boolean; isReplica: boolean; isMade: boolean }]
    >`
      select current_setting('server_version') as version,
        coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate",
        has_database_privilege(current_database(), 'create')
          or (select count(*) = 2 from pg_extension where extname in ('pg_trgm', 'btree_gin')) as "mayExtend",
        pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as "isReplica",
        to_regclass('schema_migrations') is not null as "isMade"`;
    const name = `PostgreSQL ${row.version}`;
    if (row.isReplica) return failed(`${name} takes no writes`, 'Give DATABASE_URL of the server that does.');
    if (!row.mayCreate || !row.mayExtend)
      return failed(
        `${name}: its user may not make tables or extensions`,
        'Make that user the owner of the database: alter database … owner to …',
      );
    const [admins] = row.isMade
      ? await sql<[{ has: boolean }]>`select exists (select from users where role = 'admin') as has`
      : [{ has: true }];
    if (config.production && !admins.has && config.adminTelegramIds.length === 0)
      return doubtful(`${name}; nobody is an administrator`, 'Run: npm run muster -- admin link');
    return fine(`${name}${row.isMade ? '' : '; empty, the first start makes its tables'}`);
  } finally {
    await storage.close();
  }
}

const LEAST_FREE_BYTES = 2 ** 30;

async function tryDisk({ home }: Config): Promise<Found> {
  let path = home;
  while (!existsSync(path)) path = dirname(path);
  const { bavail, bsize } = await statfs(path);
  const found = `${Math.floor((bavail * bsize) / 1e6)} MB are free at ${path}`;
  return bavail * bsize < LEAST_FREE_BYTES
    ? doubtful(found, 'Make room, or see docs/operations/sizing.md for what a year needs.')
    : fine(found);
}

async function tryBot(config: Config): Promise<Found> {
  const { botToken, requiredChannel } = config.telegram;
  if (botToken === null) return left('not configured');
  const telegram = createTelegram(config, createLog('silent'));
  const [name, { url, error }] = await Promise.all([telegram.botUsername(), telegram.webhook()]);
  const own = new URL('/api/telegram/webhook', config.publicOrigin).href;
  if (url !== '' && url !== own)
    return doubtful(
      `@${name} answers; its messages go to ${new URL(url).host}, another program or address`,
      'A start of Muster takes them over. Give each program a bot of its own.',
    );
  if (url === own && error !== null)
    return doubtful(`@${name} answers; Telegram could not reach this instance: ${withoutToken(error)}`, WAY_TO_US);
  if (requiredChannel === null) return fine(`@${name} answers`);
  const missing = await telegram.chats.rights(requiredChannel);
  const mayLook = !isTrouble(missing) && !missing.includes('admin') && !missing.includes('present');
  return mayLook
    ? fine(`@${name} answers, and is an administrator of ${requiredChannel}`)
    : failed(
        `@${name} answers, and cannot see who is in ${requiredChannel}`,
        'Make the bot an administrator of that channel, and check TELEGRAM_REQUIRED_CHANNEL.',
      );
}

const ask = (url: string | URL): Promise<Response> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });

async function trySignIn({ telegram }: Config): Promise<Found> {
  if (telegram.login === 'widget') return left('by the login widget, in the browser alone');
  if (telegram.clientId === null) return left('not configured');
  const answer = await ask(`${telegram.oidcIssuer}/.well-known/openid-configuration`);
  const described = (await answer.json().catch(() => null)) as { issuer?: unknown } | null;
  return described?.issuer === telegram.oidcIssuer
    ? fine(`${telegram.oidcIssuer} answers; whether it knows the client shows at the first sign-in`)
    : failed(
        `${telegram.oidcIssuer} answers ${answer.status}, and not as a provider of sign-in`,
        'Check TELEGRAM_OIDC_ISSUER.',
      );
}

async function tryX({ x }: Config): Promise<Found> {
  if (x.clientId === null) return left('not configured');
  const { status } = await ask(`${x.apiRoot}/2/users/me`);
  return status < 500 ? fine(`${x.apiRoot} answers`) : doubtful(`${x.apiRoot} answers ${status}`, 'Try again later.');
}

const WAY_TO_US =
  'Check in this order: the service runs, DNS leads here, the firewall lets 443 through, the proxy hands on to HOST:PORT.';

/** Whether the address that people type leads to this instance, and its proxy says whom it asks for. */
async function tryOrigin({ publicOrigin, home, production }: Config): Promise<Found> {
  const answer = await ask(`${publicOrigin}/livez`);
  const said = (await answer.json().catch(() => null)) as { ok?: unknown; way?: unknown } | null;
  if (said?.ok !== true) return failed(`${publicOrigin} answers ${answer.status}, and not as Muster does`, WAY_TO_US);
  const key = findLedgerKey(home);
  const shown = (await (await ask(`${publicOrigin}/api/ledger/public-key`)).json().catch(() => null)) as {
    publicKey?: unknown;
  } | null;
  if (key !== null && shown?.publicKey !== publicKeyOf(key).publicKey)
    return doubtful(
      `another Muster than that of ${home} answers at ${publicOrigin}`,
      'Check DNS and the proxy; machines that share a database share the files of MUSTER_HOME, too.',
    );
  if (said.way === 'unknown-proxy')
    return doubtful(
      `${publicOrigin} leads here, by a proxy that is not trusted`,
      'Add the address that the proxy connects from to TRUSTED_PROXIES.',
    );
  if (said.way === 'direct' && production)
    return doubtful(
      `${publicOrigin} leads here, without X-Forwarded-For`,
      'Let the proxy send it: docs/operations/hosting.md',
    );
  return fine(`${publicOrigin} leads to this instance`);
}

async function tryCertificate({ publicOrigin }: Config): Promise<Found> {
  if (!publicOrigin.startsWith('https:')) return left('none: PUBLIC_ORIGIN has no https');
  const { validTo, refused } = await certificateOf(new URL(publicOrigin), ANSWER_MS);
  if (refused !== null) return failed(`browsers refuse it: ${refused}`, 'Let the proxy fetch one for this name.');
  const days = Math.floor((validTo.getTime() - Date.now()) / DAY_MS);
  return days < 14
    ? doubtful(`ends in ${days} days`, 'Look why the proxy did not renew it.')
    : fine(`good for ${days} days`);
}

async function tryPush({ push, production }: Config): Promise<Found> {
  const { protocol, hostname, pathname } = new URL(push.subject);
  const host = protocol === 'mailto:' ? pathname.replace(/^.*@/, '') : hostname;
  if (isIP(host) !== 0 || !host.includes('.'))
    return production
      ? doubtful(
          `VAPID_SUBJECT is ${push.subject}: Apple's push service refuses it`,
          'Set VAPID_SUBJECT=mailto:you@your.domain',
        )
      : left(`VAPID_SUBJECT is ${push.subject}: good for tests`);
  const looked = [resolve4(host), resolve6(host), ...(protocol === 'mailto:' ? [resolveMx(host)] : [])];
  return Promise.any<unknown>(looked).then(
    () => fine(push.subject),
    () => doubtful(`DNS does not know ${host} of VAPID_SUBJECT`, 'Set it to an address that you read.'),
  );
}

const SKEW_MS = 10_000;

function timeOf(upstream: { host: string; ms: number } | null): Found {
  if (upstream === null) return left('no service answered that tells the time');
  const seconds = Math.round(Math.abs(upstream.ms) / 1_000);
  const found = `${seconds} s ${upstream.ms < 0 ? 'behind' : 'ahead of'} ${upstream.host}`;
  return Math.abs(upstream.ms) < SKEW_MS
    ? fine(found)
    : failed(found, 'Switch on time synchronisation: timedatectl set-ntp true');
}
