import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { connectTo } from '../connect.ts';
import { StorageError, USE_DATABASE_URL } from '../error.ts';
import { errorCode, isAlive, readOrEmpty } from './files.ts';
import { initialise } from './initialise.ts';
import { backendsOf, holderOf, isStarting, launch, type Running } from './launch.ts';
import { type ClusterPaths, prepareCluster } from './paths.ts';

export type EmbeddedServer = {
  readonly pid: number;
  /** Whether another process had started it, or it outlived a killed parent. */
  readonly adopted: boolean;
  /** Folder of the Unix socket. */
  readonly socket: string;
  /** For `connectTo`, and for another process's `DATABASE_URL` on this machine. */
  url(database?: string): string;
  /**
   * Releases the server. The last process stops it and gets `true`. After `withinMs` the server is stopped immediately.
   */
  stop(withinMs?: number): Promise<boolean>;
};

export type EmbeddedOptions = {
  /** Folder of this cluster and of nothing else. */
  home: string;
  database?: string;
  settings?: Record<string, string>;
  /** Called after the server died and was restarted; pools on `url()` reconnect automatically. */
  onRestart?: (pid: number) => void;
};

/**
 * Every process on the server holds this lock shared, in the database `postgres`: a process that gets it exclusively is
 * the last.
 */
const PRESENCE_LOCK = 7_186_001;
const WATCH_EVERY_MS = 1_000;
const STOP_WITHIN_MS = 20_000;
/** A healthy server answers at once whether others use it. */
const ANSWERS_WITHIN_MS = 2_000;
/**
 * How long a server may reject connections without recovering, by the error. After a second crash during recovery (a
 * full disk), PostgreSQL 18 may wait for ever for a recovery that has ended.
 */
const STUCK_AFTER_MS: Readonly<Record<string, number>> = {
  '57P03': 10_000, // it says that it takes nobody now
  CONNECT_TIMEOUT: 30_000, // it says nothing: a machine that is very busy is no reason to end it
};
/** A longer recovery is reported and tried again later. */
const LETS_IN_WITHIN_MS = 120_000;
/** How long an immediate shutdown may take. */
const ENDS_WITHIN_MS = 6_000;
/** How long a server without its PID file may still run; after that its PID belongs to another process. */
const GONE_WITHIN_MS = 1_000;

/**
 * Runs the bundled PostgreSQL as a child that several processes may share: the first starts it, the last stops it, and
 * one that outlived a killed parent is joined. It listens on a Unix socket in a private folder only.
 * Throws `StorageError`.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const paths = prepareCluster(options.home, options.settings);
  const database = options.database ?? 'muster';
  if (!madeBefore(paths)) await initialise(paths);

  let { running, presence } = await joinServer(paths, database);
  let busy = false;
  const watch = setInterval(async () => {
    // A server that lost its connections may be alive and still reject new ones.
    if (busy || (!presence.isLost() && holderOf(paths.data)?.ours)) return;
    busy = true;
    const { pid } = running;
    try {
      await presence.end();
      ({ running, presence } = await joinServer(paths, database));
      if (running.pid !== pid) options.onRestart?.(running.pid);
    } catch {
      // Still down (a full disk, say): the next tick retries, and requests get 503 until then.
    } finally {
      busy = false;
    }
  }, WATCH_EVERY_MS);

  return {
    get pid() {
      return running.pid;
    },
    get adopted() {
      return running.adopted;
    },
    get socket() {
      return running.socket;
    },
    url: (name = database) => urlOf(paths, running, name),
    async stop(withinMs = STOP_WITHIN_MS) {
      clearInterval(watch);
      const end = Date.now() + withinMs;
      while (busy && Date.now() < end) await sleep(20);
      busy = true;
      return leave(paths, running, { presence, end });
    },
  };
}

const urlOf = (paths: ClusterPaths, running: Running, database: string) =>
  `postgres://${paths.user}@localhost/${database}?host=${encodeURIComponent(running.socket)}`;

/** Major versions of the PostgreSQL that made a cluster ('': none did), and of the one that this release brings. */
export function madeBy(home: string): { made: string; own: string } {
  const paths = prepareCluster(home);
  const made = readOrEmpty(join(paths.data, 'PG_VERSION')).trim();
  return { made, own: paths.binaries.version.split('.')[0] ?? '' };
}

/** Whether the cluster exists. Throws `version` when another major version created it. */
function madeBefore(paths: ClusterPaths): boolean {
  const made = readOrEmpty(join(paths.data, 'PG_VERSION')).trim();
  const { version } = paths.binaries;
  if (made && made !== version.split('.')[0])
    throw new StorageError(
      'version',
      `The database in ${paths.data} was made by PostgreSQL ${made} and this release brings ${version}. Move it, with the folder of the release that ran until now: upgrade postgres --from /opt/muster-<its version>. The old data stays. ${USE_DATABASE_URL}`,
    );
  const left = made ? undefined : readdirSync(paths.home).find((name) => /^db-\d+$/.test(name));
  if (left)
    throw new StorageError(
      'version',
      `The database in ${paths.home} was being moved to another PostgreSQL when that was cut off. Rename ${left} to db there, and move it again.`,
    );
  if (!made && isFilled(paths.data))
    throw new StorageError(
      'owner',
      `${paths.data} is not empty and is no database. Move it away or choose another folder: MUSTER_HOME=/some/folder`,
    );
  return made !== '';
}

function isFilled(directory: string): boolean {
  try {
    return readdirSync(directory).length > 0;
  } catch {
    return false;
  }
}

/** The connection that marks us as one of those who use the server. */
type Presence = {
  sql: Sql;
  /** Whether it ended unexpectedly. */
  isLost(): boolean;
  end(withinS?: number): Promise<void>;
};

/**
 * The connection may reach a server that is stopping. The driver (3.4.9) queries array types before the first
 * statement, and a connection lost during that would crash the process. They are not needed here.
 */
function openPresence(url: string): Presence {
  let isLost = false;
  const onclose = () => {
    isLost = true;
  };
  const sql = connectTo(url, {
    max: 1,
    fetch_types: false,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 5,
    onclose,
  });
  return { sql, isLost: () => isLost, end: (timeout = 0) => sql.end({ timeout }).catch(() => {}) };
}

type Joined = { running: Running; presence: Presence };

/** Gets a server, marks our presence on it, and makes the database once. */
async function joinServer(paths: ClusterPaths, database: string): Promise<Joined> {
  let begun = Date.now();
  for (let attempt = 0; ; attempt += 1) {
    const running = await launch(paths);
    const presence = openPresence(urlOf(paths, running, 'postgres'));
    try {
      await presence.sql`select pg_advisory_lock_shared(${PRESENCE_LOCK})`;
      const [found] = await presence.sql`select 1 from pg_database where datname = ${database}`;
      if (!found) await createDatabase(presence.sql, database);
      return { running, presence };
    } catch (error) {
      await presence.end();
      const patience = STUCK_AFTER_MS[errorCode(error) ?? ''];
      if (patience !== undefined) {
        if (Date.now() - begun > patience && !isStarting(running.pid)) {
          await endNow(running.pid);
          begun = Date.now();
        }
      }
      // The server we joined was being stopped by its last process, or died: start over, but not for ever.
      if (patience === undefined ? attempt >= 20 : Date.now() - begun > LETS_IN_WITHIN_MS)
        throw new StorageError('connect', `The database in ${paths.data} runs but does not answer: ${error}`, {
          cause: error,
        });
      await sleep(150);
    }
  }
}

async function createDatabase(sql: Sql, database: string): Promise<void> {
  try {
    await sql`create database ${sql(database)}`;
  } catch (error) {
    const code = (error as { code?: string }).code ?? '';
    const madeByAnother = ['42P04', '23505'].includes(code); // duplicate_database, unique_violation in the catalogue
    if (!madeByAnother) throw error;
  }
}

type Leaving = { presence: Presence; end: number };
async function leave(paths: ClusterPaths, running: Running, { presence, end }: Leaving): Promise<boolean> {
  const leaving = presence.sql<{ last: boolean }[]>`
    select pg_advisory_unlock_shared(${PRESENCE_LOCK}), pg_try_advisory_lock(${PRESENCE_LOCK}) as last`.then(
    ([row]) => row?.last ?? true,
    // No connection: the server is gone or unreachable.
    () => true,
  );
  // A silent server serves nobody.
  const late = sleep(Math.min(ANSWERS_WITHIN_MS, (end - Date.now()) / 4), true, { ref: false });
  const last = await Promise.race([leaving, late]);
  if (last && holderOf(paths.data)?.pid === running.pid) await shutDown(paths, running.pid, end);
  await presence.end(last ? 0 : 1);
  return last;
}

/** SIGINT is PostgreSQL's fast shutdown; the exclusive lock is held until the end, so newcomers wait for a fresh one. */
async function shutDown(paths: ClusterPaths, pid: number, end: number): Promise<void> {
  signal(pid, 'SIGINT');
  while (isAlive(pid) && holderOf(paths.data)?.ours) {
    if (Date.now() > end) {
      signal(pid, 'SIGQUIT');
      // It ends its backends itself, by force after five seconds; a stopped backend is woken so it ends now.
      for (const one of [pid, ...backendsOf(pid)]) signal(one, 'SIGCONT');
      return;
    }
    await sleep(10);
  }
  for (let waited = 0; isAlive(pid) && waited < GONE_WITHIN_MS; waited += 10) await sleep(10);
}

/** Like a power cut: nothing committed is lost, and the next server recovers. */
async function endNow(pid: number): Promise<void> {
  signal(pid, 'SIGQUIT');
  for (let waited = 0; isAlive(pid) && waited < ENDS_WITHIN_MS; waited += 20) await sleep(20);
  if (!isAlive(pid)) return;
  // A backend that outlives it (stopped, or waiting for a disk) would block the next server's start.
  for (const one of [pid, ...backendsOf(pid)]) signal(one, 'SIGKILL');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {}
}
