import postgres from 'postgres';
import { withDeadline } from './deadline.ts';
import { renewedWhenSilent, rest } from './silence.ts';
import { withSafeTransactions } from './transactions.ts';

type Options = postgres.Options<Record<string, postgres.PostgresType>>;

/**
 * Each connection is a process of PostgreSQL with its own plans and tables (8 to 18 MB), which it has to learn: a few
 * warm ones serve more people than many. Commands have a fixed number; reads have as many as the settings say.
 */
const CONNECTIONS = 4;

/** Within the time that a statement waits for a connection. The driver's own are 30 s, and up to 20 s between two tries. */
const CONNECT_WITHIN_S = 2.5;
const retryAfterS = (tried: number): number => Math.min(0.25, 0.02 * 2 ** tried);

/**
 * No statement of a running app takes nearly as long, in ms. The database ends longer ones and says so; when it stays
 * silent beyond that, it hangs or is gone.
 */
const LIMITS = { statementMs: 120_000, silentMs: 130_000 };
/** PgBouncer's answer to an unknown setting (`protocol_violation`). */
const UNKNOWN_PARAMETER = '08P01';

/** The driver reads dates of one style only, and a day begins at midnight in UTC, whatever a server was set up for. */
const SESSION = { DateStyle: 'ISO, YMD', TimeZone: 'UTC' };

/**
 * A pool on a PostgreSQL URL. Beside the usual form it takes libpq's `?host=/directory` for a Unix socket, and an IPv6
 * address, which the driver does not read from a URL: `postgres://muster@localhost/muster?host=/run/postgresql`,
 * `postgres://muster@[::1]:5432/muster`.
 */
export function connectTo(databaseUrl: string, options: Options = {}): postgres.Sql {
  const url = new URL(databaseUrl);
  const socket = url.searchParams.get('host');
  const settings: Options = {
    onnotice() {},
    max: CONNECTIONS,
    connection: SESSION,
    connect_timeout: CONNECT_WITHIN_S,
    backoff: retryAfterS,
    ...options,
  };
  if (socket?.startsWith('/')) {
    url.searchParams.delete('host');
    settings.path = `${socket}/.s.PGSQL.${url.port || '5432'}`;
  }
  const address = /^\[(.*)\]$/.exec(url.hostname)?.[1];
  // As lists, which the driver's types lack: it splits a string at colons.
  if (address !== undefined) Object.assign(settings, { host: [address], port: [Number(url.port || 5432)] });
  return open(() => postgres(url.href, settings));
}

/**
 * Opens separate connections to the same database, for work that should not share the pool's. They end with the pool,
 * or before it. The driver takes its own options back.
 * @param waitMs how long a caller may wait for one of them; default as long as a request may
 */
export const beside = (
  sql: postgres.Sql,
  max: number,
  { idleSeconds = null, waitMs }: { idleSeconds?: number | null; waitMs?: number } = {},
): postgres.Sql =>
  endingWith(sql, { ...sql.options, max, idle_timeout: idleSeconds, max_lifetime: null }, silentOf.get(sql), waitMs);

/**
 * A pool to the same database for an app that runs: nothing that it asks takes longer than `statementMs`, which the database
 * itself sees to, as far as it lets clients say so (a pooler may not), and nothing is waited for longer than `silentMs`. It
 * ends with `sql`. Other limits than `LIMITS` only in tests.
 * @param max its connections
 */
export async function serving(
  sql: postgres.Sql,
  max = CONNECTIONS,
  { statementMs, silentMs } = LIMITS,
): Promise<postgres.Sql> {
  const limits = { statement_timeout: statementMs, idle_in_transaction_session_timeout: statementMs };
  const given = { ...sql.options, max };
  const limited = endingWith(sql, { ...given, connection: { ...sql.options.connection, ...limits } }, silentMs);
  try {
    await limited`select`;
    await rest(sql);
    return limited;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === UNKNOWN_PARAMETER)) throw error;
    await limited.end({ timeout: 0 });
    return endingWith(sql, given, silentMs);
  }
}

/** Pools that are replaced when the database is silent, with their limit in ms. */
const silentOf = new WeakMap<postgres.Sql, number>();

function endingWith(sql: postgres.Sql, options: object, silentMs?: number, waitMs?: number): postgres.Sql {
  const own = open(() => postgres(options as Options), silentMs, waitMs);
  const end = sql.end;
  sql.end = async (options) => {
    await Promise.all([own.end(options), end(options)]);
  };
  return own;
}

function open(make: () => postgres.Sql, silentMs?: number, waitMs?: number): postgres.Sql {
  const heard = { at: Number.NEGATIVE_INFINITY };
  const pool = silentMs === undefined ? make() : renewedWhenSilent(make, silentMs, heard);
  const sql = withDeadline(withSafeTransactions(pool), heard, waitMs);
  if (silentMs !== undefined) silentOf.set(sql, silentMs);
  return sql;
}
