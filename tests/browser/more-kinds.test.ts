/**
 * Tasks that ask for a number, a date, an opinion, a file, or that a partner checks: written, answered offline, reviewed. Tasks at X:
 * written and done on a phone.
 */
import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { command, controlled, DESK, PHONE, person, signIn, write } from '../support/browser.ts';
import { flawsOf, theme } from '../support/flaws.ts';
import { type Instance, sampleCommunities } from '../support/instance.ts';
import { withProduct } from '../support/product.ts';

const SLUG = 'ridge-valley-walkers';
const SETUPS = [
  { kind: 'number', unit: 'km', min: 0, max: 60, decimals: 1, review: true },
  { kind: 'date', earliest: '2026-01-01', latest: null, review: true },
  { kind: 'scale', low: 'Not at all', high: 'Very much' },
  { kind: 'file' },
  { kind: 'partner', url: 'https://hooks.example.org/asked', asks: 'Order number' },
] as const;
const TITLES = {
  number: 'How far did you walk?',
  date: 'When were you at the cairn?',
  scale: 'Did you like the walk?',
  file: 'Send the track',
  partner: 'Buy a map',
} as const;

let instance: Instance;
let browser: Browser;
withProduct(async (product) => {
  ({ instance, browser } = product);
  await sampleCommunities(instance);
});

const sheetOf = (page: Page) => page.getByRole('dialog');
async function open(page: Page, title: string): Promise<void> {
  // What can wait is folded beyond the first few.
  await page.locator('.stack > li').first().waitFor();
  const folded = page.locator('details.folded:not([open]) > summary');
  while ((await folded.count()) > 0) await folded.first().click();
  const card = page.locator('.stack > li').filter({ has: page.getByRole('heading', { name: title }) });
  await card.getByRole('button').first().click();
  await sheetOf(page).getByRole('heading', { name: title }).waitFor();
}

test('are written and shown by their leader, answered without a connection, and looked at by who reviews', async () => {
  const flaws: string[] = [];
  const leader = await person(browser, { viewport: DESK, alone: true });
  await signIn(leader.page, instance.url, '1004');
  await theme(leader.page, 'dark');
  await leader.page.goto(`${instance.url}/community/${SLUG}/admin?room=tasks&edit=new`);
  for (const { kind } of SETUPS) {
    await leader.page.getByLabel('Kind', { exact: true }).selectOption(kind);
    flaws.push(...(await flawsOf(leader.page, `editor of ${kind}`)));
  }
  for (const setup of SETUPS) {
    const task = { setup, title: TITLES[setup.kind], instructions: '', points: 10, recurrence: 'once' };
    await command(leader.page, 'POST', `/api/communities/${SLUG}/tasks`, task);
  }

  const { context, page, complaints } = await person(browser, { viewport: PHONE });
  await signIn(page, instance.url, '1001');
  await page.goto(`${instance.url}/community/${SLUG}/dashboard`);
  await page.getByRole('heading', { name: TITLES.number }).waitFor();
  for (const mode of ['light', 'dark'] as const) {
    await theme(page, mode);
    await page.reload();
    for (const { kind } of SETUPS) {
      await open(page, TITLES[kind]);
      flaws.push(...(await flawsOf(page, `form of ${kind}, ${mode}`)));
      await page.keyboard.press('Escape');
    }
  }
  await controlled(page);
  await context.setOffline(true);
  const send = async (name: string | RegExp) => {
    await sheetOf(page).getByRole('button', { name }).click();
    await sheetOf(page).waitFor({ state: 'hidden' });
  };
  await open(page, TITLES.number);
  await write(sheetOf(page).getByLabel(/^Number/), '12,5');
  await send('Send');
  await open(page, TITLES.date);
  await sheetOf(page).getByLabel('Date').fill('2026-11-20');
  await send('Send');
  await open(page, TITLES.scale);
  await sheetOf(page).getByLabel('7', { exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await sheetOf(page).waitFor({ state: 'hidden' });
  await open(page, TITLES.file);
  const buffer = Buffer.from('%PDF-1.7\n1 0 obj\n<< >>\nendobj\n%%EOF\n');
  await sheetOf(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'Track.pdf', mimeType: 'application/pdf', buffer });
  await sheetOf(page).getByText('Track.pdf, 1 kB').waitFor();
  await send('Send');
  await open(page, TITLES.partner);
  await write(sheetOf(page).getByLabel('Order number'), '4711');
  await send(/^Ask hooks/);
  await context.setOffline(false);

  const states = () =>
    page.evaluate(async (slug) => {
      const { items } = await (await fetch(`/api/communities/${slug}/claims`)).json();
      return items.flatMap(({ evidence, state }: { evidence: { kind: string } | null; state: string }) =>
        evidence && ['number', 'date', 'scale', 'file', 'partner'].includes(evidence.kind)
          ? `${evidence.kind} ${state}`
          : [],
      );
    }, SLUG);
  await expect
    .poll(async () => (await states()).sort(), { timeout: 30_000 })
    .toEqual(['date submitted', 'file submitted', 'number submitted', 'partner checking', 'scale approved']);
  const ids = await page.evaluate(
    async ({ slug, titles }) => {
      const { tasks } = await (await fetch(`/api/communities/${slug}/dashboard`)).json();
      const idOf = (title: string) => tasks.find((task: { title: string }) => task.title === title).id;
      return [idOf(titles.scale), idOf(titles.file), idOf(titles.partner)];
    },
    { slug: SLUG, titles: TITLES },
  );
  for (const [at, words] of ['8 of 10 on average', 'Save Track.pdf', 'hooks.example.org is being asked'].entries()) {
    await page.goto(`${instance.url}/engagement-complete?community=${SLUG}&task=${ids[at]}`);
    await page.getByText(words).first().waitFor();
    flaws.push(...(await flawsOf(page, `receipt: ${words}`)));
  }

  await leader.page.goto(`${instance.url}/community/${SLUG}/admin?room=review`);
  await leader.page
    .getByRole('button', { name: new RegExp(TITLES.file) })
    .first()
    .click();
  await leader.page.getByText('Save Track.pdf').first().waitFor();
  flaws.push(...(await flawsOf(leader.page, 'review')));
  const [download] = await Promise.all([
    leader.page.waitForEvent('download'),
    leader.page.getByText('Save Track.pdf').first().click(),
  ]);
  expect(download.suggestedFilename()).toBe('Track.pdf');
  expect([flaws, complaints, leader.complaints]).toEqual([[], [], []]);
  await Promise.all([context.close(), leader.context.close()]);
});

test('at X are written by their leader and done by a member, on phones, to the receipt', async () => {
  const [follow, reply] = ['Follow the ridge', 'Answer the call for walkers'];
  const leader = await person(browser, { alone: true });
  await signIn(leader.page, instance.url, '1004');
  const flaws: string[] = [];
  const add = async (kind: string, title: string, fields: [label: string, value: string][]) => {
    await leader.page.goto(`${instance.url}/community/${SLUG}/admin?room=tasks&edit=new`);
    await leader.page.getByLabel('Kind', { exact: true }).selectOption(kind);
    await write(leader.page.getByLabel('Title', { exact: true }), title);
    for (const [label, value] of fields) await write(leader.page.getByLabel(label), value);
    await leader.page.getByText('0 points: X forbids rewards').waitFor();
    flaws.push(...(await flawsOf(leader.page, `editor of ${kind}`)));
    await leader.page.getByRole('button', { name: 'Publish' }).click();
    await leader.page.getByText(`Saved: ${title}`).first().waitFor();
  };
  await add('x_follow', follow, [['Account to follow', '@ridge_walk']]);
  await add('x_reply', reply, [
    ['Link to the post', 'https://x.com/ridge_walk/status/1234567890?s=20'],
    ['What it says, in your words', 'Who walks on Sunday?'],
  ]);

  const { context, page, complaints } = await person(browser, { dark: true });
  await signIn(page, instance.url, '1001');
  await page.goto(`${instance.url}/community/${SLUG}/dashboard`);
  /** Goes to X by the form's own link and does it there as the account that they linked. */
  const atX = async (link: string, words?: string): Promise<Page> => {
    const [x] = await Promise.all([
      context.waitForEvent('page'),
      sheetOf(page).getByRole('link', { name: link }).click(),
    ]);
    if (words) await write(x.getByLabel('Text'), words);
    await x.locator('[data-person="9001"]').click();
    return x;
  };
  /** Opened as soon as the claim is there: what is decided later comes to it. */
  const receipt = async (title: string, words: RegExp) => {
    await sheetOf(page).waitFor({ state: 'hidden' });
    const claimed = () =>
      page.evaluate(
        async ([slug, title]) => {
          const { tasks } = await (await fetch(`/api/communities/${slug}/dashboard`)).json();
          const task = tasks.find((one: { title: string }) => one.title === title);
          return task.claim && (task.id as string);
        },
        [SLUG, title] as const,
      );
    await expect.poll(claimed, { timeout: 15_000 }).toBeTruthy();
    await page.goto(`${instance.url}/engagement-complete?community=${SLUG}&task=${await claimed()}`);
    await page.getByText(words).first().waitFor();
    flaws.push(...(await flawsOf(page, `receipt of ${title}`)));
    await page.goto(`${instance.url}/community/${SLUG}/dashboard`);
  };
  await open(page, follow);
  const followed = await atX('Follow @ridge_walk on X');
  await followed.getByText('did it.').waitFor();
  await followed.close();
  flaws.push(...(await flawsOf(page, 'form of x_follow')));
  await sheetOf(page).getByRole('button', { name: 'I did it' }).click();
  await receipt(follow, /You said you did it on X/);
  await open(page, reply);
  await sheetOf(page).getByText('The post: Who walks on Sunday?').waitFor();
  const posted = await atX('Reply on X', 'I do');
  const url = await posted.getByLabel('Address').inputValue();
  await posted.close();
  await write(sheetOf(page).getByLabel('Link to your post'), url);
  flaws.push(...(await flawsOf(page, 'form of x_reply')));
  await sheetOf(page).getByRole('button', { name: 'Send' }).click();
  // X shows everybody whose post it is: that is looked at within seconds, and nobody reviews it.
  await receipt(reply, /X shows this post by @maya_walks/);
  expect([flaws, complaints, leader.complaints]).toEqual([[], [], []]);
  await Promise.all([context.close(), leader.context.close()]);
});
