/** Who is let in where: a community's group and its gate, the required channel, an X account by a post, the Mini App in its frame. */

import type { Browser, Frame, Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { m } from '../../app/paraglide/messages.js';
import { startParamOf } from '../../server/rules/start-param.ts';
import { come, command, ENGINE, enroll, newcomer, write } from '../support/browser.ts';
import { flawsOf, theme } from '../support/flaws.ts';
import { control, type Instance, inChannel } from '../support/instance.ts';
import { withProduct } from '../support/product.ts';

const SLUG = 'ridge-valley-walkers';
/** Without a gate. */
const OPEN = 'fernmap-contributors';
const GROUP = '-100777';

let instance: Instance;
let browser: Browser;
withProduct((product) => {
  ({ instance, browser } = product);
});

const isMember = (status: string) =>
  control(instance, 'memberships', { chatId: GROUP, telegramUserId: '1001', status });
const bringBot = (rights: object = {}) =>
  control(instance, 'bot', { chatId: GROUP, admin: true, by: '1004', ...rights });
const cardOf = (page: Page, title: string) =>
  page.locator('.stack > li').filter({ has: page.getByRole('heading', { name: title }) });
const sheet = (page: Page) => page.getByRole('dialog');

test('a leader connects a group and gates it; a member earns there, is kept out when kicked, and comes back', async () => {
  const leader = await come(browser, instance, '1004', `/community/${SLUG}/admin?room=connections`, { alone: true });
  await leader.page.getByRole('button', { name: 'Connect group' }).click();
  await leader.page.getByRole('link', { name: 'Open Telegram' }).waitFor();
  await control(instance, 'chats', { chatId: GROUP, type: 'supergroup', title: 'Ridge walkers' });
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
  for (const [title, setup] of [
    ['Join our group', { kind: 'telegram_join', chat: 'group' }],
    ['Say hello', { kind: 'telegram_chat', needed: 1, minLength: 5 }],
    ['Like the plan', { kind: 'telegram_reaction', link: `https://t.me/c/${GROUP.slice(4)}/42` }],
  ] as const)
    await command(leader.page, 'POST', `/api/communities/${SLUG}/tasks`, {
      ...{ setup, title, instructions: '', points: 7, recurrence: 'once' },
    });

  const { page, complaints } = await come(browser, instance, '1001', '/robots.txt', { alone: true });
  await isMember('member');
  await control(instance, 'posts', { chatId: GROUP, telegramUserId: '1001', text: 'Good morning to all of you' });
  await control(instance, 'reactions', { chatId: GROUP, telegramUserId: '1001', messageId: 42, emoji: '👍' });
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
  await enroll(instance, '2201', 'Pia');
  const { context, page, complaints } = await come(browser, instance, '2201', '/community-selector', { alone: true });
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
  await page.getByRole('heading', { name: '@pia_2201 is linked' }).waitFor();
  expect([flaws, complaints]).toEqual([[], []]);
});

test('a member on whose screen the app stands is shut out when Telegram says that they were removed, with nobody asking', async () => {
  const { page } = await newcomer(browser, instance, '2202', 'Robin', '/communities', { alone: true });
  await inChannel(instance, '2202', 'kicked');
  const asked = page.evaluate(async () => (await (await fetch('/api/auth/user')).json()).reason);
  expect(await asked).toBe('TELEGRAM_MEMBERSHIP_REVOKED');
  await page.goto(`${instance.url}/profile`);
  await page.getByRole('heading', { name: 'Access Restricted' }).waitFor();
});

/** The page that frames it is of another site: 127.0.0.1 where the app is localhost. */
async function opened(page: Page, query: Record<string, string>): Promise<Frame> {
  const host = instance.sandbox.replace('localhost', '127.0.0.1');
  await page.goto(`${host}/mini-app?${new URLSearchParams({ app: instance.url, ...query })}`);
  await expect
    .poll(() =>
      page
        .frames()
        .find((frame) => frame.url().startsWith(instance.url))
        ?.url(),
    )
    .toBeTruthy();
  const frame = page.frames().find((one) => one.url().startsWith(instance.url));
  if (!frame) throw new Error('the Mini App is not framed');
  return frame;
}
/** A press in the frame; the driver of Firefox brings none of the mouse's into a frame of another site. */
const press = (at: Locator): Promise<void> => (ENGINE === 'firefox' ? at.dispatchEvent('click') : at.click());
type Heard = [event: string, data: Record<string, unknown>];
const heard = (page: Page, event: string): Promise<Record<string, unknown> | undefined> =>
  page.evaluate(
    (name) => (globalThis as unknown as { heard: Heard[] }).heard.filter(([one]) => one === name).at(-1)?.[1],
    event,
  );

test('the Mini App in a frame of another site signs in without a tap and goes from its start parameter to a counted claim; no other page of ours is framed', async () => {
  // Linked in the browser itself: X shows itself in no frame.
  const { context, page, complaints } = await newcomer(browser, instance, '2203', 'Rafa', '/robots.txt');
  const frame = await opened(page, { person: '2203', start: startParamOf({ community: OPEN }) });
  await frame
    .getByRole('heading', { name: /^Fernmap/ })
    .first()
    .waitFor();
  // What signs in is gone from the address before anything else happens.
  expect(frame.url()).not.toContain('tgWebAppData');
  expect(new URL(frame.url()).pathname).toBe('/mini');
  // A press before they are known to be signed in is none.
  await press(frame.locator('main').getByRole('button', { name: 'Join', disabled: false }));
  const checkIn = (id: string): Promise<string | undefined> =>
    fetch(`/api/communities/${id}/dashboard`)
      .then((answer) => answer.json() as Promise<{ tasks?: { id: string; ask: { kind: string } }[] }>)
      .then(({ tasks }) => tasks?.find(({ ask }) => ask.kind === 'check_in')?.id);
  // Until they have joined there is none.
  await expect.poll(() => frame.evaluate(checkIn, OPEN)).toBeTruthy();
  const task = await frame.evaluate(checkIn, OPEN);

  const at = await opened(page, {
    person: '2203',
    start: startParamOf({ task: task ?? '', community: OPEN }),
    theme: 'dark',
  });
  const card = at.locator(`[data-card="${task}"]`);
  await press(card.getByRole('button').first());
  await press(at.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }));
  await at
    .getByText(/^Counted/)
    .first()
    .waitFor();
  expect(await at.locator('html').getAttribute('data-theme')).toBe('dark');
  await expect.poll(() => heard(page, 'web_app_trigger_haptic_feedback')).toBeTruthy();
  const [sid] = (await context.cookies()).filter(({ name }) => name === 'sid-tma');
  expect(sid).toMatchObject({ sameSite: 'None', secure: true, httpOnly: true });

  // A screen further in, Telegram's own way back is there, and leads back.
  await press(at.locator('.tab-bar').getByRole('link', { name: m.shell_you() }));
  await at.getByRole('heading', { level: 1 }).first().waitFor();
  await expect.poll(() => heard(page, 'web_app_setup_back_button')).toEqual({ is_visible: true });
  await page.getByRole('button', { name: 'Back' }).first().click();
  await card.waitFor();
  await page.getByRole('button', { name: 'Theme' }).click();
  await expect.poll(() => at.locator('html').getAttribute('data-theme')).toBe('light');
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await press(at.getByRole('button', { name: 'Fill the screen' }));
  await at.getByRole('button', { name: 'Leave full screen' }).waitFor();
  expect(complaints).toEqual([]);

  // No other document of ours may be framed by another site.
  const blocked = await page.evaluate(async (url) => {
    const other = document.body.appendChild(Object.assign(document.createElement('iframe'), { src: `${url}/terms` }));
    await new Promise((done) => other.addEventListener('load', done, { once: true }));
    return other.contentDocument === null;
  }, instance.url);
  expect(blocked).toBe(true);
  const framed = page.frames().map((one) => one.url());
  expect(framed.filter((url) => url.startsWith(`${instance.url}/terms`))).toEqual([]);
});
