/** What a member's device keeps and shows: what was pressed, what the server has answered, who is signed in, how it is drawn. */

import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { m } from '../../app/paraglide/messages.js';
import { START_PATH } from '../../server/contract/start-path.ts';
import { noFault } from '../faults/proxy.ts';
import { axeFinds } from '../support/axe.ts';
import { come, command, controlled, DESK, newcomer, person, signedIn, signIn } from '../support/browser.ts';
import { flawsOf } from '../support/flaws.ts';
import type { Instance } from '../support/instance.ts';
import { withProduct } from '../support/product.ts';
import { smallTargets } from '../support/touch-targets.ts';

const SLUG = 'ridge-valley-walkers';
const TODAY = `/community/${SLUG}/dashboard`;
const POLL = 'Where to on New Year’s Day?';

let instance: Instance;
let browser: Browser;
withProduct((product) => {
  ({ instance, browser } = product);
});

const cardOf = (page: Page, title: string) =>
  page.locator('.stack > li').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
/** What the server has given points for. */
const awards = async (page: Page): Promise<string[]> => {
  const { ledger }: { ledger: { kind: string; task: string | null }[] } = await page.evaluate(async () =>
    (await fetch('/api/user/profile', { headers: { 'x-muster-fresh': '1' } })).json(),
  );
  return ledger.flatMap(({ kind, task }) => (kind === 'award' && task ? [task] : []));
};

const done = (page: Page) =>
  cardOf(page, POLL)
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
  await page.goto(`${instance.url}/robots.txt`);
  await page.evaluate(leaveFirstVersion);
  await signedIn(context, instance, '1001');
  await page.goto(instance.url + TODAY);
  await controlled(page);
  // Read through the service worker: from now on the device has a copy.
  await page.reload();
  await cardOf(page, POLL).waitFor();
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  expect(await stored(page)).toEqual({ version: 20, states: [], old: null });

  // The server takes commands, and answers no read of the community.
  instance.proxy.rule = (method, path) =>
    method === 'GET' && path.startsWith('/api/communities/') && !path.endsWith('/live') ? { answer: 503 } : null;
  await cardOf(page, POLL).getByRole('button').first().click();
  await page.getByRole('dialog').getByText('The three mills, 12 km').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Vote', exact: true }).click();
  await page.keyboard.press('Escape');
  await done(page).waitFor();
  await expect.poll(async () => (await stored(page)).states).toHaveLength(1);
  await page.reload();
  await done(page).waitFor();
  const second = await context.newPage();
  await second.goto(instance.url + TODAY);
  await done(second).waitFor();

  // A read from after it shows it itself; of the task nobody has read yet.
  instance.proxy.rule = noFault;
  await page.reload();
  await done(page).waitFor();

  await page.goto(`${instance.url}/logout`);
  await page
    .getByText(/Signed out/)
    .first()
    .waitFor();
  await expect.poll(async () => (await stored(page)).states).toEqual([]);
  await second.close();
  await signIn(page, instance.url, '1002', TODAY);
  expect((await stored(page)).states).toEqual([]);
  expect(complaints.filter((words) => !/503/.test(words))).toEqual([]);
});

test('what is pressed is held, undone by its button or by Z, and goes out with the page that is left', async () => {
  const [weir, lock, mill] = ['At the weir', 'At the lock', 'At the mill'];
  const leader = await come(browser, instance, '1004', '/robots.txt');
  for (const title of [weir, lock, mill])
    await command(leader.page, 'POST', `/api/communities/${SLUG}/tasks`, {
      ...{ title, setup: { kind: 'check_in' }, instructions: '', points: 3, recurrence: 'daily' },
    });
  const { context, page, complaints } = await come(browser, instance, '1001', TODAY, { viewport: DESK, undoes: true });
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const card = (title: string) => page.locator('li[data-card]').filter({ hasText: title });
  const checkIn = (title: string) => card(title).getByRole('button', { name: 'Check in', exact: true });
  const undo = (title: string) => card(title).getByRole('button', { name: `Undo: ${title}` });
  const hasFocus = (it: ReturnType<typeof undo>) =>
    expect.poll(() => it.evaluate((one) => one === document.activeElement)).toBe(true);

  await checkIn(weir).click();
  await undo(weir).waitFor();
  await hasFocus(undo(weir));
  expect(await axeFinds(page)).toEqual([]);
  await undo(weir).click();
  await hasFocus(checkIn(weir));
  await checkIn(lock).click();
  await undo(lock).waitFor();
  await page.keyboard.press('z');
  await checkIn(lock).waitFor();

  await checkIn(mill).click();
  await undo(mill).waitFor();
  await page.close();
  // A page without the app: nobody but the service worker can have sent it.
  const other = await context.newPage();
  await other.goto(`${instance.url}/robots.txt`);
  await expect.poll(async () => (await awards(other)).filter((task) => task.startsWith('At the '))).toEqual([mill]);
  expect(complaints).toEqual([]);
});

test('two presses from the home screen to a counted check-in; without a server it starts there too', async () => {
  const { context, page, complaints } = await come(browser, instance, '1002', TODAY);
  const board = page.getByRole('region', { name: 'Your streak and what to do next' });
  await board.waitFor();
  await controlled(page);
  const opened = await context.newPage();
  await opened.goto(`${instance.url}${START_PATH}`);
  const next = opened.getByRole('region', { name: 'Your streak and what to do next' });
  // The first says what it is about, since it comes with instructions; the second counts.
  await next.getByRole('button', { name: 'Check in', exact: true }).click();
  await opened.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }).click();
  await next.getByText(m.today_counted()).waitFor();
  expect(new URL(opened.url()).pathname).toBe(TODAY);
  expect(await flawsOf(opened, 'what was counted')).toEqual([]);

  instance.goAway();
  await opened.goto(`${instance.url}${START_PATH}`);
  await next.getByText(m.today_counted()).waitFor();
  expect(complaints).toEqual([]);
});

test('the theme that was chosen is there again before anything is painted', async () => {
  const { page, complaints } = await come(browser, instance, '1004', '/settings', { alone: true });
  const html = page.locator('html');
  expect(await html.getAttribute('data-theme')).toBe('light');
  await page.getByRole('radio', { name: 'Dark', exact: true }).click();
  expect(await html.getAttribute('data-theme')).toBe('dark');
  // Every theme that the page is given while it loads, with its time: each must lie before the first paint.
  await page.addInitScript(() => {
    const seen: { theme: string | undefined; at: number }[] = [];
    Object.assign(globalThis, { seen });
    new MutationObserver(() =>
      seen.push({ theme: document.documentElement.dataset['theme'], at: performance.now() }),
    ).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-theme'] });
  });
  await page.reload();
  await page.getByRole('radio', { name: 'Dark', exact: true }).waitFor();
  const painted = await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  );
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: { theme: string; at: number }[] }).seen);
  expect(new Set(seen.map(({ theme }) => theme))).toEqual(new Set(['dark']));
  expect(seen[0]?.at).toBeLessThan((await painted.jsonValue()) ?? 0);
  expect(await page.getByRole('radio', { name: 'Dark', exact: true }).getAttribute('aria-checked')).toBe('true');
  expect(complaints).toEqual([]);
});

test('who signs out with an act that was not sent may keep it: it waits on the device and is sent at the next sign-in', async () => {
  const task = 'Out for a walk today';
  const { page, complaints } = await newcomer(browser, instance, '3001', 'Keepa', '/robots.txt');
  await command(page, 'POST', `/api/communities/${SLUG}/join`);
  await page.goto(instance.url + TODAY);
  await controlled(page);
  await page.reload();
  await page.getByRole('button', { name: task }).waitFor();
  instance.goAway();
  await page.getByRole('button', { name: task }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }).click();
  await page
    .getByText(/Saved on this phone/)
    .first()
    .waitFor();
  await page.goto(`${instance.url}/logout`);
  await page.getByRole('dialog').getByText(task).waitFor();
  expect(await smallTargets(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Keep for my next sign-in', exact: true }).click();
  await page.getByRole('heading', { name: 'Signed out on this phone' }).waitFor();
  instance.comeBack();
  await signIn(page, instance.url, '3001', TODAY);
  await page.getByRole('link', { name: new RegExp(`${task} Counted`) }).waitFor();
  expect(await awards(page)).toEqual([task]);
  expect(complaints).toEqual([]);
});
