import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { signedInCookie } from '../../server/contract/sw-messages.ts';
import { freePort } from '../support/instance.ts';
import type { Device, Engine } from './engines.ts';
import type { Stage } from './stage.ts';
import type { Tab } from './tab.ts';

/** A screen that nobody looks at. */
async function startScreen(): Promise<{ display: string; process: ChildProcess }> {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const told = screen.stdio[3];
  if (!told) throw new Error('Xvfb says nothing');
  const [number] = await once(told, 'data');
  return { display: `:${String(number).trim()}`, process: screen };
}

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;

const callTo =
  (port: number): Call =>
  (method, path, body) =>
    new Promise((done, fail) => {
      const call = request(
        { host: '127.0.0.1', port, method, path, headers: { 'content-type': 'application/json' } },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (part) => {
            text += part;
          });
          answer.once('end', () => {
            const { value } = JSON.parse(text) as { value: { error?: string; message?: string } | null };
            if (value?.error) fail(new Error(`${value.error}: ${value.message}`));
            else done(value);
          });
        },
      );
      call.once('error', fail);
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });

/** The driver does not say when a script has gone with its page. */
const SCRIPT_WITHIN_MS = 15_000;

/** One browser, driven through WebDriver. Its profile lasts as long as it runs: the driver keeps none. */
async function startBrowser(executable: string, display: string, stage: Stage): Promise<Device> {
  const port = await freePort();
  const driver = spawn(executable, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: display, GDK_BACKEND: 'x11', LIBGL_ALWAYS_SOFTWARE: '1' },
  });
  const call = callTo(port);
  const isReady = () =>
    call('GET', '/status').then(
      () => true,
      () => false,
    );
  while (!(await isReady())) {
    if (driver.exitCode !== null) throw new Error('WebKitWebDriver ended');
    await sleep(50);
  }
  const { sessionId } = (await call('POST', '/session', {
    capabilities: { alwaysMatch: { acceptInsecureCerts: true } },
  })) as { sessionId: string };
  const session = `/session/${sessionId}`;
  await call('POST', `${session}/timeouts`, { script: SCRIPT_WITHIN_MS, pageLoad: 60_000 });

  // Commands go to the window chosen last, so each chooses its own first, one after another.
  let last: Promise<unknown> = Promise.resolve();
  const inWindow = (handle: string, method: string, path: string, body?: unknown): Promise<unknown> => {
    const own = last.then(async () => {
      await call('POST', `${session}/window`, { handle });
      return call(method, `${session}${path}`, body);
    });
    last = own.catch(() => undefined);
    return own;
  };
  const tabIn = (handle: string): Tab => ({
    async evaluate(work, given) {
      const script = `const [given, done] = arguments;
        Promise.resolve((${work})(given ?? undefined)).then((value) => done({ value: value ?? null }), (error) => done({ error: String(error) }));`;
      const { value, error } = (await inWindow(handle, 'POST', '/execute/async', {
        script,
        args: [given ?? null],
      })) as { value: never; error?: string };
      if (error !== undefined) throw new Error(error);
      return value;
    },
    goto: async (url) => void (await inWindow(handle, 'POST', '/url', { url })),
    screenshot: async (path) =>
      writeFileSync(path, Buffer.from(String(await inWindow(handle, 'GET', '/screenshot')), 'base64')),
    close: async () => void (await inWindow(handle, 'DELETE', '/window')),
    page: null,
  });
  const first = String(await call('GET', `${session}/window`));
  let isFirstUsed = false;
  let open: Tab | undefined;
  const newTab = async () => {
    if (!isFirstUsed) {
      isFirstUsed = true;
      return tabIn(first);
    }
    // Asked of a window that is still open.
    const made = (await inWindow(first, 'POST', '/window/new', { type: 'window' })) as { handle: string };
    return tabIn(made.handle);
  };
  const keepsNothing = () => Promise.reject(new Error('WebKitGTK keeps no profile under automation'));
  const device: Device = {
    page() {
      if (!open) throw new Error('no page is open');
      return open;
    },
    async tab(path) {
      const tab = await newTab();
      await tab.goto(new URL(path, stage.origin).href);
      return tab;
    },
    async open(path) {
      open = await device.tab(path);
      return open;
    },
    async signedInAs({ cookies }) {
      const tab = tabIn(first);
      await tab.goto(new URL('/robots.txt', stage.origin).href);
      for (const [name, value] of cookies)
        await inWindow(first, 'POST', '/cookie', {
          cookie: { name, value, path: '/', secure: true, httpOnly: name !== signedInCookie(true), sameSite: 'Lax' },
        });
    },
    setOffline: () => Promise.reject(new Error('WebKitGTK cannot be told')),
    restart: keepsNothing,
    kill: keepsNothing,
    start: keepsNothing,
    async close() {
      await call('DELETE', session).catch(() => undefined);
      driver.kill();
    },
  };
  return device;
}

export async function startWebkit(executable: string, stage: Stage): Promise<Engine> {
  const screen = await startScreen();
  return {
    name: 'webkit',
    hasBackgroundSync: false,
    means: 'a proxy ends every connection',
    newDevice: () => startBrowser(executable, screen.display, stage),
    async cut() {
      stage.proxy.cut();
    },
    async mend() {
      stage.proxy.mend();
    },
    close: () => void screen.process.kill(),
  };
}
