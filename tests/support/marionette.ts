import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

/** A stock Firefox driven from within, so that what its own windows show can be pressed. */
export type Firefox = {
  /** Runs a function in the page that is shown. */
  inPage<T>(work: (...args: never[]) => T | Promise<T>, ...args: unknown[]): Promise<T>;
  /** Runs a function with the browser's own rights. */
  inBrowser<T>(work: (...args: never[]) => T | Promise<T>, ...args: unknown[]): Promise<T>;
  go(url: string): Promise<void>;
  /** Ends it and keeps its profile. */
  quit(): Promise<void>;
};

const PREFS = {
  'alerts.useSystemBackend': false,
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.push.connection.enabled': true,
  'dom.push.retryBaseInterval': 200,
  'dom.push.testing.allowInsecureServerURL': true,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'permissions.default.desktop-notification': 1,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'toolkit.telemetry.server': '',
};

async function dial(port: number): Promise<Socket> {
  for (let tries = 0; ; tries += 1) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return socket;
    } catch (error) {
      if (tries > 300) throw error;
      await new Promise((next) => setTimeout(next, 100));
    }
  }
}

export async function startFirefox(
  profile: string,
  port: number,
  prefs: Record<string, string | boolean | number>,
): Promise<Firefox> {
  mkdirSync(profile, { recursive: true });
  for (const lock of ['lock', '.parentlock']) rmSync(join(profile, lock), { force: true });
  const lines = Object.entries({ ...PREFS, ...prefs, 'marionette.port': port }).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const args = ['-marionette', '-remote-allow-system-access', '-no-remote', '-profile', profile, '-headless'];
  const child: ChildProcess = spawn(process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr', args, {
    stdio: 'ignore',
    env: { ...process.env, MOZ_CRASHREPORTER_DISABLE: '1' },
  });
  const gone = once(child, 'exit');
  const socket = await dial(port);
  const waiting = new Map<number, { done: (value: { value?: unknown }) => void; fail: (error: Error) => void }>();
  let buffer: Buffer = Buffer.alloc(0);
  let calls = 0;
  const greeted = new Promise<void>((done) => {
    socket.on('data', (chunk) => {
      buffer = Buffer.concat([buffer, chunk]);
      for (;;) {
        const colon = buffer.indexOf(':');
        const size = colon < 0 ? Number.NaN : Number(buffer.subarray(0, colon));
        if (!(buffer.length >= colon + 1 + size)) return;
        const message: unknown = JSON.parse(buffer.subarray(colon + 1, colon + 1 + size).toString());
        buffer = buffer.subarray(colon + 1 + size);
        if (!Array.isArray(message)) {
          done();
          continue;
        }
        const [, id, error, value] = message as [number, number, { error: string; message: string } | null, object];
        const own = waiting.get(id);
        waiting.delete(id);
        if (error) own?.fail(new Error(`${error.error}: ${error.message}`));
        else own?.done(value);
      }
    });
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    for (const { fail } of waiting.values()) fail(new Error('Firefox is gone'));
  });
  const command = (name: string, params: object = {}) =>
    new Promise<{ value?: unknown }>((done, fail) => {
      calls += 1;
      waiting.set(calls, { done, fail });
      const text = JSON.stringify([0, calls, name, params]);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
  async function run<T>(work: string, args: unknown[], more: object): Promise<T> {
    const script = `const given = [...arguments]; const tell = given.pop();
      Promise.resolve().then(() => (${work})(...given)).then(
        (value) => tell({ value: value === undefined ? null : value }), (error) => tell({ error: String(error) }));`;
    const answer = await command('WebDriver:ExecuteAsyncScript', { script, args, ...more });
    const told = answer.value as { value?: T; error?: string };
    if (told.error !== undefined) throw new Error(told.error);
    return told.value as T;
  }
  await greeted;
  await command('WebDriver:NewSession', { capabilities: { alwaysMatch: {} } });
  await command('WebDriver:SetTimeouts', { script: 60_000 });
  return {
    inPage: (work, ...args) => run(String(work), args, {}),
    async inBrowser(work, ...args) {
      await command('Marionette:SetContext', { value: 'chrome' });
      try {
        return await run(String(work), args, { sandbox: 'system', newSandbox: true });
      } finally {
        await command('Marionette:SetContext', { value: 'content' });
      }
    },
    async go(url) {
      await command('WebDriver:Navigate', { url });
    },
    async quit() {
      command('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => undefined);
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await gone;
      clearTimeout(late);
    },
  };
}
