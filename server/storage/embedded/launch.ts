import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageError } from '../error.ts';
import { explain } from './explain.ts';
import { isAlive, readOrEmpty, statOrNull } from './files.ts';
import { type ClusterPaths, SOCKET_PORT } from './paths.ts';

export type Running = { pid: number; socket: string; adopted: boolean };

const START_WITHIN_MS = 60_000;
const EMPTY_LOCK_IS_STALE_AFTER_MS = 3_000;

/**
 * Small on purpose: one app beside it on a small machine; a bigger need is what DATABASE_URL is for. WAL is only disk, and
 * with little of it a large board's pages go to it whole over and over.
 */
const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  port: String(SOCKET_PORT),
  unix_socket_permissions: '0700',
  max_connections: '60',
  // Resident once they were used: what a flood of client logs fills.
  shared_buffers: '40MB',
  jit: 'off',
  max_wal_size: '1GB',
  min_wal_size: '32MB',
  // A commit that comes upon a new file of WAL would wait 60 ms while 16 MB of zeros reach the disk.
  wal_init_zero: 'off',
  max_worker_processes: '4',
  autovacuum_max_workers: '2',
  io_method: 'sync',
  // Statements of a closed connection are cancelled; on other systems they run to their end.
  ...(process.platform === 'linux' && { client_connection_check_interval: '5s' }),
  log_checkpoints: 'off',
};

/** Joins the server that already runs in the data folder, or starts one. Throws `StorageError`. */
export async function launch(paths: ClusterPaths): Promise<Running> {
  const end = Date.now() + START_WITHIN_MS;
  while (Date.now() < end) {
    const found = holderOf(paths.data);
    if (found?.ours && found.ready) return { pid: found.pid, socket: found.socket, adopted: true };
    if (found?.ours) {
      await sleep(25);
      continue;
    }
    clearStaleLock(paths, found);
    const outcome = await start(paths, end);
    if ('pid' in outcome) return outcome;
    // Another process started it first, or backends of a killed server are still ending: look again.
    if (!['locked', 'orphans'].includes(outcome.code)) throw outcome;
    await sleep(25);
  }
  throw new StorageError('timeout', `The database in ${paths.data} gave no answer in ${START_WITHIN_MS / 1000} s.`);
}

export type Holder = { pid: number; ours: boolean; socket: string; ready: boolean };

/**
 * The process in the lock file. On Linux a postmaster's working directory is its data directory, which detects a reused
 * PID.
 */
export function holderOf(data: string): Holder | null {
  const lines = readOrEmpty(join(data, 'postmaster.pid')).split('\n');
  const pid = Math.abs(Number(lines[0]));
  if (!pid) return null;
  let ours = isAlive(pid);
  if (ours && process.platform === 'linux')
    try {
      ours = readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
    } catch {
      ours = false;
    }
  return { pid, ours, socket: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' };
}

/** Child processes of a server. Linux only. */
export function backendsOf(postmaster: number): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((pid) => Number(/^PPid:\t(\d+)$/m.exec(readOrEmpty(`/proc/${pid}/status`))?.[1]) === postmaster)
    .map(Number);
}

/** Whether the server is recovering, which has no time limit. On other systems it always might be. */
export const isStarting = (postmaster: number): boolean =>
  process.platform !== 'linux' ||
  backendsOf(postmaster).some((pid) => readOrEmpty(`/proc/${pid}/cmdline`).startsWith('postgres: startup'));

function clearStaleLock(paths: ClusterPaths, found: Holder | null): void {
  const lock = join(paths.data, 'postmaster.pid');
  if (found && isAlive(found.pid)) {
    // PostgreSQL only checks that the pid lives; ours was given to another program after a reboot.
    rmSync(lock, { force: true });
    rmSync(join(paths.socket, `.s.PGSQL.${SOCKET_PORT}.lock`), { force: true });
  }
  const empty = found ? null : statOrNull(lock);
  // Left by a crash during start (a full disk); PostgreSQL does not remove it.
  if (empty?.size === 0 && Date.now() - empty.mtimeMs > EMPTY_LOCK_IS_STALE_AFTER_MS) rmSync(lock, { force: true });
}

async function start(paths: ClusterPaths, end: number): Promise<Running | StorageError> {
  const file = join(paths.home, 'server.log');
  const from = statOrNull(file)?.size ?? 0;
  const log = openSync(file, 'a', 0o600);
  // A list: without quotes a comma in the path would make two of it.
  const directories = `"${paths.socket.replaceAll('"', '""')}"`;
  const settings = { ...SETTINGS, unix_socket_directories: directories, ...paths.settings };
  const child = spawn(
    join(paths.binaries.directory, 'postgres'),
    ['-D', paths.data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // Detached: a Ctrl-C meant for the app must not reach the server before the app has closed its connections.
    {
      ...paths.identity.server,
      cwd: paths.home,
      env: paths.environment,
      detached: true,
      stdio: ['ignore', log, log],
    },
  );
  closeSync(log);
  let gone: Error | number | null = null;
  child.on('error', (error) => {
    gone = error;
  });
  child.on('exit', (code) => {
    gone ??= code ?? -1;
  });
  child.unref();
  while (gone === null && Date.now() < end) {
    const found = holderOf(paths.data);
    if (found?.ready && found.pid === child.pid) return { pid: found.pid, socket: paths.socket, adopted: false };
    await sleep(10);
  }
  const output =
    gone === null || typeof gone === 'number' ? readFileSync(file).subarray(from).toString() : String(gone);
  return explain(`The database in ${paths.data} did not start (its log: ${file})`, output);
}
