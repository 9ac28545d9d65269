import { afterEach, expect, test } from 'vitest';
import { type TestServer, testServer } from '../support/server.ts';

let server: TestServer;
afterEach(() => server?.close());

/** Whom the limits have counted, after one request for each header. */
async function counted(trusted: string, headers: string[]): Promise<string[]> {
  server = await testServer({ sandbox: false, env: { TRUSTED_PROXIES: trusted } });
  for (const forwarded of headers) {
    const { status } = await server.request('GET', '/api/vapid-public-key', {
      headers: { 'x-forwarded-for': forwarded },
    });
    expect(status).toBe(200);
  }
  const rows = await server.sql<{ key: string; count: number }[]>`select key, count from rate_limits order by key`;
  return rows.map(({ key, count }) => `${key.split(' ')[0]} ${count}`);
}

test('whom a trusted proxy names is counted, each apart', async () => {
  expect(await counted('127.0.0.1', ['198.51.100.7', '203.0.113.9', '203.0.113.9'])).toEqual([
    '198.51.100.7 1',
    '203.0.113.9 2',
  ]);
});

test('an address with a port or brackets counts as the address: a port is another with each connection', async () => {
  const named = ['203.0.113.9:50123', '203.0.113.9:50124', '[2001:db8:1::7]:4711', '2001:db8:1::7'];
  expect(await counted('127.0.0.1', named)).toEqual(['2001:db8:1:0::/64 2', '203.0.113.9 2']);
});

test('only what the proxy itself added counts, not what its caller claimed', async () => {
  expect(await counted('10.0.0.0/8,127.0.0.1', ['1.1.1.1, 203.0.113.9, 10.1.2.3'])).toEqual(['203.0.113.9 1']);
});

test('where no address stands the proxy itself counts: nobody makes up senders', async () => {
  const garbage = ['garbage17', 'garbage18', 'unknown', '_hidden', '999.1.1.1', '203.0.113.9, nonsense', ' , '];
  expect(await counted('127.0.0.1', garbage)).toEqual([`127.0.0.1 ${garbage.length}`]);
});

test('what is no address ends the way back, behind several proxies too', async () => {
  expect(await counted('10.0.0.0/8,127.0.0.1', ['203.0.113.9, garbage, 10.1.2.3'])).toEqual(['10.1.2.3 1']);
});

test.each(['', '192.0.2.1'])(
  'anybody else names whom they like, and counts as themselves (trusted: "%s")',
  async (trusted) => {
    expect(await counted(trusted, ['198.51.100.7', '203.0.113.9'])).toEqual(['127.0.0.1 2']);
  },
);
