import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Sql } from 'postgres';
import { sandboxEnvironment } from '../../server/sandbox/settings.ts';
import { connectTo } from '../../server/storage/connect.ts';
import { startEmbedded } from '../../server/storage/embedded/embedded.ts';
import { freePort } from '../support/instance.ts';
import { countStart } from '../support/starts.mjs';
import { letGo, listenIn } from './page.ts';
import { type Cast, gather } from './people.ts';
import { type FaultProxy, noFault, startProxy } from './proxy.ts';
import { rigBuild } from './rig.ts';
import { secure } from './tls.ts';

const root = resolve(import.meta.dirname, '../..');
const READY_WITHIN_MS = 60_000;

export type Stage = {
  /** What browsers open; the proxy stands there. */
  origin: string;
  sandbox: string;
  /** Everything that a browser reaches. */
  ports: number[];
  folder: string;
  proxy: FaultProxy;
  sql: Sql;
  /** SIGKILL, as by a machine that runs out of memory. */
  killServer(): void;
  /** Starts the server, of the next build when said so, and waits until it is ready. */
  startServer(build?: 'now' | 'next'): Promise<void>;
  stopServer(): Promise<void>;
  gather(tasks: number): Promise<Cast>;
  /** Server's output so far. */
  output(): string;
  close(): Promise<void>;
};

/**
 * Two builds beside each other: the one in `dist`, and the same under another name, as the next release would be.
 * The first script of each page also lets the harness speak to the device worker, and holds nothing back; each room of the
 * device can be ended and paused (`rig.ts`).
 */
function layBuilds(dist: string): string {
  const base = join(root, 'node_modules/.tmp');
  mkdirSync(base, { recursive: true });
  const folder = mkdtempSync(join(base, 'faults-'));
  const [now, next] = [join(folder, 'now'), join(folder, 'next')];
  cpSync(dist, now, { recursive: true });
  rigBuild(join(now, 'client'), `(${listenIn})();(${letGo})();`);
  const build = /"([0-9a-f]{12})"/.exec(readFileSync(join(now, 'server/main.js'), 'utf8'))?.[1];
  if (build === undefined) throw new Error('dist/server/main.js names no build');
  cpSync(now, next, { recursive: true });
  const other = build.replace(/./g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16));
  for (const name of readdirSync(next, { recursive: true, encoding: 'utf8' })) {
    const path = join(next, name);
    if (name.endsWith('.br')) rmSync(path);
    else if (/\.(js|html|webmanifest)$/.test(name))
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(build, other));
  }
  return folder;
}

/** Server, sandbox and embedded database of the built product, each a process of its own, behind a proxy. */
export async function openStage({ dist = join(root, 'dist'), tls = false } = {}): Promise<Stage> {
  countStart('instance');
  const builds = layBuilds(dist);
  const home = mkdtempSync(join(tmpdir(), 'muster-faults-'));
  const [server, proxyPort, sandboxPort] = [await freePort(), await freePort(), await freePort()];
  const securePort = tls ? await freePort() : null;
  const port = securePort ?? proxyPort;
  const origin = `${tls ? 'https' : 'http'}://localhost:${port}`;
  const sandbox = `http://127.0.0.1:${sandboxPort}`;
  let output = '';
  const run = (build: 'now' | 'next', name: string, env: NodeJS.ProcessEnv): ChildProcess => {
    const child = spawn(process.execPath, [join(builds, build, 'server', `${name}.js`)], {
      cwd: root,
      env: { ...process.env, NODE_ENV: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text) => {
        output += String(text);
      });
    return child;
  };
  const ready = (child: ChildProcess) =>
    new Promise<void>((done, fail) => {
      const timer = setTimeout(() => fail(new Error(`not ready:\n${output.slice(-3_000)}`)), READY_WITHIN_MS);
      child.once('message', () => {
        clearTimeout(timer);
        done();
      });
      child.once('exit', (code) => fail(new Error(`ended with ${code}:\n${output.slice(-3_000)}`)));
    });

  const gone = (child: ChildProcess | undefined) =>
    new Promise<void>((done) => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return done();
      child.once('exit', () => done());
    });
  const end = async (child: ChildProcess | undefined) => {
    child?.kill('SIGTERM');
    await gone(child);
  };

  /** How what runs so far is ended, what came last first. */
  const ends: (() => unknown)[] = [];
  const close = async () => {
    for (const stop of ends.splice(0).reverse()) await stop();
    for (const folder of [builds, home])
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  try {
    const cluster = await startEmbedded({ home: join(home, 'postgres') });
    ends.push(() => cluster.stop());
    const sandboxProcess = run('now', 'sandbox', { SANDBOX_PORT: String(sandboxPort), PUBLIC_ORIGIN: origin });
    ends.push(() => end(sandboxProcess));
    await ready(sandboxProcess);
    const sql = connectTo(cluster.url());
    ends.push(() => sql.end({ timeout: 2 }));
    let app: ChildProcess | undefined;
    ends.push(() => end(app));
    const proxy = await startProxy(proxyPort, server);
    ends.push(() => proxy.close());
    if (securePort !== null) {
      const front = await secure(securePort, proxyPort);
      ends.push(() => front.close());
    }
    const stage: Stage = {
      origin,
      sandbox,
      ports: [port, sandboxPort],
      folder: builds,
      proxy,
      sql,
      killServer: () => void app?.kill('SIGKILL'),
      async startServer(build = 'now') {
        await gone(app);
        app = run(build, 'main', {
          PORT: String(server),
          HOST: '127.0.0.1',
          PUBLIC_ORIGIN: origin,
          MUSTER_HOME: home,
          LOG_LEVEL: 'warn',
          ...sandboxEnvironment(sandbox),
        });
        await ready(app);
      },
      stopServer: () => end(app),
      gather(tasks) {
        proxy.rule = noFault;
        return gather({ app: `http://127.0.0.1:${server}`, sandbox }, tasks);
      },
      output: () => output,
      close,
    };
    await stage.startServer();
    return stage;
  } catch (error) {
    await close();
    throw error;
  }
}
