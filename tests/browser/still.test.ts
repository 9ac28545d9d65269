/** What waits to be sent is told on every screen, and nothing on any of them moves for it. */
import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { arrived, controlled, type Person, person, signIn } from '../support/browser.ts';
import { type Instance, sampleCommunities } from '../support/instance.ts';
import { withProduct } from '../support/product.ts';

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
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

let instance: Instance;
let browser: Browser;
withProduct(async (product) => {
  ({ instance, browser } = product);
  await sampleCommunities(instance);
});

type LayoutShift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
type Shift = { value: number; moved: string[] };
declare global {
  /** What has moved since it was asked last; also what a busy page has not told its observer yet. */
  var takeShifts: () => Shift[];
  /** What has moved until now counts no more, also where it is told of later. */
  var forgetShifts: () => void;
  /** What the chip has said since the page was opened: a word of two seconds is not missed by a busy driver. */
  var said: Set<string>;
}
/** Runs in the page, before anything else of it. Every shift counts, also those that follow a press. */
function observe() {
  const nameOf = (node: Node | null) =>
    node instanceof Element ? `${node.tagName.toLowerCase()}.${node.className}` : (node?.nodeName ?? '?');
  const shifts: Shift[] = [];
  let from = 0;
  const note = (entries: PerformanceEntryList) => {
    for (const { value, sources, startTime } of entries as LayoutShift[])
      if (startTime >= from) shifts.push({ value, moved: sources.map(({ node }) => nameOf(node)) });
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  globalThis.takeShifts = () => {
    note(observer.takeRecords());
    return shifts.splice(0);
  };
  globalThis.forgetShifts = () => {
    from = performance.now();
    shifts.length = 0;
  };
  globalThis.said = new Set();
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll('.outbox-chip__words'))
      if (textContent) globalThis.said.add(textContent);
  }).observe(document, { childList: true, subtree: true, characterData: true });
}

/** The screen has arrived, and what it draws it draws where it stays. */
async function come(page: Page, path: string): Promise<void> {
  await page.goto(instance.url + path);
  await arrived(page);
  await page.evaluate(() => document.fonts.ready);
  await drawn(page);
  await page.evaluate(() => globalThis.forgetShifts());
}
/** Two frames: what was to move has moved, and has been told of. */
const drawn = (page: Page) =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

/** Another page of the same device: what is done there waits here too. */
async function press(hand: Page): Promise<void> {
  const group = hand.getByRole('group', { name: 'Repeated notifications' });
  await group.locator('button[aria-pressed=false]').click();
  await hand.getByRole('button', { name: 'Save' }).click();
}

const chip = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();

/** A page of each size, on one device. */
async function viewsOf({ context }: Person): Promise<Page[]> {
  const views: Page[] = [];
  for (const size of SIZES) {
    const view = await context.newPage();
    await view.setViewportSize(size);
    views.push(view);
  }
  return views;
}
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

async function aLeader(): Promise<Person> {
  const one = await person(browser);
  await one.context.addInitScript(observe);
  await signIn(one.page, instance.url, '1004');
  await controlled(one.page);
  return one;
}

test('nothing moves for the outbox chip: not when it comes, nor when it changes, nor when it goes', async () => {
  const leader = await aLeader();
  const { context, page, complaints } = leader;
  await page.goto(`${instance.url}/settings/notifications`);
  const views = await viewsOf(leader);
  const all = (each: (view: Page) => Promise<unknown>) => Promise.all(views.map(each));
  const moved: string[] = [];
  for (const path of SCREENS) {
    await all((view) => come(view, path));
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
  await context.close();
});

test('nothing moves when a title no longer says how old its screen is', async () => {
  const leader = await aLeader();
  const views = await viewsOf(leader);
  await Promise.all(views.map((view) => come(view, '/profile')));
  await leader.context.setOffline(true);
  for (const view of views) {
    // Only what the page reads of the time: a driver's clock has frames of its own, which are drawn when none is.
    await view.addInitScript(() => {
      const now = Date.now;
      Date.now = () => now() + 10 * 60_000;
    });
    await come(view, '/profile');
    await view.locator('.page-head .stamp').waitFor();
    await drawn(view);
    await view.evaluate(() => globalThis.forgetShifts());
  }
  await leader.context.setOffline(false);
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
  await leader.context.close();
});

/** Each read of the page is answered two frames after the one before it: all that can come one by one does. */
async function oneByOne(page: Page): Promise<() => Promise<void>> {
  let last: Promise<unknown> = Promise.resolve();
  await page.route('**/api/**', (route) => {
    const before = last;
    last = (async () => {
      const [answer] = await Promise.all([route.fetch().catch(() => null), before]);
      await (answer ? route.fulfill({ response: answer }) : route.abort()).catch(() => undefined);
      await drawn(page).catch(() => undefined);
    })();
    return last as Promise<void>;
  });
  return async () => {
    for (let seen: unknown; seen !== last; ) {
      seen = last;
      await last;
    }
  };
}

/** A fifth of what counts as good (web.dev/cls): a line that a word more makes longer. */
const SEEN = 0.02;
/** What has moved on a phone while its screens arrived, read by read. */
async function movedOnTheWay(who: string, pathsOf: (page: Page) => Promise<string[]>): Promise<string[]> {
  const { context, page, complaints } = await person(browser, { alone: true });
  await context.addInitScript(observe);
  await signIn(page, instance.url, who);
  const paths = await pathsOf(page);
  const answered = await oneByOne(page);
  const moved: string[] = [];
  for (const path of paths) {
    await page.goto(instance.url + path);
    await arrived(page);
    await answered();
    await page.evaluate(() => document.fonts.ready);
    await drawn(page);
    const shifts = await page.evaluate(() => globalThis.takeShifts());
    if (shifts.reduce((sum, { value }) => sum + value, 0) > SEEN) moved.push(`${path}: ${JSON.stringify(shifts)}`);
  }
  expect(complaints).toEqual([]);
  await context.close();
  return moved;
}
/** A receipt that somebody's decision is on. */
async function receipt(page: Page): Promise<string> {
  const task = await page.evaluate(async (slug) => {
    const answer = await fetch(`/api/communities/${slug}/dashboard`);
    const { tasks }: { tasks: { id: string; claim: { decidedBy: string | null } | null }[] } = await answer.json();
    return tasks.find(({ claim }) => claim?.decidedBy)?.id;
  }, SLUG);
  expect(task).toBeTruthy();
  return `/engagement-complete?community=${SLUG}&task=${task}`;
}

test('what is read later takes its place without pushing away what stands there', async () => {
  const member = async (page: Page) => ['/communities', '/no-communities', await receipt(page)];
  const leader = async () => [`/community/${SLUG}/admin?room=review`, `/community/${SLUG}/admin?room=seasons`];
  expect([...(await movedOnTheWay('1001', member)), ...(await movedOnTheWay('1004', leader))]).toEqual([]);
});
