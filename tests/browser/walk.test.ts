/**
 * Every route of the specification's section 2, as people in each of its states open it: with the server there, stopped, and
 * hanging. What stands below is the section's table in the headings of its screens. `TIER=all` opens every route in every
 * way and in both themes and lets axe look; else each route is opened once with the server there in each state, and once
 * stopped and once hanging in one of them. That a page still loads is looked at last, on a device that knows nothing.
 */
import type { Browser, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { controlled, person, signIn } from '../support/browser.ts';
import { flawsOf, theme } from '../support/flaws.ts';
import { type Instance, sampleCommunities } from '../support/instance.ts';
import { withProduct } from '../support/product.ts';

const STATES = ['visitor', 'unfinished', 'verified', 'removed'] as const;
type State = (typeof STATES)[number];
const PEOPLE: Readonly<Record<State, string | null>> = {
  visitor: null,
  unfinished: '1003',
  verified: '1004',
  removed: '1005',
};

const LANDING = 'Show up. Be counted. Signal or not.';
/** What stands for a path that is not there for them. */
const ELSE: Readonly<Record<State, string>> = {
  visitor: LANDING,
  unfinished: 'Almost there',
  verified: 'Page not found',
  removed: 'Access Restricted',
};
const same = (heading: string): Record<State, string> => ({
  visitor: heading,
  unfinished: heading,
  verified: heading,
  removed: heading,
});
const verified = (heading: string) => ({ ...ELSE, verified: heading });
const today = { ...same('Today'), verified: 'Today in Ridge & Valley Walkers' };

const HEADINGS: Readonly<Record<string, Record<State, string>>> = {
  // public, in every state
  '/admin': same('Overview'),
  '/admin/analytics': same('Analytics'),
  '/partnerships': same('Partnerships'),
  '/admin/account-management': same('Accounts'),
  '/learn-more': same('How it works'),
  '/how-to-use': same('How to use it'),
  '/muster-ai': same('Muster assistant'),
  '/community-leader-wizard': same('Set up a community'),
  '/ai-tools': same('Writing tools'),
  '/ai-defi-tools': same('Calculators'),
  '/web3-quiz': same('Quiz'),
  '/explore-communities': same('Explore'),
  '/community-guidelines': same('Community guidelines'),
  '/privacy-policy': same('Privacy policy'),
  '/terms': same('Terms'),
  '/cookie-policy': same('Cookie policy'),
  '/communities': same('Communities'),
  '/community/{slug}': same('Ridge & Valley Walkers'),
  '/community/{slug}/dashboard': today,
  '/community/{slug}/admin': same('Leader tools'),
  '/{slug}/dashboard': today,
  '/{slug}/admin': same('Leader tools'),
  '/community-leader-signup': same('Lead a community'),
  '/channel-removed': same('The required channel'),
  '/no-communities': { ...same('No communities yet'), verified: 'Communities' },
  '/engagement-complete': same('Receipt'),
  '/twitter-return': same('Linking X'),
  '/twitter-demo': same('Try a task on X'),
  // by state
  '/': { ...ELSE, verified: 'Choose a community' },
  '/community-selector': { ...ELSE, visitor: 'Choose a community', verified: 'Choose a community' },
  '/new-user-exploration': { ...ELSE, visitor: 'A minute to try it', unfinished: 'A minute to try it' },
  '/platform-exploration': { ...same('What there is'), removed: ELSE.removed },
  '/profile': verified('Inês Ferreira'),
  '/leaderboard': verified('Leaderboard'),
  '/ai-assistant': verified('Assistant'),
  '/profile-accounts': verified('Accounts and sessions'),
  '/no/such/page': ELSE,
};
/** Whoever was removed is forgotten by the device: without the server it is not known who opens the page. */
const FORGOTTEN: Readonly<Record<string, string>> = {
  [ELSE.removed]: 'Opening Muster',
  'Ridge & Valley Walkers': 'Community',
};
const PATHS = Object.keys(HEADINGS);
const ALL = process.env['TIER'] === 'all';
/** Of the routes those that this state opens in this way. */
const shareOf = (state: State, way: number) =>
  ALL ? PATHS : PATHS.filter((_, at) => (at + way) % STATES.length === STATES.indexOf(state));

let instance: Instance;
let browser: Browser;
let slug = '';
withProduct(async (product) => {
  ({ instance, browser } = product);
  slug = (await sampleCommunities(instance))[0]?.slug ?? '';
});

async function kick(telegramUserId: string): Promise<void> {
  const answer = await fetch(`${instance.sandbox}/control/memberships`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chatId: '-1001', telegramUserId, status: 'kicked' }),
  });
  expect(answer.status).toBe(200);
}

const at = (path: string) => instance.url + path.replace('{slug}', slug);

/** Opens them one after another; answers what was not as it should be. */
async function walk(page: Page, state: State, way: string, paths: readonly string[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const path of paths) {
    const where = `${state}, ${way}: ${path}`;
    await page.goto(at(path));
    const there = HEADINGS[path]?.[state] ?? '';
    const wanted = (state === 'removed' && way !== 'there' && FORGOTTEN[there]) || there;
    await page
      .getByRole('heading', { level: 1, name: wanted, exact: true })
      .waitFor()
      .catch(async () => wrong.push(`${where}: ${await page.locator('h1').allTextContents()}, not ${wanted}`));
    if (ALL) wrong.push(...(await flawsOf(page, where)));
    else {
      // Where a frame takes another's place there are none, or two, for a moment.
      const one = () => document.querySelectorAll('h1').length === 1;
      await page.waitForFunction(one, undefined, { timeout: 5_000 }).catch(async () => {
        wrong.push(`${where}: ${await page.locator('h1').allTextContents()}, not one h1`);
      });
    }
  }
  return wrong;
}

describe.each(STATES)('as somebody %s', (state) => {
  const themes = ALL ? (['light', 'dark'] as const) : (['light'] as const);
  test.each(themes)(
    'each route shows its screen: there, stopped, hanging, %s',
    { timeout: 1_200_000 },
    async (mode) => {
      const { context, page, complaints } = await person(browser);
      const id = PEOPLE[state];
      if (id) await signIn(page, instance.url, id);
      else await page.goto(at('/'));
      await theme(page, mode);
      await controlled(page);
      if (state === 'removed' && id) await kick(id);
      // Where nobody is signed in nothing is asked for that would be refused.
      const refused: string[] = [];
      page.on('console', (message) => message.type() === 'error' && refused.push(`${page.url()}: ${message.text()}`));
      expect(await walk(page, state, 'there', PATHS)).toEqual([]);
      if (state === 'visitor') expect(refused).toEqual([]);

      await instance.stop();
      expect(await walk(page, state, 'stopped', shareOf(state, 0))).toEqual([]);
      await instance.start();
      const goOn = instance.hang();
      try {
        expect(await walk(page, state, 'hanging', shareOf(state, 1))).toEqual([]);
      } finally {
        goOn();
      }
      expect(complaints).toEqual([]);
      await context.close();
    },
  );
});

test('while it is not known who opens it, every path by state shows a loader', async () => {
  const { context, page } = await person(browser, { alone: true });
  await page.route('**/api/auth/user', () => undefined);
  // A visitor's page need not ask; one of whom the browser holds a session does.
  await context.addCookies([{ name: 'sid', value: 'x', url: instance.url }]);
  for (const path of ['/', '/profile', '/no/such/page']) {
    await page.goto(at(path));
    await page.getByRole('heading', { level: 1, name: 'Opening Muster' }).waitFor();
  }
  await context.close();
});
