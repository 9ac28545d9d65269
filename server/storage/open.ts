import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import type { Config } from '../config.ts';
import { connectTo } from './connect.ts';
import { startEmbedded } from './embedded/embedded.ts';
import { errorCode } from './embedded/files.ts';
import { explainFolder, StorageError } from './error.ts';
import { requireOwnSessions } from './pooler.ts';

export type Storage = {
  sql: Sql;
  kind: 'embedded' | 'external';
  /**
   * Finishes running queries (5 s at most) and, when no other process uses it, stops the embedded server. After `withinMs` it
   * waits for neither.
   */
  close(withinMs?: number): Promise<void>;
};

/** The part of a logger that storage uses. */
export type StorageLog = { info(data: object, message: string): void; warn(data: object, message: string): void };

const CLOSE_WITHIN_MS = 25_000;
/** A fifth of the time for queries, in seconds. */
const forQueries = (withinMs: number) => ({ timeout: withinMs / 5_000 });
const OLDEST_SERVER = 150_000;

/**
 * What must exist: nothing, a database (a cluster, or `databaseUrl`), or an instance in it. Maintenance commands never
 * create one: in a wrong folder it would be an empty one.
 */
type Expected = 'nothing' | 'database' | 'instance';

/**
 * Opens the configured database: `databaseUrl` when given, else the embedded server under `home`. Throws
 * `StorageError`: `connect` when the given server cannot be reached or is older than PostgreSQL 15, `pooler` behind one
 * that shares sessions, `no-data` when what is expected does not exist.
 */
export async function openStorage(
  config: Pick<Config, 'databaseUrl' | 'home'>,
  log: StorageLog,
  expected: Expected = 'nothing',
): Promise<Storage> {
  const storage =
    config.databaseUrl === null
      ? await openEmbedded(config.home, log, expected)
      : await openExternal(config.databaseUrl);
  try {
    if (expected === 'instance') await requireSchema(storage.sql, config);
    return storage;
  } catch (error) {
    await storage.close();
    throw error;
  }
}

async function openExternal(databaseUrl: string): Promise<Storage> {
  const sql = connectTo(databaseUrl);
  try {
    await requireVersion(sql);
    await requireOwnSessions(databaseUrl);
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw error instanceof StorageError ? error : unusable(error);
  }
  return { sql, kind: 'external', close: (withinMs = CLOSE_WITHIN_MS) => sql.end(forQueries(withinMs)) };
}

async function openEmbedded(home: string, log: StorageLog, expected: Expected): Promise<Storage> {
  if (expected !== 'nothing') requireCluster(home);
  const server = await startEmbedded({
    home: join(home, 'postgres'),
    onRestart: (pid) => log.warn({ server: pid }, 'the database server had stopped and was started again'),
  }).catch((error: unknown) => {
    throw explainFolder(home, error);
  });
  log.info({ server: server.pid, adopted: server.adopted, home }, 'embedded PostgreSQL is ready');
  const sql = connectTo(server.url());
  const close = async (withinMs = CLOSE_WITHIN_MS) => {
    await sql.end(forQueries(withinMs));
    await server.stop((withinMs * 4) / 5);
  };
  return { sql, kind: 'embedded', close };
}

const noInstance = (where: string): StorageError =>
  new StorageError(
    'no-data',
    `There is no instance in ${where}, and none was made. Say where it is, as its service has it: MUSTER_HOME=/some/folder (without it root and each checkout have their own), or DATABASE_URL of its database.`,
  );

function requireCluster(home: string): void {
  try {
    statSync(join(home, 'postgres', 'db', 'PG_VERSION'));
  } catch (error) {
    // Opening reports any other problem.
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) throw noInstance(home);
  }
}

async function requireSchema(sql: Sql, { databaseUrl, home }: Pick<Config, 'databaseUrl' | 'home'>): Promise<void> {
  const [made] = await sql<{ is: boolean }[]>`select to_regclass('schema_migrations') is not null as is`;
  if (!made?.is) throw noInstance(databaseUrl === null ? home : 'the database of DATABASE_URL');
}

/** For a name with several addresses Node's error has only a code. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

const unusable = (error: unknown): StorageError =>
  new StorageError(
    'connect',
    `The database of DATABASE_URL cannot be used: ${wordsOf(error)}. Check that it runs and that the URL is right, or leave DATABASE_URL out to use the built-in PostgreSQL.`,
    { cause: error },
  );

async function requireVersion(sql: Sql): Promise<void> {
  const [row] = await sql<{ version: number; lacks: string[] }[]>`
    select current_setting('server_version_num')::int as version, array(
      select name from unnest(${['pg_trgm', 'btree_gin']}::text[]) name
      where name not in (select name from pg_available_extensions)) as lacks`;
  if ((row?.version ?? 0) < OLDEST_SERVER)
    throw new StorageError('connect', 'The database of DATABASE_URL is older than PostgreSQL 15. Use 15 or newer.');
  if (row && row.lacks.length > 0)
    throw new StorageError(
      'connect',
      `The PostgreSQL of DATABASE_URL lacks ${row.lacks.join(' and ')}, by which names are found. Install its contrib package.`,
    );
}
