/** What anybody has without an account: at the server, and when it is away. */

import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { m } from '../../app/paraglide/messages.js';
import { come, controlled, DESK, PHONE, person, write } from '../support/browser.ts';
import { flawsOf } from '../support/flaws.ts';
import type { Instance } from '../support/instance.ts';
import { databaseOf, makeStaff } from '../support/instance-database.ts';
import { withProduct } from '../support/product.ts';
import { checksIn, rejectedThenApproved } from '../support/story.ts';

let instance: Instance;
let browser: Browser;
withProduct((product) => {
  ({ instance, browser } = product);
});

/** Answers the question on the screen, of whatever kind, somehow. */
async function answer(page: Page): Promise<void> {
  const main = page.locator('main');
  await main.locator('.quiz-question').waitFor();
  const options = main.locator('label.quiz-choice input');
  if ((await options.count()) > 0) return options.first().check({ force: true });
  const selects = main.locator('select');
  for (let each = 0; each < (await selects.count()); each += 1) await selects.nth(each).selectOption({ index: 1 });
  const typed = main.locator('.quiz-number input');
  if ((await typed.count()) > 0) await typed.fill('1');
}

test('a calculator is used by keys alone, the quiz is practised, both without a connection; numbers and plan are there again', async () => {
  const { page, complaints } = await person(browser);
  await page.goto(`${instance.url}/ai-defi-tools`);
  await controlled(page);
  await page.getByRole('link', { name: /Impermanent loss/ }).click();
  const main = page.locator('.board__number');
  await expect.poll(() => main.textContent()).toBe('−2.02\u00a0%');
  instance.goAway();
  await page.goto(`${instance.url}/ai-defi-tools/impermanent-loss?was=1000&now=1000`);
  await expect.poll(() => main.textContent()).toBe('0.00\u00a0%');
  const slider = page.getByRole('slider');
  await slider.focus();
  const said: (string | null)[] = [];
  for (const key of ['ArrowRight', 'ArrowRight', 'End', 'Home']) {
    await page.keyboard.press(key);
    said.push(await slider.getAttribute('aria-valuetext'));
  }
  expect(said.slice(2)).toEqual(['× 5: −25.46\u00a0%', '× 0.2: −25.46\u00a0%']);
  expect(new Set(said).size).toBe(4);
  await expect.poll(() => new URL(page.url()).searchParams.get('now')).toBe('200');

  await write(page.getByLabel('Price now, USD'), '4000');
  await expect.poll(() => new URL(page.url()).searchParams.get('now')).toBe('4000');
  await page.reload();
  await expect.poll(() => main.textContent()).toBe('−20.00\u00a0%');
  expect(await page.getByLabel('Price now, USD').inputValue()).toBe('4,000');
  await page.getByText('Show as a table').click();
  expect(await page.locator('tr[aria-current]').textContent()).toBe('× 4−20.00\u00a0%');

  await page.goto(`${instance.url}/web3-quiz`);
  await page
    .locator('main')
    .getByRole('link', { name: /^Privacy/ })
    .click();
  const flaws: string[] = [];
  for (let turn = 0; turn < 8; turn += 1) {
    await answer(page);
    if (turn === 0) flaws.push(...(await flawsOf(page, 'a question')));
    await page.getByRole('button', { name: /^Check/ }).click();
    await page.getByRole('heading', { name: /Not quite|That’s right/ }).waitFor();
    if (turn === 0) flaws.push(...(await flawsOf(page, 'what was said to an answer')));
    await page.getByRole('button', { name: /^(Next question|See the result)$/ }).click();
  }
  await page.getByText('of 8 right', { exact: true }).waitFor();
  flaws.push(...(await flawsOf(page, 'a result')));
  await page.reload();
  await page.goto(`${instance.url}/web3-quiz`);
  await page.getByText('You have practised on 1 day on this device.').waitFor();
  expect(await page.locator('.quiz-row__meta').filter({ hasText: 'nothing due' }).count()).toBe(1);
  instance.comeBack();
  expect([flaws, complaints]).toEqual([[], []]);
});

test('a visitor’s request, written while the server is away, is sent by another page once it is back, and decided at the desk', async () => {
  const { context, page, complaints } = await person(browser);
  await page.goto(`${instance.url}/partnerships`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 60_000 });
  await write(page.getByLabel('Your name'), 'Ada Nwosu');
  await write(page.getByLabel('How we can reach you'), 'ada@fernmap.example');
  await write(page.getByLabel('Message'), 'We would like to bring our walkers here.');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Send request' }).click();
  await page.getByRole('heading', { name: 'Not sent yet' }).waitFor();
  const reference = (await page.locator('.partner-reference').textContent()) ?? '';
  await page.close();

  // Somebody comes back to another page, with a connection again.
  await context.setOffline(false);
  const later = await context.newPage();
  await later.goto(`${instance.url}/learn-more`);
  const storage = await databaseOf(instance);
  const count = async () => (await storage.sql`select from partnership_requests`).length;
  await expect.poll(count).toBe(1);

  await makeStaff(instance, '1004', 'admin');
  const desk = await come(browser, instance, '1004', '/admin/account-management?view=partnerships', { alone: true });
  await desk.page.getByRole('button', { name: `Decide on ${reference}` }).click();
  await write(desk.page.getByLabel('Reason'), 'Called them');
  await write(desk.page.getByLabel('Answer'), 'Come by on Friday.');
  await desk.page.getByRole('button', { name: 'Save decision' }).click();
  await desk.page.getByText('In discussion', { exact: true }).locator('visible=true').first().waitFor();

  await later.goto(`${instance.url}/partnerships`);
  await later.getByRole('heading', { name: 'In discussion' }).waitFor();
  await later.getByText('Come by on Friday.').waitFor();
  expect(await count()).toBe(1);
  await storage.close();
  expect([...complaints, ...desk.complaints]).toEqual([]);
});

/** Every part of the build, as the service worker lists them. Asked from here: the demo's page asks the server nothing. */
async function partsOf(url: string): Promise<string[]> {
  const worker = await (await fetch(`${url}/sw.js`)).text();
  const rest = /\/assets\/rest-[\w-]+\.json/.exec(worker)?.[0] ?? '';
  const named = worker.match(/\/assets\/[\w./-]+\.(?:js|css|svg|woff2)\b/g) ?? [];
  return [...named, ...((await (await fetch(url + rest)).json()) as string[])];
}
const missing = (page: Page, parts: string[]) =>
  page.evaluate(async (parts) => {
    const kept = await Promise.all(parts.map((part) => caches.match(part)));
    return parts.filter((_, at) => !kept[at]);
  }, parts);
const points = async (page: Page) =>
  Number(
    (await page.locator('.today-figures a', { hasText: 'Points' }).locator('b').first().innerText()).replace(/\D/g, ''),
  );

test('the demo, loaded once and left by its server: the story plays, and nothing leaves the page', async () => {
  const { page, complaints } = await person(browser);
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) asked.push(`${request.method()} ${pathname}`);
  });
  await page.goto(`${instance.url}/demo`);
  const checkIn = page.getByRole('button', { name: /Out for a walk today/ });
  await checkIn.waitFor();
  const parts = await partsOf(instance.url);
  expect(parts.length).toBeGreaterThan(50);
  await expect.poll(() => missing(page, parts), { timeout: 60_000 }).toEqual([]);
  instance.goAway();

  const before = await points(page);
  await checksIn(page, /Out for a walk today/);
  await page.getByRole('heading', { name: 'Counted: +5' }).waitFor();
  await expect.poll(() => points(page)).toBe(before + 5);
  await page.getByRole('link', { name: m.shell_leaderboard() }).last().click();
  await page.waitForURL(/\/demo\?screen=\/leaderboard&role=member$/);
  await page.getByRole('main').getByText('You', { exact: true }).first().waitFor();

  await page.getByRole('radio', { name: 'Leader', exact: true }).click();
  await page.waitForURL(/screen=\/community\/ridge-valley-walkers\/admin%3Froom%3Dreview&role=leader$/);
  const place = page.getByText(/^\d+ of \d+$/);
  const waiting = Number((await place.first().innerText()).split(' of ')[1]);
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page
    .getByText(`of ${waiting - 1}`)
    .first()
    .waitFor();
  await page.getByRole('button', { name: /All leader tools/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /^Connections/ })
    .click();
  await page.getByText('This is not part of the demo.').first().waitFor();

  await page.getByRole('radio', { name: 'Member', exact: true }).click();
  await page.getByText('Counted').first().waitFor();
  await expect.poll(() => points(page)).toBe(before + 5);

  const as = async (role: 'Member' | 'Leader') => {
    await page.getByRole('radio', { name: role, exact: true }).click();
    await page.waitForURL(new RegExp(`role=${role.toLowerCase()}$`));
    await page.setViewportSize(role === 'Leader' ? DESK : PHONE);
    return page;
  };
  // Who leaves before a decision was sent keeps it until they come back.
  const gone = async (words: string) => {
    await expect.poll(() => page.getByText(words).count()).toBe(0);
    await page.getByRole('heading', { name: 'Decided here, not received yet' }).waitFor({ state: 'detached' });
  };
  const stage = { member: () => as('Member'), leader: () => as('Leader'), decided: gone };
  await rejectedThenApproved(stage, 'Report the state of a path');
  await expect.poll(() => points(page)).toBe(before + 30);
  // By a key: a toast lies over it for a while.
  await page.getByRole('button', { name: 'Reset' }).press('Enter');
  await checkIn.waitFor();
  await expect.poll(() => points(page)).toBe(before);

  await page.reload();
  await checkIn.waitFor();
  instance.comeBack();
  expect(asked).toEqual([]);
  // What the product keeps of a member in this browser was not begun.
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  expect(complaints).toEqual([]);
});
