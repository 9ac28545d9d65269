import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SEND_TIMEOUT_MS } from '../../server/contract/limits.ts';
import {
  CACHED_AT_HEADER,
  CACHED_ONLY_HEADER,
  FRESH_HEADER,
  MEMBER_HEADER,
  type SwBroadcast,
} from '../../server/contract/sw-messages.ts';
import { createReads, makeRoomWhenFull } from '../../service-worker/caching.ts';
import { changesSession, createMembers, throughSession } from '../../service-worker/member.ts';
import type { DeviceEvent } from '../../worker/schema.ts';
import { memoryStorage } from '../../worker/storage/memory.ts';
import { getMeta, putMeta } from '../../worker/storage/storage.ts';
import { type FakeCaches, FakeEvent, get, installCaches, installFetch, installTimers, ORIGIN, OWN } from './scope.ts';

const USER = '/api/auth/user';
const BOARD = '/api/communities/c1/leaderboard?period=week';
const as = (member: string | null, body: unknown, status = 200, control = 'private, no-cache'): Response =>
  Response.json(status < 400 ? body : { reason: 'REFUSED', ...(body as object) }, {
    status,
    headers: { ...OWN, 'cache-control': control, ...(member === null ? {} : { [MEMBER_HEADER]: member }) },
  });
const away = () => Promise.reject(new TypeError('Failed to fetch'));
const never = () => new Promise<Response>(() => undefined);
/** Lets all that waits for nobody run to its end. */
const turn = async () => {
  for (let n = 0; n < 5; n += 1) await new Promise<void>((done) => setImmediate(done));
};

let caches: FakeCaches;
beforeEach(() => {
  caches = installCaches();
  installTimers();
  makeRoomWhenFull();
});
afterEach(() => vi.unstubAllGlobals());

function device() {
  const storage = memoryStorage();
  const members = createMembers(storage);
  const announced: (SwBroadcast | DeviceEvent)[] = [];
  const held: Promise<unknown>[] = [];
  const timers: { at: number; done: () => void; signal: AbortSignal }[] = [];
  const self = {
    storage,
    members,
    announced,
    time: 1_000,
    /** Answers reads. */
    server: (async () => as(null, {})) as (request: Request) => Promise<Response>,
    /** Answers what changes the session. */
    session: (async () => as(null, { ok: true })) as () => Promise<Response>,
    asked: 0,
    /** Lets time go by: who waited for it comes to their turn. */
    async pass(ms: number) {
      await turn();
      self.time += ms;
      for (const timer of timers) if (timer.at <= self.time && !timer.signal.aborted) timer.done();
      await turn();
    },
    read(path: string, headers: Record<string, string> = {}) {
      const event = Object.assign(new FakeEvent('fetch', held), { request: get(path, headers) });
      return readWith(event as unknown as FetchEvent);
    },
    async json(path: string, headers: Record<string, string> = {}) {
      const response = await self.read(path, headers);
      while (held.length > 0) await Promise.all(held.splice(0));
      return { status: response.status, at: response.headers.get(CACHED_AT_HEADER), body: await response.json() };
    },
  };
  const readWith = createReads({
    members,
    now: () => self.time,
    broadcast: (message) => void announced.push(message),
    onAnswer: () => undefined,
    wait: (ms, signal) => new Promise((done) => timers.push({ at: self.time + ms, done, signal })),
  });
  installFetch(async (input) => {
    const request = new Request(input);
    if (request.method === 'POST') return self.session();
    self.asked += 1;
    return self.server(request);
  });
  return self;
}

describe('what is stored', () => {
  test('a private answer, in the partition of the member whom the server names, with its time', async () => {
    const one = device();
    await one.members.become('A');
    one.server = async () => as('A', { rank: 1 });
    expect(await one.json(BOARD)).toEqual({ status: 200, at: null, body: { rank: 1 } });
    expect(await caches.contents()).toEqual({ 'private-A': { [BOARD]: '{"rank":1}' } });
    one.time += 60_000;
    one.server = away;
    expect(await one.json(BOARD)).toEqual({ status: 200, at: '1000', body: { rank: 1 } });
  });
  test.each([
    ['no-store', 200, 'no-store'],
    ['private with no-store', 200, 'private, no-store'],
    ['public', 200, 'public, max-age=60'],
    ['unmarked', 200, ''],
    ['part of an answer', 206, 'private, no-cache'],
    ['a failure', 500, 'private, no-cache'],
    ['a creation', 201, 'private, no-cache'],
  ])('never: %s', async (_name, status, control) => {
    const one = device();
    one.server = async () => as(null, {}, status, control);
    await one.json('/api/health');
    expect(await caches.contents()).toEqual({});
  });
  test('what is answered before the user is stored once the user names its owner, and for nobody else', async () => {
    const one = device();
    const early = async (named: string | null) => {
      await one.members.become(null);
      one.server = async () => as('A', { rank: 1 });
      const board = one.json(BOARD);
      await turn();
      expect(await caches.contents()).toEqual({});
      one.server = async () => (named === null ? as(null, {}, 401, 'no-store') : as(named, { id: named }));
      await one.read(USER);
      await board;
      await turn();
      return Object.entries(await caches.contents()).map(([name, stored]) => [name, ...Object.keys(stored).sort()]);
    };
    expect(await early('A')).toEqual([['private-A', USER, BOARD]]);
    expect(await early('B')).toEqual([['private-B', USER]]);
    expect(await early(null)).toEqual([]);
  });
  test('an answer for another member than the one of this moment is not stored', async () => {
    const one = device();
    await one.members.become('A');
    one.server = async () => {
      await one.members.become('B');
      return as('A', { of: 'A' });
    };
    await one.read(BOARD);
    one.server = async () => as(null, { of: 'nobody' });
    await one.json(BOARD);
    expect(await caches.contents()).toEqual({});
  });
  test('a full disk: images go first, then public reads, and the member’s copy is stored', async () => {
    const one = device();
    await one.members.become('A');
    const ok = () => new Response('');
    const [shell, open, own] = [
      await caches.open('shell-1'),
      await caches.open('public'),
      await caches.open('private-A'),
    ];
    for (const path of ['/icons/one.png', '/app.js']) await shell.put(path, ok());
    await open.put('/api/communities', ok());
    const put = own.put.bind(own);
    const gone: string[][] = [];
    own.put = async (key, response) => {
      const { public: reads = {}, 'shell-1': files = {} } = await caches.contents();
      gone.push([...Object.keys(files), ...Object.keys(reads)]);
      if (gone.length < 3) throw new DOMException('full', 'QuotaExceededError');
      await put(key, response);
    };
    one.server = async () => as('A', { rank: 1 });
    await one.json(BOARD);
    expect(gone).toEqual([
      ['/icons/one.png', '/app.js', '/api/communities'],
      ['/app.js', '/api/communities'],
      ['/app.js'],
    ]);
    expect((await caches.contents())['private-A']).toEqual({ [BOARD]: '{"rank":1}' });
  });
  test('a copy that cannot be written does not fail the answer', async () => {
    const one = device();
    caches.isFull = true;
    expect(await one.json('/api/communities')).toMatchObject({ status: 200 });
  });
  test('no more than 200 copies in a partition, the oldest go first', async () => {
    const one = device();
    for (let n = 0; n < 203; n += 1) await one.json(`/api/communities/c${n}`);
    const stored = Object.keys((await caches.contents())['public'] ?? {});
    expect(stored).toHaveLength(200);
    expect(stored[0]).toBe('/api/communities/c3');
  });
});

describe('who reads', () => {
  test('/api/auth/user says who it is: other partitions go', async () => {
    const one = device();
    one.server = async () => as('A', { id: 'A' });
    await one.json(USER);
    one.server = async () => as('B', { id: 'B' });
    await one.json(USER);
    expect(await caches.contents()).toEqual({ 'private-B': { [USER]: '{"id":"B"}' } });
    expect(await one.members.current()).toBe('B');
  });
  test('another member never reads what was stored for the one before', async () => {
    const one = device();
    await one.members.become('A');
    one.server = async () => as('A', { secret: 'of A' });
    await one.json(BOARD);
    await one.members.become('B');
    one.server = away;
    expect((await one.read(BOARD)).type).toBe('error');
  });
  test('the last known user while the network fails, but not against a 401', async () => {
    const one = device();
    one.server = async () => as('A', { id: 'A' });
    await one.json(USER);
    one.server = away;
    expect(await one.json(USER)).toMatchObject({ status: 200, body: { id: 'A' }, at: '1000' });
    one.server = async () => as(null, { message: 'Sign in' }, 401, 'no-store');
    expect(await one.json(USER)).toMatchObject({ status: 401 });
    expect(await caches.contents()).toEqual({});
    expect(await one.members.current()).toBeNull();
    const signedIn = { type: 'MEMBER_CHANGED', userId: 'A' };
    expect(one.announced).toEqual([signedIn, { type: 'SIGNED_OUT' }]);
    await one.json(USER);
    expect(one.announced).toHaveLength(2);
  });
  test.each([200, 401, 403, 404, 502])(
    'the copy when a hotel’s page answers with %s, which says nothing of ours',
    async (status) => {
      const one = device();
      one.server = async () => as('A', { id: 'A' });
      await one.json(USER);
      one.server = async () => as('A', { rank: 1 });
      await one.json(BOARD);
      one.server = async () =>
        new Response('<title>Welcome</title>', { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
      one.announced.length = 0;
      expect(await one.json(USER)).toMatchObject({ status: 200, body: { id: 'A' } });
      expect(await one.json(BOARD)).toMatchObject({ status: 200, body: { rank: 1 } });
      expect((await one.read('/api/communities')).type).toBe('error');
      expect(one.announced).toEqual([]);
      expect(await one.members.current()).toBe('A');
      one.server = away;
      expect((await one.json(BOARD)).body).toEqual({ rank: 1 });
    },
  );
  test('a session that works again lets the outbox go on that met a 401', async () => {
    const one = device();
    await one.members.become('A');
    await one.storage.run(['meta'], (tx) => putMeta(tx, 'paused', 'A'));
    one.server = async () => as('A', { id: 'A' });
    await one.json(USER);
    expect(await one.storage.run(['meta'], (tx) => getMeta(tx, 'paused'))).toBeNull();
  });
  test('a revoked membership purges; a 403 about one page forgets that page only', async () => {
    const one = device();
    one.server = async () => as('A', { id: 'A' });
    await one.json(USER);
    await one.json(BOARD);
    one.server = async () => as('A', { message: 'Moderators only' }, 403, 'no-store');
    await one.json(BOARD);
    expect(Object.keys((await caches.contents())['private-A'] ?? {})).toEqual([USER]);
    one.server = async () => as('A', { message: 'TELEGRAM_MEMBERSHIP_REVOKED' }, 403, 'no-store');
    expect(await one.json(USER)).toMatchObject({ status: 403 });
    expect(await caches.contents()).toEqual({});
  });
  test('a suspended account purges too, also where the answer is about another page', async () => {
    const one = device();
    one.server = async () => as('A', { id: 'A' });
    await one.json(USER);
    one.server = async () => as('A', { reason: 'SUSPENDED', message: 'This account is suspended.' }, 403, 'no-store');
    expect(await one.json(BOARD)).toMatchObject({ status: 403 });
    expect(await caches.contents()).toEqual({});
    expect(one.announced).toContainEqual({ type: 'MEMBERSHIP_REVOKED' });
  });
  test('a 401 to a request from before the sign-in says nothing about now', async () => {
    const one = device();
    one.server = async () => {
      await one.members.become('A');
      return as(null, {}, 401, 'no-store');
    };
    await one.json(BOARD);
    expect(await one.members.current()).toBe('A');
  });
  test.each([
    ['before the call', 'before it is over'],
    ['before the call', 'after it is over'],
    ['during the call', 'before it is over'],
    ['during the call', 'after it is over'],
  ])(
    'a 401 of the session that the member’s new one replaced signs nobody out: asked %s, answered %s',
    async (...[asked, answered]) => {
      const one = device();
      await one.members.become('A');
      let end = (_: Response) => {};
      one.session = () => new Promise((resolve) => (end = resolve));
      const link = new Request(`${ORIGIN}/api/auth/x/complete`, { method: 'POST' });
      expect(changesSession(link)).toBe(true);
      let refuse = () => {};
      one.server = () => {
        // The next one is asked with the cookie of the new session.
        one.server = async () => as('A', { id: 'A' });
        return new Promise((resolve) => (refuse = () => resolve(as(null, {}, 401, 'no-store'))));
      };
      let linked: Promise<Response> = Promise.resolve(Response.error());
      const begin = async () => {
        linked = throughSession(link, one.members, () => {});
        await turn();
      };
      if (asked === 'during the call') await begin();
      const read = one.json(USER);
      await turn();
      if (asked === 'before the call') await begin();
      const over = async () => {
        end(as(null, { ok: true }));
        await linked;
      };
      if (answered === 'after it is over') await over();
      refuse();
      await turn();
      if (answered === 'before it is over') await over();
      expect(await read).toMatchObject({ status: 200, body: { id: 'A' } });
      expect(await one.members.current()).toBe('A');
      expect(one.announced).toEqual([]);
    },
  );
  test('a 401 after the member’s session was replaced is one still', async () => {
    const one = device();
    await one.members.become('A');
    await one.members.renew(async () => undefined);
    one.server = async () => as(null, {}, 401, 'no-store');
    expect(await one.json(USER)).toMatchObject({ status: 401 });
    expect(await one.members.current()).toBeNull();
    expect(one.announced).toEqual([{ type: 'SIGNED_OUT' }]);
  });
  test('an answer for who left while it was on its way reaches no page', async () => {
    const one = device();
    await one.members.become('A');
    const overtaken = async (by: string | null) => {
      one.server = async () => {
        await one.members.become(by);
        return as('A', { of: 'A' });
      };
      return (await one.read(BOARD)).type;
    };
    expect(await overtaken('B')).toBe('error');
    await one.members.become('A');
    expect(await overtaken(null)).toBe('error');
    await one.members.become('B');
    expect(await overtaken('A')).toBe('default');
  });
  test('signing in or out forgets who it was before the page hears of it; a failure forgets nobody', async () => {
    const one = device();
    const logout = new Request(`${ORIGIN}/api/auth/logout`, { method: 'POST' });
    expect([logout, get('/api/auth/logout'), get('/api/auth/telegram/callback?code=1')].map(changesSession)).toEqual([
      true,
      false,
      true,
    ]);
    one.server = async () => as('A', { id: 'A' });
    await one.json(USER);
    one.session = async () => as(null, {}, 503);
    const broadcast = (message: SwBroadcast) => void one.announced.push(message);
    await throughSession(logout, one.members, broadcast);
    expect(await one.members.current()).toBe('A');
    one.session = async () => as(null, { ok: true });
    await throughSession(logout, one.members, broadcast);
    expect(await caches.contents()).toEqual({});
    expect(one.announced.slice(1)).toEqual([{ type: 'SIGNED_OUT' }]);
  });
  test('another member is announced to every page once, and by whichever private answer comes first', async () => {
    const one = device();
    await one.members.become('A');
    one.server = async () => as('B', { of: 'B' });
    await one.json(BOARD);
    await one.json(USER);
    expect(one.announced).toEqual([{ type: 'MEMBER_CHANGED', userId: 'B' }]);
    expect(await caches.contents()).toEqual({ 'private-B': { [BOARD]: '{"of":"B"}', [USER]: '{"of":"B"}' } });
  });
  test('after a sign-in the first private answer names the member; after a sign-out only the user’s own does', async () => {
    const one = device();
    const post = (path: string) =>
      throughSession(new Request(ORIGIN + path, { method: 'POST' }), one.members, () => {});
    await post('/api/auth/telegram/mini-app');
    one.server = async () => as('A', { of: 'A' });
    await one.json(BOARD);
    expect([await one.members.current(), Object.keys(await caches.contents())]).toEqual(['A', ['private-A']]);
    await post('/api/auth/logout');
    const late = one.json(BOARD);
    await one.pass(SEND_TIMEOUT_MS);
    await late;
    expect([await one.members.current(), Object.keys(await caches.contents())]).toEqual([null, []]);
    await one.json(USER);
    expect(await one.members.current()).toBe('A');
  });
  test('a revoked membership is announced once, however many reads it refuses, and again after it was restored', async () => {
    const one = device();
    await one.members.become('A');
    const revoked = async () => as('A', { message: 'TELEGRAM_MEMBERSHIP_REVOKED' }, 403, 'no-store');
    one.server = revoked;
    for (const path of [BOARD, USER, USER]) await one.json(path);
    expect(one.announced).toEqual([{ type: 'MEMBERSHIP_REVOKED' }]);
    one.server = async () => as('A', { id: 'A' });
    await one.json(USER);
    one.server = revoked;
    await one.json(USER);
    expect(one.announced).toHaveLength(2);
  });
  test('a purge in the middle of the writing leaves nothing behind', async () => {
    const one = device();
    await one.members.become('A');
    const partition = await caches.open('private-A');
    const put = partition.put.bind(partition);
    partition.put = async (key, response) => {
      await one.members.become(null);
      await put(key, response);
      caches.stores.set('private-A', partition);
    };
    one.server = async () => as('A', { late: true });
    await one.json(BOARD);
    expect((await caches.contents())['private-A']).toEqual({});
  });
  test('a purge while an answer is on its way stores nothing of it', async () => {
    const one = device();
    await one.members.become('A');
    one.server = async () => {
      await one.members.purge();
      return as('A', { late: true });
    };
    await one.json(BOARD);
    expect(await caches.contents()).toEqual({});
  });
});

describe('a network that does not answer', () => {
  async function withCopy() {
    const one = device();
    one.server = async () => as(null, { n: 1 });
    await one.json(BOARD);
    return one;
  }
  test('the copy after three seconds, not before', async () => {
    const one = await withCopy();
    one.server = never;
    const heard = vi.fn();
    const reading = one.read(BOARD).then(heard);
    await one.pass(2_999);
    expect(heard).not.toHaveBeenCalled();
    await one.pass(1);
    await reading;
    expect(heard.mock.calls[0]?.[0].headers.get(CACHED_AT_HEADER)).toBe('1000');
  });
  test('without a copy the reader waits for the network', async () => {
    const one = device();
    let give: (response: Response) => void = () => undefined;
    one.server = () =>
      new Promise((resolve) => {
        give = resolve;
      });
    const reading = one.read(BOARD);
    await one.pass(10_000);
    give(as(null, { n: 2 }));
    expect(await (await reading).json()).toEqual({ n: 2 });
    expect(one.announced).toEqual([]);
  });
  test('who only wants the copy gets it, or nothing, and the server is not asked', async () => {
    const one = await withCopy();
    const asked = one.asked;
    expect(await (await one.read(BOARD, { [CACHED_ONLY_HEADER]: '1' })).json()).toEqual({ n: 1 });
    expect((await one.read('/api/communities', { [CACHED_ONLY_HEADER]: '1' })).status).toBe(204);
    expect(one.asked).toBe(asked);
  });
  test.each([
    ['otherwise', { n: 2 }],
    ['the same, which is as of another time', { n: 1 }],
  ])('a late answer is announced once: one that reads %s', async (_name, body) => {
    const one = await withCopy();
    let give: (response: Response) => void = () => undefined;
    one.server = () =>
      new Promise((resolve) => {
        give = resolve;
      });
    const reading = one.read(BOARD);
    await one.pass(3_000);
    await reading;
    give(as(null, body));
    await turn();
    expect(one.announced).toEqual([{ type: 'READ_REFRESHED', url: ORIGIN + BOARD, at: 4_000 }]);
    const asked = one.asked;
    expect(await one.json(BOARD, { [CACHED_ONLY_HEADER]: '1' })).toEqual({ status: 200, at: '4000', body });
    expect(one.asked).toBe(asked);
    expect(one.announced).toHaveLength(1);
  });
  test('who reads next waits less, until the network is quick again', async () => {
    const one = await withCopy();
    one.server = never;
    const first = one.read(BOARD);
    await one.pass(3_000);
    await first;
    const second = one.read(BOARD);
    await one.pass(300);
    await second;
    one.server = async () => as(null, { n: 3 });
    expect(await (await one.read(BOARD)).json()).toEqual({ n: 3 });
    one.server = never;
    const heard = vi.fn();
    const third = one.read(BOARD).then(heard);
    await one.pass(300);
    expect(heard).not.toHaveBeenCalled();
    await one.pass(2_700);
    await third;
  });
  test('after an action was delivered the reader waits for the server', async () => {
    const one = await withCopy();
    let give: (response: Response) => void = () => undefined;
    one.server = () =>
      new Promise((resolve) => {
        give = resolve;
      });
    const reading = one.read(BOARD, { [FRESH_HEADER]: '1' });
    await one.pass(9_000);
    give(as(null, { n: 9 }));
    expect(await (await reading).json()).toEqual({ n: 9 });
  });
  test.each([502, 503, 504])(
    'a server that says with %i that it cannot answer now: the copy, or its word',
    async (status) => {
      const one = await withCopy();
      one.server = async () => as(null, { message: 'Not now' }, status, 'no-store');
      expect(await one.json(BOARD)).toMatchObject({ status: 200, body: { n: 1 } });
      expect(await one.json('/api/communities')).toMatchObject({ status });
    },
  );
});
