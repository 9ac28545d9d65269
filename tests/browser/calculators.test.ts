import type { Browser } from 'playwright-core';
import { expect, test } from 'vitest';
import { controlled, person } from '../support/browser.ts';
import type { Instance } from '../support/instance.ts';
import { withProduct } from '../support/product.ts';

let instance: Instance;
let browser: Browser;
withProduct((product) => {
  ({ instance, browser } = product);
});

test('a calculator is used by keys alone and without a connection, and its address brings the numbers back', async () => {
  const { context, page, complaints } = await person(browser);
  await page.goto(`${instance.url}/ai-defi-tools`);
  await controlled(page);
  await page.getByRole('link', { name: /Impermanent loss/ }).click();
  const main = page.locator('.board__number');
  await expect.poll(() => main.textContent()).toBe('−2.02\u00a0%');
  await instance.stop();

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

  await page.getByLabel('Price now, USD').fill('4000');
  await expect.poll(() => new URL(page.url()).searchParams.get('now')).toBe('4000');
  await page.reload();
  await expect.poll(() => main.textContent()).toBe('−20.00\u00a0%');
  expect(await page.getByLabel('Price now, USD').inputValue()).toBe('4,000');
  await page.getByText('Show as a table').click();
  expect(await page.locator('tr[aria-current]').textContent()).toBe('× 4−20.00\u00a0%');
  expect(complaints).toEqual([]);
  await context.close();
});
