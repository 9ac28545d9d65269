import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Browser, type BrowserContext, chromium, firefox, type Locator, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { CHROMIUM_FLAGS } from './chromium.mjs';
import { control, type Instance } from './instance.ts';
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

/** How Firefox is started, with preferences of its own where a test is about them. */
export const firefoxOptions = {
  channel: 'moz-firefox',
  executablePath: process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr',
};

let running: Promise<Browser> | undefined;

/**
 * The engine that this run is about: Debian's Chromium or a stock Firefox. All files that share a process share it, and it
 * ends with that process; one that fell over is started anew for the next file.
 */
export function launch(): Promise<Browser> {
  running ??= startBrowser(() =>
    ENGINE === 'firefox' ? firefox.launch(firefoxOptions) : chromium.launch(chromiumOptions),
  ).then((browser) =>
    browser.once('disconnected', () => {
      running = undefined;
    }),
  );
  return running;
}

/** Console messages that are the browser's word for a refused or cut request, which some journeys provoke on purpose. */
const EXPECTED =
  /Failed to load resource|net::ERR_|NetworkError|status of (401|403|404|503)|Failed to load ‘.*’\. A ServiceWorker |^downloadable font: download failed|^Firefox can’t establish a connection/;

let devices = 0;

export type Person = { context: BrowserContext; page: Page; complaints: string[] };

type Options = {
  viewport?: { width: number; height: number };
  dark?: boolean;
  alone?: boolean;
  undoes?: boolean;
  /** Until the file ends: for tests that go on where the one before left off. */
  stays?: boolean;
};

/**
 * A fresh device, for the test that asks for it. `complaints` collects what must stay empty over the whole suite:
 * console errors, uncaught errors, and violations of the content security policy or of Trusted Types.
 * What they press goes out at once, as from a page that is left, but from somebody who `undoes`.
 */
export async function person(browser: Browser, options: Options = {}): Promise<Person> {
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
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') {
      const folder = resolve(import.meta.dirname, '../.artifacts');
      mkdirSync(folder, { recursive: true });
      const name = `${task.name.replace(/\W+/g, '-').slice(0, 60)}-${devices++}.png`;
      console.log(`${name}: ${page.url()}\n${complaints.join('\n')}`);
      await page.screenshot({ path: resolve(folder, name) }).catch((error) => console.log(String(error)));
    }
    if (!options.stays) await context.close();
  });
  return { context, page, complaints };
}

type Doors = Pick<Instance, 'url' | 'sandbox'>;

/** Where one address leads, with the cookies of a device. */
async function leadsTo({ request }: BrowserContext, address: string | URL): Promise<URL> {
  const answer = await request.get(String(address), { maxRedirects: 0 });
  const { location } = answer.headers();
  if (!location) throw new Error(`${address} answered ${answer.status()}: ${await answer.text()}`);
  return new URL(location, answer.url());
}
/** Where a provider of the sandbox sends somebody back to who agrees. */
async function agreed(context: BrowserContext, start: string, person: string): Promise<URL> {
  const provider = await leadsTo(context, start);
  provider.searchParams.set('person', person);
  return leadsTo(context, provider);
}
/** Signs somebody of the sandbox in on a device: by the calls that their pressing makes, without its pages. */
export async function signedIn(context: BrowserContext, { url }: Doors, telegramUserId: string): Promise<void> {
  await leadsTo(context, await agreed(context, `${url}/api/auth/telegram/start`, telegramUserId));
}
async function linkX(context: BrowserContext, { url }: Doors, telegramUserId: string): Promise<void> {
  const { searchParams } = await agreed(context, `${url}/api/auth/x/start`, telegramUserId);
  const data = { code: searchParams.get('code'), state: searchParams.get('state') };
  const answer = await context.request.post(`${url}/api/auth/x/complete`, { data, headers: { origin: url } });
  if (!answer.ok()) throw new Error(await answer.text());
}

/** Somebody of the sandbox, signed in on a fresh device, at a page of the instance. */
export async function come(
  browser: Browser,
  instance: Doors,
  telegramUserId: string,
  path: string,
  options: Options = {},
): Promise<Person> {
  const one = await person(browser, options);
  await signedIn(one.context, instance, telegramUserId);
  await one.page.goto(instance.url + path);
  return one;
}

/** Puts somebody into the sandbox with an X account, in the required channel. */
export function enroll(instance: Doors, id: string, firstName: string, more: object = {}): Promise<void> {
  const username = `${firstName.toLowerCase()}_${id}`;
  return control(instance, 'people', {
    ...{ telegramUserId: id, username, firstName, xId: `9${id}`, xUsername: username },
    ...more,
  });
}
/** Somebody who was never here, with everything in place, on a fresh device at a page of the instance. */
export async function newcomer(
  browser: Browser,
  instance: Doors,
  id: string,
  firstName: string,
  path: string,
  options: Options = {},
  more: object = {},
): Promise<Person> {
  await enroll(instance, id, firstName, more);
  const one = await person(browser, options);
  await signedIn(one.context, instance, id);
  await linkX(one.context, instance, id);
  await one.page.goto(instance.url + path);
  return one;
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
  await expect.poll(() => page.evaluate(missingParts), { timeout: 60_000, interval: 200 }).toEqual([]);
  await expect.poll(() => page.evaluate(isMemberKept), { timeout: 60_000, interval: 100 }).toBe(true);
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

/** Writes into a field. What is set from within the page React does not hear of in Firefox: there it comes key by key. */
export async function write(field: Locator, text: string): Promise<void> {
  if (ENGINE === 'chromium') return field.fill(text);
  await field.click();
  await field.press('ControlOrMeta+a');
  await field.press('Delete');
  await field.pressSequentially(text);
}
