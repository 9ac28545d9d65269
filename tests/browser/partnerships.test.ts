import type { Browser } from 'playwright-core';
import { expect, test } from 'vitest';
import { person, signIn, write } from '../support/browser.ts';
import type { Instance } from '../support/instance.ts';
import { databaseOf, makeStaff } from '../support/instance-database.ts';
import { withProduct } from '../support/product.ts';

let instance: Instance;
let browser: Browser;
withProduct((product) => {
  ({ instance, browser } = product);
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

  const desk = await person(browser);
  await signIn(desk.page, instance.url, '1004');
  await makeStaff(instance, '1004', 'admin');
  await desk.page.goto(`${instance.url}/admin/account-management?view=partnerships`);
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
  await Promise.all([context.close(), desk.context.close()]);
});
