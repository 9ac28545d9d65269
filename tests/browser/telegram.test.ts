/** A community's group from the link that brings the bot to the gate that closes, and an X account that a post proves. */
import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE, person, signIn, write } from '../support/browser.ts';
import { flawsOf, theme } from '../support/flaws.ts';
import { type Instance, sampleCommunities } from '../support/instance.ts';
import { makeStaff } from '../support/instance-database.ts';
import { withProduct } from '../support/product.ts';

const SLUG = 'ridge-valley-walkers';
const GROUP = '-100777';

let instance: Instance;
let browser: Browser;
withProduct(async (product) => {
  ({ instance, browser } = product);
  await sampleCommunities(instance);
});

const control = async (path: string, body: object) => {
  const answer = await fetch(`${instance.sandbox}/control/${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status, await answer.text()).toBe(200);
};
const isMember = (status: string) => control('memberships', { chatId: GROUP, telegramUserId: '1001', status });
const bringBot = (rights: object = {}) => control('bot', { chatId: GROUP, admin: true, by: '1004', ...rights });

/** What a leader adds, by the same command as the editor's. */
async function addTask(page: Page, title: string, setup: object): Promise<void> {
  const status = await page.evaluate(
    async ([slug, title, setup]) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
      const body = JSON.stringify({ setup, title, instructions: '', points: 7, recurrence: 'once' });
      return (await fetch(`/api/communities/${slug}/tasks`, { method: 'POST', headers, body })).status;
    },
    [SLUG, title, setup] as const,
  );
  expect(status).toBe(201);
}
const cardOf = (page: Page, title: string) =>
  page.locator('.stack > li').filter({ has: page.getByRole('heading', { name: title }) });
const sheet = (page: Page) => page.getByRole('dialog');

test('a leader connects a group and gates it; a member earns there, is kept out when kicked, and comes back', async () => {
  const leader = await person(browser, { viewport: PHONE });
  await signIn(leader.page, instance.url, '1004');
  await leader.page.goto(`${instance.url}/community/${SLUG}/admin?room=connections`);
  await leader.page.getByRole('button', { name: 'Connect group' }).click();
  await leader.page.getByRole('link', { name: 'Open Telegram' }).waitFor();
  await control('chats', { chatId: GROUP, type: 'supergroup', title: 'Ridge walkers' });
  // The screen hears of each by itself: the right that is missing, then that none is.
  await bringBot({ mayInvite: false });
  await leader.page.getByText(/lacks the right/).waitFor();
  const flaws = await flawsOf(leader.page, 'a chat that lacks a right, light');
  await bringBot();
  await leader.page.getByText('Connected', { exact: true }).waitFor();
  await theme(leader.page, 'dark');
  await leader.page.reload();
  await leader.page.getByText('Connected', { exact: true }).waitFor();
  flaws.push(...(await flawsOf(leader.page, 'a connected chat, dark')));
  await addTask(leader.page, 'Join our group', { kind: 'telegram_join', chat: 'group' });
  await addTask(leader.page, 'Say hello', { kind: 'telegram_chat', needed: 1, minLength: 5 });
  await addTask(leader.page, 'Like the plan', {
    kind: 'telegram_reaction',
    link: `https://t.me/c/${GROUP.slice(4)}/42`,
  });

  const { context, page, complaints } = await person(browser, { viewport: PHONE });
  await signIn(page, instance.url, '1001');
  await isMember('member');
  await control('posts', { chatId: GROUP, telegramUserId: '1001', text: 'Good morning to all of you' });
  await control('reactions', { chatId: GROUP, telegramUserId: '1001', messageId: 42, emoji: '👍' });
  await page.goto(`${instance.url}/community/${SLUG}/dashboard`);
  const earned = [
    ['Join our group', 'I have joined'],
    ['Say hello', 'I have written'],
    ['Like the plan', 'I have reacted'],
  ] as const;
  for (const [title, press] of earned) {
    await cardOf(page, title).getByRole('button').first().click();
    await sheet(page).getByRole('heading', { name: title }).waitFor();
    flaws.push(...(await flawsOf(page, title)));
    await sheet(page).getByRole('button', { name: press }).click();
    await expect.poll(() => stateOf(page, title)).toBe('approved');
  }

  await leader.page.getByLabel('People who are not in this chat').selectOption('enter');
  await expect.poll(() => gateOf(leader.page)).toBe('enter');
  await isMember('kicked');
  await page.reload();
  await page.getByRole('heading', { name: 'Access Restricted' }).waitFor();
  await page
    .getByText(/Ridge walkers/)
    .first()
    .waitFor();
  flaws.push(...(await flawsOf(page, 'out of the chat')));
  await page.getByRole('button', { name: 'Try Login Again' }).click();
  await page.getByText('Telegram still says you are not in it.').waitFor();
  await isMember('member');
  // By asking, or by Telegram's own word where that is quicker: then the button is gone before it is pressed.
  const again = page.getByRole('button', { name: 'Try Login Again' });
  if (await again.isVisible()) await again.click({ timeout: 2_000 }).catch(() => undefined);
  await cardOf(page, 'Say hello').waitFor();
  expect([flaws, complaints, leader.complaints]).toEqual([[], [], []]);
  await Promise.all([context.close(), leader.context.close()]);
});

/** What became of what a member sent for a task, as their Today has it. */
const stateOf = (page: Page, title: string): Promise<string | undefined> =>
  page.evaluate(
    async ([slug, title]) => {
      const { tasks } = (await (await fetch(`/api/communities/${slug}/dashboard`)).json()) as {
        tasks: { title: string; claim: { state: string } | null }[];
      };
      return tasks.find((task) => task.title === title)?.claim?.state;
    },
    [SLUG, title] as const,
  );
const gateOf = (page: Page): Promise<string | undefined> =>
  page.evaluate(async (slug) => {
    const { chats } = (await (await fetch(`/api/communities/${slug}/chats`)).json()) as { chats: { gate: string }[] };
    return chats[0]?.gate;
  }, SLUG);

test('a post with a one-time code links an X account', async () => {
  await control('people', {
    telegramUserId: '2201',
    username: 'post_walks',
    firstName: 'Pia',
    xId: '92201',
    xUsername: 'pia_posts',
  });
  const { context, page, complaints } = await person(browser, { viewport: PHONE });
  await signIn(page, instance.url, '2201', '/community-selector');
  await page.getByText('Without signing in to X: prove it with a post').click();
  await page.getByRole('button', { name: 'Get a code' }).click();
  const [x] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Post it on X' }).click(),
  ]);
  await x.locator('[data-person="92201"]').click();
  const url = await x.getByLabel('Address').inputValue();
  await x.close();
  await write(page.getByLabel('Link to your post'), url);
  const flaws = await flawsOf(page, 'a post as proof');
  await page.getByRole('button', { name: 'Link this account' }).click();
  await page.getByRole('heading', { name: '@pia_posts is linked' }).waitFor();
  expect([flaws, complaints]).toEqual([[], []]);
  await context.close();
});

test('linking X says what stopped it: denied, another session’s, somebody else’s account, one linked lately', async () => {
  await control('people', { telegramUserId: '2202', username: 'none_walks', firstName: 'Noa' });
  const { context, page, complaints } = await person(browser, { viewport: PHONE });
  await signIn(page, instance.url, '2202', '/terms');
  const start = () => page.goto(`${instance.url}/api/auth/x/start?next=/terms`);
  await start();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('heading', { name: 'You said no' }).waitFor();
  await page.goto(`${instance.url}/twitter-return?code=abc&state=${'x'.repeat(43)}`);
  await page.getByRole('heading', { name: 'This link is not valid' }).waitFor();
  await start();
  await page.locator('[data-person="2201"]').click();
  await page.getByRole('heading', { name: 'Taken by another member' }).waitFor();
  await signIn(page, instance.url, '2201', '/terms');
  await start();
  await page.getByText('The account you linked stays for 30 days.').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('an administrator links an X account by hand, with the evidence, and its member is complete', async () => {
  await control('people', { telegramUserId: '2203', username: 'vera_walks', firstName: 'Vera' });
  const { context, page, complaints } = await person(browser, { viewport: PHONE });
  await signIn(page, instance.url, '2203', '/community-selector');
  await page.getByRole('heading', { name: 'Almost there' }).waitFor();

  const admin = await person(browser, { viewport: PHONE });
  await signIn(admin.page, instance.url, '1004');
  await makeStaff(instance, '1004', 'admin');
  await admin.page.goto(`${instance.url}/admin/account-management`);
  await write(admin.page.getByLabel('Find someone'), 'Vera');
  await admin.page.getByRole('link', { name: /Vera/ }).click();
  await admin.page.getByRole('button', { name: /^Link an X account/ }).click();
  const form = admin.page.getByRole('form', { name: 'Link an X account' });
  await write(form.getByLabel('Name on X'), '@vera_on_x');
  await write(form.getByLabel('Where the evidence is'), 'https://tracker.example/tickets/41');
  await write(form.getByLabel('Reason'), 'Her phone cannot open X; seen on her screen at the meeting.');
  const flaws = await flawsOf(admin.page, 'an X account linked by hand');
  await form.getByRole('button', { name: 'Link an X account' }).click();
  await admin.page.getByText('X account of Vera linked').first().waitFor();

  await page.goto(`${instance.url}/profile-accounts`);
  await page.getByText('@vera_on_x').first().waitFor();
  expect([flaws, complaints, admin.complaints]).toEqual([[], [], []]);
  await Promise.all([context.close(), admin.context.close()]);
});

test('who has no username at Telegram reads how to choose one, and has it here after signing in again', async () => {
  const named = (username: string | null) =>
    control('people', { telegramUserId: '2204', username, firstName: 'Uma', xId: '92204', xUsername: 'uma_on_x' });
  await named(null);
  const { context, page, complaints } = await person(browser, { viewport: PHONE });
  await signIn(page, instance.url, '2204', '/community-selector');
  await page.getByText(/^You have none yet\./).waitFor();
  const flaws = await flawsOf(page, 'without a username');
  await named('uma_walks');
  await signIn(page, instance.url, '2204', '/community-selector');
  await page.getByRole('main').getByText('@uma_walks').first().waitFor();
  expect(await page.getByText(/^You have none yet\./).count()).toBe(0);
  expect([flaws, complaints]).toEqual([[], []]);
  await context.close();
});
