import { describe, expect, it } from 'vitest';
import { ofFile } from '../support/of-file.ts';
import { cookiesOf, testServer } from '../support/server.ts';

const server = await ofFile(testServer({ env: { TELEGRAM_LOGIN: 'widget' } }));

/** Begins in a browser, has Telegram's page approve, and gives what it returned behind `#`. */
async function returned(personId = '1001', at = server) {
  const start = await at.request('GET', '/api/auth/telegram/start?next=/profile');
  const address = new URL(start.headers.get('location') ?? '');
  address.searchParams.set('person', personId);
  const approved = await fetch(address, { redirect: 'manual' });
  const back = new URL(approved.headers.get('location') ?? '');
  return {
    browser: cookiesOf(start),
    back,
    body: { state: back.searchParams.get('state') ?? '', result: back.hash.replace('#tgAuthResult=', '') },
  };
}
const finish = (given: { browser: string; body: object }, at = server) =>
  at.request('POST', '/api/auth/telegram/callback', { body: given.body, cookie: given.browser });

describe('the old login widget, where the operator chose it', () => {
  it('signs in whom Telegram’s page names, and leads to where they were going', async () => {
    const given = await returned();
    expect([given.back.origin, given.back.pathname]).toEqual([server.runtime.config.publicOrigin, '/telegram-return']);
    const reply = await finish(given);
    expect(reply.json).toMatchObject({
      user: { telegramUserId: '1001', telegramUsername: 'maya_walks' },
      next: '/profile',
    });
    const user = await server.request('GET', '/api/auth/user', { cookie: cookiesOf(reply) });
    expect(user.json).toEqual(reply.json.user);
  });

  it('is of one browser and works once, over two processes', async () => {
    const other = await testServer({
      database: { sql: server.sql, url: '', drop: async () => undefined },
      sandbox: false,
      config: { telegram: server.runtime.config.telegram, publicOrigin: server.runtime.config.publicOrigin },
    });
    try {
      // Somebody else than above: two sign-ins of one person in one second are the same signed words.
      const given = await returned('1004');
      expect((await finish({ ...given, browser: '' })).json.reason).toBe('SIGN_IN_EXPIRED');
      const replies = await Promise.all([server, other, server, other].map((at) => finish(given, at)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
      // The same signed words under another state: what Telegram signed is used.
      const again = await returned('1004');
      const replayed = { ...again, body: { ...again.body, result: given.body.result } };
      expect((await finish(replayed, other)).json.reason).toBe('SIGN_IN_EXPIRED');
    } finally {
      await other.close();
    }
  });

  it('refuses what is stale, changed, added to or no answer of Telegram’s', async () => {
    const words = (result: object) => Buffer.from(JSON.stringify(result)).toString('base64url');
    const read = (result: string) => JSON.parse(Buffer.from(result, 'base64url').toString('utf8')) as object;
    const change: [(result: string) => string, string][] = [
      [(result) => words({ ...read(result), id: 1004 }), 'WRONG_SIGNATURE'],
      [(result) => words({ ...read(result), role: 'admin' }), 'MALFORMED'],
      [(result) => words({ ...read(result), first_name: { toString: 'x' } }), 'WRONG_SIGNATURE'],
      [() => words([]), 'WRONG_SIGNATURE'],
      [() => 'AAAA', 'WRONG_SIGNATURE'],
    ];
    for (const [changed, problem] of change) {
      const given = await returned();
      const reply = await finish({ ...given, body: { ...given.body, result: changed(given.body.result) } });
      expect(reply.json).toMatchObject({ reason: 'LOGIN_REFUSED', details: { problem } });
      expect(reply.headers.getSetCookie()).toEqual([]);
    }
    const late = await returned();
    server.advance(5 * 60_000 + 2_000);
    expect((await finish(late)).json).toMatchObject({ reason: 'LOGIN_REFUSED', details: { problem: 'STALE' } });
  });

  it('is not there where people sign in by OpenID Connect', async () => {
    const usual = await testServer();
    try {
      const reply = await usual.request('POST', '/api/auth/telegram/callback', { body: { state: 's', result: 'e30' } });
      expect(reply.status).toBe(404);
      const start = await usual.request('GET', '/api/auth/telegram/start');
      expect(start.headers.get('location')).toContain('client_id=');
    } finally {
      await usual.close();
    }
  });
});
