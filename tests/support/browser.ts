import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Browser, type BrowserContext, chromium, firefox, type Locator, type Page } from 'playwright-core';
import { expect, onTestFailed } from 'vitest';
import { CHROMIUM_FLAGS } from './chromium.mjs';
import { missingParts } from './kept-parts.mjs';
import { startBrowser } from './starts.mjs';

export const ENGINE = process.env['BROWSER'] === 'firefox' ? 'firefox' : 'chromium';
export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1440, height: 900 };

/** How Chromium is started, with or without a profile of its own. */
export const chromiumOptions = {
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', ...CHROMIUM_FLAGS],
};

/** The engine that this run is about: Debian's Chromium or a stock Firefox. */
export const launch = (): Promise<Browser> =>
  startBrowser(() =>
    ENGINE === 'firefox'
      ? firefox.launch({
          channel: 'moz-firefox',
          executablePath: process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr',
        })
      : chromium.launch(chromiumOptions),
  );

/** Console messages that are the browser's word for a refused or cut request, which some journeys provoke on purpose. */
const EXPECTED =
  /Failed to load resource|net::ERR_|NetworkError|status of (401|403|404|503)|Failed to load ‘.*’\. A ServiceWorker |^downloadable font: download failed|^Firefox can’t establish a connection/;

let devices = 0;

export type Person = { context: BrowserContext; page: Page; complaints: string[] };

/**
 * A fresh device. `complaints` collects what must stay empty over the whole suite:
 * console errors, uncaught errors, and violations of the content security policy or of Trusted Types.
 * What they press goes out at once, as from a page that is left, but from somebody who `undoes`.
 */
export async function person(
  browser: Browser,
  options: { viewport?: { width: number; height: number }; dark?: boolean; alone?: boolean; undoes?: boolean } = {},
): Promise<Person> {
  const context = await browser.newContext({
    viewport: options.viewport ?? PHONE,
    // Without a service worker every request is the page's own, and can be answered by the test.
    ...(options.alone ? { serviceWorkers: 'block' as const } : {}),
    ...(options.dark ? { colorScheme: 'dark' as const } : {}),
  });
  const complaints: string[] = [];
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      console.error(
        `policy violation: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
      );
    });
  });
  if (!options.undoes) await context.addInitScript(() => setInterval(() => dispatchEvent(new Event('pagehide')), 200));
  const complain = (words: string) => {
    if (!EXPECTED.test(words)) complaints.push(words);
  };
  const watch = (page: Page) => {
    page.on('console', (message) => {
      const from = message.location();
      if (message.type() === 'error')
        complain(`${message.text()} (${from.url}:${from.lineNumber}:${from.columnNumber})`);
    });
    page.on('pageerror', (error) => complain(`${error}\n${error.stack ?? ''}`));
  };
  context.on('page', watch);
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  onTestFailed(async ({ task }) => {
    const folder = resolve(import.meta.dirname, '../.artifacts');
    mkdirSync(folder, { recursive: true });
    const name = `${task.name.replace(/\W+/g, '-').slice(0, 60)}-${devices++}.png`;
    console.log(`${name}: ${page.url()}\n${complaints.join('\n')}`);
    await page.screenshot({ path: resolve(folder, name) }).catch((error) => console.log(String(error)));
  });
  return { context, page, complaints };
}

/** Signs in as one of the sandbox's people by pressing what a person presses. */
export async function signIn(page: Page, origin: string, telegramUserId: string, next = '/'): Promise<void> {
  await page.goto(`${origin}/api/auth/telegram/start?next=${encodeURIComponent(next)}`);
  await page.locator(`[data-person="${telegramUserId}"]`).click();
  await page.waitForURL((url) => url.origin === origin && !url.pathname.startsWith('/api/'));
  // Where the app is still on its way to a screen of its own, Firefox gives up what the test opens next.
  await page.locator('h1').first().waitFor({ state: 'attached', timeout: 60_000 });
}

/**
 * Waits until a service worker controls the page and has kept every part of the build, and who is signed in: from then on
 * each screen opens without a network, and what is pressed there is known to be theirs.
 */
export async function controlled(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 60_000 });
  await expect.poll(() => page.evaluate(missingParts), { timeout: 60_000 }).toEqual([]);
  await expect.poll(() => page.evaluate(isMemberKept), { timeout: 60_000 }).toBe(true);
}
/** Runs in the page. */
const isMemberKept = async (): Promise<boolean> =>
  (await fetch('/api/auth/user')).status === 401 ||
  (await caches.match('/api/auth/user', { ignoreVary: true })) !== undefined;

/** Changes something at the server as who has signed in on the page, past its screens; what is refused fails the test. */
export async function command(page: Page, method: string, path: string, body?: unknown): Promise<{ id: string }> {
  const answer = await page.evaluate(
    async ([method, path, body]) => {
      const headers = { 'idempotency-key': crypto.randomUUID(), ...(body && { 'content-type': 'application/json' }) };
      const response = await fetch(path, { method, headers, ...(body && { body }) });
      return { ok: response.ok, text: await response.text() };
    },
    [method, path, body === undefined ? '' : JSON.stringify(body)] as const,
  );
  expect(answer.ok, answer.text).toBe(true);
  return JSON.parse(answer.text || '{}');
}

/** The screen has arrived: a heading inside the main landmark, and nothing that still loads. */
export async function arrived(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor({ state: 'attached' });
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"], .still-loading'));
}

/** Writes into a field key by key. `fill` sets the value from within the page in Firefox, and React does not hear of it. */
export async function write(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.press('ControlOrMeta+a');
  await field.press('Delete');
  await field.pressSequentially(text);
}
