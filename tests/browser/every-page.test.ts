/**
 * Every page, as each of those who see another one of it opens it: looked at once with the server there, and opened again with
 * one that answers nothing, and without it. `support/pages` is the specification's section 2 in headings.
 */
import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { GATED_PAGES } from '../../server/contract/pages.ts';
import { come, command, controlled, ENGINE, type Person, person, signedIn } from '../support/browser.ts';
import { theme } from '../support/flaws.ts';
import { type Instance, inChannel, sampleCommunities } from '../support/instance.ts';
import { makeStaff } from '../support/instance-database.ts';
import { comes, type Eye, eyeOf, flawsOfPage } from '../support/page-looks.ts';
import { FORGOTTEN, LONG_WORD, PAGES, type Viewer, WHO } from '../support/pages.ts';
import { withProduct } from '../support/product.ts';

/** Two pages are looked at beside each other: one for each core of a small machine. */
const LANES: readonly (readonly Viewer[])[] = [
  ['leader', 'member'],
  ['visitor', 'unfinished', 'removed', 'admin'],
];
/** Another engine opens every fourth, and all of them before a release. */
const EACH = ENGINE === 'firefox' && process.env['TIER'] === 'full' ? 4 : 1;
/** The one page that is looked at where that is enough: `npm run mutations` asks for it. */
const ONLY = process.env['PAGE'];
/** Some two hundred pages. */
const LONG = { timeout: 900_000 };

let instance: Instance;
let browser: Browser;
const viewers = new Map<Viewer, Person>();
const names: Record<string, string> = {};

withProduct(async (product) => {
  ({ instance, browser } = product);
  names['slug'] = (await sampleCommunities(instance))[0]?.slug ?? '';
});

const at = (path: string): string => instance.url + path.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '');
type Line = { path: string; heading: string; isLooked: boolean };
const linesOf = (viewer: Viewer): Line[] =>
  Object.entries(PAGES)
    .flatMap(([path, { headings, looks }]) => {
      const heading = headings[viewer];
      return heading === undefined ? [] : [{ path, heading, isLooked: looks.includes(viewer) }];
    })
    .filter(({ path }, at) => (ONLY ? path === ONLY : at % EACH === 0));

/** A community in which everything has one long word for a name, a task that opens after another, and one with an address. */
async function found(page: Page): Promise<void> {
  const about = {
    name: LONG_WORD,
    slug: 'long',
    description: LONG_WORD,
    rules: LONG_WORD,
    tags: [],
    languages: ['de'],
  };
  const { id } = await command(page, 'POST', '/api/communities', about);
  const addTask = (title: string, more = {}) => {
    const task = { instructions: LONG_WORD, points: 10, recurrence: 'once', setup: { kind: 'check_in' } };
    return command(page, 'POST', `/api/communities/${id}/tasks`, { ...task, title, ...more });
  };
  const first = await addTask(LONG_WORD);
  await addTask('After it', { conditions: { match: 'all', of: [{ is: 'task', taskId: first.id }] } });
  await addTask(`https://example.org/${'a'.repeat(60)}`);
  const endsAt = new Date(Date.now() + 7 * 24 * 60 * 60_000).toISOString();
  const season = { name: LONG_WORD.slice(0, 40), rules: LONG_WORD, startsAt: null, endsAt, graceHours: 1, taskIds: [] };
  const planned = await command(page, 'POST', `/api/communities/${id}/seasons`, season);
  await command(page, 'POST', `/api/communities/${id}/seasons/${planned.id}/start`);
  await command(page, 'POST', `/api/communities/${id}/announcements`, { title: LONG_WORD, body: LONG_WORD });
}
/** Runs in the page of a member: what addresses of a community name. */
async function namesIn(slug: string): Promise<Record<string, string | undefined>> {
  type Task = { id: string; kind: string; claim: { decidedBy: string | null } | null };
  const read = async (path: string) => (await fetch(`/api/communities/${path}`)).json();
  const { tasks }: { tasks: Task[] } = await read(`${slug}/dashboard`);
  const { tasks: others }: { tasks: Task[] } = await read('long/dashboard');
  return {
    code: (await read(`${slug}/invite`)).code,
    event: tasks.find(({ kind }) => kind === 'telegram_event')?.id,
    decided: tasks.find(({ claim }) => claim?.decidedBy)?.id,
    hello: others[0]?.id,
  };
}
/** What the sample lacks, and the names in it. */
async function prepare(): Promise<void> {
  const leader = await come(browser, instance, WHO.leader, '/terms', { alone: true });
  await found(leader.page);
  const member = await come(browser, instance, WHO.member, '/terms', { alone: true });
  await command(member.page, 'POST', '/api/communities/long/join');
  Object.assign(names, await member.page.evaluate(namesIn, names['slug'] ?? ''));
  for (const name of ['slug', 'code', 'event', 'decided', 'hello']) expect(names[name], name).toBeTruthy();
}

/** A device of their own, with all that it needs to open pages without a network. */
async function enter(viewer: Viewer): Promise<Person> {
  const one = await person(browser, { stays: true });
  const id = WHO[viewer];
  if (id) await signedIn(one.context, instance, id);
  await one.page.goto(at('/'));
  await theme(one.page, 'light');
  await controlled(one.page);
  if (viewer === 'admin' && id) await makeStaff(instance, id, 'admin');
  if (viewer === 'removed' && id) await inChannel(instance, id, 'kicked');
  await one.page.goto('about:blank');
  viewers.set(viewer, one);
  return one;
}

const pageOf = (viewer: Viewer): Page => {
  const one = viewers.get(viewer);
  if (!one) throw new Error(`${viewer} was not there before`);
  return one.page;
};

/** Whether what stands there is decided by who opens it, before anything of the page is read. */
const isGated = ({ path }: Line): boolean => GATED_PAGES.some((page) => page === path);
/** Pages of which a device keeps nothing, for anybody or for who may not read them: they wait for the server, and say so. */
const isNotKept = (viewer: Viewer, { path }: Line): boolean =>
  viewer === 'unfinished' ||
  viewer === 'removed' ||
  /^\/(admin|profile-accounts|channel-removed)\b/.test(path) ||
  (viewer === 'member' && path.endsWith('/admin'));
const isDemo = (address: string): boolean => new URL(address, instance.url).pathname === '/demo';

type Way = { byAddress: boolean; mayWait?: boolean };
/** Opens a page by its address, or as a link of the app does; answers why it is not there. */
async function open(page: Page, { path, heading }: Line, { byAddress, mayWait = false }: Way): Promise<string[]> {
  const isInApp = page.url().startsWith(instance.url) && !isDemo(page.url()) && !isDemo(path);
  if (byAddress || !isInApp) await page.goto(at(path));
  else {
    const follow = (path: string) =>
      page.evaluate((path) => {
        globalThis.forgetShifts?.();
        history.pushState(null, '', path);
      }, path);
    // Of two pages under one heading the first would be taken for the second.
    if ((await page.locator('h1').first().textContent()) === heading) {
      await follow('/cookie-policy');
      await comes(page, 'Cookie policy', false);
    }
    await follow(at(path));
  }
  return comes(page, heading, mayWait);
}

/** Runs in the page. Icons come from one sprite; the browser's complaints about cut requests would not tell of its lack. */
const drawsItsIcons = async (): Promise<boolean> => {
  const use = document.querySelector('use')?.getAttribute('href')?.split('#')[0];
  return use === undefined || (await fetch(use)).ok;
};

/** Lets each viewer open their pages, a lane of them beside the other; answers what is wrong with any. */
async function inLanes(each: (viewer: Viewer) => Promise<(line: Line) => Promise<string[]>>): Promise<string[]> {
  const lanes = LANES.map(async (lane) => {
    const problems: string[] = [];
    for (const viewer of lane.filter((viewer) => linesOf(viewer).length > 0)) {
      const open = await each(viewer);
      for (const line of linesOf(viewer)) {
        const flaws = await open(line).catch((error) => [String(error)]);
        problems.push(...flaws.map((flaw) => `${viewer}, ${line.path}: ${flaw}`));
      }
      problems.push(...(viewers.get(viewer)?.complaints.splice(0) ?? []));
    }
    return problems;
  });
  return (await Promise.all(lanes)).flat();
}

/** Whether the server is there: what is asked of it fails otherwise, also for a visitor. */
let isAnswered = true;

test(
  'each is there with one h1 and no complaint, holds still on its way, fits a phone, large letters and a desk, and axe finds nothing',
  LONG,
  async () => {
    await prepare();
    const eyes: Eye[] = [];
    const problems = await inLanes(async (viewer) => {
      const { context, complaints } = await enter(viewer);
      const eye = await eyeOf(await context.newPage());
      eyes.push(eye);
      // Where nobody is signed in nothing is asked for that would be refused.
      if (viewer === 'visitor')
        eye.page.on(
          'console',
          (message) =>
            isAnswered && message.type() === 'error' && complaints.push(`${eye.page.url()}: ${message.text()}`),
        );
      return async (line) => {
        // Pages that a visitor opens come drawn.
        const lacks = await open(eye.page, line, { byAddress: viewer === 'visitor' || isGated(line) });
        return lacks.length > 0 || !line.isLooked ? lacks : flawsOfPage(eye, line.heading !== LONG_WORD);
      };
    });
    for (const { page } of eyes) await page.close();
    expect(problems, problems.join('\n')).toEqual([]);
  },
);

/** Opens a page of a viewer while nobody answers. */
function openAlone(page: Page, viewer: Viewer, line: Line, byAddress: boolean): Promise<string[]> {
  const heading = (viewer === 'removed' && FORGOTTEN[line.heading]) || line.heading;
  return open(page, { ...line, heading }, { byAddress, mayWait: isNotKept(viewer, line) });
}

test('each is there while the server takes requests and answers none', LONG, async () => {
  isAnswered = false;
  const goOn = instance.hang();
  const problems = await inLanes(async (viewer) => {
    const page = pageOf(viewer);
    return (line) => openAlone(page, viewer, line, isGated(line));
  });
  goOn();
  expect(problems, problems.join('\n')).toEqual([]);
});

test('each opens without the server, deep links too', LONG, async () => {
  isAnswered = false;
  instance.goAway();
  const problems = await inLanes(async (viewer) => {
    const page = pageOf(viewer);
    return async (line) => {
      const lacks = await openAlone(
        page,
        viewer,
        line,
        isGated(line) || ['leader', 'member', 'admin'].includes(viewer),
      );
      // The demo's network is its own.
      return isDemo(line.path) || (await page.evaluate(drawsItsIcons)) ? lacks : [...lacks, 'no icons'];
    };
  });
  expect(problems, problems.join('\n')).toEqual([]);
});
