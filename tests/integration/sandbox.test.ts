import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { createTelegram } from '../../server/integrations/telegram/client.ts';
import { createX } from '../../server/integrations/x/client.ts';
import { type SandboxOptions, startSandbox } from '../../server/sandbox/sandbox.ts';
import { seedSample } from '../../server/sandbox/seed.ts';
import {
  SANDBOX_BOT_TOKEN,
  SANDBOX_CLIENT_ID,
  SANDBOX_CLIENT_SECRET,
  sandboxEnvironment,
} from '../../server/sandbox/settings.ts';
import { buildServer } from '../support/built-server.ts';
import { type TestServer, testServer } from '../support/server.ts';

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;
const APP = 'http://localhost:3000';
const REDIRECT = `${APP}/api/auth/telegram/callback`;
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

let sandbox: Sandbox;
let heard: string[] = [];
let now = new Date('2026-11-21T12:00:00Z');
beforeEach(async () => {
  heard = [];
  sandbox = await startSandbox({ port: 0, now: () => now, log: (line) => heard.push(line) });
});
afterEach(() => sandbox.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(sandbox.url + path, { headers, redirect: 'manual' });
const bot = async (method: string, body: unknown, token = SANDBOX_BOT_TOKEN) => {
  const answer = await fetch(`${sandbox.url}/bot${token}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, json: await answer.json() };
};
const control = async (method: string, path: string, body?: unknown) => {
  const answer = await fetch(`${sandbox.url}/control${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: await answer.json() };
};
const authorize = (more: Record<string, string> = {}) =>
  `/auth?${new URLSearchParams({
    client_id: SANDBOX_CLIENT_ID,
    response_type: 'code',
    scope: 'openid profile',
    redirect_uri: REDIRECT,
    state: 's',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...more,
  })}`;
const codeFor = async (person: string) =>
  new URL((await get(authorize({ person }))).headers.get('location') ?? '').searchParams.get('code') ?? '';
const exchange = async (form: Record<string, string>, secret = SANDBOX_CLIENT_SECRET) => {
  const answer = await fetch(`${sandbox.url}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${SANDBOX_CLIENT_ID}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
      ...form,
    }),
  });
  return { status: answer.status, json: await answer.json() };
};

describe('the sandbox as Telegram’s OpenID provider', () => {
  it('describes itself in the shape of oauth.telegram.org', async () => {
    const document = await (await get('/.well-known/openid-configuration')).json();
    expect(document).toMatchObject({
      issuer: sandbox.url,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      grant_types_supported: ['authorization_code'],
    });
    expect(document).not.toHaveProperty('userinfo_endpoint');
  });

  it('lists its people as buttons', async () => {
    const page = await (await get(authorize())).text();
    for (const id of ['1001', '1002', '1003', '1004', '1005', '1006']) expect(page).toContain(`data-person="${id}"`);
    const hostile = await (await get(authorize({ state: '"><script>alert(1)</script>' }))).text();
    expect(hostile).not.toContain('<script>');
  });

  it('adds a person with the form, and gives the same handle the same number after a restart', async () => {
    const add = async () => {
      const answer = await fetch(`${sandbox.url}/auth`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams(`${authorize().slice('/auth?'.length)}&firstName=Zoe&username=zoe_new`),
      });
      expect(answer.status).toBe(303);
      const { json } = await control('GET', '/people');
      return json.find((one: { username: string }) => one.username === 'zoe_new').telegramUserId;
    };
    const before = await add();
    await control('POST', '/reset');
    expect(await add()).toBe(before);
  });

  it('proves a person with `id`, a different `sub`, and no username where there is none', async () => {
    const { json } = await exchange({ code: await codeFor('1002') });
    const claims = JSON.parse(Buffer.from(json.id_token.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({ id: 1002, name: 'Tomasz Zieliński', aud: SANDBOX_CLIENT_ID, iss: sandbox.url });
    expect(claims.sub).not.toBe('1002');
    expect(claims).not.toHaveProperty('preferred_username');
    expect(claims.exp - claims.iat).toBe(3600);
  });

  it('takes a code once, within its minute, from its client, with its verifier', async () => {
    const code = await codeFor('1001');
    expect((await exchange({ code }, 'wrong')).status).toBe(401);
    expect((await exchange({ code, code_verifier: 'w'.repeat(43) })).json.error).toBe('invalid_grant');
    expect((await exchange({ code })).json.error).toBe('invalid_grant');
    const late = await codeFor('1001');
    now = new Date(now.getTime() + 61_000);
    expect((await exchange({ code: late })).json.error).toBe('invalid_grant');
    expect((await exchange({ code: await codeFor('1001') })).status).toBe(200);
  });

  it('sends nobody to an address that is not the app’s', async () => {
    for (const redirect of [
      'https://evil.example/cb',
      'javascript:alert(1)',
      '//evil.example',
      'http://localhost.evil.example/',
    ]) {
      const answer = await get(authorize({ redirect_uri: redirect, person: '1001' }));
      expect(answer.status, redirect).toBe(400);
      expect(answer.headers.get('location')).toBeNull();
    }
    expect((await get(authorize({ client_id: 'other' }))).status).toBe(400);
  });
});

describe('the sandbox as the Bot API', () => {
  it('answers as Telegram does, errors too', async () => {
    expect((await bot('getMe', {})).json.result).toMatchObject({ is_bot: true, username: 'muster_sandbox_bot' });
    const kicked = await bot('getChatMember', { chat_id: '-1001', user_id: 1006 });
    expect(kicked.json).toMatchObject({ ok: true, result: { status: 'kicked', until_date: 0, user: { id: 1006 } } });
    expect((await bot('getChatMember', { chat_id: '-1', user_id: 1 })).json).toEqual({
      ok: false,
      error_code: 400,
      description: 'Bad Request: chat not found',
    });
    expect((await bot('getChatMember', { chat_id: '-1001', user_id: 99 })).json.description).toContain(
      'user not found',
    );
    expect((await bot('getMe', {}, '1:wrong')).json).toEqual({
      ok: false,
      error_code: 401,
      description: 'Unauthorized',
    });
    expect((await bot('toString', {})).status).toBe(404);
    expect((await bot('getChatAdministrators', { chat_id: '-1002' })).json.result).toHaveLength(2);
    await control('PUT', '/bot', { chatId: '-1001', admin: false });
    expect((await bot('getChatMember', { chat_id: '-1001', user_id: 1001 })).json.description).toContain('CHAT_ADMIN');
  });

  it('keeps what the bot sent', async () => {
    const sent = await bot('sendMessage', { chat_id: '1001', text: 'Approved' });
    expect(sent.json.result).toMatchObject({ text: 'Approved' });
    const link = await bot('createChatInviteLink', { chat_id: '-1001', creates_join_request: true });
    expect(link.json.result).toMatchObject({ creates_join_request: true });
    expect((await control('GET', '/outbox')).json).toMatchObject([
      { method: 'sendMessage', body: { text: 'Approved' } },
      { method: 'createChatInviteLink' },
    ]);
  });

  it('tells the registered webhook of a membership that changed, with its secret, and again when it failed', async () => {
    const taken: { secret: unknown; update: Record<string, unknown> }[] = [];
    const hook = createServer((req, res) => {
      let text = '';
      req.on('data', (part) => {
        text += String(part);
      });
      req.on('end', () => {
        taken.push({ secret: req.headers['x-telegram-bot-api-secret-token'], update: JSON.parse(text) });
        res.statusCode = taken.length === 1 ? 500 : 200;
        res.end();
      });
    }).listen(0, '127.0.0.1');
    await new Promise((done) => hook.once('listening', done));
    const { port } = hook.address() as AddressInfo;
    try {
      await bot('setWebhook', {
        url: `http://127.0.0.1:${port}/`,
        secret_token: 'quiet',
        allowed_updates: ['chat_member'],
      });
      expect((await bot('getWebhookInfo', {})).json.result.allowed_updates).toEqual(['chat_member']);
      const changed = await control('PUT', '/memberships', {
        chatId: '-1001',
        telegramUserId: '1001',
        status: 'kicked',
      });
      expect(changed.json.delivered).toBe(true);
      expect(taken).toHaveLength(2);
      expect(taken[0]?.update['update_id']).toBe(taken[1]?.update['update_id']);
      expect(taken[1]).toMatchObject({
        secret: 'quiet',
        update: {
          chat_member: {
            old_chat_member: { status: 'member' },
            new_chat_member: { status: 'kicked', user: { id: 1001 } },
          },
        },
      });
      // my_chat_member was not asked for.
      expect((await control('PUT', '/bot', { chatId: '-1001', admin: false })).json.delivered).toBe(false);
    } finally {
      hook.close();
    }
  });
});

describe('the sandbox as X', () => {
  const X = { client_id: 'sandbox-x-client', redirect_uri: `${APP}/twitter-return` };
  const xCode = async (person: string) => {
    const query = new URLSearchParams({
      ...X,
      response_type: 'code',
      state: 's',
      scope: 'users.read',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      person,
    });
    return (
      new URL((await get(`/i/oauth2/authorize?${query}`)).headers.get('location') ?? '').searchParams.get('code') ?? ''
    );
  };
  const token = async (code: string) => {
    const answer = await fetch(`${sandbox.url}/2/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...X, grant_type: 'authorization_code', code, code_verifier: VERIFIER }),
    });
    return { status: answer.status, json: await answer.json() };
  };

  it('lets a code live 30 seconds and serve once', async () => {
    const late = await xCode('1001');
    now = new Date(now.getTime() + 30_000);
    expect((await token(late)).json).toEqual({
      error: 'invalid_request',
      error_description: 'Value passed for the authorization code was invalid.',
    });
    const code = await xCode('1001');
    now = new Date(now.getTime() + 29_000);
    const granted = await token(code);
    expect(granted.status).toBe(200);
    expect((await token(code)).status).toBe(400);
    const me = await get('/2/users/me', { authorization: `Bearer ${granted.json.access_token}` });
    expect(await me.json()).toEqual({ data: { id: '9001', name: 'Maya Lindqvist', username: 'maya_walks' } });
    expect((await get('/2/users/me', { authorization: 'Bearer nothing' })).status).toBe(401);
  });

  it('answers oEmbed for posts it was told of', async () => {
    const url = encodeURIComponent('https://x.com/maya_walks/status/55');
    expect((await get(`/oembed?url=${url}`)).status).toBe(404);
    await control('PUT', '/x/engagements', { xId: '9001', kind: 'post', postId: '55', text: 'proof <b>' });
    expect(await (await get(`/oembed?url=${url}`)).json()).toMatchObject({ author_url: 'https://x.com/maya_walks' });
  });
});

describe('the sandbox’s faults and manners', () => {
  it('fails as asked, as often as asked, and then works', async () => {
    await control('POST', '/faults', { match: 'getMe', mode: '429', count: 1 });
    expect((await bot('getMe', {})).json).toMatchObject({ error_code: 429, parameters: { retry_after: 3 } });
    await control('POST', '/faults', { match: 'getMe', mode: '5xx', count: 1 });
    expect((await get(`/bot${SANDBOX_BOT_TOKEN}/getMe`)).status).toBe(502);
    await control('POST', '/faults', { match: 'getMe', mode: 'reset', count: 1 });
    await expect(bot('getMe', {})).rejects.toThrow();
    await control('POST', '/faults', { match: 'getMe', mode: 'timeout', count: 1 });
    const hung = bot('getMe', {});
    const failed = expect(hung).rejects.toThrow();
    await expect.poll(() => heard.at(-1)).toContain('getMe');
    await control('POST', '/reset');
    await failed;
    expect((await bot('getMe', {})).status).toBe(200);
  });

  it('does not take control from pages of other sites, nor under another name', async () => {
    const answer = await fetch(`${sandbox.url}/control/reset`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(answer.status).toBe(403);
    const renamed = request(`${sandbox.url}/control/people`, { headers: { host: 'rebound.example' } }).end();
    const [reply] = await once(renamed, 'response');
    expect(reply.statusCode).toBe(421);
    reply.resume();
    expect((await control('PUT', '/people', { telegramUserId: '1', firstName: 'A', admin: true })).status).toBe(400);
  });
});

describe('the clients against a sandbox', () => {
  const log = pino({ level: 'silent' });
  const withSandbox = async (options: Partial<SandboxOptions>, work: (url: string) => Promise<void>) => {
    const own = await startSandbox({ port: 0, ...options });
    try {
      await work(own.url);
    } finally {
      await own.close();
    }
  };
  const config = (url: string) =>
    readConfig({ DATABASE_URL: 'postgres://unused/unused', PUBLIC_ORIGIN: APP, ...sandboxEnvironment(url) });
  const identify = async (url: string, telegram = createTelegram(config(url), log)) => {
    const start = await telegram.authorizationUrl({ state: 's', codeVerifier: VERIFIER, redirectUri: REDIRECT });
    start.searchParams.set('person', '1001');
    // By a connection of its own: at this port another sandbox may have been a moment ago.
    const [answer] = (await once(request(start, { agent: false }).end(), 'response')) as [IncomingMessage];
    const back = answer.resume().headers.location ?? '';
    return telegram.identity({ callbackUrl: new URL(back), state: 's', codeVerifier: VERIFIER });
  };

  it('take an id token without a nonce or with ours, and refuse one with another’s', async () => {
    await withSandbox({ nonce: 'absent' }, async (url) => {
      expect(await identify(url)).toMatchObject({ telegramUserId: '1001' });
    });
    await withSandbox({ nonce: 'echo' }, async (url) => {
      expect(await identify(url)).toMatchObject({ telegramUserId: '1001' });
    });
    await withSandbox({ nonce: 'wrong' }, async (url) => {
      await expect(identify(url)).rejects.toMatchObject({ reason: 'SIGN_IN_REFUSED' });
    });
  });

  it('know a provider whose key changed a moment ago, also under the same name', async () => {
    let port = 0;
    let telegram: ReturnType<typeof createTelegram> | undefined;
    await withSandbox({}, async (url) => {
      port = Number(new URL(url).port);
      telegram = createTelegram(config(url), log);
      expect(await identify(url, telegram)).toMatchObject({ telegramUserId: '1001' });
    });
    await withSandbox({ port }, async (url) => {
      expect(await identify(url, telegram)).toMatchObject({ telegramUserId: '1001' });
    });
  });

  it('refuse a token whose clock is an hour off', async () => {
    await withSandbox({ now: () => new Date(Date.now() - 2 * 3_600_000) }, async (url) => {
      await expect(identify(url)).rejects.toMatchObject({ reason: 'SIGN_IN_REFUSED' });
    });
  });

  it('start while the provider is away and work once it is back', async () => {
    let telegram: ReturnType<typeof createTelegram> | undefined;
    let port = 0;
    const begin = () =>
      telegram?.authorizationUrl({ state: 's', codeVerifier: VERIFIER, redirectUri: REDIRECT }) ?? Promise.reject();
    await withSandbox({}, async (url) => {
      port = Number(new URL(url).port);
    });
    telegram = createTelegram(config(`http://127.0.0.1:${port}`), log);
    await expect(begin()).rejects.toMatchObject({ status: 503, reason: 'TELEGRAM_UNAVAILABLE' });
    await withSandbox({ port }, async () => {
      expect((await begin()).pathname).toBe('/auth');
    });
  });

  it('never speak plain http to a provider that is not this computer', async () => {
    const far = { ...config('http://127.0.0.1:9'), telegram: { ...config('http://127.0.0.1:9').telegram } };
    far.telegram.oidcIssuer = 'http://provider.example';
    const begin = createTelegram(far, log).authorizationUrl({
      state: 's',
      codeVerifier: VERIFIER,
      redirectUri: REDIRECT,
    });
    await expect(begin).rejects.toMatchObject({ reason: 'TELEGRAM_UNAVAILABLE' });
  });

  it('write no token into the log', async () => {
    let written = '';
    const loud = pino(
      { level: 'trace' },
      {
        write(line: string) {
          written += line;
        },
      },
    );
    await withSandbox({}, async (url) => {
      const telegram = createTelegram(config(url), loud);
      await fetch(`${url}/control/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ match: '/bot', mode: 'reset', count: 2 }),
      });
      await expect(telegram.membership('-1001', '1001')).rejects.toThrow();
      await expect(telegram.botUsername()).rejects.toThrow();
      await expect(telegram.membership('-1', '1001')).rejects.toThrow();
      const made = { code: 'secret-code', codeVerifier: VERIFIER, redirectUri: REDIRECT };
      await expect(createX(config(url), loud).identity(made)).rejects.toMatchObject({ reason: 'X_REFUSED' });
    });
    expect(written).toContain('getChatMember');
    for (const secret of [SANDBOX_BOT_TOKEN, 'secret-code', VERIFIER, SANDBOX_CLIENT_SECRET]) {
      expect(written).not.toContain(secret);
    }
  });
});

describe('sample communities', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await testServer();
  });
  afterAll(() => server?.close());

  it('are made through the public API once, with a living board and a queue', async () => {
    expect(await seedSample(server.url, server.sandboxUrl)).toBe(true);
    const { json } = await server.request('GET', '/api/communities');
    expect(json.map((one: { name: string }) => one.name)).toContain('Ridge & Valley Walkers');
    expect(json.length).toBeGreaterThanOrEqual(2);
    for (const { id, openTasks } of json) {
      expect(openTasks).toBeGreaterThanOrEqual(3);
      const board = await server.request('GET', `/api/communities/${id}/leaderboard?period=all`);
      expect(board.json.top.length).toBeGreaterThanOrEqual(2);
    }
    const leader = await server.signIn(1004);
    const admin = await server.request('GET', '/api/communities/ridge-valley-walkers/admin', { cookie: leader });
    expect(admin.json.waiting).toBeGreaterThanOrEqual(2);
    const member = await server.signIn(1001);
    const user = await server.request('GET', '/api/auth/user', { cookie: member });
    expect(user.json).toMatchObject({ isVerified: true, twitterUsername: 'maya_walks' });

    // As after a restart: the app's data is there, the sandbox begins anew.
    await fetch(`${server.sandboxUrl}/control/reset`, { method: 'POST' });
    expect(await seedSample(server.url, server.sandboxUrl)).toBe(false);
    const people = (await (await fetch(`${server.sandboxUrl}/control/people`)).json()) as { firstName: string }[];
    expect(people.map(({ firstName }) => firstName)).toContain('Noor');
    expect((await server.request('GET', '/api/communities')).json).toHaveLength(json.length);
  });
});

describe('the sandbox’s process', () => {
  let built: Awaited<ReturnType<typeof buildServer>>;
  beforeAll(async () => {
    built = await buildServer({ sandbox: 'server/sandbox/main.ts' });
  });
  afterAll(() => built?.remove());

  const run = (env: NodeJS.ProcessEnv) => {
    const child = spawn(process.execPath, [join(built.directory, 'sandbox.js')], {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { text: '' };
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (part) => {
        output.text += String(part);
      });
    }
    return { child, output };
  };

  it('refuses production, and says what to set instead', async () => {
    const { child, output } = run({ NODE_ENV: 'production', SANDBOX_PORT: '0' });
    const [code] = await once(child, 'close');
    expect(code).toBe(78);
    expect(output.text).toContain('NODE_ENV=production');
    expect(output.text).toContain('TELEGRAM_BOT_TOKEN');
  });

  it('answers on this computer only, says where, and stops when told', async () => {
    const { child, output } = run({ SANDBOX_PORT: '0' });
    await expect.poll(() => output.text, { timeout: 10_000 }).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
    const url = /http:\S+/.exec(output.text)?.[0] ?? '';
    expect((await fetch(`${url}/.well-known/openid-configuration`)).status).toBe(200);
    const taken = run({ SANDBOX_PORT: new URL(url).port });
    expect((await once(taken.child, 'close'))[0]).toBe(1);
    expect(taken.output.text).toContain('SANDBOX_PORT');
    child.kill('SIGTERM');
    expect((await once(child, 'close'))[0]).toBe(0);
  });
});

describe('what it cannot read', () => {
  it('is refused as JSON, without a stack', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = '{"telegramUserId":';
    for (const path of ['/control/people', '/control/faults', `/bot${SANDBOX_BOT_TOKEN}/sendMessage`]) {
      const answer = await fetch(sandbox.url + path, {
        method: path.endsWith('people') ? 'PUT' : 'POST',
        headers,
        body,
      });
      expect([path, answer.status]).toEqual([path, 400]);
      expect(await answer.json()).toEqual({ error: expect.not.stringContaining('    at ') });
    }
  });

  it('includes a Host header that names nothing', async () => {
    const { port } = new URL(sandbox.url);
    const status = await new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, path: '/control/outbox', headers: { host: 'a b' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(421);
  });
});
