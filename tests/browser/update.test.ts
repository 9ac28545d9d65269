/** A deploy under open tabs: build N runs and is open, N + 1 is deployed, the person goes on. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { come, command, controlled, ENGINE, write } from '../support/browser.ts';
import type { Instance } from '../support/instance.ts';
import { type NextBuild, nextBuild } from '../support/next-build.ts';
import { withProduct } from '../support/product.ts';

const SLUG = 'ridge-valley-walkers';

let instance: Instance;
let browser: Browser;
let later: NextBuild[];

withProduct((product) => {
  ({ instance, browser } = product);
  later = [nextBuild(1), nextBuild(2)];
});
afterAll(() => {
  for (const build of later ?? []) build.remove();
});

const buildOf = (page: Page) => page.locator('html').getAttribute('data-build');
const TITLE = 'App Update Ready';
const card = (page: Page) => page.getByRole('heading', { name: TITLE });
/**
 * Counts how often the card is shown, and puts it away each time where told to. It goes after five seconds, and one that a
 * busy machine looks for later was never there: so the page itself looks. Runs in the page.
 */
function watchCard({ title, dismiss }: { title: string; dismiss: boolean }): void {
  let isShown = false;
  let shown = 0;
  const look = () => {
    const was = isShown;
    isShown = [...document.querySelectorAll('h2')].some(({ textContent }) => textContent === title);
    if (!isShown || was) return;
    shown += 1;
    document.documentElement.setAttribute('data-told', String(shown));
    if (!dismiss) return;
    document.querySelector<HTMLElement>('.toast-region [aria-label="Dismiss"]')?.click();
    localStorage.setItem('test-dismissed', '1');
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
}
const watch = (page: Page, dismiss = false) => page.evaluate(watchCard, { title: TITLE, dismiss });
const told = (page: Page, times = 1) =>
  expect.poll(() => page.locator('html').getAttribute('data-told'), { timeout: 20_000 }).toBe(String(times));
const heading = (page: Page) => page.locator('main h1').first().waitFor();
/** Marks this very document: a reload loses the mark. */
const mark = (page: Page) => page.evaluate(() => document.documentElement.setAttribute('data-marked', ''));
const isMarked = async (page: Page) => (await page.locator('html[data-marked]').count()) === 1;

async function deploy(dist?: string): Promise<void> {
  await instance.stop();
  await instance.start(dist);
}
/** The next answer that the page hears names the new build. */
const hear = (page: Page) => page.evaluate(() => fetch('/api/health').then((answer) => answer.text()));
/** As after a quota clearing: what this device kept of the build's parts is gone. */
async function clearParts(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const name of await caches.keys()) if (name.startsWith('shell-')) await caches.delete(name);
  });
  if (ENGINE !== 'chromium') return;
  // Chromium may have them in the cache of its own too.
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await session.detach();
}
/** Presses a link of the app itself. */
const follow = (page: Page, path: string) => page.locator(`a[href="${path}"]:visible`).first().click();

async function member(path: string) {
  const one = await come(browser, instance, '1001', path);
  await controlled(one.page);
  return one;
}

type Tasks = { community: string; ids: string[]; titles: string[] };
/** Tasks of a community that 1004 leads and 1001 belongs to. */
async function makeTasks(count: number): Promise<Tasks> {
  const { page } = await come(browser, instance, '1004', '/robots.txt');
  const titles = Array.from({ length: count }, (_, n) => `Stop ${10 + n}`);
  const ids: string[] = [];
  for (const title of titles) {
    const task = { setup: { kind: 'check_in' }, title, instructions: '', points: 1, recurrence: 'once' };
    ids.push((await command(page, 'POST', `/api/communities/${SLUG}/tasks`, task)).id);
  }
  const community: string = await page.evaluate(
    async (slug) => (await (await fetch(`/api/communities/${slug}`)).json()).id,
    SLUG,
  );
  return { community, ids, titles };
}
/**
 * Waits until the card is there, and was put away in the other tab; then puts a claim of each task into the outbox as the
 * page does, has them sent and presses Update Now. Runs in the page: the card does not wait for a driver.
 */
async function claimAllAndUpdate({ community, ids, userId }: Tasks & { userId: string }): Promise<void> {
  const button = () =>
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.trim() === 'Update Now');
  while (!button() || localStorage.getItem('test-dismissed') === null)
    await new Promise((next) => setTimeout(next, 20));
  const opening = indexedDB.open('muster');
  await new Promise((done) => {
    opening.onsuccess = done;
  });
  const rows = opening.result.transaction('outbox', 'readwrite').objectStore('outbox');
  for (const id of ids)
    rows.add({
      id: crypto.randomUUID(),
      userId,
      lane: community,
      method: 'POST',
      path: `/api/communities/${community}/tasks/${id}/claims`,
      body: { evidence: { kind: 'check_in' }, actedAt: new Date().toISOString() },
      label: id,
      subject: `claim:${community}:${id}`,
      createdAt: Date.now(),
      state: 'waiting',
      attempts: 0,
      nextTryAt: null,
      serverNamedTime: false,
      leasedUntil: null,
      error: null,
    });
  await new Promise((done) => {
    rows.transaction.oncomplete = done;
  });
  opening.result.close();
  dispatchEvent(new Event('online'));
  button()?.click();
}
/** Titles of the tasks that were counted for the member, each as often as it was. */
const counted = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const answer = await fetch('/api/user/profile', { headers: { 'x-muster-fresh': '1' } });
    const { ledger }: { ledger: { task: string | null }[] } = await answer.json();
    return ledger.flatMap(({ task }) => (task?.startsWith('Stop ') ? [task] : [])).sort();
  });

describe('a deploy under an open tab', () => {
  test('put away: what is being written stays, and screens not yet loaded open in the build of the tab', async () => {
    const { page, complaints } = await member('/communities');
    await page.getByRole('link', { name: 'Start a community' }).first().click();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    const name = page.getByRole('main').getByRole('textbox').first();
    await write(name, 'Night swimmers');
    const build = await buildOf(page);
    await mark(page);
    await watch(page);
    await deploy(later[0]?.dist);
    await hear(page);
    await told(page);
    expect(await name.inputValue()).toBe('Night swimmers');
    await card(page).waitFor({ state: 'hidden' });
    expect(await name.inputValue()).toBe('Night swimmers');
    // Not from the device: the server has them still.
    await clearParts(page);
    await follow(page, '/profile');
    await heading(page);
    await page.waitForURL('**/profile');
    expect([await isMarked(page), await buildOf(page)]).toEqual([true, build]);
    // Offered again at the next start.
    await page.addInitScript(watchCard, { title: TITLE, dismiss: false });
    await page.reload();
    await told(page);
    expect(complaints).toEqual([]);
  });

  test('Update Now in the middle of a drain: one reload, no act lost or doubled, the other tab is told and goes on until it asks', async () => {
    const { context, page, complaints } = await member('/communities');
    const tasks = await makeTasks(12);
    const second = await context.newPage();
    await second.goto(`${instance.url}/explore-communities`);
    await heading(second);
    for (const tab of [page, second]) await mark(tab);
    const before = await buildOf(page);
    const userId: string = await page.evaluate(async () => (await (await fetch('/api/auth/user')).json()).id);
    await watch(second, true);
    const pressed = page.evaluate(claimAllAndUpdate, { ...tasks, userId });
    await deploy(later[1]?.dist);
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await hear(page);
    await pressed;
    // Longer than Chromium lets the new worker wait where the old one was wanted once more at that moment.
    await expect.poll(() => buildOf(page), { timeout: 60_000 }).toBe(later[1]?.name);
    await heading(page);
    await expect.poll(() => counted(page), { timeout: 20_000 }).toEqual(tasks.titles);
    await told(second, 2);
    // The other tab goes on as it was, also to a screen that it has not loaded yet, until it is told to.
    await follow(second, '/profile');
    await heading(second);
    expect([await isMarked(second), await buildOf(second)]).toEqual([true, before]);
    await hear(second);
    await second.reload();
    await expect.poll(() => buildOf(second)).toBe(later[1]?.name);
    await expect.poll(() => loads).toBe(1);
    expect(await isMarked(page)).toBe(false);
    expect(complaints).toEqual([]);
  });

  test('parts that neither device nor server has any more: one reload into the new build, on the way to the screen', async () => {
    const { page } = await member('/communities');
    await heading(page);
    await instance.stop();
    await clearParts(page);
    rmSync(join(instance.home, 'assets'), { recursive: true });
    await mark(page);
    await instance.start();
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await follow(page, '/profile');
    await expect.poll(() => isMarked(page), { timeout: 20_000 }).toBe(false);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/profile');
    expect(await page.getByText('Something went wrong').count()).toBe(0);
    // The screen may be drawn before the browser calls its document loaded.
    await expect.poll(() => loads, { timeout: 20_000 }).toBe(1);
    expect([loads, (await buildOf(page)) === later[1]?.name]).toEqual([1, false]);
  });
});
