import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOMS } from '../../app/features/leader/rooms.ts';
import { openStorage } from '../../server/storage/open.ts';
import { axeFinds } from '../support/axe.ts';
import { controlled, DESK, launch, PHONE, person, signIn, write } from '../support/browser.ts';
import { type Instance, sampleCommunities, startInstance } from '../support/instance.ts';
import { smallTargets } from '../support/touch-targets.ts';

const PUBLIC = [
  '/',
  '/learn-more',
  '/how-to-use',
  '/community-guidelines',
  '/privacy-policy',
  '/terms',
  '/cookie-policy',
  '/communities',
  '/explore-communities',
  '/community/{slug}',
  '/community/{slug}/dashboard',
  '/{slug}/dashboard',
  '/community/{slug}/admin',
  '/{slug}/admin',
  '/community-selector',
  '/new-user-exploration',
  '/platform-exploration',
  '/twitter-return',
  '/engagement-complete',
  '/channel-removed',
  '/no-communities',
  '/community-leader-signup',
  '/community-leader-wizard',
  '/share',
  '/admin',
  '/logout',
];
/** What leaders of `{led}` have, a room each. */
const ROOM_PATHS = [
  ...ROOMS.map((room) => `/community/{led}/admin?room=${room}`),
  '/community/{led}/admin?show=approved',
  '/community/{led}/admin?show=rejected',
  '/community/{led}/admin?room=tasks&edit=new',
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
  '/no/such/page',
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
      const { id: ledId, slug: led } = mine.find(({ role }) => role === 'leader') ?? {};
      const { items }: { items: { id: string; kind: string }[] } = await read(`/api/communities/${led}/tasks`);
      return { led, ledId, event: items.find(({ kind }) => kind === 'telegram_event')?.id };
    }),
  );
  await context.close();
  for (const name of ['slug', 'led', 'ledId', 'event']) expect(names[name], name).toBeTruthy();
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

async function theme(page: Page, value: 'light' | 'dark'): Promise<void> {
  await page.evaluate((theme) => localStorage.setItem('muster-theme', theme), value);
}

async function problemsOf(page: Page, paths: string[]): Promise<string[]> {
  const problems: string[] = [];
  for (const path of paths) {
    await page.goto(at(path));
    try {
      await settled(page, path);
    } catch (error) {
      problems.push(String(error));
      continue;
    }
    problems.push(...(await flawsOf(page, path)));
  }
  return problems;
}

/** What is wrong with the page as it stands. */
async function flawsOf(page: Page, where: string): Promise<string[]> {
  const problems: string[] = [];
  const headings = await page.locator('h1').count();
  if (headings !== 1) problems.push(`${where}: ${headings} h1`);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (overflow > 0) problems.push(`${where}: ${overflow} px wider than the screen`);
  if (page.viewportSize()?.width === PHONE.width)
    for (const small of await smallTargets(page)) problems.push(`${where}: ${small}`);
  for (const found of await axeFinds(page)) problems.push(`${where}: ${found}`);
  return problems;
}

/** Icons come from one sprite; the browser's complaints about cut requests would not tell of its lack. */
const drawsItsIcons = (page: Page) =>
  page.evaluate(async () => {
    const use = document.querySelector('use')?.getAttribute('href')?.split('#')[0];
    return use === undefined || (await fetch(use)).ok;
  });

describe('every route', () => {
  for (const mode of ['light', 'dark'] as const) {
    test(`signed out, ${mode}: axe finds nothing, one h1, no overflow, nothing too small for a thumb, no complaint`, async () => {
      const { context, page, complaints } = await person(browser, { viewport: mode === 'light' ? PHONE : DESK });
      await page.goto(at('/'));
      await theme(page, mode);
      expect(await problemsOf(page, PUBLIC)).toEqual([]);
      expect(complaints).toEqual([]);
      await context.close();
    });

    test(`as a member, ${mode}: axe finds nothing, one h1, no overflow, nothing too small for a thumb, no complaint`, async () => {
      const { context, page, complaints } = await person(browser, { viewport: mode === 'light' ? PHONE : DESK });
      await signIn(page, instance.url, '1004');
      await theme(page, mode);
      expect(await problemsOf(page, MEMBER)).toEqual([]);
      expect(complaints).toEqual([]);
      await context.close();
    });
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

describe('what leaders and admins send to many', () => {
  beforeAll(async () => {
    const log = { info: () => undefined, warn: () => undefined };
    const storage = await openStorage({ databaseUrl: process.env['DATABASE_URL'] ?? null, home: instance.home }, log);
    const { count } = await storage.sql`update users set role = 'admin' where telegram_user_id = 1004`;
    await storage.close();
    expect(count).toBe(1);
  });

  for (const mode of ['light', 'dark'] as const)
    test(`written, tried, planned, sent, loading, broken, forbidden, ${mode}: axe finds nothing`, async () => {
      const viewport = mode === 'light' ? PHONE : DESK;
      const { context, page, complaints } = await person(browser, { viewport, alone: true });
      await signIn(page, instance.url, '1004');
      await theme(page, mode);
      const problems: string[] = [];
      const look = async (state: string) => problems.push(...(await flawsOf(page, state)));
      const heading = (name: string) => page.getByRole('heading', { name }).waitFor();

      const rooms = { leader: at('/community/{led}/admin?room=announcements'), admin: at('/admin') };
      for (const [who, room] of Object.entries(rooms)) {
        const composer = page.locator('form', { has: page.getByRole('button', { name: 'Send now' }) });
        let answer: (route: Route) => unknown = () => undefined;
        const all = /\/campaigns(\?|$)/;
        await context.route(all, (route) => answer(route));
        // They are drawn by the same parts wherever the list stands.
        if (who === 'leader') {
          await page.goto(room);
          await page.getByRole('status', { name: 'Loading' }).filter({ visible: true }).first().waitFor();
          await look(`${who}, loading`);
          for (const [status, title] of [
            [500, 'This did not load'],
            [403, 'Not open to you'],
          ] as const) {
            const json = { status, reason: 'SAID_SO', message: 'The server says so.', requestId: 'r-1' };
            answer = (route) => route.fulfill({ status, json });
            await page.goto(room);
            await heading(title);
            await look(`${who}, ${status}`);
          }
        }
        answer = (route) => route.fulfill({ json: { items: [], next: null } });
        await page.goto(room);
        await heading('Nothing was sent yet');
        await composer.getByRole('button', { name: 'Send now' }).click();
        await page.getByText('Write something.').waitFor();
        await look(`${who}, nothing sent, nothing written`);
        await context.unroute(all);
        const path = who === 'admin' ? '/api/admin/campaigns' : `/api/communities/${names['ledId']}/campaigns`;
        await page.evaluate(async (path) => {
          for (const sendAt of [new Date(Date.now() + 86_400_000).toISOString(), null]) {
            const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
            const body = JSON.stringify({ title: 'Solstice', body: 'We meet at ten.', sendAt, audience: {} });
            const { status } = await fetch(path, { method: 'POST', headers, body });
            if (status !== 201) throw new Error(`${path}: ${status}`);
          }
        }, path);
        await page.waitForFunction(
          async (path) => {
            const { items } = await (await fetch(path)).json();
            return items.some(
              ({ state, title }: { state: string; title: string }) => state === 'done' && title === 'Solstice',
            );
          },
          path,
          { polling: 500 },
        );
        await page.goto(room);
        await page.getByRole('button', { name: 'Take back “Solstice”' }).first().waitFor();
        await write(composer.getByLabel('Title'), 'Solstice');
        await write(composer.getByLabel('What you want to say'), 'We meet at ten, and walk to the three stones.');
        if (who === 'leader') {
          await composer.getByLabel('Who gets it').selectOption({ label: 'Member' });
          await write(composer.getByLabel('Active within days'), '30');
          await composer.getByRole('button', { name: 'Test to myself' }).click();
          await page.getByText(/^A test is on its way/).waitFor();
        }
        await look(`${who}, written, planned and sent`);
      }
      expect(problems).toEqual([]);
      expect(complaints).toEqual([]);
      await context.close();
    });
});
