/** What a member never opened is on the device too: brought in idle time, one request at a time, within a budget. */
import type { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createQueryClient, userQuery } from '../../app/lib/query.ts';
import { warmUpSoon } from '../../app/lib/warm-up.ts';
import { WARM_UP_AFTER_MS, WARM_UP_BYTES, WARM_UP_EVERY_MS } from '../../server/contract/limits.ts';
import { aUser, fakeServer, json, refusal } from './support.tsx';

const MINE = [
  { id: 'c1', slug: 'ridge', name: 'Ridge', role: 'member' },
  { id: 'c2', slug: 'harbour', name: 'Harbour', role: 'leader' },
];
const ALL = [
  '/api/auth/user',
  '/api/user/communities',
  '/api/communities/ridge/dashboard',
  '/api/communities/c1/leaderboard?period=all',
  '/api/communities/ridge',
  '/api/communities',
  '/api/user/profile',
  '/api/communities/harbour/dashboard',
  '/api/communities/c2/morning',
  '/api/communities/c2/leaderboard?period=all',
  '/api/communities/harbour',
  '/api/leaderboard?period=all',
  '/api/user/notifications',
  '/api/user/ledger',
];

/** A device with a service worker that stores what it lets through. */
function device(connection: object = {}) {
  const browser = {
    serviceWorker: { value: { controller: {}, addEventListener() {} } },
    connection: { value: connection },
  };
  vi.stubGlobal('navigator', Object.create(navigator, { ...browser, onLine: { get: () => state.isOnline } }));
  const server = fakeServer();
  const copies = new Map<string, { body: string; at: number }>();
  const state = { isOnline: true, body: (_url: string): unknown => ({}), status: 200, asked: [] as string[], most: 0 };
  let running = 0;
  server.answer(async ({ url, init }) => {
    const copy = copies.get(url);
    if (new Headers(init.headers).has('x-muster-kept-only'))
      return copy
        ? json(JSON.parse(copy.body), 200, { 'x-muster-cached-at': String(copy.at) })
        : new Response(null, { status: 204 });
    state.asked.push(url);
    running += 1;
    state.most = Math.max(state.most, running);
    await new Promise((done) => setTimeout(done, 20));
    running -= 1;
    if (state.status !== 200) return refusal(state.status, 'NOT_NOW');
    const body = url === '/api/user/communities' ? MINE : state.body(url);
    copies.set(url, { body: JSON.stringify(body), at: Date.now() });
    return json(body);
  });
  return { client: page(), copies, state };
}
const pages: QueryClient[] = [];
/** A page of the member. */
function page(): QueryClient {
  const client = createQueryClient();
  client.setQueryData(userQuery.queryKey, aUser);
  pages.push(client);
  return client;
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const sight = (state: 'visible' | 'hidden') => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestIdleCallback', (then: () => void) => setTimeout(then, 50));
});
afterEach(() => {
  // A page that is gone hears nothing.
  for (const one of pages.splice(0)) one.setQueryData(userQuery.queryKey, null);
});

describe('the warm-up', () => {
  test('brings every community of mine, its board and the directory, one request at a time', async () => {
    const { client, copies, state } = device();
    warmUpSoon(client);
    await pass(WARM_UP_AFTER_MS - 1);
    expect(state.asked).toEqual([]);
    await pass(5_000);
    expect([...copies.keys()].sort()).toEqual([...ALL].sort());
    expect([state.asked.length, state.most]).toEqual([ALL.length, 1]);
  });
  test('asks for nothing that is on the device already, until it is old', async () => {
    const { client, state } = device();
    warmUpSoon(client);
    await pass(10_000);
    state.asked = [];
    warmUpSoon(client);
    sight('visible');
    await pass(10_000);
    // Nor on the next page.
    const next = page();
    next.setQueryData(['/api/user/communities'], MINE);
    warmUpSoon(next);
    await pass(10_000);
    expect(state.asked).toEqual([]);
    await pass(WARM_UP_EVERY_MS);
    client.setQueryData(userQuery.queryKey, aUser);
    sight('visible');
    await pass(10_000);
    expect(state.asked).toEqual(expect.arrayContaining(ALL));
  });
  test('brings everything anew after a deploy', async () => {
    const { client, state } = device();
    warmUpSoon(client);
    await pass(10_000);
    const noted = localStorage.getItem('muster-warm-build') ?? '';
    localStorage.setItem('muster-warm-build', noted.replace(/^\S+/, 'earlier-build'));
    state.asked = [];
    const next = page();
    warmUpSoon(next);
    await pass(10_000);
    expect(state.asked).toEqual(expect.arrayContaining(ALL));
  });
  test.each([{ saveData: true }, { effectiveType: '2g' }, { effectiveType: 'slow-2g' }])(
    'spends nothing on a connection that is %o',
    async (connection) => {
      const { client, state } = device(connection);
      warmUpSoon(client);
      await pass(20_000);
      expect(state.asked).toEqual([]);
    },
  );
  test('stops when the page is hidden or offline, and goes on where it was when it is back', async () => {
    const { client, copies, state } = device();
    warmUpSoon(client);
    await pass(WARM_UP_AFTER_MS + 300);
    const before = state.asked.length;
    expect(before).toBeGreaterThan(1);
    sight('hidden');
    await pass(20_000);
    expect(state.asked.length).toBeLessThanOrEqual(before + 1);
    state.isOnline = false;
    sight('visible');
    await pass(20_000);
    expect(state.asked.length).toBeLessThanOrEqual(before + 1);
    state.isOnline = true;
    globalThis.dispatchEvent(new Event('online'));
    await pass(20_000);
    expect(copies.size).toBe(ALL.length);
    expect(new Set(state.asked).size).toBe(state.asked.length);
  });
  test('ends with the member for whom it began', async () => {
    const { client, state } = device();
    warmUpSoon(client);
    await pass(WARM_UP_AFTER_MS + 300);
    const before = state.asked.length;
    client.setQueryData(userQuery.queryKey, null);
    await pass(20_000);
    expect(state.asked.length).toBeLessThanOrEqual(before + 1);
  });
  test('ends with its budget of bytes', async () => {
    const { client, state } = device();
    state.body = () => 'x'.repeat(WARM_UP_BYTES / 2);
    warmUpSoon(client);
    await pass(20_000);
    // The list, and two answers of half the budget each.
    expect(state.asked.length).toBe(3);
  });
  test('leaves a server alone that is in trouble', async () => {
    const { client, state } = device();
    client.setQueryData(['/api/user/communities'], MINE);
    state.status = 503;
    warmUpSoon(client);
    await pass(20_000);
    expect(state.asked.length).toBe(1);
  });
});
