import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { come, command, controlled, DESK, enroll, person } from '../support/browser.ts';
import { type Instance, sampleCommunities } from '../support/instance.ts';
import { withProduct } from '../support/product.ts';
import { checksIn, rejectedThenApproved } from '../support/story.ts';

const SLUG = 'ridge-valley-walkers';
const NEWCOMER = '2000';
let instance: Instance;
let browser: Browser;
withProduct((product) => {
  ({ instance, browser } = product);
});

const fresh = <Answer>(page: Page, path: string): Promise<Answer> =>
  page.evaluate(async (path) => (await fetch(path, { headers: { 'x-muster-fresh': '1' } })).json(), path);
type Award = { kind: string; points: number; task: string | null };
const awards = async (page: Page) =>
  (await fresh<{ ledger: Award[] }>(page, '/api/user/profile')).ledger.filter(({ kind }) => kind === 'award');

test('a newcomer signs in, links X, joins, completes a task, sees points and board', async () => {
  await enroll(instance, NEWCOMER, 'Robin');
  const { page, complaints } = await person(browser);
  await page.goto(instance.url);
  await page
    .getByRole('link', { name: 'Get Started' })
    .or(page.getByRole('button', { name: 'Get Started' }))
    .first()
    .click();
  await page.locator(`[data-person="${NEWCOMER}"]`).click();
  await page.waitForURL(`${instance.url}/**`);
  await page
    .getByRole('link', { name: /Link X/ })
    .or(page.getByRole('button', { name: /Link X/ }))
    .first()
    .click();
  await page.locator(`[data-person="${NEWCOMER}"]`).click();
  await page.waitForURL(`${instance.url}/**`);
  await expect.poll(async () => (await fresh<{ isVerified: boolean }>(page, '/api/auth/user')).isVerified).toBe(true);

  await page.goto(`${instance.url}/explore-communities`);
  await page.getByRole('link', { name: /Ridge/ }).first().click();
  await page.getByRole('button', { name: 'Join', exact: false }).first().click();
  await expect.poll(async () => (await fresh<unknown[]>(page, '/api/user/communities')).length).toBe(1);
  await page.goto(`${instance.url}/community/${SLUG}/dashboard`);
  await checksIn(page, /check in/i);
  expect(await awards(page)).toHaveLength(1);

  await page.goto(`${instance.url}/leaderboard`);
  await page.getByRole('main').getByText('You', { exact: true }).first().waitFor();
  expect(complaints).toEqual([]);
});

test('a leader rejects with a reason, the member reads it, tries again, is approved, and the board moves', async () => {
  const title = 'Tell us about the ford';
  const leader = await come(browser, instance, '1004', `/community/${SLUG}/admin`, { viewport: DESK, alone: true });
  const asked = { setup: { kind: 'submit_text' }, title, instructions: 'How deep is it?' };
  await command(leader.page, 'POST', `/api/communities/${SLUG}/tasks`, { ...asked, points: 30, recurrence: 'once' });
  const member = await come(browser, instance, '1001', '/robots.txt', { alone: true });

  const at = async (page: Page, path: string) => {
    await page.goto(`${instance.url}/community/${SLUG}/${path}`);
    return page;
  };
  const queue = async () => JSON.stringify(await fresh(leader.page, `/api/communities/${SLUG}/review`));
  await rejectedThenApproved(
    {
      member: () => at(member.page, 'dashboard'),
      leader: () => at(leader.page, 'admin'),
      decided: (words) => expect.poll(queue).not.toContain(words),
    },
    title,
  );
  expect((await awards(member.page)).filter(({ task }) => task === title)).toHaveLength(1);
  expect([...member.complaints, ...leader.complaints]).toEqual([]);
});

test('a claim made with the server stopped is kept, shown in pencil, and ends as one ledger row', async () => {
  const other = (await sampleCommunities(instance)).find(({ slug }) => slug !== SLUG)?.slug;
  const { page, complaints } = await come(browser, instance, '1001', '/communities');
  await command(page, 'POST', `/api/communities/${other}/join`);
  await page.goto(`${instance.url}/community/${other}/dashboard`);
  const checkIn = page.getByRole('button', { name: /check in/i }).first();
  await checkIn.waitFor();
  await controlled(page);
  await page.reload();
  await checkIn.waitFor();
  const before = (await awards(page)).length;

  // The process itself, this once: elsewhere a server that is away is one that is not reached.
  await instance.stop();
  await page.reload();
  await checkIn.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }).click();
  const saved = page.getByText(/Saved on this phone/).first();
  await saved.waitFor();
  await page.reload();
  await saved.waitFor();

  await instance.start();
  const counted = page.getByText(/^Counted/).first();
  await expect.poll(async () => (await awards(page)).length, { timeout: 60_000 }).toBe(before + 1);
  await page.reload();
  await counted.waitFor();
  expect(await awards(page)).toHaveLength(before + 1);
  expect(complaints).toEqual([]);
});
