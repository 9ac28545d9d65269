/** Leaders' rooms and every form of a task without a pointer: Tab, Enter, Space, arrows and letters are all there is here. */
import { resolve } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOMS, roomWord } from '../../app/features/leader/rooms.ts';
import { QUIZ_HUMAN_FLOOR_MS } from '../../server/contract/limits.ts';
import { arrived, DESK, launch, type Person, person, signIn } from '../support/browser.ts';
import { type Instance, sampleCommunities, startInstance } from '../support/instance.ts';

const PICTURE = resolve(import.meta.dirname, '../../app/public/icons/icon-512.png');
const SLUG = 'ridge-valley-walkers';
const ROUTE = 'From the mill to the sea wall and back by the old tramway, 9 km, bus 12 stops at both ends.';
/** More than any of these pages has to stop at. */
const STOPS = 150;

let instance: Instance;
/** One each: two people in one browser are two windows, and Firefox acts on keys in the window in front only. */
const browsers: Browser[] = [];

beforeAll(async () => {
  instance = await startInstance();
  await sampleCommunities(instance);
});
afterAll(async () => {
  for (const browser of browsers) await browser.close();
  await instance?.remove();
});

const isFocused = (it: Locator) => it.evaluate((element) => element === document.activeElement);

/** Where it is from what has the focus. Asked in one go: hundreds of these make up most of a walk's time in Firefox. */
const whereIs = (it: Locator) =>
  it.evaluate((element): 'here' | 'behind' | 'ahead' => {
    const { activeElement: here, body } = document;
    if (here === element) return 'here';
    return here !== null && here !== body && (here.compareDocumentPosition(element) & 2) !== 0 ? 'behind' : 'ahead';
  });
/** A step towards it. Never past the last stop: Firefox's own bars come after that, and its driver finds no way back from them. */
const step = (it: Locator, where: 'behind' | 'ahead') =>
  it.page().keyboard.press(where === 'behind' ? 'Shift+Tab' : 'Tab');
/** Goes there by Tab alone. */
async function tabTo(it: Locator): Promise<void> {
  const one = it.first();
  await one.waitFor({ state: 'attached' });
  for (let stop = 0; stop < STOPS; stop += 1) {
    const where = await whereIs(one);
    if (where === 'here') return;
    await step(one, where);
  }
  throw new Error(`Tab does not lead to ${it}`);
}
async function press(it: Locator, key = 'Enter'): Promise<void> {
  await tabTo(it);
  await it.page().keyboard.press(key);
}
async function fill(it: Locator, text: string): Promise<void> {
  await tabTo(it);
  await it.page().keyboard.press('ControlOrMeta+a');
  await it.page().keyboard.type(text);
}
/** One of a group of radio buttons: Tab leads to the group, arrows through it. */
async function choose(option: Locator): Promise<void> {
  await option.waitFor({ state: 'attached' });
  const { keyboard } = option.page();
  const isInGroup = () =>
    option.evaluate((it) => it.getAttribute('name') === document.activeElement?.getAttribute('name'));
  for (let stop = 0; stop < STOPS && !(await isInGroup()); stop += 1) {
    const where = await whereIs(option);
    if (where !== 'here') await step(option, where);
  }
  for (let step = 0; step < 10 && !(await isFocused(option)); step += 1) await keyboard.press('ArrowDown');
  if (!(await option.isChecked())) await keyboard.press('Space');
  expect(await option.isChecked()).toBe(true);
}
async function select(it: Locator, value: string): Promise<void> {
  await tabTo(it);
  for (let step = 0; step < 12 && (await it.inputValue()) !== value; step += 1) {
    await it.page().keyboard.press('ArrowDown');
  }
  expect(await it.inputValue()).toBe(value);
}

const cardOf = (page: Page, title: string) =>
  page.locator('.stack > li').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = (page: Page) => page.getByRole('dialog');

async function come(id: string, path: string, viewport?: { width: number; height: number }): Promise<Person> {
  const browser = await launch();
  browsers.push(browser);
  const one = await person(browser, viewport ? { viewport } : {});
  await signIn(one.page, instance.url, id);
  await one.page.goto(`${instance.url}${path}`);
  return one;
}
async function open(page: Page, title: string): Promise<void> {
  await press(cardOf(page, title).getByRole('button'));
  await dialog(page).getByRole('heading', { name: title }).waitFor();
}

/** A card that was pressed has become a link, perhaps in another list. */
const keepsFocus = (page: Page, title: string) =>
  expect.poll(() => isFocused(cardOf(page, title).getByRole('link').first())).toBe(true);

test('a member answers every kind of task', async () => {
  const steward = await come('1004', `/community/${SLUG}/admin?room=tasks`);
  await press(button(steward.page, 'More: At the meeting point'));
  await press(steward.page.getByRole('link', { name: 'Show the code' }));
  const { context, page, complaints } = await come('1001', `/community/${SLUG}/dashboard`);
  await context.route(/openstreetmap/, (route) => route.fulfill({ contentType: 'text/html', body: 'A map' }));

  await open(page, 'Ready for the ridge?');
  const begun = Date.now();
  await choose(dialog(page).getByRole('radio', { name: /^Stop, gather/ }));
  for (const item of [/rescue blanket/, /^Tweezers/])
    await press(dialog(page).getByRole('checkbox', { name: item }), 'Space');
  await choose(dialog(page).getByRole('radio', { name: /^open, as it was/ }));
  await choose(dialog(page).getByRole('radio', { name: /^112$/ }));
  await expect.poll(() => Date.now() - begun).toBeGreaterThan(QUIZ_HUMAN_FLOOR_MS * 4);
  await press(button(dialog(page), 'Send answers'));
  await cardOf(page, 'Ready for the ridge?')
    .getByText(/^Counted/)
    .waitFor();

  await open(page, 'Where to on New Year’s Day?');
  await choose(dialog(page).getByRole('radio', { name: /^The three mills/ }));
  await press(button(dialog(page), 'Vote'));
  // How it stands is shown where the vote was given.
  await dialog(page)
    .getByText(/votes? so far$/)
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await cardOf(page, 'Where to on New Year’s Day?')
    .getByText(/^Counted/)
    .waitFor();

  await open(page, 'Look at the path map');
  const tab = context.waitForEvent('page');
  await press(dialog(page).getByRole('link', { name: /^Open / }));
  await (await tab).close();
  await press(button(dialog(page), 'I’ve seen it'));
  await cardOf(page, 'Look at the path map')
    .getByText(/^Counted/)
    .waitFor();

  await open(page, 'Fix something on the map');
  await expect.poll(() => isFocused(dialog(page).getByLabel('Link'))).toBe(true);
  await fill(dialog(page).getByLabel('Link'), 'https://www.openstreetmap.org/changeset/3');
  await press(button(dialog(page), 'Send'));
  await cardOf(page, 'Fix something on the map')
    .getByText(/^Received/)
    .waitFor();

  await press(button(cardOf(page, 'Picture of a waymark'), 'Update answer'));
  const chooser = page.waitForEvent('filechooser');
  await press(dialog(page).getByLabel(/^Choose /));
  await (await chooser).setFiles(PICTURE);
  await dialog(page)
    .getByText(/kB, without location/)
    .waitFor();
  await fill(dialog(page).getByLabel('Note (optional)'), 'It says 14.');
  await press(button(dialog(page), 'Send'));
  await cardOf(page, 'Picture of a waymark')
    .getByText(/^Received/)
    .waitFor();

  await open(page, 'Suggest a route for spring');
  await expect.poll(() => isFocused(dialog(page).getByLabel('Your answer'))).toBe(true);
  await fill(dialog(page).getByLabel('Your answer'), 'Up to the cairn and down by the quarry, 7 km, bus 41.');
  await press(button(dialog(page), 'Send'));
  await cardOf(page, 'Suggest a route for spring')
    .getByText(/^Received/)
    .waitFor();
  await keepsFocus(page, 'Suggest a route for spring');

  await open(page, 'At the meeting point');
  await fill(
    dialog(page).getByLabel('Or type the code'),
    await steward.page.locator('.steward-code__typed').innerText(),
  );
  await press(button(dialog(page), 'I am here'));
  await cardOf(page, 'At the meeting point')
    .getByText(/^Counted/)
    .waitFor();

  // A sheet that is left gives the focus back to where it was opened.
  await open(page, 'Bring someone along');
  await page.keyboard.press('Escape');
  await expect.poll(() => isFocused(cardOf(page, 'Bring someone along').getByRole('button').first())).toBe(true);
  await press(button(cardOf(page, 'Out for a walk today'), /Out for a walk/));
  await press(button(dialog(page), 'Check in'));
  await cardOf(page, 'Out for a walk today')
    .getByText(/^Counted/)
    .waitFor();
  await keepsFocus(page, 'Out for a walk today');
  expect([...complaints, ...steward.complaints]).toEqual([]);
  await Promise.all([context.close(), steward.context.close()]);
});

/** As a leader, with a way from room to room. */
async function lead() {
  const leader = await come('1004', `/community/${SLUG}/admin`, DESK);
  const { page } = leader;
  const room = async (name: (typeof ROOMS)[number]) => {
    const link = page.locator('.room-links').getByRole('link', { name: new RegExp(`^${roomWord(name)}`) });
    await press(link);
    await expect.poll(() => link.getAttribute('aria-current')).toBe('page');
    await arrived(page);
  };
  return { ...leader, room };
}

test('a leader goes through every room', async () => {
  const { context, page, complaints, room } = await lead();
  for (const name of ROOMS) await room(name);

  await room('connections');
  await press(button(page, 'Add a webhook'));
  await fill(dialog(page).getByLabel('Address'), 'https://hooks.walks.example/muster');
  await press(button(dialog(page), 'Add a webhook'));
  await page.getByRole('heading', { name: 'https://hooks.walks.example/muster' }).waitFor();
  await press(button(page, 'Make a key').first());
  await fill(dialog(page).getByLabel('Name'), 'The club’s own page');
  await press(button(dialog(page), 'Make a key'));
  await page.getByRole('heading', { name: /^The club’s own page/ }).waitFor();

  await room('tasks');
  await press(button(page, 'Add a task'));
  await select(page.getByLabel('Kind', { exact: true }), 'poll');
  await fill(page.getByLabel('Title', { exact: true }), 'Which stile first?');
  await fill(page.getByLabel('Choice 1', { exact: true }), 'By the mill');
  await fill(page.getByLabel('Choice 2', { exact: true }), 'By the gate');
  await press(button(page, 'Publish'));
  await press(button(page, 'More: Which stile first?'));
  await press(button(dialog(page), 'Preview'));
  await dialog(page).getByRole('heading', { name: 'Which stile first?' }).first().waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => isFocused(button(page, 'More: Which stile first?'))).toBe(true);

  await room('members');
  await fill(page.getByLabel('Name or handle'), 'Noor');
  await press(page.getByRole('main').getByRole('button', { name: /Noor Haddad/ }));
  await fill(dialog(page).getByLabel('Points', { exact: true }), '5');
  await fill(dialog(page).getByLabel('Reason'), 'Carried the map.');
  await press(button(dialog(page), 'Update points'));
  await page.getByText('+5 for Noor Haddad').first().waitFor();

  await room('announcements');
  await fill(page.getByLabel('Title', { exact: true }), 'Snow on the ridge');
  await fill(page.getByLabel('What you want to say'), 'No walk on Saturday.');
  await press(page.getByRole('button', { name: /^(Review|Send to \d)/ }));
  await page.getByRole('heading', { name: 'Snow on the ridge', exact: true }).waitFor();

  await room('seasons');
  await press(button(page, 'Plan a season'));
  await fill(page.getByLabel('Name', { exact: true }), 'Spring stiles');
  await press(button(page, 'Save the season'));
  await page.getByText('Spring stiles').first().waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('two send the same words, and a leader rejects one and approves two', async () => {
  for (const id of ['1002', '1013']) {
    const other = await come(id, `/community/${SLUG}/dashboard`);
    await open(other.page, 'Suggest a route for spring');
    await fill(dialog(other.page).getByLabel('Your answer'), ROUTE);
    await press(button(dialog(other.page), 'Send'));
    await cardOf(other.page, 'Suggest a route for spring')
      .getByText(/^Received/)
      .waitFor();
    await other.context.close();
  }

  const { context, page, complaints, room } = await lead();
  await room('review');
  // The one whose words somebody else has sent before stands beside theirs.
  const row = page.locator('.review-queue button').filter({ hasText: 'Suggest a route for spring' });
  await press(row.last());
  await page.getByRole('region', { name: 'Answers like this one' }).getByText(ROUTE).first().waitFor();
  const waiting = await row.count();
  await press(button(page, 'Reject'));
  const why = page.getByRole('region', { name: /^Why are you rejecting/ });
  await press(why.getByRole('button', { name: /This was already submitted by someone else/ }));
  await press(button(why, 'Reject'));
  await expect.poll(() => row.count()).toBe(waiting - 1);
  const marks = page.locator('.review-queue').getByRole('checkbox');
  const before = await marks.count();
  await press(marks.nth(0), 'Space');
  await press(marks.nth(1), 'Space');
  await press(button(page, 'Approve 2'));
  await expect.poll(() => marks.count()).toBe(before - 2);
  await expect.poll(() => page.getByText(/not sent yet$/).count()).toBe(0);

  await room('connections');
  await press(button(page, 'Deliveries'));
  await press(button(dialog(page), 'Send again'));
  await page.getByText('On its way again').first().waitFor();
  await page.keyboard.press('Escape');
  expect(complaints).toEqual([]);
  await context.close();
});
