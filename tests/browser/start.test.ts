/** From the home screen to a counted check-in: the app starts at the last community's Today, and one press does what comes next. */
import type { Browser } from 'playwright-core';
import { expect, test } from 'vitest';
import { START_PATH } from '../../server/contract/start-path.ts';
import { controlled, DESK, PHONE, person, signIn } from '../support/browser.ts';
import { flawsOf, theme } from '../support/flaws.ts';
import { type Instance, sampleCommunities } from '../support/instance.ts';
import { withProduct } from '../support/product.ts';

const SLUG = 'ridge-valley-walkers';
let instance: Instance;
let browser: Browser;
withProduct(async (product) => {
  ({ instance, browser } = product);
  await sampleCommunities(instance);
});

test('two presses from the home screen to a counted check-in; without a server it starts there too', async () => {
  const { context, page, complaints } = await person(browser, { viewport: PHONE });
  await signIn(page, instance.url, '1002', `/community/${SLUG}/dashboard`);
  const board = page.getByRole('region', { name: 'Your streak and what to do next' });
  await board.waitFor();
  await controlled(page);
  await page.reload();
  await board.waitFor();
  for (const [size, scheme] of [
    [PHONE, 'light'],
    [PHONE, 'dark'],
    [DESK, 'light'],
  ] as const) {
    await page.setViewportSize(size);
    await theme(page, scheme);
    await page.reload();
    await board.waitFor();
    expect(await flawsOf(page, `Today, ${size.width} px, ${scheme}`)).toEqual([]);
  }
  await page.setViewportSize(PHONE);

  const opened = await context.newPage();
  await opened.goto(`${instance.url}${START_PATH}`);
  const next = opened.getByRole('region', { name: 'Your streak and what to do next' });
  // The first says what it is about, since it comes with instructions; the second counts.
  await next.getByRole('button', { name: 'Check in', exact: true }).click();
  await opened.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }).click();
  await next.getByText('Today is counted').waitFor();
  expect(new URL(opened.url()).pathname).toBe(`/community/${SLUG}/dashboard`);
  expect(await flawsOf(opened, 'what was counted')).toEqual([]);

  await instance.stop();
  await opened.goto(`${instance.url}${START_PATH}`);
  await next.getByText('Today is counted').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('without a community seen before the selector says what each needs, and opens Today first', async () => {
  await instance.start();
  const { context, page } = await person(browser, { viewport: PHONE });
  await signIn(page, instance.url, '1001', START_PATH);
  await page.getByRole('heading', { name: 'Choose a community' }).waitFor();
  await page
    .getByText(/streak \d+ days?, /)
    .first()
    .waitFor();
  expect(await flawsOf(page, 'the selector')).toEqual([]);
  await page.getByRole('link', { name: 'Open Today' }).click();
  await page.getByRole('button', { name: /Choose another community/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /Ridge & Valley Walkers/ })
    .waitFor();
  expect(await flawsOf(page, 'my communities')).toEqual([]);
  await context.close();
});
