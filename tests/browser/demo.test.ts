import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DESK, PHONE, person } from '../support/browser.ts';
import type { Instance } from '../support/instance.ts';
import { withProduct } from '../support/product.ts';
import { checksIn, rejectedThenApproved } from '../support/story.ts';

let instance: Instance;
let browser: Browser;
withProduct((product) => {
  ({ instance, browser } = product);
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
  const { context, page, complaints } = await person(browser, { viewport: PHONE });
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
  await instance.stop();

  const before = await points(page);
  await checksIn(page, /Out for a walk today/);
  await page.getByRole('heading', { name: 'Counted: +5' }).waitFor();
  await expect.poll(() => points(page)).toBe(before + 5);
  await page.getByRole('link', { name: 'Leaderboard' }).last().click();
  await page.waitForURL(/\/demo\?screen=\/leaderboard&role=member$/);
  await page.getByRole('main').getByText('You', { exact: true }).first().waitFor();

  await page.getByRole('button', { name: 'Leader', exact: true }).click();
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

  await page.getByRole('button', { name: 'Member', exact: true }).click();
  await page.getByText('Counted').first().waitFor();
  await expect.poll(() => points(page)).toBe(before + 5);

  const as = async (role: 'Member' | 'Leader') => {
    await page.getByRole('button', { name: role, exact: true }).click();
    await page.waitForURL(new RegExp(`role=${role.toLowerCase()}$`));
    await page.setViewportSize(role === 'Leader' ? DESK : PHONE);
    return page;
  };
  // Who leaves before a decision was sent keeps it until they come back.
  const gone = async (words: string) => {
    await expect.poll(() => page.getByText(words).count()).toBe(0);
    await page.locator('.outbox-chip').first().waitFor({ state: 'detached' });
  };
  const stage = { member: () => as('Member'), leader: () => as('Leader'), decided: gone };
  await rejectedThenApproved(stage, 'Report the state of a path');
  await expect.poll(() => points(page)).toBe(before + 30);
  await page.getByRole('button', { name: 'Reset' }).click();
  await checkIn.waitFor();
  await expect.poll(() => points(page)).toBe(before);

  await page.reload();
  await checkIn.waitFor();
  expect(asked).toEqual([]);
  // What the product keeps of a member in this browser was not begun.
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});
