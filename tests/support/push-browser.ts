import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { type PushService, startAutopush } from './autopush.ts';
import { chromiumOptions, ENGINE } from './browser.ts';
import { startFcm } from './fcm.ts';
import { type Firefox, startFirefox } from './marionette.ts';
import { type NotificationDaemon, startNotificationDaemon } from './notification-daemon.ts';
import { startBrowser } from './starts.mjs';

/** A real browser with a push service of its own, the same for both engines. */
export type PushBrowser = {
  service: PushService;
  go(url: string): Promise<void>;
  inPage<T>(work: (...args: never[]) => T | Promise<T>, ...args: unknown[]): Promise<T>;
  /** Addresses of its open tabs. */
  tabs(): Promise<string[]>;
  /** Titles of the notifications that were put on the desk since it was last cleared, the latest last. */
  desk(): Promise<string[]>;
  /** Presses the latest notification on the desk. */
  pressLatest(): Promise<void>;
  /** Ends the browser and keeps its profile. */
  leave(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
};

export const startPushBrowser = (): Promise<PushBrowser> =>
  ENGINE === 'firefox' ? startInFirefox() : startInChromium();

async function startInChromium(): Promise<PushBrowser> {
  const service = await startFcm();
  const desk: NotificationDaemon = await startNotificationDaemon();
  const profile = mkdtempSync(join(tmpdir(), 'muster-chromium-'));
  let context: BrowserContext | undefined;
  const page = () => {
    const found = context?.pages()[0];
    if (!found) throw new Error('no tab is open');
    return found;
  };
  const browser: PushBrowser = {
    service,
    go: async (url) => void (await page().goto(url)),
    inPage: (work, ...args) => page().evaluate(`(${String(work)})(...${JSON.stringify(args)})`),
    tabs: async () => context?.pages().map((one) => one.url()) ?? [],
    desk: async () => desk.shown.map(({ summary }) => summary),
    async pressLatest() {
      const latest = desk.shown.at(-1);
      if (latest) desk.press(latest);
    },
    async leave() {
      await context?.close();
      context = undefined;
    },
    async comeBack() {
      context = await startBrowser(() =>
        chromium.launchPersistentContext(profile, {
          executablePath: chromiumOptions.executablePath,
          args: [...chromiumOptions.args.filter((one) => one !== '--disable-background-networking'), ...service.args],
          ignoreDefaultArgs: ['--disable-background-networking'],
          permissions: ['notifications', 'background-sync'],
          env: { ...(process.env as Record<string, string>), DBUS_SESSION_BUS_ADDRESS: desk.address },
          bypassCSP: true,
        }),
      );
      context.setDefaultTimeout(30_000);
    },
    async close() {
      await browser.leave();
      await desk.close();
      await service.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
  await browser.comeBack();
  return browser;
}

const freePort = () =>
  new Promise<number>((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** What Firefox's own scripts see; only what is asked for below. */
declare const Services: { wm: { getEnumerator(type: string): Iterable<FirefoxWindow> } };
type FirefoxWindow = {
  document: Document;
  onAlertClick?: () => void;
  gBrowser: { tabs: { linkedBrowser: { currentURI: { spec: string } } }[] };
};

async function startInFirefox(): Promise<PushBrowser> {
  const service = await startAutopush();
  const profile = mkdtempSync(join(tmpdir(), 'muster-firefox-'));
  let firefox: Firefox | undefined;
  const own = (): Firefox => {
    if (!firefox) throw new Error('the browser is closed');
    return firefox;
  };
  const browser: PushBrowser = {
    service,
    go: (url) => own().go(url),
    inPage: (work, ...args) => own().inPage(work, ...args),
    tabs: () =>
      own().inBrowser(() =>
        [...Services.wm.getEnumerator('navigator:browser')].flatMap(({ gBrowser }) =>
          [...gBrowser.tabs].map(({ linkedBrowser }) => linkedBrowser.currentURI.spec),
        ),
      ),
    desk: () =>
      own().inBrowser(() =>
        [...Services.wm.getEnumerator('alert:alert')].map(({ document }) => {
          const label = document.getElementById('alertTitleLabel') as (HTMLElement & { value?: string }) | null;
          return label?.textContent || label?.value || '';
        }),
      ),
    pressLatest: () =>
      own().inBrowser(() => {
        const latest = [...Services.wm.getEnumerator('alert:alert')].at(-1);
        if (typeof latest?.onAlertClick === 'function') latest.onAlertClick();
        else latest?.document.getElementById('alertBox')?.click();
      }),
    async leave() {
      await firefox?.quit();
      firefox = undefined;
    },
    async comeBack() {
      firefox = await startFirefox(profile, await freePort(), service.prefs);
    },
    async close() {
      await browser.leave();
      await service.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
  await browser.comeBack();
  return browser;
}
