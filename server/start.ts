import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Config, ConfigError, EXIT_CONFIG, hasTelegramCredentials, readConfig, withoutSecrets } from './config.ts';
import { PortError } from './listen.ts';
import { sandboxEnvironment } from './sandbox/settings.ts';
import { stopSignal } from './stop-signal.ts';

const sibling = (name: string) => join(import.meta.dirname, `${name}.js`);
const CHILD_STOPS_WITHIN_MS = 25_000;

/** With Telegram's credentials, or in production, this process becomes the app; otherwise it starts a sandbox. */
async function start(): Promise<void> {
  const config = readConfig(process.env);
  if (!hasTelegramCredentials(config) && !config.production) process.exit(await startWithSandbox(config));
  await import(pathToFileURL(sibling('main')).href);
}

/** Runs sandbox and app as children and resolves to the exit code. Throws `PortError`. */
async function startWithSandbox(config: Config): Promise<number> {
  const { sandboxPort } = config;
  await requireFree('PORT', config.port, config.host);
  await requireFree('SANDBOX_PORT', sandboxPort, '127.0.0.1');
  const stop = stopSignal();
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const own = { SANDBOX_PORT: String(sandboxPort), PUBLIC_ORIGIN: config.publicOrigin };
  const sandbox = run('sandbox', { ...withoutSecrets(process.env), ...own });
  let app: Child | null = null;
  try {
    if ((await Promise.race([sandbox.ready, sandbox.ended, stop.wait])) !== 'ready') return sandbox.code ?? 0;
    app = run('main', { LOG_LEVEL: 'warn', ...process.env, ...sandboxEnvironment(sandboxUrl) });
    if ((await Promise.race([app.ready, app.ended, stop.wait])) === 'ready') {
      const end = Promise.race([app.ended, sandbox.ended, stop.wait]);
      const trouble = await Promise.race([seedWhenEmpty(sandbox, appUrl(config)), end.then(() => null)]);
      if (trouble !== null) console.error(trouble);
      if (!stop.given && app.code === null) console.log(welcome(config, sandboxUrl));
      await end;
    }
    if (!stop.given && app.killedBy !== null) console.error(wordsOfEnd(app.killedBy));
    await app.stop(config.shutdownDelayS * 1_000);
    return app.code ?? 1;
  } finally {
    await app?.stop();
    await sandbox.stop();
  }
}

type Child = {
  ready: Promise<'ready'>;
  ended: Promise<'ended'>;
  /** Exit code once it ended. */
  readonly code: number | null;
  /** The signal that ended it; null while it runs, or if it exited without one. */
  readonly killedBy: NodeJS.Signals | null;
  /** Tells it something; resolves to its next word. */
  ask(words: object): Promise<unknown>;
  /** `laterMs` is what it may take more than others. */
  stop(laterMs?: number): Promise<void>;
};

/** A child has this process's flags of Node and ends with it: asked by SIGTERM, or by its closed channel when this process was killed. */
function run(name: 'main' | 'sandbox', env: NodeJS.ProcessEnv): Child {
  const child: ChildProcess = spawn(process.execPath, [...process.execArgv, sibling(name)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env,
  });
  let code: number | null = null;
  let killedBy: NodeJS.Signals | null = null;
  const ended = new Promise<'ended'>((resolve) => {
    child.once('exit', (status, signal) => {
      code = status ?? 1;
      killedBy = signal;
      resolve('ended');
    });
    child.once('error', () => resolve('ended'));
  });
  return {
    ready: new Promise((resolve) => child.once('message', () => resolve('ready'))),
    ended,
    get code() {
      return code;
    },
    get killedBy() {
      return killedBy;
    },
    ask: (words) =>
      new Promise((resolve) => {
        child.once('message', resolve);
        child.send(words);
      }),
    async stop(laterMs = 0) {
      if (code !== null) return;
      child.kill('SIGTERM');
      const cut = setTimeout(() => child.kill('SIGKILL'), CHILD_STOPS_WITHIN_MS + laterMs);
      await ended;
      clearTimeout(cut);
    },
  };
}

/** A process that is killed outright says nothing itself. */
function wordsOfEnd(signal: NodeJS.Signals): string {
  const why =
    signal === 'SIGKILL'
      ? 'most often the system, because memory ran out (its log says so: dmesg, or journalctl -k). It needs about 300 MB besides the database: free some memory, or give its container more'
      : 'by another program or by a fault of Node itself';
  return `The app was stopped from outside (${signal}): ${why}. Nothing that was acknowledged is lost: start again with npm start.`;
}

async function requireFree(name: 'PORT' | 'SANDBOX_PORT', port: number, host: string): Promise<void> {
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, 'listening');
  } catch (error) {
    throw new PortError(name, { port, host }, (error as NodeJS.ErrnoException).code);
  }
  probe.close();
  await once(probe, 'close');
}

/** Where the app answers from this machine. */
function appUrl({ host, port }: Config): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/**
 * A new directory gets sample communities, made by sample people through the public API. Resolves to what went wrong. The
 * sandbox does it: what that takes of memory would stay with this process, which has nothing else to do than to wait.
 */
async function seedWhenEmpty(sandbox: Child, appOrigin: string): Promise<string | null> {
  const { trouble } = (await sandbox.ask({ seed: appOrigin })) as { trouble: string | null };
  return trouble === null ? null : `The sample communities could not be created: ${trouble}`;
}

function welcome(config: Config, sandboxUrl: string): string {
  const rows = [
    [config.productName, config.publicOrigin],
    ['Sandbox', `${sandboxUrl} (stands in for Telegram and X: no credentials needed)`],
    ['Data', config.databaseUrl === null ? config.home : 'the database of DATABASE_URL'],
    ['Admin', 'sign in once, then: npm run muster -- admin grant <telegramUserId>'],
    ['Stop', 'Ctrl-C'],
  ];
  const width = Math.max(...rows.map(([name = '']) => name.length));
  return `\n${rows.map(([name = '', text = '']) => `  ${name.padEnd(width)}  ${text}`).join('\n')}\n`;
}

try {
  await start();
} catch (error) {
  const known = error instanceof ConfigError || error instanceof PortError;
  console.error(known ? error.message : error);
  process.exit(error instanceof ConfigError ? EXIT_CONFIG : 1);
}
