/** What the server has answered to a command stays on every screen of its member while all reads are copies from before. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FaultProxy, noFault, startProxy } from '../faults/proxy.ts';
import { controlled, launch, person, signIn } from '../support/browser.ts';
import { type Instance, sampleCommunities, startInstance } from '../support/instance.ts';

const TITLE = 'Where to on New Year’s Day?';
const DASHBOARD = '/community/ridge-valley-walkers/dashboard';

let instance: Instance;
let proxy: FaultProxy;
let origin: string;
let browser: Browser;

beforeAll(async () => {
  proxy = await startProxy(0, 0);
  origin = `http://localhost:${proxy.port}`;
  instance = await startInstance({ PUBLIC_ORIGIN: origin });
  proxy.to = Number(new URL(instance.url).port);
  browser = await launch();
  await sampleCommunities(instance);
});
afterAll(async () => {
  await browser?.close();
  proxy?.close();
  await instance?.remove();
});

const cardOf = (page: Page) =>
  page.locator('.stack > li').filter({ has: page.getByRole('heading', { name: TITLE, exact: true }) });
const done = (page: Page) =>
  cardOf(page)
    .getByText(/^(Received|Counted)/)
    .first();

/** Rows of the overlay in the device's database, and what an earlier build left in localStorage. */
const stored = (page: Page) =>
  page.evaluate(async () => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((done, fail) => {
        request.onsuccess = () => done(request.result);
        request.onerror = () => fail(request.error);
      });
    const db = await settled(indexedDB.open('muster'));
    const rows = await settled(db.transaction('acknowledged').objectStore('acknowledged').getAll());
    const { version } = db;
    db.close();
    return { version, states: rows.map(({ claim }) => claim.state), old: localStorage.getItem('muster-told') };
  });

/** A database as the build before left it: of the first version, with the member's theme in it. */
const leaveFirstVersion = () =>
  new Promise<void>((done, fail) => {
    localStorage.setItem('muster-told', '[]');
    const request = indexedDB.open('muster', 10);
    request.onupgradeneeded = () => {
      const db = request.result;
      db.createObjectStore('settings', { keyPath: 'key' }).add({ key: 'theme', value: 'dark' });
      db.createObjectStore('meta', { keyPath: 'key' });
      db.createObjectStore('logs', { keyPath: 'sequence', autoIncrement: true });
      db.createObjectStore('outbox', { keyPath: 'position', autoIncrement: true });
    };
    request.onerror = () => fail(request.error);
    request.onsuccess = () => {
      request.result.close();
      done();
    };
  });

test('an earlier build’s device; an answer through a reload, in a second tab, and gone with its member', async () => {
  const { context, page, complaints } = await person(browser);
  await page.goto(`${origin}/robots.txt`);
  await page.evaluate(leaveFirstVersion);
  await signIn(page, origin, '1001', DASHBOARD);
  await page.goto(origin + DASHBOARD);
  await controlled(page);
  // Read through the service worker: from now on the device has a copy.
  await page.reload();
  await cardOf(page).waitFor();
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  expect(await stored(page)).toEqual({ version: 20, states: [], old: null });

  // The server takes commands, and answers no read of the community.
  proxy.rule = (method, path) =>
    method === 'GET' && path.startsWith('/api/communities/') && !path.endsWith('/live') ? { answer: 503 } : null;
  await cardOf(page).getByRole('button').first().click();
  await page.getByRole('dialog').getByText('The three mills, 12 km').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Vote', exact: true }).click();
  await page.keyboard.press('Escape');
  await done(page).waitFor();
  await expect.poll(async () => (await stored(page)).states).toHaveLength(1);
  await page.reload();
  await done(page).waitFor();
  const second = await context.newPage();
  await second.goto(origin + DASHBOARD);
  await done(second).waitFor();

  // A read from after it shows it itself; of the task nobody has read yet.
  proxy.rule = noFault;
  await page.reload();
  await done(page).waitFor();

  await page.goto(`${origin}/logout`);
  await page
    .getByText(/Signed out/)
    .first()
    .waitFor();
  await expect.poll(async () => (await stored(page)).states).toEqual([]);
  await second.close();
  await signIn(page, origin, '1002', DASHBOARD);
  expect((await stored(page)).states).toEqual([]);
  expect(complaints.filter((words) => !/503/.test(words))).toEqual([]);
  await context.close();
});
