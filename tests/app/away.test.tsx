/** A screen that has no copy to show, and a server that does not answer: no connection, or one that takes and gives nothing. */

import { useQuery } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { read, reader } from '../../app/lib/query.ts';
import { m } from '../../app/paraglide/messages.js';
import { Reading } from '../../app/ui/states.tsx';
import { draw, json, own, serverOfEach } from './support.tsx';

const server = serverOfEach();
beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
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

/** A service worker that has these copies. */
function keeps(copies: Record<string, unknown>, answer: () => Response | Promise<Response>) {
  vi.stubGlobal('navigator', Object.create(navigator, { serviceWorker: { value: { controller: {} } } }));
  server.answer(({ url, init }) => {
    if (!new Headers(init.headers).has('x-muster-kept-only')) return answer();
    return url in copies ? json(copies[url]) : new Response(null, { status: 204 });
  });
}

test('a read that takes long says so after four seconds, with what the device has meanwhile', async () => {
  const mine = [
    { id: 'c1', slug: 'ridge', name: 'Ridge Walkers' },
    { id: 'c2', slug: 'harbour', name: 'Harbour Swimmers' },
  ];
  keeps({ '/api/user/communities': mine, '/api/communities/ridge/dashboard': {} }, never);
  await draw(<Names />);
  await pass(3_500);
  expect(screen.queryByText('Still waiting for the server')).toBeNull();
  await pass(1_000);
  screen.getByText('Still waiting for the server');
  // Also once it is said to be away. Not what was never brought here.
  for (const until of [0, 10_000]) {
    await pass(until);
    const link = await screen.findByRole('link', {
      name: m.shell_today_in({ today: m.shell_today(), community: 'Ridge Walkers' }),
    });
    expect(link.getAttribute('href')).toBe('/community/ridge/dashboard');
    expect(screen.getAllByRole('link')).toHaveLength(1);
  }
  expect(isAway()).toBe(true);
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
