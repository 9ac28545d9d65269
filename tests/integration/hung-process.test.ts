import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { startEmbedded } from '../../server/storage/embedded/embedded.ts';
import { backendsOf } from '../../server/storage/embedded/launch.ts';
import { buildServer } from '../support/built-server.ts';
import { hangingDatabase } from '../support/hanging-database.ts';
import { ofFile } from '../support/of-file.ts';
import { type Started, serversIn, startProcess, until, visit } from '../support/storage-processes.ts';

/** What the app promises to whoever stops it, and a little for this machine to see it. */
const STOPS_WITHIN_MS = 10_500;

let home: string;
const running: Started[] = [];
const built = await ofFile(buildServer({ main: 'server/main.ts' }));

afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGTERM');
    await ended;
  }
  rmSync(home, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => probe.once('listening', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}

async function app(): Promise<{ started: Started; ask: (path: string) => Promise<number> }> {
  const port = await freePort();
  const started = startProcess(join(built.directory, 'main.js'), { env: { MUSTER_HOME: home, PORT: String(port) } });
  running.push(started);
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => 0,
    );
  await until('the app is ready', async () => (await ask('/readyz')) === 200);
  return { started, ask };
}

const postgres = (): number[] => serversIn(home).flatMap((pid) => [pid, ...backendsOf(pid)]);
const tell = (pids: readonly number[], signal: NodeJS.Signals) => {
  for (const pid of pids) process.kill(pid, signal);
};

test('told to stop while the database hangs, the app ends in its time, and starts again', async () => {
  home = mkdtempSync(join(tmpdir(), 'muster-hung-'));
  const { started, ask } = await app();
  const stopped = postgres();
  tell(stopped, 'SIGSTOP');
  const [one, other] = [ask('/api/communities'), ask('/api/communities')];
  await until('it is seen', async () => (await ask('/readyz')) === 503);
  expect(await ask('/livez')).toBe(200);
  started.child.kill('SIGTERM');
  expect(await Promise.race([started.ended, sleep(STOPS_WITHIN_MS, 'it still runs')])).toBe(0);
  expect([0, 503]).toEqual(expect.arrayContaining([await one, await other]));
  // Nobody has to wake it: it hears that it ends.
  await until('the database is gone', () => serversIn(home).length === 0);
  const { ask: again } = await app();
  expect(await again('/api/communities')).toBe(200);
});

test.each([
  ['migrates', 'schema_migrations'],
  ['looks for an administrator', 'first administrator'],
])('told to stop while it %s on a database that hangs, the app ends in its time', async (_, statement) => {
  home = mkdtempSync(join(tmpdir(), 'muster-hung-'));
  const cluster = await startEmbedded({ home: join(home, 'postgres') });
  const between = await hangingDatabase(cluster.url(), { hangsAt: statement });
  const started = startProcess(join(built.directory, 'main.js'), {
    env: { MUSTER_HOME: home, DATABASE_URL: between.url, PORT: String(await freePort()) },
  });
  await until('it hangs', () => between.hangs());
  started.child.kill('SIGTERM');
  expect(await Promise.race([started.ended, sleep(STOPS_WITHIN_MS, 'it still runs')])).not.toBe('it still runs');
  between.close();
  await cluster.stop();
});

test('an app whose log nobody reads any more serves on, and ends when it is told to', async () => {
  home = mkdtempSync(join(tmpdir(), 'muster-hung-'));
  const { started, ask } = await app();
  started.child.stdout?.destroy();
  started.child.stderr?.destroy();
  for (let nth = 0; nth < 20; nth += 1) expect(await ask('/api/communities')).toBe(200);
  started.child.kill('SIGTERM');
  expect(await Promise.race([started.ended, sleep(STOPS_WITHIN_MS, 'it still runs')])).toBe(0);
});

test('a backend that is stopped keeps the database neither from stopping nor from starting again', async () => {
  home = mkdtempSync(join(tmpdir(), 'muster-hung-'));
  const first = await startEmbedded({ home: join(home, 'postgres') });
  const sql = visit(home);
  const [{ pid }] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`;
  const abandoned = sql`select pg_sleep(600)`.catch(() => undefined);
  await sleep(200);
  tell([pid], 'SIGSTOP');
  await first.stop(1_000);
  const second = await startEmbedded({ home: join(home, 'postgres') });
  expect(second.adopted).toBe(false);
  await abandoned;
  await sql.end({ timeout: 0 });
  await second.stop();
  expect(serversIn(home)).toEqual([]);
});

test('a statement of a process that was killed is given up', async () => {
  home = mkdtempSync(join(tmpdir(), 'muster-hung-'));
  const server = await startEmbedded({ home: join(home, 'postgres') });
  const path = join(server.socket, '.s.PGSQL.5432');
  const driver = join(import.meta.dirname, '../../node_modules/postgres/src/index.js');
  const other = startProcess('-e', {
    env: {},
    args: [
      `import(${JSON.stringify(driver)}).then(({ default: connect }) =>
        connect('postgres://muster@localhost/muster', { path: ${JSON.stringify(path)} })\`select pg_sleep(600)\`)`,
    ],
  });
  const sql = visit(home);
  const sleeping = async () =>
    (await sql`select from pg_stat_activity where state = 'active' and query like 'select pg_sleep%'`).length;
  await until('it is asked', async () => (await sleeping()) === 1);
  other.child.kill('SIGKILL');
  await until('it is given up', async () => (await sleeping()) === 0);
  await sql.end();
  await server.stop();
});
