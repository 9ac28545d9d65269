/** What is pressed is held for eight seconds, and undone by its button or by Z; whoever leaves the page has sent it. */
import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFinds } from '../support/axe.ts';
import { command, controlled, DESK, person, signIn } from '../support/browser.ts';
import { type Instance, sampleCommunities } from '../support/instance.ts';
import { withProduct } from '../support/product.ts';

let instance: Instance;
let browser: Browser;
let slug = '';
const CHECK_INS = ['At the weir', 'At the lock', 'At the mill', 'At the ford'] as const;
const ANSWERS = 12;

withProduct(async (product) => {
  ({ instance, browser } = product);
  await sampleCommunities(instance);
  const context = await browser.newContext();
  const page = await context.newPage();
  await signIn(page, instance.url, '1004');
  const mine: { slug: string; role: string }[] = await page.evaluate(async () =>
    (await fetch('/api/user/communities')).json(),
  );
  slug = mine.find(({ role }) => role === 'leader')?.slug ?? '';
  const task = { instructions: '', points: 3, recurrence: 'once' };
  for (const title of CHECK_INS)
    await command(page, 'POST', `/api/communities/${slug}/tasks`, {
      ...task,
      title,
      recurrence: 'daily',
      setup: { kind: 'check_in' },
    });
  const asked: string[] = [];
  for (let at = 0; at < ANSWERS; at += 1) {
    const setup = { kind: 'submit_text', minLength: 1 };
    const body = { ...task, title: `Undo, question ${at}`, setup };
    asked.push((await command(page, 'POST', `/api/communities/${slug}/tasks`, body)).id);
  }
  await signIn(page, instance.url, '1001');
  await command(page, 'POST', `/api/communities/${slug}/join`);
  for (const [at, id] of asked.entries())
    await command(page, 'POST', `/api/communities/${slug}/tasks/${id}/claims`, {
      evidence: { kind: 'submit_text', text: `Answer number ${at}, of its own.` },
    });
  await context.close();
});

async function come(id: string, path: string) {
  const device = await person(browser, { viewport: DESK, undoes: true });
  await signIn(device.page, instance.url, id);
  await device.page.goto(instance.url + path);
  return device;
}
const card = (page: Page, title: string) => page.locator('li[data-card]').filter({ hasText: title });
const checkIn = (page: Page, title: string) => card(page, title).getByRole('button', { name: 'Check in', exact: true });
const undoOf = (page: Page, title: string) => card(page, title).getByRole('button', { name: `Undo: ${title}` });
/** What the server has counted of the check-ins. */
const counted = async (page: Page): Promise<string[]> => {
  const { tasks }: { tasks: { title: string; claim: unknown }[] } = await page.evaluate(
    async (path) => (await fetch(path, { headers: { 'x-muster-fresh': '1' } })).json(),
    `/api/communities/${slug}/dashboard`,
  );
  return tasks.filter(({ title, claim }) => claim !== null && /^At the /.test(title)).map(({ title }) => title);
};

test('check-ins are undone by the button and by Z; what is left goes out by itself, and with the page', async () => {
  const [weir, lock, mill, ford] = CHECK_INS;
  const { context, page, complaints } = await come('1001', `/community/${slug}/dashboard`);
  await controlled(page);

  await checkIn(page, weir).click();
  await undoOf(page, weir).waitFor();
  await expect.poll(() => undoOf(page, weir).evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await axeFinds(page)).toEqual([]);
  await undoOf(page, weir).click();
  await checkIn(page, weir).waitFor();
  await expect.poll(() => checkIn(page, weir).evaluate((one) => one === document.activeElement)).toBe(true);

  await checkIn(page, weir).click();
  await undoOf(page, weir).waitFor();
  await checkIn(page, lock).click();
  await undoOf(page, lock).waitFor();
  await page.keyboard.press('z');
  await checkIn(page, lock).waitFor();
  await page.keyboard.press('z');
  await checkIn(page, weir).waitFor();
  expect(await counted(page)).toEqual([]);

  await checkIn(page, mill).click();
  await undoOf(page, mill).waitFor();
  await expect.poll(() => counted(page), { timeout: 30_000 }).toEqual([mill]);

  // A look at a card claims nothing.
  await card(page, ford).getByRole('button', { name: ford }).click();
  await page.getByRole('dialog', { name: ford }).waitFor();
  await page.keyboard.press('Escape');
  await checkIn(page, ford).click();
  await undoOf(page, ford).waitFor();
  await page.close();
  // A page without the app: nobody but the service worker can have sent it.
  const other = await context.newPage();
  await other.goto(`${instance.url}/robots.txt`);
  await expect.poll(async () => (await counted(other)).includes(ford), { timeout: 30_000 }).toBe(true);
  expect((await counted(other)).sort()).toEqual([ford, mill]);
  expect(complaints).toEqual([]);
  await context.close();
});

test('a decision is undone; of twelve together it is asked first, and all of them are undone at once', async () => {
  const { context, page, complaints } = await come('1004', `/community/${slug}/admin?room=review`);
  const waiting = async (): Promise<number> =>
    (
      await page.evaluate(
        async (path) => (await fetch(path, { headers: { 'x-muster-fresh': '1' } })).json(),
        `/api/communities/${slug}/review`,
      )
    ).waiting;
  await page.getByRole('button', { name: 'Select all' }).waitFor();
  const before = await waiting();
  const boxes = page.locator('.review-queue').getByRole('checkbox');
  const many = await boxes.count();
  // Appeals have none.
  const rows = page.locator('.review-queue li');
  const all = await rows.count();
  expect(many).toBeGreaterThanOrEqual(ANSWERS);

  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect.poll(() => rows.count()).toBe(all - 1);
  await page.keyboard.press('z');
  await expect.poll(() => rows.count()).toBe(all);

  await page.getByRole('button', { name: 'Select all' }).click();
  await page.getByRole('button', { name: `Approve ${many}` }).click();
  const dialog = page.getByRole('dialog', { name: `Approve ${many} claims?` });
  expect(await axeFinds(page)).toEqual([]);
  await dialog.getByRole('button', { name: `Approve ${many}` }).click();
  await expect.poll(() => boxes.count()).toBe(0);
  await page.keyboard.press('z');
  await expect.poll(() => boxes.count()).toBe(many);
  expect(await waiting()).toBe(before);
  expect(complaints).toEqual([]);
  await context.close();
});
