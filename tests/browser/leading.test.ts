/** Leaders at work: a community is founded, answers are decided by hand, by keys and without a connection, many are told. */

import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { m } from '../../app/paraglide/messages.js';
import { come, command, DESK, newcomer, write } from '../support/browser.ts';
import { stage } from '../support/engagement.ts';
import { flawsOf } from '../support/flaws.ts';
import type { Instance } from '../support/instance.ts';
import { databaseOf } from '../support/instance-database.ts';
import { withProduct } from '../support/product.ts';
import { smallTargets } from '../support/touch-targets.ts';

const SLUG = 'ridge-valley-walkers';
const QUEUE = `/community/${SLUG}/admin`;
/** Key presses for twenty answers. */
const ENOUGH = 45;

let instance: Instance;
let browser: Browser;
withProduct((product) => {
  ({ instance, browser } = product);
});

const awards = async (page: Page, task: string): Promise<number> => {
  const { ledger }: { ledger: { kind: string; task: string | null }[] } = await page.evaluate(async () =>
    (await fetch('/api/user/profile', { headers: { 'x-muster-fresh': '1' } })).json(),
  );
  return ledger.filter((entry) => entry.kind === 'award' && entry.task === task).length;
};

/** There is no screen yet on which a leader makes somebody a reviewer. */
async function makeModerator(slug: string, telegramUserId: string): Promise<void> {
  const storage = await databaseOf(instance);
  const { count } = await storage.sql`
    update community_members m set role = 'moderator' from users u, communities c
    where u.id = m.user_id and c.id = m.community_id and u.telegram_user_id = ${telegramUserId} and c.slug = ${slug}`;
  await storage.close();
  expect(count).toBe(1);
}

test('a leader starts a community, adds tasks and archives one; of two reviewers the later is told who was first', async () => {
  const leader = await newcomer(browser, instance, '3001', 'Wanda', '/communities', { alone: true });
  const { page } = leader;
  await page.getByRole('link', { name: 'Start a community' }).first().click();
  await page.waitForURL(`${instance.url}/community-leader-wizard`);
  const next = () => page.getByRole('button', { name: 'Next', exact: true }).click();
  const start = page.getByRole('button', { name: /^Start the community/ });
  const address = page.getByLabel('Address');
  await write(page.getByLabel('Name', { exact: true }), 'Fjord & Ford Keepers');
  await expect.poll(() => address.inputValue()).toBe('fjord-and-ford-keepers');
  await write(address, 'profile');
  await page.getByText('This address is taken by a page. Add a word.').waitFor();
  await next();
  await page.getByRole('heading', { name: 'What is it called?' }).waitFor();
  await write(address, SLUG);
  await write(page.getByLabel('About'), 'We measure the ford and mind the stones.');
  expect(await smallTargets(page)).toEqual([]);
  for (let step = 0; step < 3; step += 1) await next();
  await start.click();
  await page.getByText(`The address ${SLUG} belongs to another community.`).waitFor();
  expect(await smallTargets(page)).toEqual([]);
  await page.getByRole('button', { name: 'Name and address' }).click();
  await write(address, 'ford-keepers');
  for (let step = 0; step < 3; step += 1) await next();
  await start.click();
  expect(await smallTargets(page)).toEqual([]);
  await page.getByRole('link', { name: 'Open the leader tools' }).click();
  await page.waitForURL(`${instance.url}/community/ford-keepers/admin?room=tasks`);

  const add = async (title: string, points: string) => {
    await page.getByRole('button', { name: 'Add a task' }).click();
    await page.getByLabel('Kind', { exact: true }).selectOption({ label: 'Write an answer' });
    await write(page.getByLabel('Title', { exact: true }), title);
    await write(page.getByLabel('What to do'), 'Stand on the second stone and measure.');
    await write(page.getByLabel('Points'), points);
    await page.getByLabel('How often').selectOption({ label: 'once' });
    expect(await smallTargets(page)).toEqual([]);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: `Edit: ${title}` }).waitFor();
    await page.getByRole('heading', { name: title, level: 3 }).first().waitFor();
  };
  await add('How deep is the ford?', '35');
  await add('Count the stones', '10');
  await page.getByRole('button', { name: 'More: Count the stones' }).click();
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  const asking = page.getByRole('dialog', { name: 'Archive “Count the stones”?' });
  expect(await smallTargets(page)).toEqual([]);
  await asking.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('button', { name: 'More: Count the stones' }).click();
  await page.getByRole('button', { name: 'Bring back', exact: true }).waitFor();
  await page.keyboard.press('Escape');

  const member = await newcomer(browser, instance, '3002', 'Mika', '/community/ford-keepers', { alone: true });
  const second = await newcomer(browser, instance, '3003', 'Sena', '/robots.txt', { alone: true });
  await command(second.page, 'POST', '/api/communities/ford-keepers/join');
  await makeModerator('ford-keepers', '3003');
  await member.page.getByRole('main').getByRole('button', { name: 'Join', exact: true }).click();
  await member.page.getByRole('link', { name: m.member_open_today({ today: m.shell_today() }) }).click();
  await member.page.getByRole('button', { name: /How deep is the ford\?/ }).click();
  expect(await member.page.getByText('Count the stones').count()).toBe(0);
  await write(member.page.getByRole('textbox', { name: 'Your answer' }), 'Knee deep, 40 cm.');
  await member.page.getByRole('button', { name: 'Send', exact: true }).click();
  await member.page.getByText(/^Received \d/).waitFor();

  for (const reviewer of [leader, second]) {
    await reviewer.page.goto(`${instance.url}/community/ford-keepers/admin`);
    await reviewer.page.getByText('Knee deep, 40 cm.').waitFor();
  }
  await leader.page.getByRole('button', { name: 'Approve' }).click();
  await expect.poll(() => awards(member.page, 'How deep is the ford?')).toBe(1);
  await second.page.getByRole('button', { name: 'Reject' }).click();
  // A column beside the answer, or a sheet over it.
  const why = second.page.locator('dialog[open], section[aria-label^="Why are you rejecting"]');
  await write(why.getByRole('textbox'), 'Which stone?');
  expect(await smallTargets(second.page)).toEqual([]);
  await why.getByRole('button', { name: /^Reject/ }).click();
  await second.page.getByText('Wanda has already approved this answer. Your decision was not used.').waitFor();
  expect(await smallTargets(second.page)).toEqual([]);
  await second.page.getByRole('button', { name: 'Got it' }).click();
  await second.page.getByText('Your decision was not used.').waitFor({ state: 'detached' });
  expect(await awards(member.page, 'How deep is the ford?')).toBe(1);
  expect([...leader.complaints, ...member.complaints, ...second.complaints]).toEqual([]);
});

test('on a phone several are marked and unmarked in the sheet of the queue, with nothing lying over its buttons', async () => {
  const { page, complaints } = await come(browser, instance, '1004', QUEUE, {
    viewport: { width: 390, height: 480 },
    alone: true,
  });
  await page.getByRole('button', { name: 'The whole queue' }).click();
  const sheet = page.getByRole('dialog', { name: 'The whole queue' });
  await sheet.getByRole('button', { name: 'Select all' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Approve \d/ })
    .waitFor();
  const none = sheet.getByRole('button', { name: 'Clear selection' });
  const isOnTop = none.evaluate((button) => {
    const { left, top, width, height } = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
  expect(await isOnTop).toBe(true);
  await none.click();
  await sheet.getByRole('button', { name: 'Select all' }).waitFor();
  expect(complaints).toEqual([]);
});

/** A community of the leader's with two appeals, twelve texts, among them two copies, and six links. */
async function twentyWaiting(): Promise<{ id: string; slug: string }> {
  const { sql, close } = await databaseOf(instance);
  const on = stage(sql);
  const place = await on.community();
  const [leader] = await sql<[{ id: string }]>`select id from users where telegram_user_id = '1004'`;
  await on.join(place.id, leader.id, 'leader');
  const words = await on.task(place, { kind: 'submit_text' });
  const links = await on.task(place, { setup: { kind: 'submit_url', hosts: [] } });
  await sql`update tasks set title = 'Trail note' where id = ${words}`;
  await sql`update tasks set title = 'Link a map' where id = ${links}`;
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  for (let nth = 0; nth < 20; nth += 1) {
    const by = await on.member(place.id, `Walker ${String(nth + 1).padStart(2, '0')}`);
    const evidence = { kind: 'submit_url', url: `https://example.org/way/${nth}` } as const;
    const now = at(600 - nth);
    const claim = await (nth < 14
      ? on.claim(place, words, by, { text: `Stile ${nth} is loose by the mill`, now })
      : on.claim(place, links, by, { evidence, now }));
    if (nth > 1) continue;
    await on.reject(place, claim.id, place.moderator, at(300));
    await sql`
      update claims set appeal_text = 'It was there, look again.', appeal_at = ${at(200 - nth)}, appeal_outcome = 'open'
      where id = ${claim.id}`;
  }
  await close();
  return place;
}

test('twenty mixed answers are decided with the keyboard in at most 45 key presses', async () => {
  const place = await twentyWaiting();
  const { page, complaints } = await come(browser, instance, '1004', `/community/${place.slug}/dashboard`, {
    ...{ viewport: DESK, alone: true },
  });
  const review = page.getByRole('link', { name: /^Review 20 answers/ });
  await review.waitFor();

  let presses = 0;
  const press = async (key: string) => {
    presses += 1;
    await page.keyboard.press(key);
  };
  await review.focus();
  await press('Enter');
  await page.getByRole('article').waitFor();
  const position = page.getByRole('status').filter({ hasText: /^\d+ of \d+$/ });
  const left = (count: number) => expect.poll(() => position.textContent()).toMatch(new RegExp(`of ${count}$`));
  const words = page.getByRole('textbox', { name: 'Reason' });
  /** Asks why, takes a saved reply, and sends it. */
  const withReply = async (key: string) => {
    await press(key);
    await words.waitFor();
    expect(await words.evaluate((field) => field === document.activeElement)).toBe(true);
    await press('1');
    await press('Control+Enter');
    await words.waitFor({ state: 'detached' });
  };
  await left(20);
  await press('a');
  await left(19);
  await withReply('r');
  await left(18);
  for (let nth = 17; nth > 13; nth -= 1) {
    await press('a');
    await left(nth);
  }
  await left(14);
  await withReply('c');
  await left(13);
  // Two are chosen to be sent back together, in the leader's own words of a saved reply.
  await press('x');
  await press('j');
  await press('x');
  await page.getByRole('button', { name: /^Changes: 2/ }).waitFor();
  await withReply('Shift+c');
  await left(11);
  await withReply('r');
  await left(10);
  await press('a');
  await left(9);
  await press('a');
  await left(8);
  await press('n');
  await withReply('r');
  await left(7);
  await press('Shift+x');
  await press('Shift+a');
  await page.getByRole('heading', { name: 'Nothing to review' }).waitFor();
  expect(presses).toBeLessThanOrEqual(ENOUGH);

  const { sql, close } = await databaseOf(instance);
  const states = async () =>
    Object.fromEntries(
      (
        await sql<{ state: string; count: number }[]>`
          select state, count(*)::int from claims where community_id = ${place.id} group by state order by state`
      ).map(({ state, count }) => [state, count]),
    );
  await expect.poll(states, { timeout: 60_000 }).toEqual({ approved: 14, changes_requested: 3, rejected: 3 });
  await close();
  expect(complaints).toEqual([]);
});

test('what is said to many looks right while it is written, with one planned and one sent below it', async () => {
  const { page, complaints } = await come(browser, instance, '1004', `${QUEUE}?room=announcements`, { alone: true });
  for (const sendAt of [new Date(Date.now() + 86_400_000).toISOString(), null])
    await command(page, 'POST', `/api/communities/${SLUG}/campaigns`, {
      ...{ title: 'Solstice', body: 'We meet at ten.', sendAt, audience: {} },
    });
  const states = () =>
    page.evaluate(async (path) => {
      const { items }: { items: { title: string; state: string }[] } = await (await fetch(path)).json();
      return items.filter(({ title }) => title === 'Solstice').map(({ state }) => state);
    }, `/api/communities/${SLUG}/campaigns`);
  await expect.poll(async () => (await states()).sort()).toEqual(['done', 'waiting']);
  await page.reload();
  await page.getByRole('button', { name: 'Take back “Solstice”' }).first().waitFor();
  const send = page.getByRole('button', { name: /^(Review|Send to \d)/ });
  const composer = page.locator('form', { has: send });
  await send.click();
  await page.getByText('Write something.').waitFor();
  await write(composer.getByLabel('Title'), 'Solstice');
  await composer.getByRole('radio', { name: /^Choose/ }).check();
  await composer.getByLabel('Who gets it').selectOption({ label: 'Member' });
  await write(composer.getByLabel('What you want to say'), 'We meet at ten, and walk to the three stones.');
  await composer.getByRole('button', { name: 'Test to myself' }).click();
  await page.getByText(/^A test is on its way/).waitFor();
  expect(await flawsOf(page, 'written, planned and sent')).toEqual([]);
  expect(complaints).toEqual([]);
});
