/** Members come and go on one device while answers are on their way: random schedules of the worker's own rooms. */

import { afterEach, expect, test, vi } from 'vitest';
import { MEMBER_HEADER } from '../../server/contract/sw-messages.ts';
import { createReads } from '../../service-worker/caching.ts';
import { createMembers, throughSession } from '../../service-worker/member.ts';
import { memoryStorage } from '../../worker/storage/memory.ts';
import { fc, runs } from '../support/chance.ts';
import { FakeEvent, get, installCaches, installFetch, installTimers, ORIGIN, OWN } from './scope.ts';

afterEach(() => vi.unstubAllGlobals());

const PATHS = ['/api/auth/user', '/api/user/profile', '/api/communities/c1/dashboard'];
const REVOKED = { reason: 'TELEGRAM_MEMBERSHIP_REVOKED', message: 'TELEGRAM_MEMBERSHIP_REVOKED' };
const refused = (status: number, body: object) =>
  Response.json(body, { status, headers: { ...OWN, 'cache-control': 'no-store' } });
const canary = (member: string) => `canary of ${member}`;
const turn = async () => {
  for (let n = 0; n < 4; n += 1) await new Promise<void>((done) => setImmediate(done));
};

type Step =
  | { do: 'read'; path: number }
  /** An answer that is on its way arrives. */
  | { do: 'arrive'; which: number }
  | { do: 'sign in'; as: string }
  /** The same member goes on under another session. */
  | { do: 'link X' }
  | { do: 'sign out' | 'sign out offline' | 'end session' | 'revoke' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('read' as const), path: fc.nat(PATHS.length - 1) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('arrive' as const), which: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sign in' as const), as: fc.constantFrom('A', 'B', 'C') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('sign out' as const, 'sign out offline' as const, 'end session' as const, 'revoke' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('link X' as const) }) },
);

/** Runs the steps; after each, no cache holds a word of anybody but the member of this moment. */
async function play(steps: Step[]): Promise<void> {
  const caches = installCaches();
  installTimers();
  const members = createMembers(memoryStorage());
  let session: string | null = null;
  /** Whose device it is: who signed in last, until they sign out. */
  let owner: string | null = null;
  let revoked = false;
  let owed = false;
  const underWay: (() => void)[] = [];
  /** Time stands still until the end. */
  const waiting: (() => void)[] = [];
  /** Answered by the server now, under the session of now; heard when it arrives. */
  const answer = (path: string): Response => {
    const headers = { 'cache-control': 'private, no-cache' };
    if (session === null) return refused(401, { reason: 'SIGNED_OUT' });
    if (revoked) return refused(403, REVOKED);
    const body = path === PATHS[0] ? { id: session, words: canary(session) } : { words: canary(session) };
    return Response.json(body, { headers: { ...OWN, ...headers, [MEMBER_HEADER]: session } });
  };
  const read = createReads({
    members,
    now: () => 0,
    wait: () => new Promise((done) => waiting.push(done)),
    broadcast: () => undefined,
    onAnswer: () => undefined,
  });
  installFetch((input) => {
    const { method, url } = new Request(input);
    if (method === 'POST') return Promise.resolve(Response.json({ ok: true }, { headers: OWN }));
    const given = answer(new URL(url).pathname);
    return new Promise((done) => underWay.push(() => done(given)));
  });
  const post = async (path: string) => {
    await throughSession(new Request(ORIGIN + path, { method: 'POST' }), members, () => undefined);
  };
  const reads: Promise<unknown>[] = [];
  for (const one of steps) {
    if (one.do === 'read') {
      const path = PATHS[one.path] ?? '';
      // The page asks for the user only once the server knows of the sign-out.
      if (owed && path === PATHS[0]) continue;
      const event = Object.assign(new FakeEvent('fetch', reads), { request: get(path) });
      reads.push(read(event as unknown as FetchEvent).catch(() => undefined));
    } else if (one.do === 'arrive') underWay.splice(one.which % Math.max(1, underWay.length), 1)[0]?.();
    else if (one.do === 'sign in') {
      session = owner = one.as;
      [revoked, owed] = [false, false];
      await post('/api/auth/telegram/mini-app');
    } else if (one.do === 'sign out') {
      session = owner = null;
      await post('/api/auth/logout');
    } else if (one.do === 'sign out offline') {
      owed = true;
      owner = null;
      await members.become(null);
      await members.purge();
    } else if (one.do === 'link X') await post('/api/auth/x/complete');
    else if (one.do === 'end session') session = null;
    else revoked = true;
    await turn();
    for (const [name, stored] of Object.entries(await caches.contents()))
      for (const text of Object.values(stored)) {
        expect(name).toBe(`private-${owner}`);
        expect(text).toContain(canary(owner ?? 'nobody'));
      }
    if (one.do.startsWith('sign')) expect(Object.values(await caches.contents()).flatMap(Object.values)).toEqual([]);
  }
  let isOver = false;
  const over = Promise.all(reads).then(() => {
    isOver = true;
  });
  // One that is refused may be asked once more.
  while (!isOver) {
    for (const end of [...underWay.splice(0), ...waiting.splice(0)]) end();
    await turn();
  }
  await over;
}

const RUNS = runs(100);
test(`in ${RUNS} random schedules no word of a member is stored for another`, async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), play), { numRuns: RUNS });
}, 600_000);
