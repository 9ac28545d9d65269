/**
 * The built product in browsers that refuse things: each facility in turn, and all together. What anybody may read is whole,
 * who is signed in sees their pages and can act, and nothing fails unheard.
 */
import { type Browser, type BrowserContext, firefox, type Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { come, ENGINE, firefoxOptions, person, signedIn } from '../support/browser.ts';
import type { Instance } from '../support/instance.ts';
import { withProduct } from '../support/product.ts';
import { startBrowser } from '../support/starts.mjs';

let instance: Instance;
let browser: Browser;
/** Of a member who has signed in. */
let cookies: Awaited<ReturnType<BrowserContext['cookies']>>;

withProduct(async (product) => {
  ({ instance, browser } = product);
  const context = await browser.newContext();
  await signedIn(context, instance, '1001');
  cookies = await context.cookies();
  await context.close();
});

/** Run in the page before its first script: the mere look at it throws. */
const looked = (of: string, name: string) =>
  `Object.defineProperty(${of}, '${name}', { configurable: true, get() { throw new DOMException('refused', 'SecurityError'); } });`;
const built = (name: string) =>
  `globalThis.${name} = class { constructor() { throw new DOMException('refused', 'SecurityError'); } };`;
const ofNavigator = (name: string) => looked('Navigator.prototype', name);
const REFUSED: Record<string, string> = {
  'shared workers': built('SharedWorker'),
  'all workers': built('SharedWorker') + built('Worker'),
  channels: built('BroadcastChannel'),
  localStorage: looked('globalThis', 'localStorage'),
  sessionStorage: looked('globalThis', 'sessionStorage'),
  'the database': looked('globalThis', 'indexedDB') + built('SharedWorker') + built('Worker'),
  locks: ofNavigator('locks'),
  caches: looked('globalThis', 'caches'),
  notifications: looked('globalThis', 'Notification') + looked('globalThis', 'PushManager'),
  'service workers': ofNavigator('serviceWorker'),
  canvases: "HTMLCanvasElement.prototype.getContext = () => { throw new DOMException('refused', 'SecurityError'); };",
  'clipboard, camera, permissions and storage': ['clipboard', 'mediaDevices', 'permissions', 'storage']
    .map(ofNavigator)
    .join(''),
};
const DASHBOARD = () => `${instance.url}/community/ridge-valley-walkers/dashboard`;
const PUBLIC = ['/', '/how-to-use', '/terms'];

async function isWhole(page: Page, path: string): Promise<void> {
  await page.goto(instance.url + path);
  await page.waitForFunction(() => document.documentElement.dataset['started'] !== undefined);
  const words = await page.locator('#root').innerText();
  expect(words).not.toMatch(/Loading error|Something went wrong/);
  expect(words.length).toBeGreaterThan(200);
  await page.locator('main h1').first().waitFor();
}

/** Firefox plays the others before a release: they are answers of ours, alike in each engine. */
const IN_FIREFOX = ['all workers', 'the database', 'caches', 'service workers'];
const played = Object.entries(REFUSED).filter(
  ([what]) => ENGINE !== 'firefox' || process.env['TIER'] === 'all' || IN_FIREFOX.includes(what),
);

describe('a browser that refuses', () => {
  test.each([...played, ['all of it', Object.values(REFUSED).join('')] as const])('%s', async (_what, script) => {
    const { context, page, complaints } = await person(browser);
    await context.addInitScript(script);
    for (const path of PUBLIC) await isWhole(page, path);
    await context.addCookies(cookies);
    await page.goto(DASHBOARD());
    const task = page.locator('.stack > li').filter({ hasText: 'Where to on New Year’s Day?' });
    await task.getByRole('button').first().click();
    await page.getByRole('dialog').getByRole('heading', { name: 'Where to on New Year’s Day?' }).waitFor();
    await page.goto(`${instance.url}/profile`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    expect(await page.locator('#root').innerText()).not.toMatch(/Loading error|Something went wrong/);
    expect(complaints).toEqual([]);
  });
});

if (ENGINE === 'firefox')
  describe('a Firefox that is set so', () => {
    const withPrefs = (firefoxUserPrefs: Record<string, number | boolean>) =>
      startBrowser(() => firefox.launch({ ...firefoxOptions, firefoxUserPrefs }));

    test('without cookies: what anybody may read is whole, and signing in says what it needs', async () => {
      const own = await withPrefs({ 'network.cookie.cookieBehavior': 2 });
      const { page, complaints } = await person(own);
      for (const path of PUBLIC) await isWhole(page, path);
      await page.goto(instance.url);
      await page.getByText('Signing in needs a cookie.').waitFor();
      await page.getByRole('button', { name: /allow cookies first/ }).waitFor();
      await page.goto(`${instance.url}/how-to-use`);
      await page.getByRole('button', { name: /allow cookies first/ }).waitFor();
      expect(complaints).toEqual([]);
      await own.close();
    });

    test('that guards canvases: a JPEG goes as it is, what cannot be drawn truly is refused in words', async () => {
      const own = await withPrefs({ 'privacy.resistFingerprinting': true });
      const { page } = await come(own, instance, '1001', '/community/ridge-valley-walkers/dashboard');
      const card = page.locator('.stack > li').filter({ hasText: 'Picture of a waymark' });
      await card.getByRole('button', { name: 'Update answer', exact: true }).click();
      const sheet = page.getByRole('dialog');
      const choose = sheet.getByLabel(/^Choose/);
      await choose.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('of any kind') });
      await sheet.getByText(/fingerprint protection/).waitFor();
      // The browser is indeed one that lies.
      const read = await page.evaluate(() => {
        const pen = Object.assign(document.createElement('canvas'), { width: 8, height: 8 }).getContext('2d');
        for (let at = 0; at < 8; at += 1) {
          if (pen) pen.fillStyle = `rgb(${at * 30},${at * 20},90)`;
          pen?.fillRect(at, 0, 1, 8);
        }
        return [...(pen?.getImageData(7, 0, 1, 1).data ?? [])];
      });
      expect(read).not.toEqual([210, 140, 90, 255]);
      const jpeg = await page.evaluate(() => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 });
        canvas.getContext('2d')?.fillRect(0, 0, 32, 48);
        return canvas.toDataURL('image/jpeg').split(',')[1] ?? '';
      });
      await choose.setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(jpeg, 'base64') });
      await sheet.getByRole('img', { name: 'Your picture' }).waitFor();
      await sheet.getByText(/Choose another/).waitFor();
      await own.close();
    });
  });
