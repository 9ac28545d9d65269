/** What a phone does by itself: workers die, hang or never begin, pages are frozen and come back, locks are never let go. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Case, CLAIMS, dashboard, LOGS, type Played, type Scene, settleIn, TITLES } from './cases.ts';
import { protocolOf } from './engines.ts';
import { marked, raise } from './page.ts';
import { type Strike, WORKERS, type Workers } from './rig.ts';
import { holds, type Tab } from './tab.ts';

const ERRORS = LOGS / 2;
/** The screen is promised to be true after five seconds; a machine that does much else at the time gets twice that. */
const MARKED_WITHIN_MS = 10_000;
const HOLD = 'faults-hold';

const now = () => performance.now();
/** Remembers something for the rig of every page of this device. */
async function setUp({ device }: Scene, kept: Record<string, string>): Promise<Tab> {
  const tab = await device.tab('/robots.txt');
  await tab.evaluate((entries) => {
    for (const [key, value] of entries) localStorage.setItem(key, value);
  }, Object.entries(kept));
  return tab;
}
/** Brings trouble over a room of the device, from any of its pages. */
const strike = async (tab: Tab, strike: Strike) => {
  await tab.evaluate((strike) => {
    const channel = new BroadcastChannel('faults');
    channel.postMessage(strike);
    setTimeout(() => channel.close(), 1_000);
  }, strike);
  await sleep(200);
};
/** Everything is raised at once by the page alone. */
async function pressAll(page: Tab, { cast, tag }: Scene, tasks = TITLES, errors = ERRORS): Promise<Played> {
  const back = now();
  const load = { tag, userId: cast.member.userId, debugs: [0, 0] as [number, number], tasks, alone: true };
  await page.evaluate(raise, { ...load, errors: [0, errors] as [number, number] });
  const mark = await page.evaluate(marked, { tasks, withinMs: MARKED_WITHIN_MS });
  return { raised: { tag, logs: errors, claims: tasks.length }, back, mark };
}

const MOMENTS = { before: 'before', in: 'in the midst of', after: 'after' } as const;
const killed = (workers: Extract<Workers, 'shared' | 'dedicated'>, at: keyof typeof MOMENTS): Case => ({
  name: `${workers} worker killed ${MOMENTS[at]} a write`,
  about: 'the first of twenty presses ends the worker',
  async play(scene) {
    await setUp(scene, { [WORKERS]: workers });
    const page = await settleIn(scene);
    await strike(page, { room: 'device', trouble: 'dies', at });
    return pressAll(page, scene);
  },
});
const idle = (workers: Workers, then: Workers, about: string): Case => ({
  name:
    then === workers ? `${workers} worker killed while idle` : `${workers} worker killed, and ${then} ones after it`,
  about,
  async play(scene) {
    await setUp(scene, { [WORKERS]: workers });
    const page = await settleIn(scene);
    await page.evaluate(([key, next]) => localStorage.setItem(key, next), [WORKERS, then] as const);
    await strike(page, { room: 'device', trouble: 'dies', at: 'now' });
    return pressAll(page, scene);
  },
});
/** It wakes up again, and must do nothing a second time. */
const paused = (name: string, about: string, ms: number, at: Strike['at'], workers: Workers = 'shared'): Case => ({
  name,
  about,
  async play(scene) {
    await setUp(scene, { [WORKERS]: workers });
    const page = await settleIn(scene);
    const wakesAt = now() + ms;
    await strike(page, { room: 'device', trouble: 'pauses', ms, at });
    const played = await pressAll(page, scene);
    return { ...played, later: () => sleep(Math.max(0, wakesAt + 3_000 - now())) };
  },
});

export const DEVICE_CASES: Case[] = [
  ...(['shared', 'dedicated'] as const).flatMap((workers) =>
    (['before', 'in', 'after'] as const).map((at) => killed(workers, at)),
  ),
  idle('shared', 'shared', 'nobody is told; then all is pressed'),
  idle('shared', 'silent', 'the browser has no memory for another worker: it gives one that never begins'),
  idle('shared', 'failing', 'the browser has no memory for another worker: it says so'),
  {
    name: 'two tabs, their worker killed',
    about: 'half is pressed in each of two tabs at once',
    async play(scene) {
      const [first, second] = [await settleIn(scene), await settleIn(scene)];
      await strike(first, { room: 'device', trouble: 'dies', at: 'now' });
      const [one, other] = await Promise.all([
        pressAll(first, scene, TITLES.slice(0, CLAIMS / 2)),
        pressAll(second, scene, TITLES.slice(CLAIMS / 2), 0),
      ]);
      const marks = [one.mark, other.mark].map((mark) => mark ?? Number.NaN);
      const mark = marks.some(Number.isNaN) ? null : Math.max(...marks);
      return { raised: { ...one.raised, claims: CLAIMS }, back: one.back, mark };
    },
  },
  paused('worker paused for a minute', 'and awake again before it is counted', 60_000, 'now'),
  paused('worker paused in a transaction', 'it keeps everybody out of the database for 20 s', 20_000, 'in'),
  paused('worker paused with the lock', 'it holds the lock of the drain for 20 s', 20_000, 'lock'),
  paused('dedicated worker paused', 'for 20 s', 20_000, 'now', 'dedicated'),
  {
    name: 'undone while the worker is paused',
    about: 'the last press is undone on the worker that took over; the one that was asked first wakes up after that',
    async play(scene) {
      await setUp(scene, { [HOLD]: 'yes' });
      const page = await settleIn(scene);
      const wakesAt = now() + 20_000;
      await strike(page, { room: 'device', trouble: 'pauses', ms: 20_000, at: 'taken' });
      const played = await pressAll(page, scene);
      await page.evaluate(() => {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', bubbles: true }));
      }, null);
      await holds(page, () => document.body.innerText.includes('Undone'), null);
      const left = { ...played.raised, claims: played.raised.claims - 1 };
      return { ...played, raised: left, later: () => sleep(Math.max(0, wakesAt + 3_000 - now())) };
    },
  },
  {
    name: 'killed while it holds acts for Undo',
    about: 'all is pressed, and the worker ends a second later; nothing is asked of it after that',
    async play(scene) {
      await setUp(scene, { [HOLD]: 'yes' });
      const page = await settleIn(scene);
      const played = await pressAll(page, scene);
      await sleep(1_000);
      await strike(page, { room: 'device', trouble: 'dies', at: 'now' });
      return { ...played, back: now() };
    },
  },
  {
    name: 'locks held for ever',
    about: 'another tab holds both locks of the drain and never lets go',
    async play(scene) {
      const other = await setUp(scene, {});
      const page = await settleIn(scene);
      await other.evaluate(() => {
        for (const name of ['muster-drain', 'muster-drain-logs'])
          void navigator.locks.request(name, () => new Promise(() => undefined));
      }, null);
      return pressAll(page, scene);
    },
  },
  {
    name: 'page frozen, its worker killed, resumed',
    about: 'then all is pressed',
    unable: { firefox: 'the driver cannot freeze a page', webkit: 'the driver cannot freeze a page' },
    async play(scene) {
      const other = await setUp(scene, {});
      const page = await settleIn(scene);
      const session = await protocolOf(page);
      await session.send('Page.setWebLifecycleState', { state: 'frozen' });
      await strike(other, { room: 'device', trouble: 'dies', at: 'now' });
      await sleep(3_000);
      await session.send('Page.setWebLifecycleState', { state: 'active' });
      return pressAll(page, scene);
    },
  },
  {
    name: 'back from the back-forward cache',
    about: 'the worker is killed while the page lies there; then all is pressed',
    unable: { webkit: 'the driver loses the page' },
    async play(scene) {
      const other = await setUp(scene, {});
      const page = await settleIn(scene);
      await sleep(3_000);
      await page.evaluate(() => {
        Object.assign(globalThis, { faultsWasHere: true });
        setTimeout(() => location.assign('/robots.txt'));
      }, null);
      await holds(page, () => location.pathname === '/robots.txt', null);
      await strike(other, { room: 'device', trouble: 'dies', at: 'now' });
      await page.evaluate(() => void setTimeout(() => history.back()), null);
      await holds(page, (path) => location.pathname === path, dashboard(scene));
      if (!(await page.evaluate(() => 'faultsWasHere' in globalThis, null)))
        throw new Error('the page was loaded anew');
      return pressAll(page, scene);
    },
  },
  {
    name: 'service worker paused',
    about: 'for 20 s, in which nothing that any room of the device asks the server is answered',
    async play(scene) {
      const page = await settleIn(scene);
      await strike(page, { room: 'service-worker', trouble: 'pauses', ms: 20_000, at: 'now' });
      return pressAll(page, scene);
    },
  },
];
