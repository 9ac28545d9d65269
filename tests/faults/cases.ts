import { setTimeout as sleep } from 'node:timers/promises';
import { LOG_CAP_PER_KIND } from '../../server/contract/limits.ts';
import { type Device, type Engine, type EngineName, protocolOf } from './engines.ts';
import { fillUp, keptLogs, openTasks, raise } from './page.ts';
import type { Cast, Person } from './people.ts';
import { noFault } from './proxy.ts';
import type { Stage } from './stage.ts';
import { holds, press, type Tab } from './tab.ts';
import { countStored, type Raised, until } from './truth.ts';

export const LOGS = 60;
export const CLAIMS = 20;

export type Scene = { engine: Engine; stage: Stage; device: Device; cast: Cast; tag: string };
/**
 * `back`: when the network was whole again (`performance.now()`). `mark`: milliseconds until the screen said what is true, null
 * when it never did. `later`: what happens once all is stored, before it is counted what came twice.
 */
export type Played = { raised: Raised; back: number; mark?: number | null; later?: () => Promise<void> };
export type Case = {
  name: string;
  /** What goes on while it is measured; a line of the documentation. */
  about: string;
  firefoxPrefs?: Record<string, number | boolean | string>;
  /** Why an engine cannot play it. */
  unable?: Partial<Record<EngineName, string>>;
  play(scene: Scene): Promise<Played>;
};

export const dashboard = ({ cast }: Scene) => `/community/${cast.slug}/dashboard`;
const isClaim = (method: string, path: string) => method === 'POST' && path.endsWith('/claims');
const isWrite = (method: string, path: string) => isClaim(method, path) || path.startsWith('/api/debug/client-logs');

/** Opens today's tasks as the member and waits until the product would survive without a network. */
export async function settleIn(scene: Scene, path = dashboard(scene)): Promise<Tab> {
  const page = await scene.device.open(path);
  await shows(page, CLAIMS);
  await holds(page, () => navigator.serviceWorker.controller !== null, null);
  // One whole visit: the service worker has kept the screens that were not opened, and what the page has read.
  for (let kept = -1, now = 0; kept !== now; ) {
    kept = now;
    await sleep(700);
    now = await page.evaluate(async () => {
      let count = 0;
      for (const name of await caches.keys()) count += (await (await caches.open(name)).keys()).length;
      return count;
    }, null);
  }
  return page;
}
const shows = (page: Tab, tasks: number) =>
  holds(
    page,
    (count) => {
      const titles = [...document.querySelectorAll('main button')].map(
        (button) => /^Post \d\d/.exec(button.textContent ?? '')?.[0],
      );
      return new Set(titles.filter((title) => title !== undefined)).size >= count;
    },
    tasks,
  );

export const TITLES = Array.from({ length: CLAIMS }, (_, at) => `Post ${String(at + 1).padStart(2, '0')}`);
/** A part of what a case raises; all of it by default. */
async function raiseIn(page: Tab, { cast, tag }: Scene, part = 0, parts = 1): Promise<Raised> {
  const share = (of: number): [number, number] => [
    Math.floor((of * part) / parts),
    Math.floor((of * (part + 1)) / parts),
  ];
  const tasks = TITLES.slice(...share(CLAIMS));
  const open = await page.evaluate(openTasks, null);
  const missing = tasks.filter((title) => !open.includes(title));
  if (missing.length > 0) throw new Error(`the page shows no open ${missing.join(', ')}`);
  const [errors, debugs] = [share(LOGS / 2), share(LOGS / 2)];
  await page.evaluate(raise, { tag, userId: cast.member.userId, errors, debugs, tasks });
  return { tag, logs: LOGS, claims: CLAIMS };
}

/** The network is slow and part of what waited has arrived. */
async function inMidDrain(scene: Scene, raised: Raised): Promise<void> {
  const { stage, cast } = scene;
  const begun = await until(async () => (await countStored(stage.sql, raised, cast)).claims >= 4, 20_000);
  if (!begun) throw new Error('nothing was sent');
}
/** Four claims are on the air at once: so long that a drain is still in its middle when something happens to it. */
const SLOW_MS = 480;

async function raiseOffline(scene: Scene): Promise<Raised> {
  const page = await settleIn(scene);
  await scene.engine.cut(scene.device);
  const raised = await raiseIn(page, scene);
  await sleep(500);
  return raised;
}

/** Leaves by the product's own screen, keeping what was not sent. */
async function signOut(page: Tab, origin: string): Promise<void> {
  await page.goto(`${origin}/logout`);
  await holds(
    page,
    (words) => {
      const buttons = [...document.querySelectorAll('button')];
      buttons.find(({ textContent }) => textContent?.trim() === words)?.click();
      return /^Signed out/m.test(document.body.innerText);
    },
    'Keep for my next sign-in',
  );
}
async function signIn(page: Tab, { stage }: Scene, person: Person, next: string): Promise<void> {
  // By a link, as people do: it tells the server first of a sign-out that had no answer in time.
  await page.evaluate(
    (href) => {
      const link = Object.assign(document.createElement('a'), { href });
      document.body.append(link);
      setTimeout(() => link.click());
    },
    `/api/auth/telegram/start?next=${encodeURIComponent(next)}`,
  );
  await holds(
    page,
    ({ id, origin, next }) => {
      const choice = document.querySelector<HTMLElement>(`[data-person="${id}"]`);
      // Once: a second press would ask for a second sign-in, which finds the first one's state used up.
      if (choice && !choice.dataset['pressed']) choice.click();
      if (choice) choice.dataset['pressed'] = 'yes';
      return location.origin === origin && location.pathname === next;
    },
    { id: person.telegramUserId, origin: stage.origin, next },
  );
}

const now = () => performance.now();

export const CASES: Case[] = [
  {
    name: 'offline, then online',
    about: 'everything is raised without a network; the page stays open',
    async play(scene) {
      const raised = await raiseOffline(scene);
      await scene.engine.mend(scene.device);
      return { raised, back: now() };
    },
  },
  {
    name: 'page closed while offline',
    about:
      'raised offline, the tab is closed, the network returns; Chromium sends by Background Sync, Firefox when the page is opened again',
    async play(scene) {
      const { device, engine } = scene;
      await device.tab('/robots.txt');
      const raised = await raiseOffline(scene);
      await device.page().close();
      await sleep(3_000);
      await engine.mend(device);
      if (!engine.hasBackgroundSync) await device.open(dashboard(scene));
      return { raised, back: now() };
    },
  },
  {
    name: 'browser killed after the last write',
    about: 'SIGKILL 0 ms after the last write, offline; then the browser and the page are opened again',
    unable: { webkit: 'no profile is kept while it is driven' },
    async play(scene) {
      const { device, engine, cast } = scene;
      await settleIn(scene);
      // Browsers write cookies and hints to disk in their own time, and at their end.
      await device.restart();
      const page = await settleIn(scene);
      await engine.cut(device);
      const raised = await raiseIn(page, scene);
      await device.kill();
      await engine.mend(device);
      await device.start();
      await device.signedInAs(cast.member);
      await device.open(dashboard(scene));
      return { raised, back: now() };
    },
  },
  {
    name: '503 for 10 s',
    about: 'every call of the API answers 503 for ten seconds',
    async play(scene) {
      const page = await settleIn(scene);
      scene.stage.proxy.rule = (_, path) => (path.startsWith('/api/') ? { answer: 503 } : null);
      const raised = await raiseIn(page, scene);
      await sleep(10_000);
      scene.stage.proxy.rule = noFault;
      return { raised, back: now() };
    },
  },
  {
    name: '429, Retry-After 5',
    about: 'writes answer 429 with `Retry-After` for five seconds; back is when the last time that was named is over',
    async play(scene) {
      const page = await settleIn(scene);
      const end = now() + 5_000;
      let back = end;
      scene.stage.proxy.rule = (method, path) => {
        if (!isWrite(method, path) || now() >= end) return null;
        const seconds = Math.ceil((end - now()) / 1000);
        back = Math.max(back, now() + seconds * 1000);
        return { answer: 429, headers: { 'retry-after': String(seconds) } };
      };
      const raised = await raiseIn(page, scene);
      await sleep(end - now());
      scene.stage.proxy.rule = noFault;
      await sleep(back - now());
      return { raised, back };
    },
  },
  {
    name: 'cut after commit',
    about:
      'for three seconds, and until acts and entries are stored of which the device does not know, every write is committed and its connection reset before the answer',
    async play(scene) {
      const { stage, cast } = scene;
      const page = await settleIn(scene);
      if (!(await until(async () => (await page.evaluate(keptLogs, null)) === 0, 20_000)))
        throw new Error('what came before was not sent');
      stage.proxy.rule = (method, path) => (isWrite(method, path) ? { cutAfterCommit: () => undefined } : null);
      const raised = await raiseIn(page, scene);
      await sleep(3_000);
      const isCut = await until(async () => {
        const { claims, logs } = await countStored(stage.sql, raised, cast);
        return claims > 0 && logs > 0;
      }, 20_000);
      if (!isCut) throw new Error('nothing was stored before the cut');
      stage.proxy.rule = noFault;
      return { raised, back: now() };
    },
  },
  {
    name: 'flapping link, 700 ms',
    about: 'the network goes and comes every 700 ms, twelve times, while everything is raised in four parts',
    async play(scene) {
      const { device, engine } = scene;
      const page = await settleIn(scene);
      let raised = { tag: scene.tag, logs: 0, claims: 0 };
      for (let part = 0; part < 6; part += 1) {
        await engine.cut(device);
        if (part < 4) raised = await raiseIn(page, scene, part, 4);
        await sleep(700);
        await engine.mend(device);
        await sleep(700);
      }
      return { raised, back: now() };
    },
  },
  {
    name: 'two tabs',
    about: 'half is raised in each of two tabs, offline',
    async play(scene) {
      const { device, engine } = scene;
      const first = await settleIn(scene);
      const second = await settleIn(scene);
      await engine.cut(device);
      await raiseIn(first, scene, 0, 2);
      const raised = await raiseIn(second, scene, 1, 2);
      await sleep(500);
      await engine.mend(device);
      return { raised, back: now() };
    },
  },
  {
    name: 'service worker stopped in mid-drain',
    about: 'the page is closed, the service worker sends and is stopped; then the page is opened',
    unable: { webkit: 'the driver cannot stop a worker' },
    // The worker is ended while it still holds its event open.
    firefoxPrefs: { 'dom.serviceWorkers.idle_timeout': 1_500, 'dom.serviceWorkers.idle_extended_timeout': 1_500 },
    async play(scene) {
      const { device, engine, stage } = scene;
      const plain = await device.tab('/robots.txt');
      const raised = await raiseOffline(scene);
      await device.page().close();
      await sleep(300);
      stage.proxy.delayMs = SLOW_MS * 3;
      await engine.mend(device);
      if (!engine.hasBackgroundSync)
        await plain.evaluate(async () => {
          const registration = await navigator.serviceWorker.getRegistration('/');
          // What failed offline is not due at once: asked until it is.
          const asking = setInterval(() => registration?.active?.postMessage({ type: 'DRAIN' }), 500);
          addEventListener('message', () => clearInterval(asking));
        }, null);
      await inMidDrain(scene, raised);
      if (engine.name === 'chromium') {
        const session = await protocolOf(plain);
        await session.send('ServiceWorker.enable');
        await session.send('ServiceWorker.stopAllWorkers');
      } else {
        await plain.evaluate(() => postMessage('enough'), null);
        // Longer than it may go on after its last event.
        await sleep(3_200);
      }
      const { claims } = await countStored(stage.sql, raised, scene.cast);
      if (claims === CLAIMS) throw new Error('it was not in the middle');
      stage.proxy.delayMs = 0;
      await device.open(dashboard(scene));
      return { raised, back: now() };
    },
  },
  {
    name: 'server killed between commit and answer',
    about: 'kill -9 as soon as the fourth claim is committed, before its answer; started again after a second',
    async play(scene) {
      const { stage } = scene;
      const page = await settleIn(scene);
      let claims = 0;
      let killed = false;
      stage.proxy.rule = (method, path) => {
        if (isClaim(method, path)) claims += 1;
        if (killed || claims < 4 || !isClaim(method, path)) return null;
        const cutAfterCommit = () => {
          killed = true;
          stage.killServer();
        };
        return { cutAfterCommit };
      };
      const raised = await raiseIn(page, scene);
      if (!(await until(async () => killed, 10_000))) throw new Error('the server was not killed');
      stage.proxy.rule = noFault;
      await sleep(1_000);
      await stage.startServer();
      return { raised, back: now() };
    },
  },
  {
    name: 'sign-out in mid-drain',
    about: 'the member signs out while it is sent, keeping the rest; signs in again after two seconds',
    async play(scene) {
      const { device, engine, stage, cast } = scene;
      const raised = await raiseOffline(scene);
      stage.proxy.delayMs = SLOW_MS;
      await engine.mend(device);
      await inMidDrain(scene, raised);
      await signOut(device.page(), stage.origin);
      await sleep(2_000);
      stage.proxy.delayMs = 0;
      await signIn(device.page(), scene, cast.member, dashboard(scene));
      return { raised, back: now() };
    },
  },
  {
    name: 'another member signs in',
    about: 'raised offline, signed out, another member is signed in for three seconds; then the first one again',
    async play(scene) {
      const { device, engine, stage, cast } = scene;
      const raised = await raiseOffline(scene);
      const page = device.page();
      await signOut(page, stage.origin);
      await engine.mend(device);
      await signIn(page, scene, cast.other, '/communities');
      await sleep(3_000);
      await signOut(page, stage.origin);
      await signIn(page, scene, cast.member, dashboard(scene));
      return { raised, back: now() };
    },
  },
  {
    name: 'update in mid-drain',
    about: 'the next build is deployed while it is sent, and taken at once with Update Now',
    async play(scene) {
      const { device, engine, stage } = scene;
      const raised = await raiseOffline(scene);
      stage.proxy.delayMs = SLOW_MS * 2;
      await engine.mend(device);
      await inMidDrain(scene, raised);
      await stage.stopServer();
      await stage.startServer('next');
      const page = device.page();
      // As a page that is looked at would: the product's own timers are minutes long.
      await page.evaluate(async () => {
        await (await navigator.serviceWorker.getRegistration())?.update();
        document.documentElement.dataset['before'] = '';
      }, null);
      await press(page, 'Update Now');
      await holds(page, () => document.documentElement.dataset['before'] === undefined, null);
      stage.proxy.delayMs = 0;
      return { raised, back: now() };
    },
  },
  {
    name: 'quota full',
    about: 'the origin has no room left; everything is raised offline; the page stays open',
    unable: { webkit: 'the quota cannot be set' },
    // Ten megabytes for an origin: Firefox gives a fifth of this, and never less than that.
    firefoxPrefs: { 'dom.quotaManager.temporaryStorage.fixedLimit': 30_000 },
    async play(scene) {
      const { device, engine, stage } = scene;
      if (engine.name === 'chromium') {
        const session = await protocolOf(await device.tab('/robots.txt'));
        await session.send('Storage.overrideQuotaForOrigin', { origin: stage.origin, quotaSize: 10_000_000 });
      }
      const page = await settleIn(scene);
      // A refused row leaves some room behind.
      if (!(await until(() => page.evaluate(fillUp, null), 15_000))) throw new Error('there is room still');
      await engine.cut(device);
      const raised = await raiseIn(page, scene);
      await sleep(1_000);
      await engine.mend(device);
      return { raised, back: now() };
    },
  },
  {
    name: 'over the cap',
    about: `offline, ${LOGS / 2} more errors than the case before: over ${LOG_CAP_PER_KIND} of a kind the oldest go, counted`,
    async play(scene) {
      const raised = await raiseOffline(scene);
      await scene.device.page().evaluate(raise, {
        tag: scene.tag,
        userId: scene.cast.member.userId,
        errors: [LOGS / 2, LOGS] as [number, number],
        debugs: [0, 0] as [number, number],
        tasks: [],
      });
      await scene.engine.mend(scene.device);
      return { raised: { ...raised, logs: raised.logs + LOGS / 2 }, back: now() };
    },
  },
];
