import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { JSON_BODY_BYTES } from '../../server/contract/limits.ts';
import { fc, runs, SEED } from '../support/chance.ts';
import { ofFile } from '../support/of-file.ts';
import { ALL_ROUTES, fill, idsOfNothing, type RouteUnderTest, sampleBody } from '../support/samples.ts';
import { type Ask, type Reply, testServer } from '../support/server.ts';
import { changes, community, memberOf } from '../support/world.ts';

let cookie: string;
const server = await ofFile(testServer());
/** What the Bot API names itself with, so that its route reads what it is sent too. */
const secret = server.runtime.config.telegram.webhookSecret ?? '';
const founder = await server.person();
const place = await community(server, founder.userId);

// A leader of their own for each test, and a minute of their own: nobody meets a rate limit here.
beforeEach(async () => {
  server.advance(60_000);
  ({ cookie } = await memberOf(server, place.id, 'leader', { role: 'admin' }));
});
afterEach(() => expect(Object.keys(Object.prototype)).toEqual([]));

const withBody = ALL_ROUTES.filter(({ key }) => sampleBody(key) !== undefined);
const isLogs = ({ path }: RouteUnderTest) => path.startsWith('/api/debug/client-logs');
const strict = withBody.filter((route) => !isLogs(route));

/** Ids of what is there, and of nothing where the world holds none. */
const paramsHere = () => ({ ...idsOfNothing(), communityId: place.id, taskId: place.taskId, claimId: place.claimId });

function send(route: RouteUnderTest, ask: Ask): Promise<Reply> {
  const path = fill(route.path, paramsHere());
  return server.request(route.method, path, {
    cookie,
    ...ask,
    headers: { 'idempotency-key': randomUUID(), 'x-telegram-bot-api-secret-token': secret, ...ask.headers },
  });
}
const json = { 'content-type': 'application/json' };
const limitOf = ({ declaration }: RouteUnderTest): number => declaration.bodyBytes ?? JSON_BODY_BYTES;

/** The reply, after checking that the refusal left the database as it was. */
async function refused(route: RouteUnderTest, ask: Ask): Promise<Reply> {
  const before = await changes(server.sql);
  const reply = await send(route, ask);
  expect(await changes(server.sql)).toEqual(before);
  return reply;
}

describe.each(withBody)('$key', (route) => {
  test.each<[string, Ask, number, string]>([
    ['malformed JSON', { raw: '{"a":', headers: json }, 400, 'MALFORMED_JSON'],
    ['no JSON at all', { raw: 'hello', headers: json }, 400, 'MALFORMED_JSON'],
    [
      'bytes that are not UTF-8',
      { raw: new Uint8Array([0x22, 0xff, 0xfe, 0x22]), headers: json },
      400,
      'MALFORMED_JSON',
    ],
    ['a form', { raw: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415, 'JSON_ONLY'],
    [
      'text/plain as a cross-site form sends it',
      { raw: '{}', headers: { 'content-type': 'text/plain' } },
      415,
      'JSON_ONLY',
    ],
    ['no content type', { raw: new Uint8Array([0x7b, 0x7d]) }, 415, 'JSON_ONLY'],
    ['a compressed body', { raw: '{}', headers: { ...json, 'content-encoding': 'gzip' } }, 415, 'JSON_ONLY'],
    [
      'another charset',
      { raw: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } },
      415,
      'JSON_ONLY',
    ],
    ['null', { body: null }, 400, 'INVALID_INPUT'],
    ['a list', { body: [] }, 400, 'INVALID_INPUT'],
    ['a number', { body: 7 }, 400, 'INVALID_INPUT'],
    ['one byte too much', { raw: `"${'x'.repeat(limitOf(route) - 1)}"`, headers: json }, 413, 'BODY_TOO_LARGE'],
  ])('refuses %s', async (_, ask, status, reason) => {
    const reply = await refused(route, ask);
    const isPassedOver = route.declaration.passesOver && status === 400;
    expect([reply.status, reply.json.reason]).toEqual(isPassedOver ? [200, undefined] : [status, reason]);
  });

  test('needs its body, unless nothing of it is required', async () => {
    const isOptional = route.declaration.body?.safeParse({}).success === true;
    expect(isOptional).toBe(route.method === 'PATCH' ? route.path !== '/api/user/profile' : /claims$/.test(route.path));
    if (isOptional) expect((await send(route, {})).json?.reason).not.toBe('INVALID_INPUT');
    else if (route.declaration.passesOver) expect((await refused(route, {})).json).toEqual({ ok: true });
    else expect((await refused(route, {})).json).toMatchObject({ status: 400, reason: 'INVALID_INPUT' });
  });

  // Telegram adds fields to its updates as it likes.
  const isTelegrams = route.declaration.access === 'telegram';
  test(isTelegrams ? 'passes over unknown fields' : 'refuses an unknown field by its name', async () => {
    const names = ['isVerified', 'points_', 'role', 'userId', 'user_id', 'suspended_at', 'is_verified', 'created_by'];
    const own = Object.keys(sampleBody(route.key) as object);
    // That an update was handled is noted once.
    if (isTelegrams) await send(route, { body: sampleBody(route.key) });
    const before = await changes(server.sql);
    for (const name of names.filter((other) => !own.includes(other))) {
      const reply = await send(route, { body: { ...(sampleBody(route.key) as object), [name]: true } });
      if (isTelegrams) {
        expect(reply).toMatchObject({ status: 200, json: { ok: true } });
        continue;
      }
      expect([reply.status, reply.json.reason]).toEqual([400, 'INVALID_INPUT']);
      expect(reply.json.message).toContain(name);
      expect(reply.json.details.problems).toContainEqual({ field: name, message: 'Unknown field', fault: 'other' });
    }
    expect(await changes(server.sql)).toEqual(before);
  });
});

const ofEachSize = withBody.filter((route, at) => withBody.findIndex((one) => limitOf(one) === limitOf(route)) === at);
test.each(ofEachSize)('$key refuses 10 MB too much', async (route) => {
  const raw = `"${'x'.repeat(limitOf(route) + 10_000_000)}"`;
  expect(await refused(route, { raw, headers: json })).toMatchObject({
    status: 413,
    json: { reason: 'BODY_TOO_LARGE' },
  });
});

describe.each(strict)('$key', (route) => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  test.each<[string, string, string]>([
    ['NUL in text', '{"a":"x\\u0000y"}', 'BAD_TEXT'],
    ['half a surrogate pair', '{"a":["ok","\\ud800"]}', 'BAD_TEXT'],
    ['half a surrogate pair in a name', '{"\\udfff":1}', 'BAD_TEXT'],
    ['__proto__', '{"__proto__":{"isVerified":true}}', 'FORBIDDEN_NAME'],
    ['constructor, deep down', '{"a":[{"constructor":{"prototype":{"x":1}}}]}', 'FORBIDDEN_NAME'],
    ['17 levels', deep(17), 'TOO_DEEP'],
    ['30,000 levels', deep(30_000), 'TOO_DEEP'],
    ['30,000 values', JSON.stringify(Array(30_000).fill(1)), 'TOO_MANY_VALUES'],
  ])('refuses %s', async (_, raw, reason) => {
    const reply = await refused(route, { raw, headers: json });
    expect([reply.status, reply.json.reason]).toEqual(route.declaration.passesOver ? [200, undefined] : [400, reason]);
  });
});

describe.each(withBody)('$key', (route) => {
  /** Replaces one place of a sample, at random, with something else. */
  const mutated = fc
    .record({
      at: fc.nat(20),
      name: fc.constantFrom('', 'x', '__proto__', 'toString', 'points', 'é\u0301', 'a'.repeat(300)),
      value: fc.oneof(
        fc.jsonValue({ maxDepth: 4 }),
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.constantFrom<unknown>(
          -1,
          0,
          1e308,
          2 ** 53,
          -0.5,
          '',
          ' ',
          '\u0000',
          '\ud800',
          '\u202e',
          '%s%n',
          "';--",
          '$'.concat('{jndi:x}'),
          [],
          {},
          null,
          true,
          'x'.repeat(5_000),
          '2026-11-21T00:00:00Z',
          '+275760-09-13T00:00:00Z',
        ),
      ),
      how: fc.constantFrom('replace', 'add', 'drop', 'wrap'),
    })
    .map(({ at, name, value, how }) => {
      const body = structuredClone(sampleBody(route.key)) as Record<string, unknown>;
      const inner =
        isLogs(route) && at % 2
          ? ((body['data'] ?? (body['entries'] as unknown[])[0]) as Record<string, unknown>)
          : body;
      const names = Object.keys(inner);
      const field = names[at % Math.max(1, names.length)] ?? 'x';
      if (how === 'wrap') return [body];
      if (how === 'drop') delete inner[field];
      else Object.defineProperty(inner, how === 'add' ? name : field, { value, enumerable: true, configurable: true });
      return body;
    });

  test('answers any mutated body with a success or a typed 4xx', async () => {
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(mutated, async (body) => {
        sent += 1;
        if (sent % 8 === 0) server.advance(60_000);
        const reply = await send(route, { body });
        expect(reply.status, reply.text).toBeLessThan(500);
        // A feature may say that it was enough for today; the minute's limit would hide what is tried here.
        expect(reply.json?.reason, reply.text).not.toBe('TOO_MANY_REQUESTS');
        if (reply.status >= 400) expect(reply.json.reason).toMatch(/^[A-Z0-9_]+$/);
      }),
      { numRuns: runs(10, 60), seed: SEED + withBody.indexOf(route) },
    );
  });
});

describe('requests without a body', () => {
  const without = ALL_ROUTES.filter(({ key, method }) => method !== 'GET' && sampleBody(key) === undefined).filter(
    ({ declaration }) => declaration.bodyTypes === undefined,
  );
  test.each(without)('$key refuses fields by name, and takes an empty object', async (route) => {
    const params = paramsHere();
    const ask = (body: unknown) =>
      server.request(route.method, fill(route.path, params), {
        cookie,
        body,
        headers: { 'idempotency-key': randomUUID() },
      });
    expect((await ask({ role: 'admin' })).json).toMatchObject({
      status: 400,
      reason: 'INVALID_INPUT',
      message: expect.stringContaining('role'),
    });
    expect((await ask({})).json?.reason).not.toBe('INVALID_INPUT');
  });
});

describe('addresses', () => {
  test('an id that is none names nothing, and never reaches the database', async () => {
    for (const id of ['1', 'x'.repeat(3_000), "1' or '1'='1", '../..', '%2e%2e', '\u202e', randomUUID().slice(1)]) {
      for (const path of [
        `/api/communities/${encodeURIComponent(id)}`,
        `/api/communities/${place.id}/tasks/${encodeURIComponent(id)}`,
      ]) {
        const reply = await server.request('GET', path, { cookie });
        expect([path, reply.status, reply.json?.reason]).toEqual([path, 404, 'NOT_FOUND']);
      }
    }
  });

  test('a community answers to its id and to its slug, and to no other spelling', async () => {
    const status = async (name: string) => (await server.request('GET', `/api/communities/${name}`)).status;
    expect([await status(place.id), await status(place.slug), await status(place.id.toUpperCase())]).toEqual([
      200, 200, 200,
    ]);
    expect([await status(place.slug.toUpperCase()), await status(`${place.slug}/`)]).toEqual([404, 404]);
  });

  test('a query is checked like a body', async () => {
    const ask = (query: string) => server.request('GET', `/api/communities/${place.id}/leaderboard?${query}`);
    expect((await ask('period=week')).status).toBe(200);
    expect((await ask('period=never')).json).toMatchObject({ status: 400, reason: 'INVALID_INPUT' });
    expect((await ask('period=week&period=all')).json).toMatchObject({ status: 400, reason: 'INVALID_INPUT' });
    expect((await ask('period=%00')).json).toMatchObject({ status: 400, reason: 'BAD_TEXT' });
    expect((await ask('%00=1')).json).toMatchObject({ status: 400, reason: 'BAD_TEXT' });
    expect((await ask('__proto__=1&period=week')).status).toBe(200);
  });
});
