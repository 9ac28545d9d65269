/** From a crash on somebody's phone to an answer on an operator's: the built product in a real browser, end to end. */

import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { m } from '../../app/paraglide/messages.js';
import { noFault } from '../faults/proxy.ts';
import { come, controlled, DESK, ENGINE, type Person, PHONE, write } from '../support/browser.ts';
import { flawsOf } from '../support/flaws.ts';
import type { Instance } from '../support/instance.ts';
import { makeStaff } from '../support/instance-database.ts';
import { type NextBuild, nextBuild } from '../support/next-build.ts';
import { withProduct } from '../support/product.ts';

/** Reads are counted: nobody asks as often as a test could. */
const PATIENT = { timeout: 60_000, interval: 500 };
const SLUG = 'ridge-valley-walkers';
const LOGS = '/admin/client-logs';

let instance: Instance;
let browser: Browser;
let later: NextBuild;
/** Somebody who runs the instance, at a desk of their own. */
let ops: Person;

withProduct(
  async (product) => {
    ({ instance, browser } = product);
    await makeStaff(instance, '1004', 'ops');
    later = nextBuild();
  },
  { CLIENT_LOG_RATE: '50' },
);
afterAll(() => later?.remove());

/** What the reader's API answers to the operator. */
const read = (path: string) => ops.page.evaluate(async (url) => (await fetch(url)).json(), `/api${LOGS}${path}`);
async function issuesOf(
  words: string,
): Promise<{ id: string; title: string; state: string; countAll: number; regression: boolean }[]> {
  return (await read(`/issues?state=any&q=${encodeURIComponent(words)}`)).issues;
}
const show = async (path: string): Promise<Page> => {
  await ops.page.goto(`${instance.url}${LOGS}${path}`);
  return ops.page;
};

/** A member's phone whose browser names a way to share that it has not: their press of it is an error that nobody caught. */
async function phone(): Promise<Person> {
  const one = await come(browser, instance, '1001', '/robots.txt');
  await one.context.addInitScript(() => Object.defineProperty(navigator, 'share', { value: undefined }));
  await one.page.goto(`${instance.url}/community/${SLUG}`);
  await controlled(one.page);
  await atLink(one.page);
  return one;
}
async function atLink(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Show my link' }).click();
  await page.getByRole('button', { name: 'Copy', exact: true }).waitFor();
}
/** Takes the network from a phone: from its page by the browser, from its workers' logs on their way. */
async function cut({ context }: Person): Promise<void> {
  instance.proxy.rule = (_method, path) => (path.startsWith('/api/debug/client-logs') ? { answer: 503 } : null);
  await context.setOffline(true);
}
async function mend({ context }: Person): Promise<void> {
  instance.proxy.rule = noFault;
  await context.setOffline(false);
}
const crash = (page: Page) => page.getByRole('button', { name: 'Share', exact: true }).click();
/** Its place in the code: every engine has other words for it. */
const WORDS = 'invite-link';

const operator = () => come(browser, instance, '1004', '/robots.txt', { viewport: DESK, stays: true, alone: true });

/** The screen is good to use in both themes, with a thumb, and not wider than the phone. */
async function flawsIn(page: Page, name: string): Promise<string[]> {
  // Colours on their way to another theme are of neither.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const flaws: string[] = [];
  for (const [viewport, theme] of [
    [PHONE, 'light'],
    [DESK, 'dark'],
  ] as const) {
    await page.setViewportSize(viewport);
    await page.evaluate((value) => document.documentElement.setAttribute('data-theme', value), theme);
    flaws.push(...(await flawsOf(page, `${name}, ${theme}`)));
  }
  return flaws;
}

test('an uncaught error raised offline and replayed is one issue, with its line of code, what came before and the time offline', async () => {
  ops = await operator();
  const one = await phone();
  const { page } = one;
  const begun = Date.now();
  await cut(one);
  await page.getByRole('link', { name: m.shell_explore() }).first().click();
  await page.waitForURL('**/explore-communities');
  await page.getByRole('button', { name: 'Copy', exact: true }).waitFor({ state: 'detached' });
  await page.goBack();
  await atLink(page);
  await page.waitForTimeout(1_200);
  await crash(page);
  const raised = Date.now();
  await page.waitForTimeout(600);
  expect(await issuesOf(WORDS)).toEqual([]);
  await mend(one);
  await expect.poll(() => issuesOf(WORDS), PATIENT).toHaveLength(1);
  const [issue] = await issuesOf(WORDS);
  const { sample } = await read(`/issues/${issue?.id}`);
  expect(sample.entry.offlineMs).toBeGreaterThan(1_000);
  expect(sample.entry.offlineMs).toBeLessThanOrEqual(raised - begun + 500);
  expect(sample.entry.delayMs).toBeGreaterThan(500);

  // From the operator's home to what led up to it: two presses.
  const reader = ops.page;
  await reader.goto(`${instance.url}/admin`);
  await reader
    .getByRole('link', { name: /^Client logs/ })
    .first()
    .click();
  await reader.getByRole('link', { name: /invite-link/ }).click();
  const stack = reader.getByRole('heading', { name: 'Stack' }).locator('..');
  await stack
    .getByText(/^app\/shared\/communities\/invite-link\.tsx:\d+:\d+$/)
    .first()
    .waitFor();
  await expect
    .poll(() => stack.locator('.source-lines__line--here').first().textContent())
    .toMatch(/navigator\.share\(\{ url: invite\.url \}\)/);
  await reader.getByText(/^offline for \d/).waitFor();
  // In the order in which it happened: the network goes, a walk there and back, the crash. No name of a community.
  await expect
    .poll(async () => {
      const crumbs = await reader.locator('.trail__words').allInnerTexts();
      return crumbs.filter((text) => /^(Connection|Page|Pressed|This entry)/.test(text)).slice(-8);
    })
    .toEqual([
      'Connection lost',
      `Pressed “${m.shell_explore()}”`,
      'Page /explore-communities',
      'Page /community/{communityId}',
      'Pressed “Show my link”',
      'Pressed “Share”',
      'This entry',
      'Connection back',
    ]);
  expect(await flawsIn(reader, 'trail')).toEqual([]);
});

const AGENTS = [
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
];
const MISHAPS = [
  ['QuotaExceededError: photo draft not saved', 40],
  ["TypeError: Cannot read properties of undefined (reading 'rank')", 17],
  ['NetworkError: drain stalled after 3 s', 9],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a stranger wrote
  ['<img src=x onerror=alert(1)> \u202egnp.exe ${jndi:ldap://x} \u001b[31m =1+1', 3],
  ['AbortError: push subscription', 1],
] as const;

/** What some phones send over a day, one of them with a clock that is wrong and numbers that are missing. */
async function fleet(): Promise<void> {
  const all = MISHAPS.flatMap(([message, times], kind) =>
    Array.from({ length: times }, (_, n) => ({ message, kind, n })),
  );
  for (let device = 0; device < 6; device += 1) {
    const wrong = device === 1 ? -7 * 60_000 : 0;
    const entries = all.flatMap(({ message, kind, n }, at) => {
      if (at % 6 !== device) return [];
      const happened = Date.now() - ((n * 7 + kind * 3) % 23) * 3_600_000 - 60_000 * n;
      const said = (ms: number) => new Date(happened + wrong + ms).toISOString();
      const data = {
        deviceId: `phone-${device}`,
        url: `${instance.url}/community/${SLUG}/dashboard`,
        context: {
          displayMode: device % 2 === 0 ? 'standalone' : 'browser',
          connection: { type: '4g', offlineSince: device === 1 ? said(-3_600_000) : null },
          pushPermission: device % 3 === 0 ? 'granted' : 'default',
        },
        storageState: { kind: 'durable' },
      };
      const tap = { action: 'tap', data: { button: 'Claim' }, source: 'app', timestamp: said(-900), sequence: at * 3 };
      const error = { message, source: 'window.error', timestamp: said(0), sequence: at * 3 + 1 };
      return [
        { id: randomUUID(), type: 'debug', data: { ...data, ...tap } },
        { id: randomUUID(), type: 'error', data: { ...data, ...error } },
      ];
    });
    const answer = await fetch(`${instance.url}/api/debug/client-logs/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': AGENTS[device % 3] ?? '' },
      body: JSON.stringify({
        sentAt: new Date(Date.now() + wrong).toISOString(),
        dropped: { error: device === 5 ? 1 : 0, debug: device === 5 ? 31 : 0 },
        entries,
      }),
    });
    expect(answer.status, await answer.text()).toBe(200);
  }
  await expect.poll(async () => (await issuesOf('photo')).map(({ countAll }) => countAll), PATIENT).toEqual([40]);
}

test('every room of the reader is good to use, on a phone and a desk', async () => {
  // Theirs is the build before: it would say so on every screen.
  await ops.context.close();
  ops = await operator();
  await fleet();
  const flaws: string[] = [];
  const dialog = ops.page.getByRole('dialog');
  const press = (name: string | RegExp) => ops.page.getByRole('button', { name }).first().click();
  const look = async (name: string) => flaws.push(...(await flawsIn(ops.page, name)));

  let page = await show('');
  await page.getByRole('link', { name: /photo draft not saved/ }).waitFor();
  await look('issues');
  await press(/^Filters/);
  await dialog.getByLabel('Engine').waitFor();
  await look('filters');
  page = await show('?q=nothinglikethis');
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
  await look('nothing');
  const [issue] = await issuesOf('drain stalled');
  page = await show(`?issue=${issue?.id}`);
  await page.getByRole('heading', { name: 'Affected' }).waitFor();
  await look('issue');
  await press(/^Ignore/);
  await dialog.getByLabel('Until').selectOption({ label: 'a number of people' });
  await write(dialog.getByLabel('How many'), '0');
  await look('ignore');
  await page.keyboard.press('Escape');
  await press('Merge');
  await write(dialog.getByRole('searchbox'), 'push subscription');
  await dialog.getByLabel(/AbortError: push subscription/).check();
  await look('merge');
  page = await show('?view=entries&kind=debug');
  const entry = page.getByRole('link', { name: /Breadcrumb: tap/ }).first();
  await entry.waitFor();
  await look('entries');
  await entry.click();
  await page.getByRole('heading', { name: 'What led up to it' }).waitFor();
  await look('entry');
  page = await show('?view=timeline&device=phone-0');
  await page
    .getByText(/entr(y|ies) never arrived/)
    .first()
    .waitFor();
  await look('timeline');
  page = await show('?view=fleet');
  await page.getByRole('heading', { name: 'Devices on each build, day by day' }).waitFor();
  await look('fleet');
  page = await show('?view=rules');
  await press('Add a rule');
  await dialog.getByLabel('When').selectOption({ label: 'More errors than usual' });
  await dialog.getByLabel('Quiet hours').check();
  await press('Save the rule');
  await dialog.getByText('Give it a name.').waitFor();
  await look('rule');
  expect([flaws, ops.complaints]).toEqual([[], []]);
});

test('the reader follows live what phones send', async () => {
  const page = await show('?view=tail&q=tailword');
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  for (const message of ['tailword one', 'another thing', 'tailword two'])
    await fetch(`${instance.url}/api/debug/client-logs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'error', data: { message } }),
    });
  await page.getByRole('link', { name: /tailword two/ }).waitFor();
  await page.getByRole('link', { name: /tailword one/ }).waitFor();
  expect(await page.getByRole('link', { name: /another thing/ }).count()).toBe(0);
  expect(await flawsIn(page, 'tail')).toEqual([]);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
});

test('without a connection the reader says so, and shows nothing that was', async () => {
  const { context, page } = await come(browser, instance, '1004', LOGS, { viewport: DESK });
  await page.locator('a.issue-row').first().waitFor();
  await controlled(page);
  instance.goAway();
  await context.setOffline(true);
  // What is on the screen stays; it only cannot be asked for anew.
  await page.getByRole('button', { name: /^CSV: needs a connection/ }).waitFor();
  await page.getByRole('button', { name: /^Refresh: needs a connection/ }).waitFor();
  await page.goto(`${instance.url}${LOGS}?view=entries`);
  await page.getByRole('heading', { name: 'No connection' }).waitFor({ timeout: 60_000 });
  expect(await page.locator('a.log-entry').count()).toBe(0);
  expect(await flawsIn(page, 'offline')).toEqual([]);
  instance.comeBack();
  await context.setOffline(false);
  // Firefox does not tell a page that was opened under its emulation of no network when that ends.
  if (ENGINE === 'firefox') await page.evaluate(() => void dispatchEvent(new Event('online')));
  await page.locator('a.log-entry').first().waitFor({ timeout: 60_000 });
});
