import { afterEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { PRICES_CACHE_MS, PRICES_FRESH_MS, PRICES_REST_MS } from '../../server/contract/limits.ts';
import { createTestDatabase } from '../support/database.ts';
import { ofFile } from '../support/of-file.ts';
import { startReceiver } from '../support/receiver.ts';
import { type TestServer, testServer } from '../support/server.ts';

const SOURCE = 'https://hooks.example.org/api/v3';
const GIVEN = { bitcoin: { usd: 64_000.5 }, ethereum: { usd: 3_000 }, 'usd-coin': { usd: 0.99991 } };

const open: TestServer[] = [];
const source = await ofFile(startReceiver());
const database = await ofFile(createTestDatabase());
afterEach(async () => {
  source.received.length = 0;
  for (const server of open.splice(0)) await server.close();
});

async function serverWith(env: Record<string, string>): Promise<TestServer> {
  const server = await testServer({
    database: { ...database, drop: async () => undefined },
    sandbox: false,
    env,
    pricesWorld: source.world,
  });
  open.push(server);
  return server;
}
const offering = () => serverWith({ PRICES_BASE_URL: SOURCE, PRICES_API_KEY: 'CG-secret' });
const answers = (body: string, status = 200) => source.answer((response) => void response.writeHead(status).end(body));
const ask = async (server: TestServer) => (await server.request('GET', '/api/prices')).json;

describe('prices of coins', () => {
  test('are not offered where the operator named no source, and nobody is asked', async () => {
    const server = await serverWith({});
    expect(await ask(server)).toEqual({ offered: false, failing: false, asOf: null, usd: {} });
    expect(source.received).toEqual([]);
  });

  test('come from the source with their time, to anybody, and its key goes to the source alone', async () => {
    answers(JSON.stringify(GIVEN));
    const server = await offering();
    const reply = await server.request('GET', '/api/prices');
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      offered: true,
      failing: false,
      asOf: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      usd: { BTC: '64000.5', ETH: '3000', USDC: '0.99991' },
    });
    expect(reply.text).not.toContain('CG-secret');
    const [asked] = source.received;
    expect(asked?.path).toMatch(/^\/api\/v3\/simple\/price\?ids=bitcoin%2Cethereum.*&vs_currencies=usd$/);
    expect(asked?.headers['x-cg-demo-api-key']).toBe('CG-secret');
  });

  test('are asked for once in a minute, however many ask', async () => {
    answers(JSON.stringify(GIVEN));
    const server = await offering();
    await Promise.all(Array.from({ length: 20 }, () => ask(server)));
    expect(source.received).toHaveLength(1);
    server.advance(PRICES_FRESH_MS + 1);
    await ask(server);
    expect(source.received).toHaveLength(2);
  });

  test.each([
    ['500', () => answers('{"bitcoin":{"usd":1}}', 500)],
    ['429', () => answers('{}', 429)],
    [
      'a redirect',
      () => source.answer((response) => void response.writeHead(302, { location: 'https://127.0.0.1/' }).end()),
    ],
    ['no JSON', () => answers('<!doctype html><h1>Blocked</h1>')],
    ['no prices', () => answers('[]')],
    ['null', () => answers('null')],
    [
      'prices that cannot be ones',
      () =>
        answers(
          '{"bitcoin":{"usd":"64000"},"ethereum":{"usd":-1},"solana":{"usd":1e300},"tether":{"usd":null},"__proto__":{"usd":1}}',
        ),
    ],
    ['more than anybody reads', () => answers(`{"bitcoin":{"usd":1},"a":"${'a'.repeat(2_000_000)}"}`)],
    [
      'half of it',
      () => source.answer((response) => void response.writeHead(200, { 'content-length': '100' }).end('{"bitcoin"')),
    ],
    ['nothing', () => source.answer((response) => void response.socket?.destroy())],
  ])('a source that answers %s is failing, and the answer says so', async (_what, fail) => {
    fail();
    const server = await offering();
    expect(await ask(server)).toEqual({ offered: true, failing: true, asOf: null, usd: {} });
    // It is left alone for a while.
    await ask(server);
    expect(source.received).toHaveLength(1);
    answers(JSON.stringify(GIVEN));
    server.advance(PRICES_REST_MS + 1);
    expect(await ask(server)).toMatchObject({ failing: false, usd: { ETH: '3000' } });
  });

  test('what was known stays, with its time, while the source fails, and goes after a day', async () => {
    answers(JSON.stringify(GIVEN));
    const server = await offering();
    const { asOf } = await ask(server);
    answers('', 503);
    server.advance(PRICES_FRESH_MS + 1);
    expect(await ask(server)).toEqual({
      offered: true,
      failing: true,
      asOf,
      usd: { BTC: '64000.5', ETH: '3000', USDC: '0.99991' },
    });
    server.advance(PRICES_CACHE_MS);
    expect(await ask(server)).toEqual({ offered: true, failing: true, asOf: null, usd: {} });
  });

  test('a source that never answers costs its deadline once, and no request after it', async () => {
    source.answer(() => undefined);
    const server = await offering();
    expect(await ask(server)).toMatchObject({ offered: true, failing: true });
    expect(await ask(server)).toMatchObject({ failing: true });
    expect(source.received).toHaveLength(1);
  });

  test('a source at an address inside is never called', async () => {
    const server = await testServer({
      database: { ...database, drop: async () => undefined },
      sandbox: false,
      env: { PRICES_BASE_URL: 'https://127.0.0.1/api' },
      pricesWorld: { port: source.world.port },
    });
    open.push(server);
    const before = source.connections();
    expect(await ask(server)).toMatchObject({ offered: true, failing: true });
    expect(source.connections()).toBe(before);
  });
});

describe('the settings', () => {
  test.each([
    'http://api.example.org',
    'https://api.example.org:8443',
    'https://user@api.example.org',
    'api.example.org',
    'https://api.example.org/?key=1',
  ])('%s is refused in words', (url) =>
    expect(() => readConfig({ PRICES_BASE_URL: url })).toThrow('PRICES_BASE_URL must be an https address'),
  );
  test('a key without a source is refused, and never told', () => {
    expect(() => readConfig({ PRICES_API_KEY: 'CG-1' })).toThrow('PRICES_BASE_URL is needed beside PRICES_API_KEY');
    expect(() => readConfig({ PRICES_BASE_URL: SOURCE, PRICES_API_KEY: 'a\nb' })).toThrow(
      /PRICES_API_KEY must be(?!.*a\nb)/,
    );
  });
});
