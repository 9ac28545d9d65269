import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { controlled, ENGINE, PHONE, person, signIn, write } from '../support/browser.ts';
import { everythingOn, placesOf } from '../support/canaries.ts';
import type { Instance } from '../support/instance.ts';
import { withProduct } from '../support/product.ts';

let instance: Instance;
let browser: Browser;
withProduct((product) => {
  ({ instance, browser } = product);
});

const WHO = '1004';
async function device(): Promise<{ page: Page; userId: string }> {
  const { page } = await person(browser, { viewport: PHONE });
  await signIn(page, instance.url, WHO, '/your-data');
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

  // The other one hears of it when it next asks.
  expect(await left(there.page, userId)).not.toEqual([]);
  await there.page.reload();
  await expect.poll(() => left(there.page, userId)).toEqual([]);

  await signIn(page, instance.url, WHO, '/communities');
  await page.waitForURL(`${instance.url}/your-data`);
  await page.getByRole('region', { name: 'Your account is not erased' }).waitFor();
  await page.getByRole('button', { name: 'Got it' }).click();
  await page.getByRole('region', { name: 'Your account is not erased' }).waitFor({ state: 'detached' });
});
