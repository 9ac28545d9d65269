import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type FaultProxy, startProxy } from '../faults/proxy.ts';
import { countStart } from './starts.mjs';

const root = resolve(import.meta.dirname, '../..');
const READY_WITHIN_MS = 60_000;
/** What it says to who started it, once everything that the sandbox brings is there. */
const WELCOME = 'stands in for Telegram and X';

export const freePort = () =>
  new Promise<number>((done, fail) => {
    const server = createServer().once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address ? done(address.port) : fail(new Error('no port'))));
    });
  });

export type Instance = {
  /** Where a person opens the app. */
  url: string;
  sandbox: string;
  home: string;
  /** Stands before the app: everything that a device sends comes through it. */
  proxy: FaultProxy;
  output(): string;
  /** Nobody answers any more, as when the server is stopped; what it holds in memory stays. */
  goAway(): void;
  comeBack(): void;
  /** It stands still: connections are taken and nothing is answered, until what this returns is called. */
  hang(): () => void;
  /** Stops app, sandbox and database as an operator would (SIGTERM), keeping data and ports. */
  stop(): Promise<void>;
  /** Starts it again on the same ports and data; `dist` is another build than the product's own. */
  start(dist?: string): Promise<void>;
  /** Stops it for good and removes its data. */
  remove(): Promise<void>;
};

/**
 * The built product as `npm start` runs it, with its own data and ports, embedded database and sandbox included. Its data
 * are a copy of those at `prepared`; without that it starts as on the first day, which takes five times as long.
 */
export async function startInstance(env: NodeJS.ProcessEnv = {}, prepared?: string): Promise<Instance> {
  countStart('instance');
  const home = await mkdtemp(join(tmpdir(), 'muster-browser-'));
  // As `cp` copies it: with the owner of the database's files, and by reference where the disk can.
  if (prepared !== undefined) execFileSync('cp', ['-a', `${prepared}/.`, home]);
  const ports = { app: await freePort(), sandbox: await freePort() };
  const proxy = await startProxy(0, ports.app);
  const url = `http://localhost:${proxy.port}`;
  let child: ChildProcess | undefined;
  let output = '';
  const instance: Instance = {
    url,
    sandbox: `http://localhost:${ports.sandbox}`,
    home,
    proxy,
    output: () => output,
    goAway: () => proxy.cut(),
    comeBack: () => proxy.mend(),
    hang: () => proxy.hold(),
    async start(dist = join(root, 'dist')) {
      const [begun, from] = [performance.now(), output.length];
      const process_ = spawn(process.execPath, [join(dist, 'server/start.js')], {
        cwd: root,
        env: {
          ...process.env,
          NODE_ENV: '',
          PORT: String(ports.app),
          SANDBOX_PORT: String(ports.sandbox),
          PUBLIC_ORIGIN: url,
          MUSTER_HOME: home,
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = process_;
      for (const stream of [process_.stdout, process_.stderr])
        stream.on('data', (text) => {
          output += String(text);
        });
      while (!output.includes(WELCOME, from)) {
        if (process_.exitCode !== null || performance.now() - begun > READY_WITHIN_MS)
          throw new Error(`the instance did not start (${process_.exitCode}):\n${output.slice(-4_000)}`);
        await new Promise((next) => setTimeout(next, 20));
      }
    },
    stop: () =>
      new Promise((done) => {
        const process_ = child;
        if (!process_ || process_.exitCode !== null || process_.signalCode !== null) return done();
        process_.once('exit', () => done());
        process_.kill('SIGTERM');
      }),
    async remove() {
      proxy.close();
      await instance.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
  try {
    await instance.start();
  } catch (error) {
    await instance.remove();
    throw error;
  }
  return instance;
}

/** The sample communities that the sandbox brings. */
export async function sampleCommunities(instance: Instance): Promise<{ id: string; slug: string; name: string }[]> {
  return (await fetch(`${instance.url}/api/communities`)).json() as Promise<
    { id: string; slug: string; name: string }[]
  >;
}

/** Steers the sandbox as its own page would. */
export async function control({ sandbox }: Pick<Instance, 'sandbox'>, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${sandbox}/control/${path}`, { method: 'PUT', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}
/** What the required channel knows of somebody. */
export const inChannel = (instance: Pick<Instance, 'sandbox'>, telegramUserId: string, status: 'member' | 'kicked') =>
  control(instance, 'memberships', { chatId: '-1001', telegramUserId, status });
