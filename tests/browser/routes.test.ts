import type { Browser, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ROOMS } from '../../app/features/leader/rooms.ts';
import { arrived, controlled, DESK, ENGINE, PHONE, person, signIn } from '../support/browser.ts';
import { flawsOf, theme } from '../support/flaws.ts';
import { type Instance, sampleCommunities } from '../support/instance.ts';
import { cutWords, setLetters } from '../support/letters.ts';
import { withProduct } from '../support/product.ts';

const PUBLIC = [
  '/',
  '/learn-more',
  '/how-to-use',
  '/muster-ai',
  '/ai-tools',
  '/ai-tools?tool=announcement',
  '/ai-tools?tool=task',
  '/ai-tools?tool=answers',
  '/ai-tools?tool=feedback',
  '/community-guidelines',
  '/privacy-policy',
  '/terms',
  '/cookie-policy',
  '/communities',
  '/explore-communities',
  '/ai-defi-tools',
  '/ai-defi-tools/impermanent-loss',
  '/ai-defi-tools/perpetual?side=short&leverage=25&entry=many',
  '/community/{slug}',
  '/community/{slug}/dashboard',
  '/{slug}/dashboard',
  '/community/{slug}/admin',
  '/{slug}/admin',
  '/community-selector',
  '/new-user-exploration',
  '/platform-exploration',
  '/twitter-return',
  '/telegram-return',
  '/twitter-demo',
  '/engagement-complete',
  '/channel-removed',
  '/no-communities',
  '/i/{code}',
  '/community-leader-signup',
  '/community-leader-wizard',
  '/share',
  '/your-data',
  '/settings',
  '/settings/device',
  '/settings/time-zone',
  '/settings/notifications',
  '/settings/ledger',
  '/settings/privacy',
  '/web3-quiz',
  '/web3-quiz?practice=privacy',
  '/admin',
  '/admin/analytics',
  '/admin/account-management',
  '/admin/announcements',
  '/admin/communities',
  '/admin/partnerships',
  '/admin/audit',
  '/admin/first',
  '/partnerships',
  '/logout',
];
/** What leaders of `{led}` have, a room each. */
const ROOM_PATHS = [
  ...ROOMS.map((room) => `/community/{led}/admin?room=${room}`),
  '/community/{led}/admin?show=approved',
  '/community/{led}/admin?show=rejected',
  '/community/{led}/admin?room=tasks&edit=new',
  '/community/{led}/admin?room=quizzes&pack=new',
  '/community/{led}/admin?room=event&task={event}',
];
const MEMBER = [
  ...PUBLIC.filter((path) => path !== '/logout'),
  ...ROOM_PATHS,
  '/community/{led}/dashboard',
  '/engagement-complete?community={led}&task={event}',
  '/explore-communities?q=walk&order=name',
  '/profile',
  '/profile-accounts',
  '/leaderboard',
  '/leaderboard?community={slug}',
  '/ai-assistant',
  '/no/such/page',
];

/** The demo's own document, in both roles, and what it has not. Its network is its own: it is looked at apart. */
const DEMO = [
  '/demo',
  '/demo?screen=/community/ridge-valley-walkers/admin&role=leader',
  '/demo?screen=/profile&role=member',
  '/demo?screen=/logout&role=member',
];

let instance: Instance;
let browser: Browser;
const names: Record<string, string> = {};

withProduct(async (product) => {
  ({ instance, browser } = product);
  names['slug'] = (await sampleCommunities(instance))[0]?.slug ?? '';
  const context = await browser.newContext();
  const page = await context.newPage();
  await signIn(page, instance.url, '1004');
  Object.assign(
    names,
    await page.evaluate(async () => {
      const read = async (path: string) => (await fetch(path)).json();
      const mine: { id: string; slug: string; role: string }[] = await read('/api/user/communities');
      const { slug: led } = mine.find(({ role }) => role === 'leader') ?? {};
      const { items }: { items: { id: string; kind: string }[] } = await read(`/api/communities/${led}/tasks`);
      const { code }: { code: string } = await read(`/api/communities/${led}/invite`);
      return { led, code, event: items.find(({ kind }) => kind === 'telegram_event')?.id };
    }),
  );
  await context.close();
  for (const name of ['slug', 'led', 'event', 'code']) expect(names[name], name).toBeTruthy();
});

const at = (path: string) => instance.url + path.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '');

/** Opens a page and answers what `look` finds of it once it is there, or why it is not. */
async function lookAt(page: Page, path: string, look: () => Promise<string[]>): Promise<string[]> {
  try {
    await page.goto(at(path));
    await arrived(page);
    return (await look()).map((found) => `${path}${found}`);
  } catch (error) {
    return [`${path}: ${error}`];
  }
}

/** A page is looked at as a phone in light shows it, and then as a desk in dark does: one load serves both, and large letters. */
const LOOKS = [
  { theme: 'light', viewport: PHONE },
  { theme: 'dark', viewport: DESK },
] as const;

async function problemsOf(page: Page, paths: readonly string[]): Promise<string[]> {
  // What fades in has another colour on the way: here everything is at once what it will be.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const driver = ENGINE === 'chromium' ? await page.context().newCDPSession(page) : null;
  const problems: string[] = [];
  for (const path of paths) {
    await page.setViewportSize(PHONE);
    const look = async () => {
      const found: string[] = [];
      for (const { theme, viewport } of LOOKS) {
        await page.setViewportSize(viewport);
        await page.evaluate((theme) => {
          document.documentElement.dataset['theme'] = theme;
        }, theme);
        found.push(...(await flawsOf(page, `, ${theme}`)));
      }
      if (driver === null) return found;
      await page.setViewportSize(PHONE);
      await setLetters(driver, 2);
      await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === '32px');
      return [...found, ...(await cutWords(page)).map((flaw) => `, large letters: ${flaw}`)];
    };
    problems.push(...(await lookAt(page, path, look)));
    if (driver) await setLetters(driver, 1);
  }
  return problems;
}

/** Icons come from one sprite; the browser's complaints about cut requests would not tell of its lack. */
const drawsItsIcons = (page: Page) =>
  page.evaluate(async () => {
    const use = document.querySelector('use')?.getAttribute('href')?.split('#')[0];
    return use === undefined || (await fetch(use)).ok;
  });

/** Some fifty pages one after another, each looked at as a whole. */
const LONG = { timeout: 480_000 };

describe('every route', LONG, () => {
  // Firefox draws the same: it looks at them before a release.
  if (ENGINE === 'chromium' || process.env['TIER'] === 'all') {
    test.each([
      ['signed out', [...PUBLIC, ...DEMO], null],
      ['as a member', MEMBER, '1004'],
    ] as const)(
      '%s: axe finds nothing, one h1, no overflow, nothing too small for a thumb, large words whole, no complaint',
      async (_, paths, id) => {
        const { context, page, complaints } = await person(browser);
        if (id) await signIn(page, instance.url, id);
        else await page.goto(at('/'));
        await theme(page, 'light');
        const problems = await problemsOf(page, paths);
        expect(problems, problems.join('\n')).toEqual([]);
        expect(complaints).toEqual([]);
        await context.close();
      },
    );
  }

  test('each opens offline after one visit, deep links too', async () => {
    const { context, page, complaints } = await person(browser);
    await signIn(page, instance.url, '1004');
    await controlled(page);
    const problems: string[] = [];
    // A second engine keeps screens or it does not: it opens every third, and all of them before a release.
    const each = ENGINE === 'chromium' || process.env['TIER'] === 'all' ? 1 : 3;
    const paths = MEMBER.filter((path) => path !== '/no/such/page' && path !== '/twitter-return').filter(
      (_, at) => at % each === 0,
    );
    for (const path of paths) problems.push(...(await lookAt(page, path, async () => [])));
    await instance.stop();
    const look = async () => ((await drawsItsIcons(page)) ? [] : [': no icons']);
    for (const path of paths) problems.push(...(await lookAt(page, path, look)).map((found) => `offline: ${found}`));
    await instance.start();
    expect(problems).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
