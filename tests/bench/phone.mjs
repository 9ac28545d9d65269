// @ts-check
import { chromium } from 'playwright-core';
import { CHROMIUM_FLAGS, findChromium } from '../support/chromium.mjs';
import { missingParts } from '../support/kept-parts.mjs';
import { wait } from './instance.mjs';

const KEPT_WITHIN_MS = 60_000;

/** Runs in the page, before anything else of it. */
function observe() {
  const seen = { lcp: 0, shift: 0, blocked: 0, taken: 0 };
  Object.assign(globalThis, { seen });
  /** @type {(type: string, take: (entry: any) => void) => void} */
  const on = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  on('largest-contentful-paint', (entry) => {
    seen.lcp = entry.startTime;
  });
  on('layout-shift', (entry) => {
    if (!entry.hadRecentInput) seen.shift += entry.value;
  });
  on('longtask', (entry) => {
    seen.blocked += entry.duration - 50;
  });
  const look = () => {
    const place = document.getElementById('root');
    if (place && Object.keys(place).some((name) => name.startsWith('__reactContainer'))) seen.taken = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}

/**
 * A phone: a browser process of its own on the device's profile, whose page is four times slower than this machine and
 * whose link is the relay.
 * @param {{ relay: { port: number }, profile: string, url: string, cookie?: string }} given
 */
export async function startPhone({ relay, profile, url, cookie }) {
  const { hostname, port, origin } = new URL(url);
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await findChromium(),
    chromiumSandbox: false,
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    isMobile: true,
    hasTouch: true,
    args: [...CHROMIUM_FLAGS, `--host-resolver-rules=MAP ${hostname}:${port} 127.0.0.1:${relay.port}`],
  });
  try {
    if (cookie) {
      const [name = '', value = ''] = cookie.split('=');
      await context.addCookies([{ name, value, url: origin, httpOnly: true }]);
    }
    await context.addInitScript(observe);
    const page = context.pages()[0] ?? (await context.newPage());
    const tools = await context.newCDPSession(page);
    await tools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    return {
      page,
      close: () => context.close(),
      /** Until a service worker controls the page and has kept every part of the build. */
      async kept() {
        await page.waitForFunction(() => navigator.serviceWorker.controller, undefined, { timeout: KEPT_WITHIN_MS });
        for (const end = Date.now() + KEPT_WITHIN_MS; (await page.evaluate(missingParts)).length > 0; await wait(200))
          if (Date.now() > end) throw new Error('Not every part of the build was kept');
      },
    };
  } catch (error) {
    await context.close();
    throw error;
  }
}
