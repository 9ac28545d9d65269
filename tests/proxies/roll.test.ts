/** Two processes of two builds behind each proxy, rolled forward and back under load: nobody notices. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import { sessionCookie } from '../../server/http/cookies.ts';
import { sandboxEnvironment } from '../../server/sandbox/settings.ts';
import { createTestDatabase } from '../support/database.ts';
import { mismatches, stage } from '../support/engagement.ts';
import { freePort } from '../support/instance.ts';
import { nextBuild } from '../support/next-build.ts';
import { ofFile } from '../support/of-file.ts';
import { isInstalled, type ProxyName, startTlsProxy } from '../support/proxies.ts';
import { testServer } from '../support/server.ts';
import { type Started, startProcess, until } from '../support/storage-processes.ts';
import { memberOf } from '../support/world.ts';
import { startLoad } from './load.ts';

const MEMBERS = 80;
const TASKS = 40;
/** Two busy cores have no room for a hundred. */
const PER_SECOND = Number(process.env['PER_SECOND'] ?? 100);
const STREAMS = 10;
/** By then each proxy has seen that a process is back. The next one goes no sooner, as docs/operations/updates.md says. */
const SEEN_WITHIN_MS = 4_000;

const built = resolve(import.meta.dirname, '../../dist');
const next = nextBuild(1);
afterAll(() => next.remove());
const database = await ofFile(createTestDatabase());
/** Furnishes the database, and brings the sandbox. */
const desk = await ofFile(testServer({ database: { ...database, drop: async () => undefined } }));

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function world(publicOrigin: string) {
  const on = stage(database.sql);
  const place = await on.community();
  const name = sessionCookie({ publicOrigin }, 'web');
  const members = await Promise.all(
    Array.from({ length: MEMBERS }, async () => {
      const { userId, cookie } = await memberOf(desk, place.id, 'member');
      return { userId, cookie: `${name}=${cookie.split('=')[1]}` };
    }),
  );
  const tasks: string[] = [];
  for (let count = 0; count < TASKS; count += 1) tasks.push(await on.task(place));
  function* acts() {
    for (const task of tasks)
      for (const member of members.keys())
        yield { member, task, path: `/api/communities/${place.id}/tasks/${task}/claims` };
  }
  return { place, members, acts: acts() };
}

const NAMES: ProxyName[] = ['nginx'];
test.each(NAMES)(
  'behind %s, rolled forward and back: no request fails, no act is lost and none is doubled',
  async (name) => {
    if (!isInstalled(name)) throw new Error(`${name} is not there: apt-get install --no-install-recommends ${name}`);
    const [port, plain, one, two] = [await freePort(), await freePort(), await freePort(), await freePort()];
    const publicOrigin = `https://localhost:${port}`;
    const home = mkdtempSync(join(tmpdir(), 'muster-roll-'));
    undo.push(() => rmSync(home, { recursive: true, force: true }));
    const running = new Map<number, Started>();
    undo.push(async () => {
      for (const { child } of running.values()) child.kill('SIGKILL');
      await Promise.all([...running.values()].map(({ ended }) => ended));
    });
    const start = async (at: number, dist: string) => {
      const env = {
        ...sandboxEnvironment(desk.sandboxUrl),
        NODE_ENV: 'production',
        DATABASE_URL: database.url,
        MUSTER_HOME: home,
        PORT: String(at),
        PUBLIC_ORIGIN: publicOrigin,
        TRUSTED_PROXIES: '127.0.0.1',
        SHUTDOWN_DELAY_SECONDS: '5',
        LOG_LEVEL: 'warn',
        DATABASE_POOL: '10',
      };
      running.set(at, startProcess(join(dist, 'server/main.js'), { env }));
      await until(`the process on ${at} is ready`, () =>
        fetch(`http://127.0.0.1:${at}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
    };
    const replace = async (at: number, dist: string) => {
      running.get(at)?.child.kill('SIGTERM');
      expect(await running.get(at)?.ended).toBe(0);
      await start(at, dist);
      await sleep(SEEN_WITHIN_MS);
    };
    await Promise.all([one, two].map((at) => start(at, built)));
    const proxy = await startTlsProxy(name, { port, plain, processes: [one, two] });
    undo.push(() => proxy.stop());

    const { place, members, acts } = await world(publicOrigin);
    const partOf = (dist: string) =>
      `/assets/${readdirSync(join(dist, 'client/assets')).find((file) => /^profile-screen.*\.js$/.test(file))}`;
    const here = `/api/communities/${place.id}`;
    const reads = ['/', '/api/auth/user', here, `${here}/leaderboard`, '/api/communities', partOf(built)];
    const load = startLoad({
      port,
      perSecond: PER_SECOND,
      members,
      acts,
      reads,
      streams: STREAMS,
      live: `${here}/live`,
    });
    await until('the load is under way', async () => load.asked > PER_SECOND);
    for (const dist of [next.dist, built])
      for (const at of [one, two]) {
        await replace(at, dist);
        // Parts of both builds are served by both processes, from the moment at which the first new one answers.
        for (const build of [built, next.dist])
          for (const each of [one, two])
            expect((await fetch(`http://127.0.0.1:${each}${partOf(build)}`)).status).toBe(200);
      }
    await load.stop();

    console.log(
      `${name}: ${load.asked} requests, ${load.claimed.size} claims, ${load.returned} returns of ${STREAMS} live views, ${load.failed.length} failed`,
    );
    expect(load.failed).toEqual([]);
    const stored = await database.sql<{ user: string; task: string; times: number }[]>`
    select user_id as "user", task_id as task, count(*)::int as times from point_events
    where community_id = ${place.id} group by 1, 2`;
    expect(stored.filter(({ times }) => times !== 1)).toEqual([]);
    const claimed = stored.map(({ user, task }) => `${members.findIndex(({ userId }) => userId === user)} ${task}`);
    expect(claimed.sort()).toEqual([...load.claimed].sort());
    expect(await mismatches(database.sql, place.id)).toEqual([]);
  },
);
