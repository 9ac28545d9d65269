import { join } from 'node:path';
import type { Sql } from 'postgres';
import type { Config } from '../config.ts';
import { connectTo } from './connect.ts';
import { startEmbedded } from './embedded/embedded.ts';
import { explainFolder, StorageError } from './error.ts';

export type Storage = {
  sql: Sql;
  kind: 'embedded' | 'external';
  /** Finishes running queries (5 s at most) and, when no other process uses it, stops the embedded server. */
  close(): Promise<void>;
};

/** The part of a logger that storage uses. */
export type StorageLog = { info(data: object, message: string): void; warn(data: object, message: string): void };

const CLOSE_WITHIN_S = 5;
const OLDEST_SERVER = 150_000;

/**
 * Opens the database of the configuration: `databaseUrl` when given, else the embedded server under `home`.
 * Throws `StorageError`; `connect` when the given server cannot be reached or is older than PostgreSQL 15.
 */
export async function openStorage(config: Pick<Config, 'databaseUrl' | 'home'>, log: StorageLog): Promise<Storage> {
  if (config.databaseUrl !== null) {
    const sql = connectTo(config.databaseUrl);
    try {
      await requireVersion(sql);
    } catch (error) {
      await sql.end({ timeout: 0 });
      throw error;
    }
    return { sql, kind: 'external', close: () => sql.end({ timeout: CLOSE_WITHIN_S }) };
  }
  const server = await startEmbedded({
    home: join(config.home, 'postgres'),
    onRestart: (pid) => log.warn({ server: pid }, 'the database server had stopped and was started again'),
  }).catch((error: unknown) => {
    throw explainFolder(config.home, error);
  });
  log.info({ server: server.pid, adopted: server.adopted, home: config.home }, 'embedded PostgreSQL is ready');
  const sql = connectTo(server.url());
  const close = async () => {
    await sql.end({ timeout: CLOSE_WITHIN_S });
    await server.stop();
  };
  return { sql, kind: 'embedded', close };
}

/** Where a name has several addresses Node's error has no words of its own, only a code. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

async function requireVersion(sql: Sql): Promise<void> {
  const [row] = await sql<{ version: number }[]>`select current_setting('server_version_num')::int as version`.catch(
    (error: unknown) => {
      throw new StorageError(
        'connect',
        `The database of DATABASE_URL cannot be used: ${wordsOf(error)}. Check that it runs and that the URL is right, or leave DATABASE_URL out to use the built-in PostgreSQL.`,
        { cause: error },
      );
    },
  );
  if ((row?.version ?? 0) < OLDEST_SERVER)
    throw new StorageError('connect', 'The database of DATABASE_URL is older than PostgreSQL 15. Use 15 or newer.');
}
