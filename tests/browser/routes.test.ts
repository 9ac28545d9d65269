import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOMS } from '../../app/features/leader/rooms.ts';
import { controlled, DESK, ENGINE, launch, PHONE, person, signIn } from '../support/browser.ts';
import { flawsOf, theme } from '../support/flaws.ts';
import { type Instance, sampleCommunities, startInstance } from '../support/instance.ts';

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

beforeAll(async () => {
  instance = await startInstance();
  browser = await launch();
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
afterAll(async () => {
  await browser?.close();
  await instance?.remove();
});

const at = (path: string) => instance.url + path.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '');

/** The screen has arrived: one heading, one main landmark, nothing that still loads. */
async function settled(page: Page, path: string): Promise<void> {
  await page
    .locator('main h1')
    .first()
    .waitFor({ state: 'attached', timeout: 15_000 })
    .catch(() => {
      throw new Error(`${path}: no h1 inside main`);
    });
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'), undefined, { timeout: 15_000 });
}

/** A page is looked at as a phone in light shows it, and then as a desk in dark does: one load serves both. */
const LOOKS = [
  { theme: 'light', viewport: PHONE },
  { theme: 'dark', viewport: DESK },
] as const;

async function problemsOf(page: Page, paths: string[]): Promise<string[]> {
  const problems: string[] = [];
  for (const path of paths) {
    await page.setViewportSize(PHONE);
    await page.goto(at(path));
    try {
      await settled(page, path);
      for (const look of LOOKS) {
        await page.setViewportSize(look.viewport);
        await page.evaluate((theme) => {
          document.documentElement.dataset['theme'] = theme;
        }, look.theme);
        problems.push(...(await flawsOf(page, `${path}, ${look.theme}`)));
      }
    } catch (error) {
      problems.push(String(error));
    }
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
      '%s: axe finds nothing, one h1, no overflow, nothing too small for a thumb, no complaint',
      async (_, paths, id) => {
        const { context, page, complaints } = await person(browser);
        if (id) await signIn(page, instance.url, id);
        else await page.goto(at('/'));
        await theme(page, 'light');
        expect(await problemsOf(page, [...paths])).toEqual([]);
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
    const paths = MEMBER.filter((path) => path !== '/no/such/page' && path !== '/twitter-return');
    for (const path of paths) {
      await page.goto(at(path));
      await settled(page, path);
    }
    await instance.stop();
    for (const path of paths) {
      await page.goto(at(path));
      await settled(page, `${path} offline`).catch((error) => problems.push(String(error)));
      if (!(await drawsItsIcons(page))) problems.push(`${path} offline: no icons`);
    }
    await instance.start();
    expect(problems).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
