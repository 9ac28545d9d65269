/**
 * What changes on a screen while it stands: what waits to be sent, how old it is, what is read later, the rest of a page that
 * still arrives. Nothing moves for it.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { arrived, come, controlled, type Person, person, signedIn } from '../support/browser.ts';
import { type Instance, sampleCommunities } from '../support/instance.ts';
import { withProduct } from '../support/product.ts';
import { drawn, observeShifts } from '../support/shifts.ts';

const SLUG = 'ridge-valley-walkers';
/** One of each way in which a title, its chip and how old it is stand beside each other. */
const SCREENS = [
  `/community/${SLUG}`,
  `/community/${SLUG}/dashboard`,
  `/community/${SLUG}/admin?room=seasons`,
  '/explore-communities',
  '/profile',
];
const SIZES = [
  { width: 360, height: 780 },
  { width: 1440, height: 900 },
];

let instance: Instance;
let browser: Browser;
withProduct(async (product) => {
  ({ instance, browser } = product);
  await sampleCommunities(instance);
});

declare global {
  /** What the chip has said since the page was opened: a word of two seconds is not missed by a busy driver. */
  var said: Set<string>;
}
/** Runs in the page, before anything else of it. */
function listen(): void {
  globalThis.said = new Set();
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll('.outbox-chip__words'))
      if (textContent) globalThis.said.add(textContent);
  }).observe(document, { childList: true, subtree: true, characterData: true });
}

/** The screen has arrived, and what it draws it draws where it stays. */
async function arriveAt(page: Page, path: string): Promise<void> {
  await page.goto(instance.url + path);
  await arrived(page);
  await page.evaluate(() => document.fonts.ready);
  await drawn(page);
  await page.evaluate(() => globalThis.forgetShifts());
}

/** Another page of the same device: what is done there waits here too. */
async function press(hand: Page): Promise<void> {
  const group = hand.getByRole('radiogroup', { name: 'Repeated notifications' });
  await group.locator('[aria-checked=false]').click();
  await hand.getByRole('button', { name: 'Save' }).click();
}

const chip = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();

/** Less is the outline of the chip itself, which narrows from a word to a picture with a number. */
const UNSEEN = 0.0005;
/** What has moved since it was asked last. */
async function movedIn(views: Page[], when: string): Promise<string[]> {
  const told = views.map(async (view) => {
    await drawn(view);
    const shifts = await view.evaluate(() => globalThis.takeShifts());
    const where = `${when}, ${view.viewportSize()?.width} px`;
    return shifts
      .filter(({ value }) => value > UNSEEN)
      .map(({ value, moved }) => `${where}: ${value.toFixed(4)} by ${moved.join(', ')}`);
  });
  return (await Promise.all(told)).flat();
}

/** A leader's device, with a page of each size. */
async function aLeader(): Promise<Person & { views: Page[] }> {
  const one = await person(browser);
  await one.context.addInitScript(observeShifts);
  await one.context.addInitScript(listen);
  await signedIn(one.context, instance, '1004');
  await one.page.goto(`${instance.url}/settings/notifications`);
  await controlled(one.page);
  const views: Page[] = [];
  for (const size of SIZES) {
    const view = await one.context.newPage();
    await view.setViewportSize(size);
    views.push(view);
  }
  return { ...one, views };
}

test('nothing moves for the outbox chip: not when it comes, nor when it changes, nor when it goes', async () => {
  const { context, page, complaints, views } = await aLeader();
  const all = (each: (view: Page) => Promise<unknown>) => Promise.all(views.map(each));
  const moved: string[] = [];
  for (const path of SCREENS) {
    await all((view) => arriveAt(view, path));
    await context.setOffline(true);
    await all((view) => chip(view, 'Offline').waitFor());
    moved.push(...(await movedIn(views, `${path} offline`)));
    await press(page);
    await all((view) => chip(view, /to send|Sending|All received/).waitFor());
    moved.push(...(await movedIn(views, `${path} with an act kept`)));
    await context.setOffline(false);
    await all((view) =>
      view.waitForFunction(() => globalThis.said.has('All received'), undefined, { timeout: 60_000 }),
    );
    moved.push(...(await movedIn(views, `${path} with all received`)));
    await all((view) => view.locator('.outbox-chip').first().waitFor({ state: 'detached' }));
    moved.push(...(await movedIn(views, `${path} with nothing to say`)));
  }
  expect(moved).toEqual([]);
  expect(complaints).toEqual([]);
});

test('nothing moves when a title no longer says how old its screen is', async () => {
  const { context, views } = await aLeader();
  await Promise.all(views.map((view) => arriveAt(view, '/profile')));
  await context.setOffline(true);
  for (const view of views) {
    // Only what the page reads of the time: a driver's clock has frames of its own, which are drawn when none is.
    await view.addInitScript(() => {
      const now = Date.now;
      Date.now = () => now() + 10 * 60_000;
    });
    await arriveAt(view, '/profile');
    await view.locator('.page-head .stamp').waitFor();
    await drawn(view);
    await view.evaluate(() => globalThis.forgetShifts());
  }
  await context.setOffline(false);
  // A read that took longer than a screen waits for is answered by its copy, which is as old as before: it is read again then.
  const isFresh = async (view: Page) => {
    // A page that counts as online already reads nothing again for being told so.
    await view.evaluate(() => ['offline', 'online'].forEach((name) => void dispatchEvent(new Event(name))));
    await view.locator('.page-head .stamp').waitFor({ state: 'detached', timeout: 5_000 });
    return true;
  };
  for (const view of views) await expect.poll(() => isFresh(view).catch(() => false), { timeout: 60_000 }).toBe(true);
  const moved = await movedIn(views, 'fresh again');
  expect(moved, moved.join('\n')).toEqual([]);
});

test('what stands below something that is still being read comes with it; Back closes the editor that was opened', async () => {
  const { page } = await come(browser, instance, '1004', '/terms', { alone: true });
  let letCome = () => {};
  const held = new Promise<void>((done) => (letCome = done));
  await page.route(/\/api\/communities(\?|$)/, (route) => held.then(() => route.continue()));
  await page.goto(`${instance.url}/explore-communities`);
  const below = page.getByLabel('Invite code');
  await below.waitFor({ state: 'attached' });
  expect(await below.isVisible()).toBe(false);
  letCome();
  await below.waitFor();
  expect(await page.getByLabel('Search').isVisible()).toBe(true);

  const tasks = `${instance.url}/community/${SLUG}/admin?room=tasks`;
  await page.goto(tasks);
  await page
    .getByRole('button', { name: /^Edit: / })
    .first()
    .click();
  await page.getByLabel('Title', { exact: true }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Add a task' }).waitFor();
  expect(page.url()).toBe(tasks);
});

/** The instance's pages, a piece of each at a time, as over a slow line. What such a line adds between the pieces is given. */
async function inPieces(pauseMs: number): Promise<string> {
  const PIECE = 3_000;
  const server = createServer(async ({ url = '/' }, res) => {
    const answer = await fetch(instance.url + url);
    const body = Buffer.from(await answer.arrayBuffer());
    res.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    const isPage = answer.headers.get('content-type')?.startsWith('text/html');
    for (let at = 0; isPage && at < body.length; at += PIECE) {
      res.write(body.subarray(at, at + PIECE));
      await sleep(pauseMs);
    }
    res.end(isPage ? undefined : body);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((done) => server.once('listening', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a page that comes drawn holds still on a phone while it arrives piece by piece', async () => {
  const slow = await inPieces(60);
  const { page } = await person(browser, { alone: true });
  await page.addInitScript(observeShifts);
  const moved: string[] = [];
  for (const path of ['/', '/demo', '/how-to-use', '/learn-more', '/terms', '/community-guidelines']) {
    await page.goto(slow + path);
    await page.evaluate(() => document.fonts.ready);
    await drawn(page);
    const shifts = await page.evaluate(() => globalThis.takeShifts());
    for (const { value, moved: what } of shifts)
      if (value > 0.01) moved.push(`${path}: ${value} by ${what.join(', ')}`);
  }
  expect(moved).toEqual([]);
});
