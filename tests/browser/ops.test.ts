/** From a crash on somebody's phone to an answer on an operator's: the built product in a real browser, end to end. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FaultProxy, noFault, startProxy } from '../faults/proxy.ts';
import { axeFinds } from '../support/axe.ts';
import {
  arrived,
  controlled,
  DESK,
  ENGINE,
  launch,
  type Person,
  PHONE,
  person,
  signIn,
  write,
} from '../support/browser.ts';
import { type Instance, sampleCommunities, startInstance } from '../support/instance.ts';
import { makeStaff } from '../support/instance-database.ts';
import { type NextBuild, nextBuild } from '../support/next-build.ts';
import { smallTargets } from '../support/touch-targets.ts';

/** Reads are counted: nobody asks as often as a test could. */
const PATIENT = { timeout: 60_000, interval: 500 };
const SLUG = 'ridge-valley-walkers';
const LOGS = '/admin/client-logs';
/** Where the pictures of the screens go, when somebody wants to look at them. */
const PICTURES = process.env['PICTURES'];

let instance: Instance;
/** Stands before the instance, so that logs can be held up on phones whose workers know no flight mode. */
let proxy: FaultProxy;
let origin: string;
let browser: Browser;
let later: NextBuild;
let ops: Person;

beforeAll(async () => {
  later = nextBuild(1);
  proxy = await startProxy(0, 0);
  origin = `http://localhost:${proxy.port}`;
  instance = await startInstance({ CLIENT_LOG_RATE: '50', PUBLIC_ORIGIN: origin });
  proxy.to = Number(new URL(instance.url).port);
  browser = await launch();
  await sampleCommunities(instance);
});
afterAll(async () => {
  await browser?.close();
  proxy?.close();
  await instance?.remove();
  later?.remove();
});

/** What the reader's API answers to the operator. */
const read = (path: string) => ops.page.evaluate(async (url) => (await fetch(url)).json(), `/api${LOGS}${path}`);
async function issuesOf(
  words: string,
): Promise<{ id: string; title: string; state: string; countAll: number; regression: boolean }[]> {
  return (await read(`/issues?state=any&q=${encodeURIComponent(words)}`)).issues;
}
const show = async (path: string): Promise<Page> => {
  await ops.page.goto(`${origin}${LOGS}${path}`);
  return ops.page;
};

/** A member's phone whose browser names a way to share that it has not: their press of it is an error that nobody caught. */
async function phone(): Promise<Person> {
  const one = await person(browser);
  await one.context.addInitScript(() => Object.defineProperty(navigator, 'share', { value: undefined }));
  await signIn(one.page, origin, '1001', `/community/${SLUG}`);
  await controlled(one.page);
  await atLink(one.page);
  return one;
}
async function atLink(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Show my link' }).click();
  await page.getByRole('button', { name: 'Copy', exact: true }).waitFor();
}
/** Takes the network from a phone: from its page by the browser, from its workers' logs on their way. */
async function cut({ context }: Person): Promise<void> {
  proxy.rule = (_method, path) => (path.startsWith('/api/debug/client-logs') ? { answer: 503 } : null);
  await context.setOffline(true);
}
async function mend({ context }: Person): Promise<void> {
  proxy.rule = noFault;
  await context.setOffline(false);
}
const crash = (page: Page) => page.getByRole('button', { name: 'Share', exact: true }).click();
/** Its place in the code: every engine has other words for it. */
const WORDS = 'invite-link';

/** The screen is good to use in both themes, with a thumb, and not wider than the phone. */
async function holdsUp(page: Page, name: string): Promise<void> {
  if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  // Colours on their way to another theme are of neither.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const viewport of [DESK, PHONE]) {
    await page.setViewportSize(viewport);
    for (const theme of ['dark', 'light']) {
      await page.evaluate((value) => document.documentElement.setAttribute('data-theme', value), theme);
      expect(await axeFinds(page), `${name}, ${theme}, ${viewport.width}`).toEqual([]);
      if (PICTURES)
        await page.screenshot({ path: join(PICTURES, `${name}-${viewport.width}-${theme}.png`), fullPage: true });
    }
    expect(await smallTargets(page), `${name}, ${viewport.width}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), name).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize(DESK);
}

async function operator(): Promise<Person> {
  const one = await person(browser, { viewport: DESK });
  await signIn(one.page, origin, '1004');
  return one;
}

test('an operator is let in, and finds nothing yet', async () => {
  ops = await operator();
  await makeStaff(instance, '1004', 'ops');
  // A page that is left while it loads may have reported that already.
  const page = await show(`?q=${WORDS}`);
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Client logs');
});

describe('an uncaught error of the built product', () => {
  test('raised offline and replayed is one issue, with its line of code, what came before and the time offline', async () => {
    const one = await phone();
    const { context, page } = one;
    const begun = Date.now();
    await cut(one);
    await page.getByRole('link', { name: 'Explore' }).first().click();
    await page.waitForURL('**/explore-communities');
    await page.getByRole('button', { name: 'Copy', exact: true }).waitFor({ state: 'detached' });
    await page.goBack();
    await atLink(page);
    await page.waitForTimeout(2_500);
    await crash(page);
    const raised = Date.now();
    await page.waitForTimeout(1_000);
    expect(await issuesOf(WORDS)).toEqual([]);
    await mend(one);
    await expect.poll(() => issuesOf(WORDS), PATIENT).toHaveLength(1);
    const [issue] = await issuesOf(WORDS);
    const { sample } = await read(`/issues/${issue?.id}`);
    expect(sample.entry.offlineMs).toBeGreaterThan(2_000);
    expect(sample.entry.offlineMs).toBeLessThanOrEqual(raised - begun + 500);
    expect(sample.entry.delayMs).toBeGreaterThan(500);

    // From the operator's home to what led up to it: two presses.
    const reader = ops.page;
    await reader.goto(`${origin}/admin`);
    await reader
      .getByRole('link', { name: /^Client logs/ })
      .first()
      .click();
    await reader.getByRole('link', { name: /invite-link/ }).click();
    const stack = reader.getByRole('heading', { name: 'Stack' }).locator('..');
    await stack
      .getByText(/^app\/features\/communities\/invite-link\.tsx:\d+:\d+$/)
      .first()
      .waitFor();
    await expect
      .poll(() => stack.locator('.source-lines__line--here').first().textContent())
      .toMatch(/navigator\.share\(\{ url: invite\.url \}\)/);
    await reader.getByText(/^offline for \d/).waitFor();
    // In the order in which it happened: the network goes, a walk there and back, the crash. No name of a community.
    await expect
      .poll(async () => {
        const crumbs = await reader.locator('.trail__words').allInnerTexts();
        return crumbs.filter((text) => /^(Connection|Page|Pressed|This entry)/.test(text)).slice(-8);
      })
      .toEqual([
        'Connection lost',
        'Pressed “Explore”',
        'Page /explore-communities',
        'Page /community/{communityId}',
        'Pressed “Show my link”',
        'Pressed “Share”',
        'This entry',
        'Connection back',
      ]);
    await holdsUp(reader, 'trail');
    await context.close();
  });

  test('resolved: a late one opens nothing; of the next build it is the same issue, come back', async () => {
    const [issue] = await issuesOf(WORDS);
    const away = await phone();
    await cut(away);
    await crash(away.page);
    await away.page.waitForTimeout(500);

    const reader = await show(`?issue=${issue?.id}`);
    await reader.getByRole('button', { name: 'Resolve', exact: true }).click();
    await reader.getByRole('dialog').getByRole('button', { name: 'Resolve', exact: true }).click();
    await reader
      .locator('header .chip')
      .getByText(/^Resolved in [0-9a-f]{12}$/)
      .waitFor();
    await mend(away);
    await expect.poll(async () => (await issuesOf(WORDS))[0]?.countAll, PATIENT).toBe(2);
    expect(await issuesOf(WORDS)).toMatchObject([{ id: issue?.id, state: 'resolved', regression: false }]);
    await reader.reload();
    await reader.getByText('Late: not reopened').waitFor();
    await away.context.close();

    await instance.stop();
    await instance.start(later.dist);
    const again = await phone();
    expect(await again.page.locator('html').getAttribute('data-build')).toBe(later.name);
    await crash(again.page);
    await expect.poll(async () => (await issuesOf(WORDS))[0]?.countAll, PATIENT).toBe(3);
    expect(await issuesOf(WORDS)).toMatchObject([{ id: issue?.id, state: 'open', regression: true }]);
    await reader.reload();
    await reader.locator('header .chip').getByText('Regressed').waitFor();
    const { affected, sample } = await read(`/issues/${issue?.id}`);
    expect(affected.release.map(({ value }: { value: string }) => value)).toContain(later.name);
    expect(affected.release).toHaveLength(2);
    expect(sample.stack.find(({ inApp }: { inApp: boolean }) => inApp)).toMatchObject({
      original: true,
      file: 'app/features/communities/invite-link.tsx',
    });
    await again.context.close();
  });
});

const AGENTS = [
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
];
const MISHAPS = [
  ['QuotaExceededError: photo draft not saved', 40],
  ["TypeError: Cannot read properties of undefined (reading 'rank')", 17],
  ['NetworkError: drain stalled after 3 s', 9],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a stranger wrote
  ['<img src=x onerror=alert(1)> \u202egnp.exe ${jndi:ldap://x} \u001b[31m =1+1', 3],
  ['AbortError: push subscription', 1],
] as const;

/** What some phones send over a day, one of them with a clock that is wrong and numbers that are missing. */
async function fleet(): Promise<void> {
  const entries = MISHAPS.flatMap(([message, times], kind) =>
    Array.from({ length: times }, (_, n) => ({ message, kind, n })),
  );
  for (const [at, { message, kind, n }] of entries.entries()) {
    const device = at % 6;
    const happened = Date.now() - ((n * 7 + kind * 3) % 23) * 3_600_000 - 60_000 * n;
    const wrong = device === 1 ? -7 * 60_000 : 0;
    const said = (ms: number) => new Date(happened + wrong + ms).toISOString();
    const common = {
      deviceId: `phone-${device}`,
      url: `${origin}/community/${SLUG}/dashboard`,
      context: {
        displayMode: device % 2 === 0 ? 'standalone' : 'browser',
        connection: { type: '4g', offlineSince: device === 1 ? said(-3_600_000) : null },
        pushPermission: device % 3 === 0 ? 'granted' : 'default',
      },
      storageState: { kind: 'durable' },
    };
    const answer = await fetch(`${origin}/api/debug/client-logs/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': AGENTS[device % 3] ?? '' },
      body: JSON.stringify({
        sentAt: new Date(Date.now() + wrong).toISOString(),
        dropped: at === 5 ? { error: 1, debug: 31 } : { error: 0, debug: 0 },
        entries: [
          {
            id: randomUUID(),
            type: 'debug',
            data: {
              ...common,
              action: 'tap',
              data: { button: 'Claim' },
              source: 'app',
              timestamp: said(-900),
              sequence: at * 3,
            },
          },
          {
            id: randomUUID(),
            type: 'error',
            data: { ...common, message, source: 'window.error', timestamp: said(0), sequence: at * 3 + 1 },
          },
        ],
      }),
    });
    expect(answer.status).toBe(200);
  }
  await expect.poll(async () => (await issuesOf('photo')).map(({ countAll }) => countAll), PATIENT).toEqual([40]);
}

describe('the reader', () => {
  test('fills with what phones send', async () => {
    // Theirs is the build before: it would say so on every screen.
    await ops.context.close();
    ops = await operator();
    await fleet();
  });

  test('lists issues, narrows them by words, filters and a drag, all in the address', async () => {
    const page = await show('');
    await page.getByRole('link', { name: /photo draft not saved/ }).waitFor();
    await holdsUp(page, 'issues');
    await write(page.getByRole('searchbox', { name: 'Search' }), 'rank');
    await page.waitForURL(/[?&]q=rank/);
    await page.getByRole('link', { name: /photo draft/ }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /reading 'rank'/ }).waitFor();
    await page.getByRole('button', { name: /^Filters/ }).click();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await sheet.getByLabel('Engine').selectOption('firefox');
    await holdsUp(page, 'filters');
    await sheet.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/engine=firefox/);
    await page.getByRole('button', { name: /^Engine: firefox/ }).click();
    await page.waitForURL((url) => !url.search.includes('engine'));

    const bars = page.locator('svg.log-bars');
    const box = await bars.boundingBox();
    if (!box) throw new Error('no bars');
    const wide = await bars.getAttribute('aria-label');
    await page.mouse.move(box.x + box.width * 0.25, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.75, box.y + 20, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/from=.*to=/);
    await expect.poll(() => bars.getAttribute('aria-label')).not.toBe(wide);
    // By the keyboard alone, from the list of moments.
    const before = page.url();
    await page.getByText('Pick a range').press('Enter');
    await page.getByLabel('From', { exact: true }).selectOption({ index: 5 });
    await page.getByRole('button', { name: 'Look closer' }).press('Enter');
    await page.waitForURL((url) => url.href !== before);
    const permalink = page.url();
    await page.reload();
    await page.getByRole('searchbox', { name: 'Search' }).waitFor();
    expect(page.url()).toBe(permalink);
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('rank');
    await page.goto(`${origin}${LOGS}?q=nothinglikethis`);
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
    await holdsUp(page, 'nothing');
  });

  test('goes from issue to issue by keys', async () => {
    const page = await show('');
    await page.locator('a.issue-row').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const title = await page.evaluate(() => document.activeElement?.querySelector('b')?.textContent ?? '');
    await page.keyboard.press('o');
    await page.locator('.issue-page header h2').waitFor();
    expect(await page.locator('.issue-page header h2').textContent()).toBe(title);
  });

  test('shows what strangers wrote as text, whatever it is', async () => {
    const page = await show('?q=onerror');
    const link = page.getByRole('link', { name: /onerror=alert/ });
    expect(await link.innerText()).toContain(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: what a stranger wrote
      '<img src=x onerror=alert(1)> \\u202egnp.exe ${jndi:ldap://x} \\u001b[31m =1+1',
    );
    await link.click();
    await page.getByRole('heading', { name: 'Stack' }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(ops.complaints).toEqual([]);
  });

  test('an issue says on what phone, how late, what is missing, and is ignored and opened by hand', async () => {
    const page = await show('?q=photo');
    await page.getByRole('link', { name: /photo draft/ }).click();
    await page.getByRole('heading', { name: 'Affected' }).waitFor();
    await holdsUp(page, 'issue');
    await page.getByRole('button', { name: 'Ignore', exact: true }).click();
    const sheet = page.getByRole('dialog', { name: 'Ignore this issue' });
    await sheet.getByLabel('Until').selectOption({ label: 'a number of people' });
    await write(sheet.getByLabel('How many'), '0');
    await sheet.getByText('Enter a whole number from').first().waitFor();
    await holdsUp(page, 'ignore');
    await write(sheet.getByLabel('How many'), '5');
    await sheet.getByRole('button', { name: 'Ignore', exact: true }).click();
    await page.locator('header .chip').getByText('Ignored until 5 more people').waitFor();
    await page.getByRole('button', { name: 'Open again' }).click();
    await page.locator('header .chip').getByText('Open', { exact: true }).waitFor();
  });

  test('two issues become one and two again', async () => {
    const [issue] = await issuesOf('drain stalled');
    const page = await show(`?issue=${issue?.id}`);
    await page.getByRole('button', { name: 'Merge' }).click();
    const sheet = page.getByRole('dialog', { name: 'Merge others into this one' });
    await write(sheet.getByRole('searchbox'), 'push subscription');
    await sheet.getByLabel(/AbortError: push subscription/).check();
    await holdsUp(page, 'merge');
    await sheet.getByRole('button', { name: 'Merge 1 into this one' }).click();
    await sheet.waitFor({ state: 'hidden' });
    expect(await issuesOf('push subscription')).toEqual([]);
    await page.getByLabel('Take out').last().check();
    await page.getByRole('button', { name: 'Split into a new issue' }).click();
    await page.waitForURL((url) => url.searchParams.get('issue') !== issue?.id);
    expect(await issuesOf('push subscription')).toHaveLength(1);
  });

  test('copies an entry as text for an issue tracker, and exports the filter as files', async () => {
    const page = await show('?q=photo');
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', {
        value: { writeText: async (text: string) => void Object.assign(globalThis, { copied: text }) },
      });
    });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export these entries as CSV' }).click(),
    ]);
    const csv = readFileSync(await file.path(), 'utf8');
    expect(csv.trim().split('\r\n')).toHaveLength(41);
    await page.getByRole('link', { name: /photo draft/ }).click();
    await page.getByRole('button', { name: 'Copy as issue' }).click();
    await page.getByText('Copied as text for an issue tracker.').waitFor();
    expect(await page.evaluate(() => (globalThis as unknown as { copied: string }).copied)).toMatch(
      /QuotaExceededError: photo draft not saved[\s\S]*\/admin\/client-logs\?issue=/,
    );
  });

  test('lists entries, one by its own link, and tells what happened on one phone with its holes', async () => {
    const page = await show('?view=entries&kind=debug');
    await page
      .getByRole('link', { name: /Breadcrumb: tap/ })
      .first()
      .waitFor();
    await holdsUp(page, 'entries');
    await page
      .getByRole('link', { name: /Breadcrumb: tap/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'What led up to it' }).waitFor();
    await holdsUp(page, 'entry');
    await page
      .getByRole('link', { name: 'This phone’s timeline' })
      .or(page.getByRole('link', { name: 'This phone’s timeline' }))
      .click();
    await page
      .getByText(/entr(y|ies) never arrived/)
      .first()
      .waitFor();
    await holdsUp(page, 'timeline');
  });

  test('follows live what phones send', async () => {
    const page = await show('?view=tail&q=tailword');
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    for (const message of ['tailword one', 'another thing', 'tailword two'])
      await fetch(`${origin}/api/debug/client-logs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'error', data: { message } }),
      });
    await page.getByRole('link', { name: /tailword two/ }).waitFor();
    await page.getByRole('link', { name: /tailword one/ }).waitFor();
    expect(await page.getByRole('link', { name: /another thing/ }).count()).toBe(0);
    await holdsUp(page, 'tail');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
  });

  test('says what the fleet is like', async () => {
    const page = await show('?view=fleet');
    await page.getByRole('heading', { name: 'Devices on each build, day by day' }).waitFor();
    await holdsUp(page, 'fleet');
  });

  test('keeps rules of whom to tell, with quiet times', async () => {
    const page = await show('?view=rules');
    await page.getByRole('heading', { name: 'No one is alerted' }).waitFor();
    await holdsUp(page, 'rules-none');
    await page.getByRole('button', { name: 'Add a rule' }).click();
    const sheet = page.getByRole('dialog', { name: 'Add a rule' });
    await sheet.getByRole('button', { name: 'Save the rule' }).click();
    await sheet.getByText('Give it a name.').waitFor();
    await write(sheet.getByLabel('Name'), 'New at night');
    await sheet.getByLabel('When').selectOption({ label: 'More errors than usual' });
    await write(sheet.getByLabel('Chat'), '-1001');
    await sheet.getByLabel('Quiet hours').check();
    await holdsUp(page, 'rule-form');
    await sheet.getByRole('button', { name: 'Save the rule' }).click();
    await sheet.waitFor({ state: 'hidden' });
    await page.getByText(/20 errors in 60 minutes, 3 times as many as usual/).waitFor();
    await page.getByText(/quiet 22:00 to 07:00/).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/^The test was/).waitFor();
    await holdsUp(page, 'rules');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No one is alerted' }).waitFor();
  });

  test('without a connection says so, and shows nothing that was', async () => {
    const page = await show('');
    await page.locator('a.issue-row').first().waitFor();
    await controlled(page);
    proxy.cut();
    await ops.context.setOffline(true);
    // What is on the screen stays; it only cannot be asked for anew.
    await page.getByRole('button', { name: /^CSV: needs a connection/ }).waitFor();
    await page.getByRole('button', { name: /^Refresh: needs a connection/ }).waitFor();
    await page.goto(`${origin}${LOGS}?view=entries`);
    await page.getByRole('heading', { name: 'No connection' }).waitFor({ timeout: 60_000 });
    expect(await page.locator('a.log-entry').count()).toBe(0);
    await holdsUp(page, 'offline');
    proxy.mend();
    await ops.context.setOffline(false);
    // Firefox does not tell a page that was opened under its emulation of no network when that ends.
    if (ENGINE === 'firefox') await page.evaluate(() => void dispatchEvent(new Event('online')));
    await page.locator('a.log-entry').first().waitFor({ timeout: 60_000 });
  });

  test('an administrator’s pages hold up on a desk and a phone, in both themes', async () => {
    await makeStaff(instance, '1004', 'admin');
    for (const path of ['', '/analytics', '/account-management', '/communities', '/partnerships', '/announcements']) {
      await ops.page.goto(`${origin}/admin${path}`);
      await arrived(ops.page);
      await holdsUp(ops.page, `admin${path}`);
    }
  });

  test('is closed to who is signed out, and to members', async () => {
    const stranger = await person(browser);
    await stranger.page.goto(`${origin}${LOGS}`);
    await stranger.page.getByText('This page is for the people who run this instance.', { exact: false }).waitFor();
    await holdsUp(stranger.page, 'signed-out');
    await signIn(stranger.page, origin, '1001', `${LOGS}?view=fleet`);
    await stranger.page.getByRole('heading', { name: 'This page is for operators' }).waitFor();
    await holdsUp(stranger.page, 'member');
    expect(await stranger.page.evaluate(async (path) => (await fetch(`/api${path}/issues`)).status, LOGS)).toBe(403);
    await stranger.context.close();
    expect(ops.complaints).toEqual([]);
  });
});
