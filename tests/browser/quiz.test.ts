import type { Browser, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { controlled, person, signIn } from '../support/browser.ts';
import { flawsOf } from '../support/flaws.ts';
import type { Instance } from '../support/instance.ts';
import { withProduct } from '../support/product.ts';

let instance: Instance;
let browser: Browser;
withProduct((product) => {
  ({ instance, browser } = product);
});

const at = (path: string) => instance.url + path;
const heading = (page: Page) => page.locator('main h1').first();

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

describe('the quiz', () => {
  test('is practised by whoever comes, offline after one visit, and its plan is there again', async () => {
    const { context, page, complaints } = await person(browser);
    await page.goto(at('/web3-quiz'));
    await controlled(page);
    await page
      .locator('main')
      .getByRole('link', { name: /^Privacy/ })
      .waitFor();
    await instance.stop();
    await page.reload();
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
    await page.goto(at('/web3-quiz'));
    await page.getByText('You have practised on 1 day on this device.').waitFor();
    expect(await page.locator('.quiz-row__meta').filter({ hasText: 'nothing due' }).count()).toBe(1);
    await instance.start();
    expect(flaws).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('is graded once, from answers that were given without a connection; no key was on the device', async () => {
    const { context, page, complaints } = await person(browser);
    const bodies: string[] = [];
    page.on('response', async (response) => {
      if (response.url().includes('/api/')) bodies.push(await response.text().catch(() => ''));
    });
    await signIn(page, instance.url, '1004');
    await controlled(page);
    await page.goto(at('/web3-quiz'));
    await page.getByRole('button', { name: 'Download Privacy' }).click();
    await page.locator('.quiz-question').waitFor();
    expect(bodies.filter((body) => /"correct"|"tolerance"|"explanation"/.test(body))).toEqual([]);
    const address = page.url();
    await instance.stop();
    await page.goto(address);
    for (let turn = 0; turn < 5; turn += 1) {
      await answer(page);
      await page.getByRole('button', { name: turn < 4 ? 'Next question' : 'Send answers' }).click();
    }
    await page.getByText(/5 answers saved on this phone/).waitFor();
    expect(await flawsOf(page, 'answers in pencil')).toEqual([]);
    await page.goto(at('/web3-quiz'));
    await page.getByText(/The right answers aren’t on this phone/).waitFor();
    await instance.start();
    await page.goto(address);
    // Five answers within seconds: whatever they were, people read more slowly.
    await heading(page)
      .filter({ hasText: /Not counted|Not passed yet/ })
      .waitFor();
    expect(await flawsOf(page, 'a failed attempt')).toEqual([]);
    const { attempts }: { attempts: { result: unknown }[] } = await page.evaluate(async () =>
      (await fetch('/api/quiz')).json(),
    );
    expect(attempts).toHaveLength(1);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
