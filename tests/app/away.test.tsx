/** A screen that has no copy to show, and a server that does not answer: no connection, or one that takes and gives nothing. */
import { useQuery } from '@tanstack/react-query';
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { read, reader } from '../../app/lib/query.ts';
import { Reading } from '../../app/ui/states.tsx';
import { draw, type FakeServer, fakeServer, json, own } from './support.tsx';

let server: FakeServer;
beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  server = fakeServer();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Names() {
  const query = useQuery(read('GET /api/communities'));
  return <Reading query={query}>{(all) => <p>{all.map(({ name }) => name).join(', ')}</p>}</Reading>;
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const isAway = () => screen.queryByRole('heading', { name: 'Not on this device yet' }) !== null;
const never = () => new Promise<Response>(() => {});

test('a read that nobody answers is said to be away, and opens once the network answers again', async () => {
  server.answer(never);
  await draw(<Names />);
  await pass(1_000);
  screen.getByRole('status', { name: 'Loading' });
  await pass(10_000);
  expect(isAway()).toBe(true);
  // What hangs still is given up: no event tells that the network is a better one.
  server.answer(() => json([{ name: 'Ridge' }]));
  await pass(10_000);
  screen.getByText('Ridge');
});

test('a read that failed for want of a connection is asked again, without a skeleton between', async () => {
  server.answer(() => Promise.reject(new TypeError('Failed to fetch')));
  await draw(<Names />);
  await pass(4_000);
  expect(isAway()).toBe(true);
  for (let second = 0; second < 20; second += 1) {
    await pass(1_000);
    expect(isAway()).toBe(true);
  }
  server.answer(() => json([{ name: 'Ridge' }]));
  await pass(10_000);
  screen.getByText('Ridge');
});

test('a read that is given up while its answer still comes is ended', async () => {
  const given: (AbortSignal | null | undefined)[] = [];
  vi.stubGlobal('fetch', (_url: string, init?: RequestInit) => {
    given.push(init?.signal);
    return Promise.resolve(own(new Response(new ReadableStream(), { status: 200 })));
  });
  const asked = new AbortController();
  void reader('throw')({ queryKey: ['/api/communities'], signal: asked.signal }).catch(() => undefined);
  await vi.waitFor(() => expect(given).toHaveLength(1));
  await pass(100);
  asked.abort();
  expect(given[0]?.aborted).toBe(true);
});
