import type { Browser, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { KEPT_ONLY_HEADER } from '../../server/contract/sw-messages.ts';
import { controlled, type Person, person, signIn, write } from '../support/browser.ts';
import { flawsOf } from '../support/flaws.ts';
import { type Instance, sampleCommunities } from '../support/instance.ts';
import { databaseOf, makeStaff } from '../support/instance-database.ts';
import { withProduct } from '../support/product.ts';
import { smallTargets } from '../support/touch-targets.ts';

const CHANNEL = '-1001';
let instance: Instance;
let browser: Browser;

withProduct(async (product) => {
  ({ instance, browser } = product);
  await sampleCommunities(instance);
});

/** Steers the sandbox as its own page would. */
async function control(path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${instance.sandbox}/control/${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
}
const inChannel = (telegramUserId: string, status: 'member' | 'kicked') =>
  control('memberships', { chatId: CHANNEL, telegramUserId, status });

/** Puts a person into the sandbox, with an X account and in the required channel. */
async function enroll(id: string, firstName: string): Promise<void> {
  const username = `${firstName.toLowerCase()}_${id}`;
  await control('people', { telegramUserId: id, username, firstName, xId: `9${id}`, xUsername: username });
  await inChannel(id, 'member');
}
let people = 3_000;
/** Somebody new with everything in place, signed in on a phone of their own. */
async function newcomer(firstName: string): Promise<Person & { id: string }> {
  people += 1;
  const id = String(people);
  await enroll(id, firstName);
  const device = await person(browser);
  await signIn(device.page, instance.url, id);
  await device.page.goto(`${instance.url}/api/auth/x/start?next=/communities`);
  await device.page.locator(`[data-person="${id}"]`).click();
  await device.page.getByRole('link', { name: 'Continue' }).click();
  await device.page.waitForURL(`${instance.url}/communities`);
  await device.page.locator('h1').first().waitFor({ state: 'attached' });
  return { ...device, id };
}

const api = (page: Page, path: string) =>
  page.evaluate(async (path) => (await fetch(path, { headers: { 'x-muster-fresh': '1' } })).json(), path);
const awards = async (page: Page, task: string): Promise<number> => {
  const { ledger } = (await api(page, '/api/user/profile')) as { ledger: { kind: string; task: string | null }[] };
  return ledger.filter((entry) => entry.kind === 'award' && entry.task === task).length;
};

async function join(page: Page, slug: string): Promise<void> {
  await page.goto(`${instance.url}/community/${slug}`);
  await page.getByRole('main').getByRole('button', { name: 'Join', exact: true }).click();
  await page.getByRole('link', { name: 'Open Today' }).waitFor();
}

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
  const leader = await newcomer('Wanda');
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
  const [taken] = await sampleCommunities(instance);
  await write(address, taken?.slug ?? '');
  await write(page.getByLabel('About'), 'We measure the ford and mind the stones.');
  expect(await smallTargets(page)).toEqual([]);
  for (let step = 0; step < 3; step += 1) await next();
  await start.click();
  await page.getByText(`The address ${taken?.slug} belongs to another community.`).waitFor();
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

  const member = await newcomer('Mika');
  const second = await newcomer('Sena');
  await join(member.page, 'ford-keepers');
  await join(second.page, 'ford-keepers');
  await makeModerator('ford-keepers', second.id);
  await member.page.getByRole('link', { name: 'Open Today' }).click();
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
  await second.page.getByText('Wanda has already approved this answer. Yours was not used.').waitFor();
  expect(await smallTargets(second.page)).toEqual([]);
  await second.page.getByRole('button', { name: 'Got it' }).click();
  await second.page.getByText('Yours was not used.').waitFor({ state: 'detached' });
  expect(await awards(member.page, 'How deep is the ford?')).toBe(1);
  expect([...leader.complaints, ...member.complaints, ...second.complaints]).toEqual([]);
  await Promise.all([leader, member, second].map(({ context }) => context.close()));
});

test('a decision kept without the server is received, and the queue is then of now', async () => {
  const { context, page, complaints } = await person(browser);
  await signIn(page, instance.url, '1004');
  await controlled(page);
  await page.goto(`${instance.url}/community/ridge-valley-walkers/admin`);
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  /** Who and what: two may have sent the same task. */
  const shown = async () => (await page.getByRole('article').getByRole('heading').allTextContents()).join(': ');
  const before = await shown();
  await instance.stop();
  await page.clock.setFixedTime(Date.now() + 10 * 60_000);
  await page.reload();
  const stamp = page.getByRole('button', { name: /^As of/ });
  await stamp.waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('heading', { name: 'Decided here, not received yet' }).waitFor();
  await instance.start();
  await page
    .getByRole('heading', { name: 'Decided here, not received yet' })
    .waitFor({ state: 'detached', timeout: 60_000 });
  await stamp.waitFor({ state: 'detached' });
  expect(await shown()).not.toBe(before);
  expect(complaints).toEqual([]);
  await context.close();
});

test('on a phone several are marked and unmarked in the sheet of the queue, with nothing lying over its buttons', async () => {
  const { context, page, complaints } = await person(browser, { viewport: { width: 390, height: 480 } });
  await signIn(page, instance.url, '1004');
  await page.goto(`${instance.url}/community/ridge-valley-walkers/admin`);
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
  await context.close();
});

test('the theme that was chosen is there again before anything is painted', async () => {
  const { context, page, complaints } = await newcomer('Tove');
  await page.goto(`${instance.url}/settings`);
  const html = page.locator('html');
  expect(await html.getAttribute('data-theme')).toBe('light');
  await page.getByRole('button', { name: 'Dark', exact: true }).click();
  expect(await html.getAttribute('data-theme')).toBe('dark');
  // Every theme that the page is given while it loads, with its time: each must lie before the first paint.
  await page.addInitScript(() => {
    const seen: { theme: string | undefined; at: number }[] = [];
    Object.assign(globalThis, { seen });
    new MutationObserver(() =>
      seen.push({ theme: document.documentElement.dataset['theme'], at: performance.now() }),
    ).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-theme'] });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Dark', exact: true }).waitFor();
  const painted = await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  );
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: { theme: string; at: number }[] }).seen);
  expect(new Set(seen.map(({ theme }) => theme))).toEqual(new Set(['dark']));
  expect(seen[0]?.at).toBeLessThan((await painted.jsonValue()) ?? 0);
  expect(await page.getByRole('button', { name: 'Dark', exact: true }).getAttribute('aria-pressed')).toBe('true');
  expect(complaints).toEqual([]);
  await context.close();
});

test('F8 leads to the region of the toasts', async () => {
  const { context, page, complaints } = await newcomer('Fay');
  await page.getByRole('listitem').filter({ hasText: 'Ridge' }).getByRole('button', { name: 'Join' }).click();
  const region = page.getByRole('region', { name: 'Notifications' });
  await region.getByRole('heading', { name: /^You are in/ }).waitFor();
  await page.keyboard.press('F8');
  expect(await region.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  // The toast itself, then what can be pressed in it.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await region.getByRole('heading', { name: /^You are in/ }).waitFor({ state: 'hidden' });
  expect(complaints).toEqual([]);
  await context.close();
});

describe('/logout with an act that was not sent', () => {
  const slug = 'ridge-valley-walkers';
  const task = 'Out for a walk today';

  /** Somebody whose check-in the server has not got, before the question of /logout. The server is stopped. */
  async function asked(name: string): Promise<Person & { id: string }> {
    const device = await newcomer(name);
    const { page } = device;
    await join(page, slug);
    await controlled(page);
    await page.goto(`${instance.url}/community/${slug}/dashboard`);
    await page.getByRole('button', { name: task }).waitFor();
    await instance.stop();
    await page.getByRole('button', { name: task }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }).click();
    await page
      .getByText(/Saved on this phone/)
      .first()
      .waitFor();
    await page.goto(`${instance.url}/logout`);
    await page.getByRole('dialog').getByText(task).waitFor();
    expect(await smallTargets(page)).toEqual([]);
    return device;
  }
  /** The sandbox forgets whom it did not begin with when it starts again. */
  async function signInAgain(page: Page, id: string, firstName: string): Promise<void> {
    await enroll(id, firstName);
    await page.goto(instance.url);
    await page.getByRole('link', { name: 'Get Started' }).first().click();
    await page.locator(`[data-person="${id}"]`).click();
    await page.waitForURL((url) => url.origin === instance.url && !url.pathname.startsWith('/api/'));
    await page.goto(`${instance.url}/community/${slug}/dashboard`);
  }
  const answer = (page: Page, label: string) =>
    page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click();

  test('Keep: it waits on the device and is sent at the next sign-in', async () => {
    const { context, page, complaints, id } = await asked('Keepa');
    await answer(page, 'Keep for my next sign-in');
    await page.getByRole('heading', { name: 'Signed out on this phone' }).waitFor();
    await instance.start();
    await signInAgain(page, id, 'Keepa');
    await page.getByRole('link', { name: new RegExp(`${task} Counted`) }).waitFor();
    expect(await awards(page, task)).toBe(1);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('Send now: says when it could not, and signs out once it is there', async () => {
    const { context, page, complaints, id } = await asked('Senda');
    await answer(page, 'Send now');
    await page.getByText('Not everything could be sent. The rest stays in pencil.').waitFor();
    await instance.start();
    await answer(page, 'Send now');
    await page.getByRole('heading', { name: 'Signed out', exact: true }).waitFor();
    await signInAgain(page, id, 'Senda');
    await page.getByRole('link', { name: new RegExp(`${task} Counted`) }).waitFor();
    expect(await awards(page, task)).toBe(1);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('Discard: it is gone, and the task is open again', async () => {
    const { context, page, complaints, id } = await asked('Disca');
    await answer(page, 'Discard it');
    await page.getByRole('heading', { name: 'Signed out on this phone' }).waitFor();
    await instance.start();
    await signInAgain(page, id, 'Disca');
    await page.getByRole('button', { name: task }).waitFor();
    expect(await page.getByText(/Saved on this phone/).count()).toBe(0);
    expect(await awards(page, task)).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe('somebody who was removed from the required channel', () => {
  test('sees Access Restricted, and Try Login Again lets them in once they were added back', async () => {
    const { context, page, complaints, id } = await newcomer('Rowan');
    await inChannel(id, 'kicked');
    await signIn(page, instance.url, id);
    await page.getByRole('heading', { name: 'Access Restricted' }).waitFor();
    await page
      .getByText('You have been removed from the required Telegram channel and can no longer access this platform.')
      .waitFor();
    expect(await smallTargets(page)).toEqual([]);
    await page.getByRole('button', { name: 'Try Login Again' }).click();
    await page.getByText('Telegram still says that you are not in the channel.').waitFor();
    await inChannel(id, 'member');
    await page.getByRole('button', { name: 'Try Login Again' }).click();
    await page.waitForURL(`${instance.url}/community-selector`);
    await page.getByRole('heading', { name: 'Choose a community' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('asks again at /channel-removed, and goes on from there', async () => {
    const { context, page, complaints, id } = await newcomer('Remy');
    await inChannel(id, 'kicked');
    await signIn(page, instance.url, id);
    let asked = 0;
    page.on('request', (request) => {
      // Of the server: the copy that is painted while that one takes its time is the device's own.
      if (request.url().endsWith('/api/auth/user') && !request.headers()[KEPT_ONLY_HEADER]) asked += 1;
    });
    await page.goto(`${instance.url}/community/ridge-valley-walkers/dashboard`);
    await page.getByRole('heading', { name: 'Access Restricted' }).waitFor();
    await page.getByRole('link', { name: 'The required channel' }).click();
    await page.getByRole('heading', { name: 'You were removed from Muster Square' }).waitFor();
    expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(0);
    expect(await smallTargets(page)).toEqual([]);
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('Checked just now: you’re still not in the channel.').waitFor();
    // Two pages, a check, and one more for each that learns it from a refused read.
    expect(asked).toBeLessThanOrEqual(6);
    await inChannel(id, 'member');
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('heading', { name: 'You are in' }).waitFor();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL(`${instance.url}/community-selector`);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe('a member on whose screen the app stands', () => {
  test('is shut out when Telegram says that they were removed, with nobody asking', async () => {
    const { context, page, id } = await newcomer('Robin');
    await inChannel(id, 'kicked');
    expect((await api(page, '/api/auth/user')).reason).toBe('TELEGRAM_MEMBERSHIP_REVOKED');
    await page.goto(`${instance.url}/profile`);
    await page.getByRole('heading', { name: 'Access Restricted' }).waitFor();
    await context.close();
  });
});

describe('somebody who asks to lead', () => {
  test('is read and let in by an administrator', async () => {
    await enroll('3900', 'Ada');
    await control('people', { telegramUserId: '3901', username: 'quinn_3901', firstName: 'Quinn' });
    const admin = await person(browser);
    await signIn(admin.page, instance.url, '3900');
    await makeStaff(instance, '3900', 'admin');
    const applicant = await person(browser);
    await signIn(applicant.page, instance.url, '3901');
    const { page } = applicant;
    await page.goto(`${instance.url}/community-leader-signup`);
    await write(page.getByLabel('Who you are'), 'I have walked here for ten years.');
    await write(page.getByLabel('What you plan'), 'A walk every Saturday morning.');
    await page.getByRole('button', { name: 'Send the application' }).click();
    await page.getByRole('heading', { name: 'Application received' }).waitFor();

    await admin.page.goto(`${instance.url}/admin/account-management?view=applications`);
    await admin.page.getByRole('button', { name: 'Approve, Quinn' }).waitFor();
    expect(await flawsOf(admin.page, 'applications')).toEqual([]);
    await admin.page.getByRole('button', { name: 'Approve, Quinn' }).click();
    const dialog = admin.page.getByRole('dialog');
    await dialog.getByRole('button', { name: /We know this community/ }).click();
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
    await admin.page.getByText('Approved', { exact: true }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'You may lead' }).waitFor();
    expect([...admin.complaints, ...applicant.complaints]).toEqual([]);
    await admin.context.close();
    await applicant.context.close();
  });
});

test('a title without a place to break fits every phone, and Back closes the editor that was opened', async () => {
  const { context, page, complaints } = await newcomer('Wren');
  const member = await newcomer('Ivo');
  const name = 'Harbour'.repeat(8);
  await page.goto(`${instance.url}/communities`);
  const slug = await page.evaluate(async (name) => {
    const post = async (path: string, body: unknown) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
      const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      return answer.json();
    };
    const common = { description: '', rules: '', tags: [], visibility: 'public' };
    const { id, slug } = await post('/api/communities', { ...common, name, slug: 'long-harbour' });
    const setup = { kind: 'check_in' };
    const title = `https://example.org/${'a'.repeat(60)}`;
    await post(`/api/communities/${id}/tasks`, { setup, title, instructions: '', points: 10, recurrence: 'daily' });
    const other = { setup, title: 'Say hello', instructions: '', points: 5, recurrence: 'daily' };
    await post(`/api/communities/${id}/tasks`, other);
    const end = new Date(Date.now() + 86_400_000).toISOString();
    const season = { name: 'S'.repeat(50), rules: '', startsAt: null, endsAt: end, graceHours: 1, taskIds: [] };
    await post(`/api/communities/${id}/seasons`, season);
    return slug as string;
  }, name);
  const excess = (on: Page) => on.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await join(member.page, slug);
  for (const path of [`/community/${slug}`, `/community/${slug}/dashboard`]) {
    await member.page.goto(`${instance.url}${path}`);
    await member.page.getByText(/aaaa$/).first().waitFor();
    expect(await excess(member.page), path).toBeLessThanOrEqual(0);
  }
  const hello = await member.page.locator('li[data-card]').filter({ hasText: 'Say hello' }).getAttribute('data-card');
  await member.page.goto(`${instance.url}/engagement-complete?community=${slug}&task=${hello}`);
  await member.page.getByRole('button', { name: /^Next: .*aaaa$/ }).waitFor();
  expect(await excess(member.page), 'receipt').toBeLessThanOrEqual(0);
  const admin = `${instance.url}/community/${slug}/admin`;
  for (const room of ['tasks', 'analytics', 'audit']) {
    await page.goto(`${admin}?room=${room}`);
    await page.getByText(/aaaa$/).first().waitFor();
    expect(await excess(page), room).toBeLessThanOrEqual(0);
  }
  await page.goto(`${admin}?room=seasons`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByText(/aaaa$/).first().waitFor();
  expect(await excess(page), 'seasons').toBeLessThanOrEqual(0);

  await page.goto(`${admin}?room=tasks`);
  await page.getByRole('button', { name: /^Edit: https/ }).click();
  await page.getByLabel('Title', { exact: true }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Add a task' }).waitFor();
  expect(page.url()).toBe(`${admin}?room=tasks`);
  // Beside the page, where the communities are listed, it stays in its column.
  await page.setViewportSize({ width: 1440, height: 900 });
  const places = page.locator('.side-bar a').filter({ hasText: name });
  await places.waitFor();
  expect(await places.evaluate((place) => place.scrollWidth - place.clientWidth)).toBeLessThanOrEqual(0);
  expect([...complaints, ...member.complaints]).toEqual([]);
  await context.close();
  await member.context.close();
});

test('what stands below something that is still being read comes with it, and is not pushed away', async () => {
  const { page, context } = await newcomer('Isa');
  await context.addInitScript(() => {
    const { fetch } = window;
    const { promise, open } = (() => {
      let open = () => {};
      return { promise: new Promise<void>((done) => (open = done)), open: () => open() };
    })();
    Object.assign(window, { letCome: open });
    window.fetch = async (...asked) => {
      if (new URL(new Request(...asked).url).pathname === '/api/communities') await promise;
      return fetch(...asked);
    };
  });
  await page.goto(`${instance.url}/explore-communities`);
  const below = page.getByLabel('Invite code');
  await below.waitFor({ state: 'attached' });
  expect(await below.isVisible()).toBe(false);
  await page.evaluate(() => (window as unknown as { letCome(): void }).letCome());
  await below.waitFor();
  expect(await page.getByLabel('Search').isVisible()).toBe(true);
  await context.close();
});
