import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { countStart } from './starts.mjs';

const root = resolve(import.meta.dirname, '../..');

const freePort = () =>
  new Promise<number>((done, fail) => {
    const server = createServer().once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address ? done(address.port) : fail(new Error('no port'))));
    });
  });

/** Two neighbouring free ports: the app's and the sandbox's. */
async function freePorts(): Promise<{ app: number; sandbox: number }> {
  const [app, sandbox] = [await freePort(), await freePort()];
  return { app, sandbox };
}

export type Instance = {
  /** Where a person opens the app. */
  url: string;
  sandbox: string;
  home: string;
  output(): string;
  /** Milliseconds from the process's start to its readiness. */
  readyMs: number;
  /** Stops app, sandbox and database as an operator would (SIGTERM), keeping data and ports. */
  stop(): Promise<void>;
  /** It stands still: connections are taken and nothing is answered, until what this returns is called. */
  hang(): () => void;
  /** Starts it again on the same ports and data; `dist` is another build than the product's own. */
  start(dist?: string): Promise<void>;
  /** Stops it for good and removes its data. */
  remove(): Promise<void>;
};

/** The built product as `npm start` runs it, with its own data and ports, embedded database and sandbox included. */
export async function startInstance(env: NodeJS.ProcessEnv = {}): Promise<Instance> {
  countStart('instance');
  const home = await mkdtemp(join(tmpdir(), 'muster-browser-'));
  const ports = await freePorts();
  let child: ChildProcess | undefined;
  let output = '';
  const instance: Instance = {
    url: `http://localhost:${ports.app}`,
    sandbox: `http://localhost:${ports.sandbox}`,
    home,
    output: () => output,
    readyMs: 0,
    async start(dist = join(root, 'dist')) {
      const begun = performance.now();
      const process_ = spawn(process.execPath, [join(dist, 'server/start.js')], {
        cwd: root,
        env: {
          ...process.env,
          NODE_ENV: '',
          PORT: String(ports.app),
          SANDBOX_PORT: String(ports.sandbox),
          MUSTER_HOME: home,
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = process_;
      let gone: number | null = null;
      process_.stdout?.on('data', (text) => {
        output += String(text);
      });
      process_.stderr?.on('data', (text) => {
        output += String(text);
      });
      process_.once('exit', (code) => {
        gone = code ?? -1;
      });
      for (;;) {
        if (gone !== null) throw new Error(`the instance ended with ${gone}:\n${output.slice(-4_000)}`);
        if (performance.now() - begun > 60_000)
          throw new Error(`the instance is not ready after 60 s:\n${output.slice(-4_000)}`);
        const answer = await fetch(`${instance.url}/readyz`).catch(() => null);
        if (answer?.ok) break;
        await new Promise((next) => setTimeout(next, 25));
      }
      instance.readyMs = performance.now() - begun;
    },
    stop: () =>
      new Promise((done) => {
        const process_ = child;
        if (!process_ || process_.exitCode !== null || process_.signalCode !== null) return done();
        process_.once('exit', () => done());
        process_.kill('SIGTERM');
      }),
    hang() {
      const process_ = child;
      process_?.kill('SIGSTOP');
      return () => process_?.kill('SIGCONT');
    },
    async remove() {
      await instance.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
  await instance.start();
  return instance;
}

/** What the instance says to who started it, once everything that the sandbox brings is there. */
const WELCOME = 'stands in for Telegram and X';

/** Waits until the sample communities that the sandbox brings are there, with all that belongs to them. */
export async function sampleCommunities(instance: Instance): Promise<{ id: string; slug: string; name: string }[]> {
  const until = performance.now() + 60_000;
  while (!instance.output().includes(WELCOME)) {
    if (performance.now() > until) throw new Error(`no sample communities:\n${instance.output().slice(-3_000)}`);
    await new Promise((next) => setTimeout(next, 50));
  }
  const answer = await fetch(`${instance.url}/api/communities`);
  return (await answer.json()) as { id: string; slug: string; name: string }[];
}
