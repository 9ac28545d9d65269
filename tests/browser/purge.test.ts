/**
 * Whose device is it now? Members come and go on one device in every way there is; after each, nothing of the one before
 * lies where the next one's page could read it. A few runs, always the same; two hundred of them before a release.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { BREADCRUMB_AFTER_MS } from '../../worker/drain-logs.ts';
import { come, command, controlled, ENGINE, newcomer, person, signIn, write } from '../support/browser.ts';
import { everythingOn, placesOf } from '../support/canaries.ts';
import { type Instance, inChannel } from '../support/instance.ts';
import { withProduct } from '../support/product.ts';

const RUNS = Number(process.env['PURGE_RUNS'] ?? 3);
/** A breadcrumb of nobody's, which says at what address it was left, may rest for a while before it is sent. */
const GONE_WITHIN_MS = BREADCRUMB_AFTER_MS + 5_000;
type Member = { telegramId: string; userId: string; slug: string; canaries: string[] };

let instance: Instance;
let browser: Browser;

/** A member with a private community of their own, full of words and points that nobody else has. */
async function newMember(n: number): Promise<Member> {
  const telegramId = String(3_001 + n);
  const word = (of: string) => `${of}canary${n}q`;
  const slug = word('slug');
  const who = { username: word('tg'), xId: `77${telegramId}`, xUsername: word('x') };
  const { context, page } = await newcomer(browser, instance, telegramId, word('First'), '/communities', {}, who);
  const about = { slug, name: word('Name'), description: word('Text'), tags: [], visibility: 'private' };
  const { id: communityId } = await command(page, 'POST', '/api/communities', about);
  const task = { setup: { kind: 'submit_text' }, title: about.name, instructions: about.description };
  await command(page, 'POST', `/api/communities/${communityId}/tasks`, {
    ...task,
    points: 811 + n,
    recurrence: 'once',
  });
  const userId: string = await page.evaluate(async () => (await (await fetch('/api/auth/user')).json()).id);
  await context.close();
  const words = ['First', 'tg', 'x', 'slug', 'Name', 'Text', 'Draft', 'Unsent'].map(word);
  const canaries = [...words, userId, communityId, `"telegramUserId":"${telegramId}"`, `"points":${811 + n}`];
  return { telegramId, userId, slug, canaries };
}

withProduct((product) => {
  ({ instance, browser } = product);
});

/** The same numbers for the same seed, so that a run that failed can be run again. */
function random(seed: number): <T>(choices: readonly T[]) => T {
  let state = seed;
  return (choices) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return choices[Math.floor((state / 2 ** 32) * choices.length)] as (typeof choices)[number];
  };
}

const settled = (page: Page) => page.locator('main h1').first().waitFor({ state: 'attached' });
const whoIs = (page: Page) =>
  page.evaluate(async () => {
    const answer = await fetch('/api/auth/user', { headers: { 'x-muster-fresh': '1' } });
    return answer.ok ? (await answer.json()).id : null;
  });

/** Looks at everything of their own, begins a text, and (sometimes) leaves an act unsent. */
async function use(page: Page, { slug, userId }: Member, n: number, unsent: boolean): Promise<void> {
  for (const path of [`/community/${slug}/dashboard`, '/profile', `/${slug}/admin`]) {
    await page.goto(`${instance.url}${path}`);
    await settled(page);
  }
  await expect
    .poll(async () => placesOf(await everythingOn(page), [`slugcanary${n}q`]).length, { timeout: 15_000 })
    .toBeGreaterThan(0);
  await page.evaluate(
    async ({ n, userId, unsent }) => {
      localStorage.setItem('muster-draft:one', `Draftcanary${n}q`);
      if (!unsent) return;
      const opening = indexedDB.open('muster');
      await new Promise((done) => {
        opening.onsuccess = done;
      });
      const rows = opening.result.transaction('outbox', 'readwrite').objectStore('outbox');
      rows.add({
        id: crypto.randomUUID(),
        userId,
        lane: 'canary',
        method: 'POST',
        path: '/api/communities/nowhere/join',
        body: { text: `Unsentcanary${n}q` },
        label: `Unsentcanary${n}q`,
        subject: '',
        createdAt: Date.now(),
        state: 'refused',
        attempts: 1,
        nextTryAt: null,
        serverNamedTime: false,
        leasedUntil: null,
        error: null,
      });
      await new Promise((done) => {
        rows.transaction.oncomplete = done;
      });
      opening.result.close();
    },
    { n, userId, unsent },
  );
}

type Way = 'signs out' | 'signs out offline' | 'session ended elsewhere' | 'membership revoked' | 'another signs in';
const WAYS: Way[] = [
  'signs out',
  'signs out offline',
  'session ended elsewhere',
  'membership revoked',
  'another signs in',
];

async function leaves(context: BrowserContext, page: Page, member: Member, way: Way): Promise<void> {
  const signOut = async () => {
    await page.goto(`${instance.url}/logout`);
    const keep = page.getByRole('button', { name: 'Keep', exact: false }).first();
    const out = page.getByText(/Signed out/).first();
    await keep.or(out).first().waitFor();
    if (await keep.isVisible()) await keep.click();
    await out.waitFor();
  };
  if (way === 'signs out') await signOut();
  if (way === 'signs out offline') {
    await context.setOffline(true);
    await signOut();
  }
  if (way === 'session ended elsewhere') {
    await context.clearCookies();
    await page.evaluate(() => fetch('/api/auth/user').then((answer) => answer.text()));
  }
  if (way === 'membership revoked') {
    await inChannel(instance, member.telegramId, 'kicked');
    // Asked on another device, which is where the server learns of it; this one hears it at its next read.
    const { request } = context;
    const checked = await request.post(`${instance.url}/api/auth/membership/check`, {
      headers: { origin: instance.url, 'sec-fetch-site': 'same-origin' },
    });
    expect(checked.status()).toBe(200);
    await expect
      .poll(
        () => page.evaluate(async () => (await fetch('/api/auth/user', { headers: { 'x-muster-fresh': '1' } })).status),
        { timeout: 15_000 },
      )
      .toBe(403);
  }
}

test(`${RUNS} members after one another on one device: nothing of one is there for the next`, {
  timeout: 60_000 + RUNS * 20_000,
}, async () => {
  const seed = Number(process.env['PURGE_SEED'] ?? 7);
  console.log(`PURGE_SEED=${seed}`);
  const pick = random(seed);
  const members: Member[] = [];
  for (const n of [0, 1, 2]) members.push(await newMember(n));
  const { context, page } = await person(browser);
  await page.goto(instance.url);
  await controlled(page);
  let n = 0;
  await signIn(page, instance.url, members[0]?.telegramId ?? '', '/profile');
  for (let run = 0; run < RUNS; run += 1) {
    const member = members[n];
    if (!member) throw new Error('no member');
    const [way, unsent, inTwoTabs] = [pick(WAYS), pick([true, false]), pick([true, false])];
    const story = `run ${run}: ${member.telegramId} ${way}${unsent ? ', something unsent' : ''}${inTwoTabs ? ', two tabs' : ''}`;
    await use(page, member, n, unsent);
    const second = inTwoTabs ? await context.newPage() : null;
    await second?.goto(`${instance.url}/community/${member.slug}/dashboard`);
    if (second) await settled(second);

    await leaves(context, page, member, way);
    /** What is kept for a member's own next sign-in is theirs by its owner's id, and on no screen. */
    const isTheirs = (place: string) => place.startsWith(`db muster outbox ${member.userId}: `);
    /** A tab that stays at an address offers to sign in for that address: the address is no news to who sees the tab. */
    const isItsAddress = (place: string, tab: Page) =>
      place === `screen: ${member.slug}` && tab.url().includes(member.slug);
    const left = async (tab: Page) =>
      placesOf(await everythingOn(tab), member.canaries).filter(
        (place) => !isTheirs(place) && !isItsAddress(place, tab),
      );
    const tabs = second ? [page, second] : [page];
    if (way !== 'another signs in' && way !== 'membership revoked')
      for (const tab of tabs)
        await expect.poll(() => left(tab), { timeout: GONE_WITHIN_MS, message: story }).toEqual([]);
    await context.setOffline(false);
    if (way === 'signs out offline') {
      // The server hears of it when the page is next opened.
      await page.goto(instance.url);
      await expect
        .poll(() => page.evaluate(() => localStorage.getItem('muster-sign-out-owed')), { message: story })
        .toBeNull();
    }

    n = (n + pick([1, 2])) % members.length;
    const next = members[n];
    if (!next) throw new Error('no next member');
    // Who was shut out stays known until somebody else comes, for the screen that says so.
    await signIn(page, instance.url, next.telegramId, '/profile');
    await settled(page);
    await expect.poll(() => whoIs(page), { message: story }).toBe(next.userId);
    for (const tab of tabs) await expect.poll(() => left(tab), { timeout: GONE_WITHIN_MS, message: story }).toEqual([]);
    await second?.close();
    if (way === 'membership revoked') await inChannel(instance, member.telegramId, 'member');
  }
});

/** Firefox plays the last: its pages are told by other means, whichever page it is. */
const BEGINNING = [
  ['session ended elsewhere', 'admin', 6],
  ['membership revoked', 'admin', 7],
  ['membership revoked', 'profile', 8],
] as const;

test.each(ENGINE === 'firefox' && process.env['TIER'] !== 'all' ? BEGINNING.slice(2) : BEGINNING)(
  '%s while the page %s still begins: the page hears of it when it has begun, and of who comes next',
  { timeout: 90_000 },
  async (way, path, n) => {
    const member = await newMember(n);
    const next = await newMember(n + 10);
    const { context, page } = await person(browser);
    await page.goto(instance.url);
    await controlled(page);
    await signIn(page, instance.url, member.telegramId, '/profile');
    await use(page, member, n, false);
    // A phone that is busy for long: what draws nothing begins when it has a moment.
    const busy = await context.newPage();
    await busy.addInitScript(() => {
      globalThis.requestIdleCallback = (then) => Number(setTimeout(then, 4_000, { didTimeout: false }));
    });
    await busy.goto(`${instance.url}/${path === 'admin' ? `${member.slug}/admin` : path}`);
    const left = async () =>
      placesOf(await everythingOn(busy), member.canaries).filter((place) => place !== `screen: ${member.slug}`);
    const isShown = async () => (await left()).some((place) => place.startsWith('screen: '));
    await expect.poll(isShown, { timeout: 20_000 }).toBe(true);
    await leaves(context, page, member, way);
    await expect.poll(isShown, { timeout: 20_000 }).toBe(false);
    // Who was shut out stays known on the device until somebody else comes.
    if (way === 'session ended elsewhere') await expect.poll(left, { timeout: 20_000 }).toEqual([]);
    await signIn(page, instance.url, next.telegramId, '/profile');
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);
    if (path === 'profile')
      await busy
        .getByText(`Firstcanary${n + 10}q`)
        .first()
        .waitFor({ state: 'attached' });
  },
);

const WHO = '1004';
async function device(): Promise<{ page: Page; userId: string }> {
  const { page } = await come(browser, instance, WHO, '/your-data');
  await controlled(page);
  const userId = await page.evaluate(async () => (await (await fetch('/api/auth/user')).json()).id as string);
  await page.evaluate(() => localStorage.setItem('muster-form:canary', '{"title":"canary draft"}'));
  return { page, userId };
}
const left = async (page: Page, userId: string) =>
  placesOf(await everythingOn(page), [userId, 'canary draft']).filter((place) => !place.startsWith('screen'));

test('erased on one device, a person is gone from it and from the other; signing in brings the account back', async () => {
  const [here, there] = [await device(), await device()];
  const { page, userId } = here;
  await page.reload();
  for (const one of [here, there]) expect(await left(one.page, userId)).not.toEqual([]);
  await page.getByRole('button', { name: 'Erase me', exact: true }).click();
  // Firefox's driver tells of no download that a page made itself: there the page's own word has to do.
  const download = ENGINE === 'firefox' ? null : page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download everything' }).click();
  await page.getByText('Saved to your downloads.').first().waitFor();
  if (download) expect((await download).suggestedFilename()).toMatch(/^muster-.*\.zip$/);
  for (const tick of await page.getByRole('checkbox').all()) await tick.check();
  await write(page.getByLabel('Type ERASE to confirm'), 'ERASE');
  await page.getByRole('button', { name: 'Erase me in 7 days' }).click();
  await page.getByRole('heading', { name: /You will be erased on/ }).waitFor();
  await expect.poll(() => left(page, userId)).toEqual([]);
  // The frame of who is signed out draws the screen anew.
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  await page.getByRole('heading', { name: /You will be erased on/ }).waitFor();

  // The other one hears of it when it next asks, at the latest.
  await there.page.reload();
  await expect.poll(() => left(there.page, userId)).toEqual([]);

  await signIn(page, instance.url, WHO, '/communities');
  await page.waitForURL(`${instance.url}/your-data`);
  await page.getByRole('region', { name: 'Your account is not erased' }).waitFor();
  await page.getByRole('button', { name: 'Got it' }).click();
  await page.getByRole('region', { name: 'Your account is not erased' }).waitFor({ state: 'detached' });
});
