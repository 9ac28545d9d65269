import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { m } from '../../app/paraglide/messages.js';
import { QUIZ_HUMAN_FLOOR_MS } from '../../server/contract/limits.ts';
import { axeFinds } from '../support/axe.ts';
import { controlled, newcomer, type Person, write } from '../support/browser.ts';
import type { Instance } from '../support/instance.ts';
import { withProduct } from '../support/product.ts';

const LEADER = { id: '3001', name: 'Nadia Sol' };
const MEMBERS = [
  { id: '3011', name: 'Abel Moss' },
  { id: '3012', name: 'Bea Lund' },
  { id: '3013', name: 'Cem Aydin' },
] as const;
const PATIENT = { timeout: 60_000 };
const SLUG = 'harbour-swimmers';
const HELLOS = [
  'Abel here. The harbour froze when I was six; I have wanted to swim in it since.',
  'Bea. Night shifts end at five, and the water is the only thing open.',
  'My knees gave up on running, so Cem swims now.',
];

let instance: Instance;
let browser: Browser;

withProduct((product) => {
  ({ instance, browser } = product);
});

/** A new account with everything that leading and competing needs, on a phone of its own. */
async function account({ id, name }: { id: string; name: string }, path: string): Promise<Person> {
  const [firstName = '', lastName] = name.split(' ');
  return newcomer(browser, instance, id, firstName, path, { stays: true }, { lastName });
}

/** While nothing answers these phones, and they know it. */
async function offline(people: readonly Person[], act: () => Promise<void>): Promise<void> {
  for (const { context } of people) await context.setOffline(true);
  instance.goAway();
  await act();
  instance.comeBack();
  for (const { context } of people) await context.setOffline(false);
}

/** What the server says now, past every copy on the device. */
const asked = (page: Page, path: string) =>
  page.evaluate(async (url) => (await fetch(url, { headers: { 'x-muster-fresh': '1' } })).json(), path);
const statesOf = ({ items }: { items: { state: string }[] }) => items.map(({ state }) => state).sort();
const card = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title });

async function accessible(page: Page, room: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const theme of ['dark', 'light']) {
    await page.evaluate((value) => document.documentElement.setAttribute('data-theme', value), theme);
    expect(await axeFinds(page), `${room}, ${theme}`).toEqual([]);
  }
}

const room = (name: string) => `${instance.url}/community/${SLUG}/admin?room=${name}`;

describe('a season, from nothing to its winners, on phones that are offline half of the time', () => {
  let leader: Person;
  let members: Person[];

  test('a leader sets a community up, most of it without a connection', async () => {
    leader = await account(LEADER, '/community-leader-signup');
    const { page, context } = leader;
    await controlled(page);
    await page.getByRole('link', { name: 'Set up your community' }).waitFor();
    await page.getByRole('link', { name: 'Set up your community' }).click();
    await page.getByRole('heading', { name: 'What is it called?' }).waitFor();

    await context.setOffline(true);
    const next = () => page.getByRole('button', { name: 'Next', exact: true }).click();
    await write(page.getByLabel('Name', { exact: true }), 'Harbour Swimmers');
    await expect.poll(() => page.getByLabel('Address').inputValue(), PATIENT).toBe(SLUG);
    // The page goes away in the middle: the draft is still there.
    await page.reload();
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue(), PATIENT).toBe('Harbour Swimmers');
    await next();
    await page.getByText('After the last step you can connect the chat itself', { exact: false }).waitFor();
    await next();
    await page.getByRole('button', { name: 'Start from a template' }).click();
    await next();
    const start = page.getByRole('button', { name: /^Start the community/ });
    expect(await start.getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('checkbox', { name: /^Show what you did/ }).uncheck();
    await page.getByRole('checkbox', { name: /^Share your work/ }).check();

    // The longest words that the button ever shows fit a phone.
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await context.setOffline(false);
    // Firefox's driver does not tell a page that was loaded in its flight mode of the end of it.
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect.poll(() => start.getAttribute('aria-disabled'), PATIENT).toBeNull();
    await start.click();
    await page.getByRole('heading', { name: /is live$/ }).waitFor();
    await page.getByText(`${instance.url}/`, { exact: false }).first().waitFor();
    await accessible(page, 'invite');
  });

  test('adds a quiz and a poll, plans a season with a raffle and starts it', async () => {
    const { page } = leader;
    await page.goto(room('tasks'));
    await page.getByRole('button', { name: 'Add a task' }).click();
    await page.getByLabel('Kind', { exact: true }).selectOption('quiz');
    await write(page.getByLabel('Title', { exact: true }), 'Know the tide');
    await write(page.getByLabel('What do you ask?'), 'When is the water highest?');
    await write(page.getByLabel('Answer 1', { exact: true }), 'At high tide');
    await write(page.getByLabel('Answer 2', { exact: true }), 'At noon');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Edit: Know the tide' }).waitFor();

    await page.getByRole('button', { name: 'Add a task' }).click();
    await page.getByLabel('Kind', { exact: true }).selectOption('poll');
    await write(page.getByLabel('Title', { exact: true }), 'Which pier?');
    await write(page.getByLabel('Choice 1', { exact: true }), 'North');
    await write(page.getByLabel('Choice 2', { exact: true }), 'South');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Edit: Which pier?' }).waitFor();
    const { items } = await asked(page, `/api/communities/${SLUG}/tasks`);
    expect(items.map((task: { kind: string }) => task.kind).sort()).toEqual([
      'check_in',
      'poll',
      'quiz',
      'submit_text',
      'submit_url',
    ]);

    await page.goto(room('seasons'));
    await page.getByRole('button', { name: 'Plan a season' }).click();
    await write(page.getByLabel('Name', { exact: true }), 'First cold water');
    await write(page.getByLabel('Hours of grace'), '0');
    await page.getByRole('button', { name: 'Save the season' }).click();
    await page.getByRole('button', { name: 'Add a reward' }).click();
    await write(page.getByLabel('What members can win'), 'A woollen hat');
    await write(page.getByLabel('How many'), '1');
    await write(page.getByLabel('Minimum points'), '20');
    await page.getByRole('button', { name: 'Add a reward' }).click();
    await page.getByRole('heading', { name: 'A woollen hat' }).waitFor();
    await page.getByRole('button', { name: 'Start the season' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start the season' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText(/^Hash of the seed/).waitFor();
  });

  test('three members complete tasks without a connection, and all of it arrives', async () => {
    members = [];
    for (const who of MEMBERS) {
      const member = await account(who, `/community/${SLUG}`);
      members.push(member);
      const { page } = member;
      await controlled(page);
      await page.getByRole('button', { name: 'Join', exact: true }).first().click();
      await page
        .getByRole('link', { name: m.member_open_today({ today: m.shell_today() }) })
        .first()
        .click();
      await card(page, 'Say hello').getByRole('button').first().waitFor();
      // Read once more under the service worker, so that the device has its copy.
      await page.reload();
      await card(page, 'Say hello').getByRole('button').first().waitFor();
    }
    await offline(members, async () => {
      for (const [index, { page }] of members.entries()) {
        await card(page, 'Check in').getByRole('button').first().click();
        await page.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }).click();
        await card(page, 'Say hello').getByRole('button').first().click();
        await write(page.getByLabel('Your answer'), HELLOS[index] ?? '');
        await page.getByRole('button', { name: 'Send', exact: true }).click();
        await card(page, 'Know the tide').getByRole('button').first().click();
        const opened = Date.now();
        await page.getByRole('radio', { name: 'At high tide' }).check();
        // Who answers faster than anybody reads goes to a reviewer.
        await expect.poll(() => Date.now() - opened, PATIENT).toBeGreaterThan(QUIZ_HUMAN_FLOOR_MS + 200);
        await page.getByRole('button', { name: 'Send answers' }).click();
        await card(page, 'Which pier?').getByRole('button').first().click();
        await page.getByRole('radio', { name: 'North' }).check();
        await page.getByRole('button', { name: 'Vote', exact: true }).click();
        await page.keyboard.press('Escape');
        await expect
          .poll(
            () =>
              page
                .locator('li[data-card]')
                .getByText(/Saved on this phone \d/)
                .count(),
            PATIENT,
          )
          .toBe(4);
      }
    });
    for (const { page } of members)
      await expect
        .poll(async () => statesOf(await asked(page, `/api/communities/${SLUG}/claims`)), PATIENT)
        .toEqual(['approved', 'approved', 'approved', 'submitted']);
  });

  test('the leader decides offline, by keyboard: two count, one is refused with a reason, appeals and is granted', async () => {
    const { page } = leader;
    await page.goto(room('review'));
    await page.getByText('1 of 3').waitFor();
    await page.reload();
    await page.getByText('1 of 3').waitFor();

    await offline([leader], async () => {
      // What arrives after a time without a connection arrives in any order.
      for (const left of [3, 2, 1]) {
        await page.getByText(`1 of ${left}`, { exact: true }).waitFor();
        const who = await page.locator('article h2').innerText();
        if (!who.startsWith('Cem')) await page.keyboard.press('a');
        else {
          await page.keyboard.press('r');
          // A column beside the answer, or a sheet over it; 1 begins with the first saved reply.
          const why = page.locator('dialog[open], section[aria-label^="Why are you rejecting"]');
          await why.getByRole('textbox').waitFor();
          await page.keyboard.press('1');
          await why.getByRole('button', { name: /^Reject/ }).click();
        }
      }
      await page.getByText('Nothing to review').waitFor();
      await expect.poll(() => page.getByText(/not sent yet$/).count()).toBe(3);
    });
    await expect.poll(async () => (await asked(page, `/api/communities/${SLUG}/review`)).waiting, PATIENT).toBe(0);

    const cem = members[2];
    if (!cem) throw new Error('no third member');
    await cem.page.goto(`${instance.url}/community/${SLUG}/dashboard`);
    await cem.page.getByText('I cannot tell from this what was done.', { exact: false }).waitFor();
    await card(cem.page, 'Say hello').getByRole('link', { name: 'Why, and appeal' }).click();
    await cem.page.getByRole('button', { name: 'Appeal' }).waitFor();
    await offline([cem], async () => {
      await cem.page.getByRole('button', { name: 'Appeal' }).click();
      await write(cem.page.getByLabel('Why it should count'), 'It says who I am and why I came, as was asked.');
      await cem.page.getByRole('button', { name: 'Send appeal' }).click();
      await cem.page.getByText(/saved/i).first().waitFor();
    });
    await expect
      .poll(async () => {
        const { items } = await asked(cem.page, `/api/communities/${SLUG}/claims`);
        return items.map((claim: { appeal: { outcome: string } | null }) => claim.appeal?.outcome).filter(Boolean);
      }, PATIENT)
      .toEqual(['open']);

    await page.goto(room('review'));
    await page.getByText('It says who I am and why I came', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect
      .poll(async () => (await asked(cem.page, '/api/user/profile')).points, PATIENT)
      .toBe((await asked(members[0]?.page as Page, '/api/user/profile')).points);
  });

  test('the season ends, its reward is drawn, the seed checked and the winners exported', async () => {
    const { page } = leader;
    await page.goto(room('seasons'));
    await page.getByRole('button', { name: 'End it now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End it now' }).click();
    await expect
      .poll(async () => (await asked(page, `/api/communities/${SLUG}/seasons`))[0].state, PATIENT)
      .toBe('frozen');
    await page.goto(room('seasons'));
    await page.getByRole('button', { name: 'Draw: A woollen hat' }).click();
    await page.getByRole('list', { name: 'Winners' }).getByRole('listitem').first().waitFor();
    await page.getByRole('button', { name: 'Check the seed' }).click();
    await page.getByText('The seed is the one whose hash was published at the start.').waitFor();
    await accessible(page, 'drawn');
    const winner = await page.getByRole('list', { name: 'Winners' }).getByRole('listitem').first().innerText();
    const name = MEMBERS.find((who) => winner.includes(who.name.split(' ')[0] ?? who.name))?.name.split(' ')[0];
    expect(name).toBeDefined();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Winners as CSV' }).click(),
    ]);
    expect(readFileSync(await download.path(), 'utf8')).toContain(name);
    expect([leader, ...members].flatMap(({ complaints }) => complaints)).toEqual([]);
  });
});
