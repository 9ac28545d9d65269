import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFinds } from '../support/axe.ts';
import {
  arrived,
  chromiumOptions,
  come,
  command,
  controlled,
  ENGINE,
  PHONE,
  person,
  signedIn,
  write,
} from '../support/browser.ts';
import type { Instance } from '../support/instance.ts';
import { withProduct } from '../support/product.ts';
import { startBrowser } from '../support/starts.mjs';

let instance: Instance;
let browser: Browser;
/** A community that person 1004 leads. */
const slug = 'ridge-valley-walkers';
let leader: Page;

withProduct(async (product) => {
  ({ instance, browser } = product);
  const context = await browser.newContext();
  await signedIn(context, instance, '1004');
  leader = await context.newPage();
  await leader.goto(`${instance.url}/communities`);
});

const api = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(async (path) => (await fetch(path, { headers: { 'x-muster-fresh': '1' } })).json(), path);
/** A task of the led community that takes a text, or a picture. Gives its id. */
const newTask = async (title: string, kind: 'submit_text' | 'submit_image' = 'submit_text'): Promise<string> => {
  const task = { setup: { kind }, title, instructions: 'How deep is it?', points: 30, recurrence: 'once' };
  return (await command(leader, 'POST', `/api/communities/${slug}/tasks`, task)).id;
};
const setStatus = (taskId: string, status: 'live' | 'archived') =>
  command(leader, 'PATCH', `/api/communities/${slug}/tasks/${taskId}`, { status });
/** What lies at the leader's for one task. */
const received = async (title: string): Promise<string[]> => {
  const { items } = (await api(leader, `/api/communities/${slug}/review`)) as {
    items: { task: { title: string }; claim: { evidence: { text: string } } }[];
  };
  return items.filter(({ task }) => task.title === title).map(({ claim }) => claim.evidence.text);
};

/** Somebody of the sandbox on a device of their own, a member of the led community, with its dashboard kept. */
async function member(id: string) {
  const device = await come(browser, instance, id, '/communities');
  const { page } = device;
  await command(page, 'POST', `/api/communities/${slug}/join`);
  await controlled(page);
  await page.goto(`${instance.url}/community/${slug}/dashboard`);
  await page.getByRole('region', { name: 'Your streak and what to do next' }).waitFor();
  return device;
}
const card = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title });

/** Firefox makes no app a target of the system's share sheet, so nobody shares a picture with it. */
const HAS_SHARE_TARGET = ENGINE === 'chromium';
type ShareTarget = {
  action: string;
  method: string;
  enctype: string;
  params: { text: string; files: { name: string }[] };
};
/** Runs in the page: hands over a picture of 40 × 30 pixels with a line of text, in the form that the manifest names. */
async function sharePicture({ params, ...how }: ShareTarget): Promise<void> {
  const input = (its: Partial<Pick<HTMLInputElement, 'name' | 'value' | 'type' | 'files'>>): HTMLInputElement =>
    Object.assign(document.createElement('input'), its);
  const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 30 });
  canvas.getContext('2d')?.fillRect(0, 0, 20, 30);
  const bytes = await new Promise<Blob | null>((done) => canvas.toBlob(done));
  const chosen = new DataTransfer();
  if (bytes) chosen.items.add(new File([bytes], 'ford.png', { type: bytes.type }));
  const form = Object.assign(document.createElement('form'), how);
  form.append(
    input({ name: params.text, value: 'From the bridge' }),
    input({ name: params.files[0]?.name ?? '', type: 'file', files: chosen.files }),
  );
  document.body.append(form);
  // The page goes with it: this is answered first.
  setTimeout(() => form.submit());
}

describe('the share sheet', () => {
  const SHARED = 'title=The%20ford&text=Knee%20deep%20and%20fast.&url=https%3A%2F%2Fwalks.example%2Fford';

  test('a text and a picture end in a claim each, without a server until it is back', async () => {
    const [title, pictured] = [`Ford, shared ${ENGINE}`, `Ford, pictured ${ENGINE}`];
    await newTask(title);
    const pictureTask = await newTask(pictured, 'submit_image');
    const { share_target } = (await api(leader, '/manifest.webmanifest')) as { share_target: ShareTarget };
    const { page, complaints } = await member('1001');
    await card(page, pictured).waitFor();
    instance.goAway();
    await page.goto(`${instance.url}/share?${SHARED}`);
    await page.getByRole('button', { name: new RegExp(title) }).click();
    expect(await page.getByRole('textbox').inputValue()).toBe(
      'The ford\nKnee deep and fast.\nhttps://walks.example/ford',
    );
    expect(new URL(page.url()).search).toBe('');
    await write(page.getByRole('textbox'), 'Knee deep, seen from the bridge.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await card(page, title)
      .getByText(/Saved on this phone/)
      .waitFor();
    const shared = HAS_SHARE_TARGET ? [title, pictured] : [title];
    if (HAS_SHARE_TARGET) {
      await page.evaluate(sharePicture, share_target);
      await page.getByRole('img', { name: 'The picture you shared' }).waitFor();
      await page.getByRole('button', { name: new RegExp(pictured) }).click();
      await page.getByText(/kB, without location/).waitFor();
      expect(await page.getByRole('textbox').inputValue()).toBe('From the bridge');
      expect(await axeFinds(page)).toEqual([]);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
    }
    for (const task of shared)
      await card(page, task)
        .getByText(/Saved on this phone/)
        .waitFor();
    await page.reload();
    await card(page, title)
      .getByText(/Saved on this phone/)
      .waitFor();
    instance.comeBack();
    for (const task of shared)
      await card(page, task)
        .getByText(/^Received/)
        .waitFor({ timeout: 60_000 });
    expect(await received(title)).toEqual(['Knee deep, seen from the bridge.']);
    if (HAS_SHARE_TARGET) {
      await leader.goto(`${instance.url}/community/${slug}/admin?task=${pictureTask}`);
      const sent = leader.getByRole('img', { name: /^Picture sent by / });
      await expect.poll(() => sent.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(40);
    }
    // Today shows eight such tasks at once, and the next test wants to see its own.
    await setStatus(pictureTask, 'archived');
    await page.goto(`${instance.url}/share`);
    await page.getByRole('heading', { name: 'Nothing was shared' }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('a form on another site’s page', () => {
  const OTHER = 'http://elsewhere.example/';

  test.each([
    ['that names its site is not taken', '', /Another site tried to share this/],
    [
      'that hides its site is told of without a name, and takes the place of nothing',
      'no-referrer',
      /didn’t give its name|Another site/,
    ],
  ])('%s', async (_what, policy, words) => {
    const { page } = await person(browser);
    await page.goto(`${instance.url}/share?text=My%20own%20words`);
    await page.getByText('My own words').waitFor();
    await controlled(page);
    const form = `<form method="post" enctype="multipart/form-data" action="${instance.url}/share"><input name="text" value="Planted"></form>`;
    const body = `<!doctype html><meta name="referrer" content="${policy}">${form}`;
    await page.context().route(`${OTHER}**`, (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto(OTHER);
    await page.evaluate(() => void setTimeout(() => document.forms[0]?.submit()));
    await page.getByText(words).waitFor();
    await page.goto(`${instance.url}/share`);
    // What was shared before is there in any case.
    await page.getByText('My own words').waitFor();
  });
});

describe('the queue sheet', () => {
  test('a task archived meanwhile: its words, Edit sends them again once it is back, Discard asks', async () => {
    const [first, second] = [`Ford, north ${ENGINE}`, `Ford, south ${ENGINE}`];
    const ids = [await newTask(first), await newTask(second)];
    const { page, complaints } = await member('1002');
    await card(page, second).waitFor();
    // The member's screen does not know of it yet.
    for (const id of ids) await setStatus(id, 'archived');
    instance.goAway();
    for (const title of [first, second]) {
      await card(page, title).getByRole('button').first().click();
      await write(page.getByRole('textbox'), `${title}: knee deep.`);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await card(page, title)
        .getByText(/Saved on this phone/)
        .waitFor();
    }
    instance.comeBack();
    const chip = page.getByRole('button', { name: '2 need you' });
    await chip.waitFor({ timeout: 60_000 });
    await expect
      .poll(() => page.getByRole('status').filter({ hasText: '2 need you' }).count(), { timeout: 10_000 })
      .toBe(1);
    const sheet = page.getByRole('dialog', { name: 'Not sent yet' });
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate((theme) => localStorage.setItem('muster-theme', theme), theme);
      await page.reload();
      await chip.focus();
      await page.keyboard.press('Enter');
      await sheet.getByRole('button', { name: 'Edit' }).first().waitFor();
      expect(await page.locator('html').getAttribute('data-theme')).toBe(theme);
      expect(await axeFinds(page)).toEqual([]);
    }
    const entry = (title: string) => sheet.getByRole('listitem').filter({ hasText: title });
    expect(await entry(first).textContent()).toMatch(/Refused:.*40\d/);

    await setStatus(ids[0] ?? '', 'live');
    await entry(first).getByRole('button', { name: 'Edit' }).press('Enter');
    const field = entry(first).getByRole('textbox', { name: 'What you wrote' });
    expect(await field.inputValue()).toBe(`${first}: knee deep.`);
    await write(field, '40 cm at the second stone.');
    expect(await axeFinds(page)).toEqual([]);
    await entry(first).getByRole('button', { name: 'Send again' }).click();
    await sheet.getByRole('region', { name: 'Sent today' }).getByText(first).waitFor();
    expect(await received(first)).toEqual(['40 cm at the second stone.']);

    await entry(second).getByRole('button', { name: 'Discard' }).press('Enter');
    await entry(second).getByRole('alert').waitFor();
    const keep = entry(second).getByRole('button', { name: 'Keep it' });
    await expect.poll(() => keep.evaluate((it) => it === document.activeElement)).toBe(true);
    await entry(second).getByRole('button', { name: 'Discard' }).press('Enter');
    await sheet.getByText('Everything has been received').waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByRole('region', { name: 'Your streak and what to do next' }).waitFor();
    expect(await page.getByRole('button', { name: /needs? you|to send/ }).count()).toBe(0);
    expect(await received(second)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe('after one sign-in', () => {
  test('without a server, every community of mine, its board and the directory open, though none was opened before', async () => {
    const { page, complaints } = await come(browser, instance, '1015', '/communities');
    await controlled(page);
    const mine = (await api(page, '/api/user/communities')) as { slug: string }[];
    expect(mine.length).toBeGreaterThan(1);
    const opened = mine.flatMap(({ slug }) => [`/community/${slug}/dashboard`, `/community/${slug}`]);
    const kept = (path: string) =>
      page.evaluate(async (path) => (await caches.match(path, { ignoreVary: true })) !== undefined, path);
    // What is asked for last.
    await expect.poll(() => kept('/api/user/ledger'), { timeout: 30_000 }).toBe(true);
    instance.goAway();
    const boards = mine.map(({ slug }) => `/leaderboard?community=${slug}`);
    for (const path of [...opened, ...boards, '/explore-communities', '/communities', '/profile']) {
      await page.goto(instance.url + path);
      await arrived(page);
      expect([path, await page.getByText('Not on this device yet').count()]).toEqual([path, 0]);
    }
    expect(complaints).toEqual([]);
  });
});

/** A Chromium with a profile of its own: only such a one offers to install. Notes what the page hears and asks. */
async function profiled(more: string[] = []): Promise<{ context: BrowserContext; page: Page; heard: string[] }> {
  const args = [...chromiumOptions.args, ...more];
  const options = { ...chromiumOptions, args, viewport: PHONE };
  const context = await startBrowser(() => chromium.launchPersistentContext('', options));
  const heard: string[] = [];
  await context.exposeFunction('tellTest', (what: string) => void heard.push(what));
  await context.addInitScript(() => {
    const tell = (what: string) => void (window as unknown as { tellTest(what: string): void }).tellTest(what);
    addEventListener('beforeinstallprompt', () => tell('offered'));
    const persist = navigator.storage.persist.bind(navigator.storage);
    navigator.storage.persist = () => {
      tell('persist');
      return persist();
    };
  });
  const page = context.pages()[0] ?? (await context.newPage());
  return { context, page, heard };
}

// Only Chromium installs from a page and has an event for it.
if (ENGINE === 'chromium')
  describe('installing', () => {
    const card = (page: Page) => page.getByRole('region', { name: /on this device/ });

    test("no errors, nothing in the way; the card comes with the browser's offer, and 'Not now' holds for the session", async () => {
      const { context, page, heard } = await profiled();
      await page.goto(instance.url);
      await controlled(page);
      await card(page).getByRole('button', { name: 'Install' }).waitFor();
      expect(await axeFinds(page)).toEqual([]);

      const cdp = await context.newCDPSession(page);
      const { errors, url } = await cdp.send('Page.getAppManifest');
      expect([errors, new URL(url).pathname]).toEqual([[], '/manifest.webmanifest']);
      expect((await cdp.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([]);
      expect((await cdp.send('Page.getAppId')).appId).toBe(`${instance.url}/`);

      await card(page).getByRole('button', { name: 'Not now' }).click();
      await card(page).waitFor({ state: 'detached' });
      const offers = heard.length;
      await page.reload();
      await expect.poll(() => heard.length, { timeout: 20_000 }).toBeGreaterThan(offers);
      expect(await card(page).count()).toBe(0);
      expect(heard).not.toContain('persist');
      await context.close();
    });

    test('in a window of its own there is no card, and the storage is asked to stay', async () => {
      const { context, page, heard } = await profiled([`--app=${instance.url}/`]);
      await page.reload();
      await expect.poll(() => heard, { timeout: 20_000 }).toEqual(expect.arrayContaining(['persist', 'offered']));
      expect(await page.evaluate(() => matchMedia('(display-mode: standalone)').matches)).toBe(true);
      expect(await card(page).count()).toBe(0);
      await context.close();
    });
  });
