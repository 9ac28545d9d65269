import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BrowserContext, chromium, firefox } from 'playwright-core';
import { signedInCookie } from '../../server/contract/sw-messages.ts';
import { CHROMIUM_FLAGS } from '../support/chromium.mjs';
import { startBrowser } from '../support/starts.mjs';
import { type Link, layLink } from './link.ts';
import type { Person } from './people.ts';
import type { Stage } from './stage.ts';
import { type Tab, tabOf } from './tab.ts';
import { startWebkit } from './webkit.ts';

export type EngineName = 'chromium' | 'firefox' | 'webkit';

/** One person's browser with a profile of its own. */
export type Device = {
  /** The page under test, after `open`. */
  page(): Tab;
  /** Opens another tab, at a path of the product or an address. */
  tab(path: string): Promise<Tab>;
  open(path: string): Promise<Tab>;
  signedInAs(person: Person): Promise<void>;
  /** Tells the browser what a machine without a network would tell it. */
  setOffline(is: boolean): Promise<void>;
  /** Ends the browser as a person does, and starts it again on the same profile. */
  restart(): Promise<void>;
  /** SIGKILL; what was not written is gone. Start it again with `start`. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
};

export type Engine = {
  name: EngineName;
  /** Whether the browser wakes a service worker by itself when the network is back. */
  hasBackgroundSync: boolean;
  /** How the network is cut, for the table's head. */
  means: string;
  newDevice(options?: { prefs?: Record<string, number | boolean | string> }): Promise<Device>;
  /** Takes every browser's network away. */
  cut(device: Device): Promise<void>;
  mend(device: Device): Promise<void>;
  close(): void;
};

/** Main process of the browser that runs on a profile. */
function pidOf(profile: string): number {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const args = readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0');
      const isMain = !args.some((arg) => arg.startsWith('--type=') || arg === '-contentproc');
      if (isMain && args.some((arg) => arg === profile || arg === `--user-data-dir=${profile}`)) return Number(entry);
    } catch {
      // Ended meanwhile.
    }
  }
  throw new Error(`no browser runs on ${profile}`);
}

const isGone = (pid: number) => {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
};

/** Chromium's own protocol, at one of its pages. */
export function protocolOf({ page }: Tab) {
  if (!page) throw new Error('only Chromium is spoken to like this');
  return page.context().newCDPSession(page);
}

export async function startEngine(name: EngineName, executable: string, stage: Stage): Promise<Engine> {
  if (name === 'webkit') return startWebkit(executable, stage);
  const link: Link | null = name === 'chromium' ? await layLink(stage.ports, stage.folder) : null;
  const executablePath = link ? link.wrap(executable) : executable;

  async function launch(profile: string, prefs: Record<string, number | boolean | string>): Promise<BrowserContext> {
    const context = await startBrowser(() =>
      name === 'chromium'
        ? chromium.launchPersistentContext(profile, {
            executablePath,
            args: ['--no-sandbox', ...CHROMIUM_FLAGS],
            // As people's browsers have it.
            ignoreDefaultArgs: ['--disable-back-forward-cache'],
            permissions: ['notifications', 'background-sync'],
          })
        : firefox.launchPersistentContext(profile, { channel: 'moz-firefox', executablePath, firefoxUserPrefs: prefs }),
    );
    context.setDefaultTimeout(20_000);
    return context;
  }

  return {
    name,
    hasBackgroundSync: name === 'chromium',
    means: link ? 'the cable of a network namespace is pulled' : 'a proxy resets every connection',
    async newDevice({ prefs = {} } = {}) {
      const profile = mkdtempSync(join(stage.folder, 'profile-'));
      let context = await launch(profile, prefs);
      let page: Tab | undefined;
      const device: Device = {
        page() {
          if (!page) throw new Error('no page is open');
          return page;
        },
        async tab(path) {
          const tab = tabOf(await context.newPage());
          await tab.goto(new URL(path, stage.origin).href);
          return tab;
        },
        async open(path) {
          page = await device.tab(path);
          return page;
        },
        async signedInAs({ cookies }) {
          const expires = Date.now() / 1000 + 86_400;
          await context.addCookies(
            [...cookies].map(([cookie, value]) => ({
              name: cookie,
              value,
              url: stage.origin,
              // The page reads this one: that somebody is signed in.
              httpOnly: cookie !== signedInCookie(false),
              expires,
            })),
          );
        },
        setOffline: (is) => context.setOffline(is),
        async restart() {
          await context.close();
          await device.start();
        },
        async kill() {
          const pid = pidOf(profile);
          process.kill(pid, 'SIGKILL');
          while (!isGone(pid)) await sleep(5);
          await context.close().catch(() => undefined);
        },
        async start() {
          context = await launch(profile, prefs);
        },
        async close() {
          await context.close().catch(() => undefined);
        },
      };
      return device;
    },
    async cut(device) {
      if (link) return link.cut();
      stage.proxy.cut();
      await device.setOffline(true);
    },
    async mend(device) {
      if (link) return link.mend();
      stage.proxy.mend();
      // A browser that was killed meanwhile starts online.
      await device.setOffline(false).catch(() => undefined);
    },
    close: () => link?.remove(),
  };
}
