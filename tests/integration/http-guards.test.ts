import { randomUUID } from 'node:crypto';
import { request as rawRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../server/contract/errors.ts';
import { SESSION_ABSOLUTE_MS, SESSION_IDLE_MS, SESSIONS_PER_PERSON } from '../../server/contract/limits.ts';
import { healthHandlers } from '../../server/features/health/routes.ts';
import { createSession, endSession } from '../../server/http/session.ts';
import { ofFile } from '../support/of-file.ts';
import { ALL_ROUTES, fill, sampleBody } from '../support/samples.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { changes, community } from '../support/world.ts';

const server = await ofFile(testServer());

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types muster',
].join(';');

const SECURITY = {
  'content-security-policy': CSP,
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': expect.stringContaining('camera=(self), accelerometer=()'),
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const ids = { communityId: 'no-such-place', taskId: randomUUID(), claimId: randomUUID(), sessionId: randomUUID() };

describe('headers', () => {
  const unusual: [string, string, string, number][] = [
    ['an unknown API address', 'GET', '/api/nowhere', 404],
    ['an address below an API address', 'GET', '/api/auth/user/x.css', 404],
    ['a wrong method', 'PUT', '/api/health', 405],
    ['an address that does not decode', 'GET', '/api/communities/%E0%A4%A', 400],
    ['a NUL in the address', 'GET', '/api/communities/a%00b', 400],
    ['the root without a client', 'GET', '/', 404],
  ];
  test.each([
    ...ALL_ROUTES.map(({ key, method, path }): [string, string, string, number] => [key, method, fill(path, ids), 0]),
    ...unusual,
  ])(
    '%s carries every security header, a request id, and CORS only where any site may read',
    async (name, method, path, status) => {
      const body = sampleBody(name);
      const reply = await server.request(method, path, {
        ...(body === undefined ? {} : { body }),
        headers: method === 'GET' ? { origin: 'https://evil.example' } : { 'idempotency-key': randomUUID() },
      });
      if (status !== 0) expect(reply.status).toBe(status);
      const headers = Object.fromEntries(reply.headers);
      const { anySite, fileTypes } = ALL_ROUTES.find(({ key }) => key === name)?.declaration ?? {};
      const { 'x-frame-options': framed, ...others } = SECURITY;
      expect(headers).toMatchObject({
        ...others,
        // A file that is opened by itself runs nothing and reaches nobody.
        ...(fileTypes && reply.status === 200 && { 'content-security-policy': "default-src 'none'; sandbox" }),
        'cross-origin-resource-policy': anySite ? 'cross-origin' : 'same-origin',
      });
      expect(headers['x-frame-options']).toBe(anySite === 'frame' ? undefined : framed);
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers['x-powered-by']).toBeUndefined();
      expect(Object.entries(headers).filter(([header]) => header.startsWith('access-control-'))).toEqual(
        anySite === 'read' ? [['access-control-allow-origin', '*']] : [],
      );
      if (reply.status >= 400) {
        expect(ApiError.parse(reply.json)).toMatchObject({ status: reply.status, requestId: headers['x-request-id'] });
        expect(headers['cache-control']).toBe('no-store');
        expect(reply.text).not.toMatch(/\bat .*:\d+:\d+|node_modules/);
      }
    },
  );

  test('https adds HSTS and the upgrade of insecure requests', async () => {
    const secure = await testServer({ sandbox: false, config: { publicOrigin: 'https://muster.example' } });
    const { headers } = await secure.request('GET', '/api/health');
    expect(headers.get('strict-transport-security')).toBe('max-age=63072000');
    expect(headers.get('content-security-policy')).toBe(`${CSP};upgrade-insecure-requests`);
    await secure.close();
    const all = await testServer({
      sandbox: false,
      env: { HSTS_SUBDOMAINS: 'on' },
      config: { publicOrigin: 'https://muster.example' },
    });
    const whole = (await all.request('GET', '/api/health')).headers.get('strict-transport-security');
    expect(whole).toBe('max-age=63072000; includeSubDomains');
    await all.close();
  });

  test('says where weaknesses are told of, to the operator where there is an address, and until when', async () => {
    const text = async (of: TestServer) => {
      const reply = await of.request('GET', '/.well-known/security.txt');
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
      return Object.fromEntries(
        reply.text
          .trim()
          .split('\n')
          .map((line) => line.split(/: (.*)/)),
      );
    };
    const origin = server.runtime.config.publicOrigin;
    expect(await text(server)).toMatchObject({
      Contact: `${origin}/partnerships`,
      Canonical: `${origin}/.well-known/security.txt`,
    });
    const own = await testServer({ sandbox: false, env: { SECURITY_CONTACT: 'mailto:security@muster.example' } });
    const { Contact, Expires } = await text(own);
    expect(Contact).toBe('mailto:security@muster.example');
    const days = (Date.parse(Expires) - Date.now()) / 86_400_000;
    expect([days > 90, days < 366]).toEqual([true, true]);
    await own.close();
  });

  test('a preflight is a wrong method, not an invitation', async () => {
    const reply = await server.request('OPTIONS', '/api/communities', {
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(reply.status).toBe(405);
    expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  test('the Host header never comes back', async () => {
    const seen: string[] = [];
    for (const path of ['/', '/api/nowhere', '/api/openapi.json', '/api/auth/telegram/start', '/api/communities']) {
      const text = await new Promise<string>((resolve, reject) => {
        const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
        rawRequest(`http://127.0.0.1:${server.runtime.config.port}${path}`, { headers }, (response) => {
          let body = JSON.stringify(response.headers);
          response.on('data', (chunk) => {
            body += chunk;
          });
          response.on('end', () => resolve(body));
        })
          .on('error', reject)
          .end();
      });
      seen.push(text);
    }
    expect(seen.join('\n')).not.toContain('evil.example');
  });
});

describe('cache classes', () => {
  test('a private answer is kept by its member only after asking again', async () => {
    const { userId, cookie } = await server.person();
    const first = await server.request('GET', '/api/auth/user', { cookie });
    expect(first.status).toBe(200);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    expect(first.headers.get('x-muster-member')).toBe(userId);
    const etag = first.headers.get('etag') ?? '';
    const again = await server.request('GET', '/api/auth/user', { cookie, headers: { 'if-none-match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(Object.fromEntries(again.headers)).toMatchObject(SECURITY);
    await server.sql`update users set display_name = 'Renamed' where id = ${userId}`;
    const changed = await server.request('GET', '/api/auth/user', { cookie, headers: { 'if-none-match': etag } });
    expect(changed.json.displayName).toBe('Renamed');
  });

  test('everything else is kept nowhere', async () => {
    const reply = await server.request('GET', '/api/health');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.get('etag')).toBeNull();
  });

  test('long answers are compressed for who can read them', async () => {
    for (const [accept, encoding] of [
      ['br', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const reply = await server.request('GET', '/api/openapi.json', { headers: { 'accept-encoding': accept } });
      expect(reply.headers.get('content-encoding')).toBe(encoding);
      expect(reply.headers.get('vary')).toBe('Accept-Encoding');
      expect(reply.json.openapi).toBe('3.1.0');
    }
  });

  test('the list of routes is made once, and sent to nobody who has it', async () => {
    const path = '/api/openapi.json';
    const first = await server.request('GET', path);
    const etag = first.headers.get('etag') ?? '';
    expect([first.headers.get('cache-control'), etag]).toEqual(['no-cache', expect.stringMatching(/^W\/"/)]);
    const again = await server.request('GET', path, { headers: { 'if-none-match': etag } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    const make = healthHandlers['GET /api/openapi.json'] as (call: Pick<typeof server, 'runtime'>) => Promise<object>;
    const [one, two] = [await make(server), await make(server)];
    expect(Object.values(one)[0]).toBe(Object.values(two)[0]);
  });
});

describe('requests that another site causes', () => {
  const mutations = ALL_ROUTES.filter(({ method }) => method !== 'GET');
  const foreign: [string, Record<string, string | null>][] = [
    ['a cross-site fetch or form', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a sibling site', { 'sec-fetch-site': 'same-site' }],
    ['a user-typed address', { 'sec-fetch-site': 'none' }],
    ['an old browser on another site', { 'sec-fetch-site': null, origin: 'https://evil.example' }],
    ['a sandboxed frame', { 'sec-fetch-site': null, origin: 'null' }],
    ['a client that hides both but has a cookie', { 'sec-fetch-site': null }],
  ];
  test.each(foreign)('%s changes nothing on any route', async (_, headers) => {
    const leader = await server.person({ role: 'admin' });
    const place = await community(server, leader.userId);
    await server.sql`insert into community_members values (${place.id}, ${leader.userId}, 'leader')`;
    const before = await changes(server.sql);
    for (const { key, method, path } of mutations) {
      const body = sampleBody(key);
      const reply = await server.request(method, fill(path, { ...ids, ...place, communityId: place.id }), {
        cookie: leader.cookie,
        ...(body === undefined ? {} : { body }),
        headers: { 'idempotency-key': randomUUID(), ...headers },
      });
      expect([key, reply.status, reply.json.reason]).toEqual([key, 403, 'CROSS_SITE']);
    }
    expect(await changes(server.sql)).toEqual(before);
  });

  test.each([
    ['our own page', { 'sec-fetch-site': 'same-origin' }],
    ['our own page in an old browser', { 'sec-fetch-site': null, origin: 'OWN' }],
  ])('%s may change things', async (_, headers) => {
    const { cookie } = await server.person();
    const origin = 'origin' in headers ? { origin: server.url } : {};
    const reply = await server.request('POST', '/api/auth/logout', { cookie, headers: { ...headers, ...origin } });
    expect(reply.status).toBe(200);
  });

  test('a program without a cookie may store a log', async () => {
    const reply = await server.request('POST', '/api/debug/client-logs', {
      body: sampleBody('POST /api/debug/client-logs'),
      headers: { 'sec-fetch-site': null },
    });
    expect(reply.status).toBe(201);
  });
});

describe('sessions', () => {
  const who = (cookie: string) => server.request('GET', '/api/auth/user', { cookie });
  const DAY_MS = 24 * 60 * 60_000;

  test('the database holds no token', async () => {
    const { cookie } = await server.person();
    const token = cookie.split('=')[1] ?? '';
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const [row] =
      await server.sql`select string_agg(s::text, ' ') as all, max(length(token_hash)) as size from sessions s`;
    expect(row?.['size']).toBe(32);
    expect(row?.['all']).not.toContain(token);
    expect(row?.['all']).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
  });

  test('no other cookie opens the door', async () => {
    const { cookie } = await server.person();
    const token = cookie.split('=')[1] ?? '';
    for (const other of [
      '',
      'x',
      token.slice(1),
      `${token}x`,
      `${token.slice(0, -1)}!`,
      `sid-tma=${token}`,
      `Sid=${token}`,
    ]) {
      expect((await who(other.includes('=') ? other : `sid=${other}`)).status).toBe(401);
    }
  });

  test('an unused session ends, a used one goes on, none outlives its absolute end', async () => {
    const own = await testServer({ sandbox: false });
    const ask = async (cookie: string) => (await own.request('GET', '/api/auth/user', { cookie })).status;
    const idle = await own.person();
    const now = own.runtime.now();
    const used = await own.person();
    own.advance(SESSION_IDLE_MS - DAY_MS);
    expect(await ask(used.cookie)).toBe(200);
    own.advance(2 * DAY_MS);
    expect([await ask(idle.cookie), await ask(used.cookie)]).toEqual([401, 200]);
    const { expiresAt } = await createSession(own.sql, { userId: used.userId, kind: 'web', userAgent: null, now });
    expect(expiresAt.getTime() - now.getTime()).toBe(SESSION_ABSOLUTE_MS);
    // However busy it is until then.
    await own.sql`update sessions set expires_at = ${new Date(own.runtime.now().getTime() + 60_000)}, last_seen_at = ${own.runtime.now()}`;
    expect(await ask(used.cookie)).toBe(200);
    own.advance(61_000);
    expect(await ask(used.cookie)).toBe(401);
    await own.close();
  });

  test('the time of the last request is written at most once a minute', async () => {
    const own = await testServer({ sandbox: false });
    const { userId, cookie } = await own.person();
    const seen = async () => {
      await own.request('GET', '/api/auth/user', { cookie });
      const [row] = await own.sql<{ at: Date }[]>`select last_seen_at as at from sessions where user_id = ${userId}`;
      return row?.at.getTime() ?? 0;
    };
    const first = await seen();
    own.advance(50_000);
    expect(await seen()).toBe(first);
    own.advance(11_000);
    expect(await seen()).toBeGreaterThan(first);
    await own.close();
  });

  test('an ended session is over at once; another of the same person goes on', async () => {
    const { userId, cookie } = await server.person();
    const now = server.runtime.now();
    const other = await createSession(server.sql, { userId, kind: 'web', userAgent: null, now });
    await endSession(server.sql, other.sessionId);
    expect((await who(`sid=${other.token}`)).status).toBe(401);
    expect((await who(cookie)).status).toBe(200);
  });

  test('of more than twenty sessions of one person the oldest end; nobody else’s do', async () => {
    const [mine, theirs] = [await server.person(), await server.person()];
    const tokens: string[] = [];
    for (let count = 0; count < SESSIONS_PER_PERSON + 11; count += 1) {
      const kind = count % 3 === 0 ? ('mini_app' as const) : ('web' as const);
      const now = new Date(server.runtime.now().getTime() + count);
      const { token } = await createSession(server.sql, { userId: mine.userId, kind, userAgent: null, now });
      tokens.push(`${kind === 'web' ? 'sid' : 'sid-tma'}=${token}`);
    }
    const statuses = await Promise.all(tokens.map(async (cookie) => (await who(cookie)).status));
    expect(statuses).toEqual([...Array(11).fill(401), ...Array(SESSIONS_PER_PERSON).fill(200)]);
    expect([(await who(mine.cookie)).status, (await who(theirs.cookie)).status]).toEqual([401, 200]);
  });

  test('what a device queued for one member is not delivered under another’s session', async () => {
    const mine = await server.person();
    const theirs = await server.person();
    const send = (named: string) =>
      server.request('POST', '/api/communities', {
        cookie: mine.cookie,
        body: sampleBody('POST /api/communities'),
        headers: { 'idempotency-key': randomUUID(), 'x-actor': named },
      });
    const before = await changes(server.sql);
    expect((await send(theirs.userId)).json).toMatchObject({ status: 409, reason: 'ACTOR_MISMATCH' });
    expect(await changes(server.sql)).toEqual(before);
    expect((await send(mine.userId)).status).toBe(201);
  });
});

describe('rate limits', () => {
  test('are counted by person and route, and end with the minute', async () => {
    const own = await testServer({ sandbox: false });
    const busy = await own.person();
    const calm = await own.person();
    const check = async (cookie: string) => own.request('GET', '/api/auth/x/start', { cookie });
    // Stand at the start of a minute, so that the window does not change under the test.
    own.advance(60_000 - (own.runtime.now().getTime() % 60_000));
    const statuses = await Promise.all(
      Array.from({ length: 14 }, () => check(busy.cookie).then(({ status }) => status)),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
    const refused = await check(busy.cookie);
    expect(refused.json.reason).toBe('TOO_MANY_REQUESTS');
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect((await check(calm.cookie)).status).not.toBe(429);
    expect((await own.request('GET', '/api/auth/user', { cookie: busy.cookie })).status).toBe(200);
    own.advance(wait * 1_000);
    expect((await check(busy.cookie)).status).not.toBe(429);
    await own.close();
  });

  test('probes answer while storage is away; the rest says so without a stack', async () => {
    const own = await testServer({ sandbox: false });
    await own.sql.end();
    expect((await own.request('GET', '/livez')).status).toBe(200);
    expect((await own.request('GET', '/api/health')).json).toEqual({ ok: true, build: 'test' });
    for (const path of ['/readyz', '/api/communities']) {
      const reply = await own.request('GET', path);
      expect([reply.status, reply.json.reason, reply.headers.get('retry-after')]).toEqual([503, 'STORAGE_AWAY', '5']);
    }
    await own.close();
  });
});
