/** Behind somebody who answers in their own name at random: nothing is lost, doubled, believed, and nobody is signed out. */

import { afterEach, expect, test, vi } from 'vitest';
import { fc, runs } from '../support/chance.ts';
import { BOARD, FOREIGN, MEMBER, openDevice, responseOf, USER } from './in-between.ts';

afterEach(() => vi.unstubAllGlobals());

const REVOKED = 'TELEGRAM_MEMBERSHIP_REVOKED';
const foreign = fc.record({
  /** The server did what was asked, and its answer was replaced. */
  afterwards: fc.boolean(),
  status: fc.constantFrom(
    200,
    201,
    204,
    400,
    401,
    403,
    404,
    407,
    408,
    409,
    410,
    413,
    422,
    425,
    429,
    500,
    502,
    503,
    504,
  ),
  type: fc.constantFrom(null, 'text/plain', 'text/html', 'application/json'),
  body: fc.constantFrom(
    '',
    FOREIGN,
    `<html>${FOREIGN}</html>`,
    `{"id":"${FOREIGN}"}`,
    `{"reason":"${REVOKED}","message":"${FOREIGN}"}`,
    `{"reason":"ALREADY_CLAIMED","message":"${FOREIGN}"}`,
    '{"results":[{"id":"id1","status":"stored"},{"id":"id2","status":"rejected"}]}',
  ),
  headers: fc.constantFrom<Record<string, string>[]>(
    {},
    { 'retry-after': '120' },
    { 'x-muster-member': 'B', 'cache-control': 'private, no-cache' },
  ),
});
type Foreign = typeof foreign extends fc.Arbitrary<infer T> ? T : never;

const READS = [USER, BOARD, '/api/user/profile', '/api/communities'];
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('command' as const), lane: fc.constantFrom('x', 'x/1', 'y') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('log' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('subscription' as const) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('read' as const), path: fc.constantFrom(...READS) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('drain' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('session' as const),
      call: fc.constantFrom(
        ['POST', '/api/auth/telegram/mini-app'] as const,
        ['POST', '/api/auth/x/complete'] as const,
        ['GET', '/api/auth/telegram/callback'] as const,
      ),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Plays a schedule; the weather says who answers each request in turn. */
async function play(steps: Step[], weather: (Foreign | null)[]): Promise<void> {
  const device = await openDevice();
  const [raised, logged] = [new Set<string>(), new Set<string>()];
  let lastKey = '';
  let at = 0;
  device.between = () => {
    const said = weather[at++ % weather.length] ?? null;
    return said && { said: () => responseOf(said), afterwards: said.afterwards };
  };
  /** Copies that the member has; the server's own word to a sign-in takes them along. */
  let had = new Set<string>();
  const copies = async () => Object.keys((await device.state()).copies[`private-${MEMBER}`] ?? {});
  const read = async (path: string) => {
    const shown = await device.read(path);
    if (shown.type !== 'error') expect(await shown.text()).not.toContain(FOREIGN);
  };
  for (const [number, one] of steps.entries()) {
    const name = `n${number}`;
    if (one.do === 'command') {
      raised.add(name);
      await device.command(name, one.lane);
    } else if (one.do === 'log') {
      logged.add(name);
      await device.log(name);
    } else if (one.do === 'subscription') {
      lastKey = name;
      await device.saveSubscription(name);
    } else if (one.do === 'read') await read(one.path);
    else if (one.do === 'session') {
      const [method, path] = one.call;
      const isOwn = weather[at % weather.length] === null;
      await device.session(method, path);
      if (isOwn && !path.includes('/x/')) had = new Set();
    } else {
      device.time += 301_000;
      await device.drain();
    }
    const now = await copies();
    expect(now).toEqual(expect.arrayContaining([...had]));
    had = new Set(now);
    const { outbox, paused } = await device.state();
    expect([outbox.filter(([, state]) => state === 'refused'), paused]).toEqual([[], null]);
  }
  device.between = () => null;
  await read(USER);
  for (let drains = 0; drains < 3; drains += 1) {
    device.time += 301_000;
    await device.drain();
  }
  for (const path of READS) await read(path);
  const { member, outbox, logs, copies: stored } = await device.state();
  expect([member, outbox, logs]).toEqual([MEMBER, [], []]);
  expect(JSON.stringify(stored)).not.toContain(FOREIGN);
  expect(Object.keys(stored)).toEqual([`private-${MEMBER}`]);
  expect([...device.server.commands].sort()).toEqual([...raised].sort().map((name) => [name, 1]));
  expect([...device.server.logs.values()]).toEqual([...logged].map(() => 1));
  expect(device.server.saved.at(-1) ?? '').toBe(lastKey);
  const told = new Set(device.told.map(({ type }) => type));
  for (const end of ['SIGNED_OUT', 'MEMBERSHIP_REVOKED', 'UNAUTHENTICATED', 'REFUSED'] as const)
    expect(told.has(end)).toBe(false);
}

const RUNS = runs(300, 2_000);
test(`${RUNS.toLocaleString('en')} schedules behind a proxy that answers in its own name: lost 0, twice 0, foreign 0`, async () => {
  const steps = fc.array(step, { minLength: 3, maxLength: 30 });
  const weather = fc.array(fc.option(foreign, { freq: 2 }), { minLength: 1, maxLength: 12 });
  await fc.assert(fc.asyncProperty(steps, weather, play), { numRuns: RUNS });
}, 600_000);
