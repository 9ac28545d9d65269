import { afterEach, expect, test } from 'vitest';
import { createLog } from '../../server/log.ts';
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

/** The lines that requests left, once there are so many. */
async function linesOf(lines: string[], count: number): Promise<Record<string, unknown>[]> {
  const requests = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  await expect.poll(() => requests().length).toBe(count);
  return requests();
}
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

test('a trusted proxy’s names of a request stand in its answer, its errors and its line, which says when and how grave', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  server = await testServer({ sandbox: false, env: { TRUSTED_PROXIES: '127.0.0.1' }, log });
  const headers = { 'x-request-id': 'edge-7:1a2b', traceparent: TRACEPARENT };
  const reply = await server.request('GET', '/api/auth/user', { headers });
  expect([reply.headers.get('x-request-id'), reply.headers.get('traceparent')]).toEqual(['edge-7:1a2b', TRACEPARENT]);
  expect(reply.json.requestId).toBe('edge-7:1a2b');
  const [line] = await linesOf(lines, 1);
  expect(line).toMatchObject({ requestId: 'edge-7:1a2b', traceId: TRACE, status: 401, level: 'info' });
  expect(line?.['time']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

test.each([
  ['of nobody’s proxy', '192.0.2.1', 'edge-7:1a2b', TRACEPARENT],
  ['with what no id has', '127.0.0.1', 'edge 7 {"a":1}', `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`],
  ['too long, or of nothing', '127.0.0.1', 'x'.repeat(129), `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
  ['too short, or of another version', '127.0.0.1', 'x', `ff${TRACEPARENT.slice(2)}`],
])('names of a request %s are not taken', async (_, trusted, id, traceparent) => {
  server = await testServer({ sandbox: false, env: { TRUSTED_PROXIES: trusted } });
  const { headers } = await server.request('GET', '/api/health', { headers: { 'x-request-id': id, traceparent } });
  expect(headers.get('x-request-id')).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
  expect(headers.get('traceparent')).toBeNull();
});

test('a request whose caller left is written down as such, without the status of an answer that nobody had', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  server = await testServer({ sandbox: false, log });
  const { cookie } = await server.person();
  const hangUp = new AbortController();
  const url = `${server.url.replace('localhost', '127.0.0.1')}/api/live`;
  const { status } = await fetch(url, { headers: { cookie }, signal: hangUp.signal });
  expect(status).toBe(200);
  hangUp.abort();
  const [line] = await linesOf(lines, 1);
  expect([line?.['route'], line?.['aborted'], line?.['status']]).toEqual(['GET /api/live', true, undefined]);
});
