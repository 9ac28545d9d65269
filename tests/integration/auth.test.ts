import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { recheckMembers } from '../../server/features/auth/membership.ts';
import { registerWebhook } from '../../server/features/bot/webhook.ts';
import { sweep } from '../../server/sweep.ts';
import { ofFile } from '../support/of-file.ts';
import { type Ask, cookiesOf, type Reply, testServer } from '../support/server.ts';

const server = await ofFile(testServer());

const HTML = { accept: 'text/html,application/xhtml+xml' };

/** Begins a sign-in and has the provider approve it; the callback is not called yet. */
async function approved(person: number, next = '/', browser?: string): Promise<{ cookie: string; callback: string }> {
  const start = await server.request('GET', `/api/auth/telegram/start?next=${encodeURIComponent(next)}`, {
    ...(browser ? { cookie: browser } : {}),
  });
  expect(start.status).toBe(302);
  const authorize = new URL(start.headers.get('location') ?? '');
  authorize.searchParams.set('person', String(person));
  const back = new URL((await fetch(authorize, { redirect: 'manual' })).headers.get('location') ?? '');
  return { cookie: cookiesOf(start), callback: back.pathname + back.search };
}
const finish = (attempt: { cookie: string; callback: string }, headers: Record<string, string> = {}): Promise<Reply> =>
  server.request('GET', attempt.callback, { cookie: attempt.cookie, headers });
const sidOf = (reply: Reply) =>
  cookiesOf(reply)
    .split('; ')
    .find((pair) => pair.startsWith('sid=')) ?? '';
const who = (cookie: string) => server.request('GET', '/api/auth/user', { cookie });
const counts = async () => {
  const [row] = await server.sql`
    select (select count(*)::int from users) as users, (select count(*)::int from sessions) as sessions`;
  return row;
};

describe('signing in with Telegram', () => {
  it('gives a session for the person Telegram names, by its numeric id, and goes where they came from', async () => {
    const done = await finish(await approved(1001, '/community/ridge?x=1'));
    expect(done.status).toBe(302);
    expect(done.headers.get('location')).toBe('/community/ridge?x=1');
    const user = await who(sidOf(done));
    expect(user.json).toMatchObject({
      telegramUserId: '1001',
      telegramUsername: 'maya_walks',
      twitterUsername: null,
      isVerified: false,
      displayName: 'Maya Lindqvist',
      role: 'member',
    });
    const line = done.headers.getSetCookie().find((cookie) => cookie.startsWith('sid='));
    expect(line).toMatch(/^sid=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/);
    // Its twin, which pages may read, says that there is one.
    const twin = done.headers.getSetCookie().find((cookie) => cookie.startsWith('signed-in='));
    expect(twin).toMatch(/^signed-in=[0-9a-f-]{36}; Max-Age=\d+; Path=\/; SameSite=Lax$/);
    expect(done.headers.getSetCookie().find((cookie) => cookie.startsWith('signin='))).toContain('Max-Age=0');
  });

  it('keeps one account through renames, and works without a username', async () => {
    const first = await who(await server.signIn(1002));
    expect(first.json).toMatchObject({ telegramUserId: '1002', telegramUsername: null });
    await server.control('PUT', '/people', { telegramUserId: '1002', firstName: 'Tomek', username: 'tomek_z' });
    const second = await who(await server.signIn(1002));
    expect(second.json).toMatchObject({ id: first.json.id, telegramUsername: 'tomek_z', displayName: 'Tomek' });
  });

  it('sends a code challenge, a state, a nonce and nothing that Telegram would trip over', async () => {
    const start = await server.request('GET', '/api/auth/telegram/start');
    const query = new URL(start.headers.get('location') ?? '').searchParams;
    expect([...query.keys()].sort()).toEqual([
      'client_id',
      'code_challenge',
      'code_challenge_method',
      'nonce',
      'redirect_uri',
      'response_type',
      'scope',
      'state',
    ]);
    expect(query.get('code_challenge_method')).toBe('S256');
    const stored = await server.sql`select state_hash from sign_in_attempts where state_hash = ${createHash('sha256')
      .update(query.get('state') ?? '')
      .digest()}`;
    expect(stored).toHaveLength(1);
  });

  it('never sends anybody to another site afterwards', async () => {
    for (const next of ['//evil.example', '/\\evil.example', '/%2f%2fevil.example', 'https://evil.example', '/..//e']) {
      const done = await finish(await approved(1001, next));
      expect(done.headers.get('location'), next).toBe('/');
    }
  });

  it('keeps attempts and used signatures until they have run out, and sweeps them then', async () => {
    const { sql, runtime } = server;
    const now = runtime.now();
    const [past, future] = [-1_000, 60_000].map((ms) => new Date(now.getTime() + ms));
    for (const [name, expiresAt] of [['past', past] as const, ['future', future] as const]) {
      await sql`
        insert into sign_in_attempts (state_hash, kind, browser_hash, code_verifier, expires_at)
        values (${Buffer.from(name)}, 'telegram', ${Buffer.from('browser')}, 'verifier', ${expiresAt ?? null})`;
      await sql`insert into used_signatures (hash, expires_at) values (${Buffer.from(name)}, ${expiresAt ?? null})`;
    }
    await sweep({ sql, now: () => now });
    const kept = await sql`
      select convert_from(hash, 'UTF8') as name from used_signatures where hash in ('past'::bytea, 'future'::bytea)
      union all
      select convert_from(state_hash, 'UTF8') from sign_in_attempts where state_hash in ('past'::bytea, 'future'::bytea)`;
    expect(kept.map(({ name }) => name)).toEqual(['future', 'future']);
  });

  it('takes a callback once', async () => {
    const attempt = await approved(1001);
    expect(sidOf(await finish(attempt))).not.toBe('');
    const before = await counts();
    const again = await finish(attempt);
    expect(again.status).toBe(400);
    expect(again.json.reason).toBe('SIGN_IN_EXPIRED');
    expect(await counts()).toEqual(before);
  });

  it('makes one session of twenty callbacks at once', async () => {
    const attempt = await approved(1004);
    const before = await counts();
    const replies = await Promise.all(Array.from({ length: 20 }, () => finish(attempt)));
    expect(replies.filter((reply) => reply.status === 302)).toHaveLength(1);
    expect(replies.filter((reply) => reply.status === 400)).toHaveLength(19);
    expect((await counts())?.['sessions']).toBe(before?.['sessions'] + 1);
    server.advance(61_000);
  });

  it('refuses another browser, no browser and a made-up state, and consumes nothing by that', async () => {
    const attempt = await approved(1001);
    const other = await approved(1005);
    const before = await counts();
    for (const cookie of [other.cookie, '', 'signin=short', `signin=${'A'.repeat(43)}`]) {
      const reply = await finish({ ...attempt, cookie });
      expect(reply.status, cookie).toBe(400);
      expect(sidOf(reply)).toBe('');
    }
    const forged = attempt.callback.replace(/state=[^&]+/, `state=${'A'.repeat(43)}`);
    expect((await finish({ cookie: attempt.cookie, callback: forged })).status).toBe(400);
    expect(await counts()).toEqual(before);
    expect((await finish(attempt)).status).toBe(302);
  });

  it('refuses an attempt that is older than ten minutes', async () => {
    const attempt = await approved(1001);
    server.advance(10 * 60_000 + 1);
    expect((await finish(attempt)).json.reason).toBe('SIGN_IN_EXPIRED');
  });

  it('refuses a code of another sign-in (PKCE), a forged code and another issuer', async () => {
    const one = await approved(1001);
    const two = await approved(1001, '/', one.cookie);
    const code = new URL(two.callback, server.url).searchParams.get('code') ?? '';
    const mixed = one.callback.replace(/code=[^&]+/, `code=${code}`);
    expect((await finish({ cookie: one.cookie, callback: mixed })).json.reason).toBe('SIGN_IN_REFUSED');
    const forged = await approved(1001);
    const bad = forged.callback.replace(/code=[^&]+/, 'code=made-up');
    expect((await finish({ ...forged, callback: bad })).json.reason).toBe('SIGN_IN_REFUSED');
    const issuer = await approved(1001);
    const elsewhere = `${issuer.callback}&iss=https%3A%2F%2Fevil.example`;
    expect((await finish({ ...issuer, callback: elsewhere })).json.reason).toBe('SIGN_IN_REFUSED');
    server.advance(61_000);
  });

  it('takes people who were refused back to the front door, and says why', async () => {
    const attempt = await approved(1001);
    const denied = attempt.callback.replace(/code=[^&]+/, 'error=access_denied');
    const reply = await finish({ ...attempt, callback: denied }, HTML);
    expect(reply.status).toBe(302);
    expect(reply.headers.get('location')).toBe('/?sign-in=SIGN_IN_CANCELLED');
    expect(sidOf(reply)).toBe('');
    const again = await finish(attempt, HTML);
    expect(again.headers.get('location')).toBe('/?sign-in=SIGN_IN_EXPIRED');
  });

  it('shows nobody JSON whose browser is refused before anything began', async () => {
    const going = (path: string, ask: Ask = {}) => server.request('GET', path, { ...ask, headers: HTML });
    const locationOf = async (reply: Promise<Reply>) => (await reply).headers.get('location');
    const long = `/api/auth/telegram/start?next=/${'x'.repeat(2_000)}`;
    expect(await locationOf(going(long))).toBe('/?sign-in=INVALID_INPUT');
    expect(await locationOf(going('/api/auth/telegram/callback?state=a&state=b'))).toBe('/?sign-in=INVALID_INPUT');
    expect(await locationOf(going('/api/auth/x/start'))).toBe('/profile-accounts?x=NOT_SIGNED_IN');
    const { cookie } = await server.person();
    for (let n = 0; n < 10; n += 1) await going('/api/auth/x/start', { cookie });
    expect(await locationOf(going('/api/auth/x/start', { cookie }))).toBe('/profile-accounts?x=TOO_MANY_REQUESTS');
    const program = await server.request('GET', '/api/auth/x/start', { cookie });
    expect([program.status, program.json.reason]).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(program.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('lets two tabs of one browser sign in side by side', async () => {
    const one = await approved(1001);
    const two = await approved(1001, '/profile', one.cookie);
    expect((await finish(two)).headers.get('location')).toBe('/profile');
    expect((await finish(one)).status).toBe(302);
  });

  it('ends the session that the browser held before', async () => {
    const old = await server.signIn(1001);
    const attempt = await approved(1004);
    const fresh = sidOf(await finish({ ...attempt, cookie: `${attempt.cookie}; ${old}` }));
    expect((await who(old)).status).toBe(401);
    expect((await who(fresh)).json.telegramUserId).toBe('1004');
    server.advance(61_000);
  });

  it('keeps no token that a reader of the database could use', async () => {
    const cookie = await server.signIn(1001);
    const token = cookie.slice('sid='.length);
    const rows = await server.sql`select encode(token_hash, 'hex') as hash, s::text as whole from sessions s`;
    expect(rows.some((row) => row['whole'].includes(token))).toBe(false);
    expect(rows.map((row) => row['hash'])).toContain(createHash('sha256').update(token).digest('hex'));
  });

  it('refuses suspended people and leaves no session', async () => {
    await server.signIn(1003);
    await server.sql`update users set suspended_at = now() where telegram_user_id = 1003`;
    await server.control('PUT', '/people', { telegramUserId: '1003', firstName: 'Renamed', username: 'aiko_mori' });
    const before = await counts();
    const reply = await finish(await approved(1003));
    expect(reply.status).toBe(403);
    expect(reply.json.reason).toBe('SUSPENDED');
    expect(await counts()).toEqual(before);
    const [row] = await server.sql`select display_name from users where telegram_user_id = 1003`;
    expect(row?.['display_name']).toBe('Aiko Mori');
    await server.sql`update users set suspended_at = null where telegram_user_id = 1003`;
  });

  it.each(['5xx', '429', 'reset'] as const)(
    'says that Telegram is away when its token endpoint answers %s',
    async (mode) => {
      const attempt = await approved(1001);
      await server.control('POST', '/faults', { match: 'POST /token', mode, count: 1 });
      const reply = await finish(attempt);
      expect(reply.status).toBe(503);
      expect(reply.json.reason).toBe('TELEGRAM_UNAVAILABLE');
      server.advance(61_000);
    },
  );
});

describe('sessions', () => {
  it('are listed, each can be ended, and only by their owner', async () => {
    const phone = await server.signIn(1005);
    const laptop = await server.signIn(1005);
    const stranger = await server.signIn(1004);
    const list = await server.request('GET', '/api/auth/sessions', { cookie: laptop });
    expect(list.json.filter((session: { current: boolean }) => session.current)).toHaveLength(1);
    const mine = list.json.find((session: { current: boolean }) => session.current);
    const theirs = await server.request('DELETE', `/api/auth/sessions/${mine.id}`, { cookie: stranger });
    expect(theirs.status).toBe(404);
    const ended = await server.request('DELETE', `/api/auth/sessions/${mine.id}`, { cookie: phone });
    expect(ended.json).toEqual({ ok: true });
    expect((await who(laptop)).status).toBe(401);
    expect((await who(phone)).status).toBe(200);
  });

  it('end by signing out, for whoever replays the cookie too; signing out twice is no error', async () => {
    const cookie = await server.signIn(1001);
    const out = await server.request('POST', '/api/auth/logout', { cookie });
    expect(out.status).toBe(200);
    expect(out.json).toEqual({ ok: true });
    expect(out.headers.get('clear-site-data')).not.toContain('storage');
    expect(out.headers.getSetCookie().join('\n')).toMatch(/^sid=; .*Max-Age=0/m);
    expect(out.headers.getSetCookie().join('\n')).toMatch(/^signed-in=; .*Max-Age=0/m);
    expect((await who(cookie)).status).toBe(401);
    expect((await server.request('POST', '/api/auth/logout', { cookie })).status).toBe(200);
    expect((await server.request('POST', '/api/auth/logout')).status).toBe(200);
  });
});

describe('the required channel', () => {
  const kick = (id: string, status: string, isMember?: boolean) =>
    server.control('PUT', '/memberships', {
      chatId: '-1001',
      telegramUserId: id,
      status,
      ...(isMember === undefined ? {} : { isMember }),
    });
  const check = (cookie: string) => server.request('POST', '/api/auth/membership/check', { cookie });

  it('shows people who were removed what it is and how to come back', async () => {
    const cookie = await server.signIn(1006);
    const user = await who(cookie);
    expect(user.status).toBe(403);
    expect(user.json.message).toContain('TELEGRAM_MEMBERSHIP_REVOKED');
    const status = await server.request('GET', '/api/auth/membership', { cookie });
    expect(status.json).toMatchObject({
      required: true,
      channelTitle: 'Muster Square',
      rejoinUrl: 'https://t.me/muster_square',
      state: 'kicked',
    });
    expect(status.json.checkedAt).not.toBeNull();
  });

  it('takes the right away with a check, and gives it back with one', async () => {
    const cookie = await server.signIn(1004);
    await kick('1004', 'left');
    expect((await check(cookie)).json).toMatchObject({ state: 'left', asked: true });
    const refused = await who(cookie);
    expect(refused.status).toBe(403);
    expect(refused.json.message).toContain('TELEGRAM_MEMBERSHIP_REVOKED');
    await kick('1004', 'member');
    expect((await check(cookie)).json).toMatchObject({ state: 'member', asked: true });
    expect((await who(cookie)).status).toBe(200);
    server.advance(61_000);
  });

  it('counts muted people as members, and restricted people outside as gone', async () => {
    const cookie = await server.signIn(1005);
    await kick('1005', 'restricted', true);
    expect((await check(cookie)).json.state).toBe('restricted');
    expect((await who(cookie)).status).toBe(200);
    await kick('1005', 'restricted', false);
    expect((await check(cookie)).json.state).toBe('left');
    expect((await who(cookie)).status).toBe(403);
    await kick('1005', 'administrator');
    expect((await check(cookie)).json.state).toBe('member');
    server.advance(61_000);
  });

  it.each(['5xx', '429', 'reset', 'timeout'] as const)('revokes nobody when the Bot API answers %s', async (mode) => {
    const cookie = await server.signIn(1001);
    const before = await server.request('GET', '/api/auth/membership', { cookie });
    await kick('1001', 'kicked');
    await server.control('POST', '/faults', { match: 'getChatMember', mode, count: 2 });
    const checked = await check(cookie);
    expect(checked.status).toBe(200);
    expect(checked.json).toMatchObject({ state: 'member', asked: false, checkedAt: before.json.checkedAt });
    const again = await server.signIn(1001);
    expect((await who(again)).status).toBe(200);
    await kick('1001', 'member');
    await server.control('POST', '/reset');
    server.advance(61_000);
  });

  it('revokes nobody when the bot lost its rights', async () => {
    const cookie = await server.signIn(1001);
    await server.control('PUT', '/bot', { chatId: '-1001', admin: false });
    expect((await check(cookie)).json).toMatchObject({ state: 'member', asked: false });
    await server.control('PUT', '/bot', { chatId: '-1001', admin: true });
  });

  describe('once the Bot API tells of it', () => {
    const secret = { 'x-telegram-bot-api-secret-token': 'sandbox-webhook-secret' };
    let updates = 1_000_000;
    const next = (by: number) => {
      updates += by;
      return updates;
    };
    const tell = (chatMember: object, headers: Record<string, string> = secret, updateId = next(1)) =>
      server.request('POST', '/api/telegram/webhook', {
        body: { update_id: updateId, chat_member: chatMember },
        headers: { ...headers, 'sec-fetch-site': null },
      });
    const change = (id: number, status: string, date: number, chat: object = { id: -1001 }) => ({
      chat: { type: 'channel', title: 'Muster Square', ...chat },
      from: { id: 1, is_bot: false, first_name: 'Admin' },
      date,
      old_chat_member: { status: 'member', user: { id } },
      new_chat_member: { status, until_date: 0, user: { id, is_bot: false, first_name: 'X' } },
    });
    const seconds = () => Math.floor(server.runtime.now().getTime() / 1000);

    it('shuts out who is removed, and lets them in again, without anybody asking', async () => {
      await registerWebhook(server.runtime);
      const cookie = await server.signIn(1004);
      expect((await kick('1004', 'kicked')).delivered).toBe(true);
      const refused = await who(cookie);
      expect([refused.status, refused.json.reason]).toEqual([403, 'TELEGRAM_MEMBERSHIP_REVOKED']);
      await server.control('POST', '/reset');
      expect((await kick('1004', 'member')).delivered).toBe(true);
      expect((await who(cookie)).status).toBe(200);
    });

    it('believes nobody without the secret, and no other chat', async () => {
      const cookie = await server.signIn(1005);
      for (const headers of [{}, { 'x-telegram-bot-api-secret-token': 'sandbox-webhook-secreT' }]) {
        const reply = await tell(change(1005, 'kicked', seconds()), headers);
        expect([reply.status, reply.json.reason]).toEqual([401, 'NOT_TELEGRAM']);
      }
      expect((await tell(change(1005, 'kicked', seconds(), { id: -1002 }))).status).toBe(200);
      expect((await tell(change(1005, 'a status to come', seconds()))).status).toBe(200);
      expect((await who(cookie)).status).toBe(200);
    });

    it('stays with what happened last, however updates overtake each other', async () => {
      const cookie = await server.signIn(1005);
      const now = seconds();
      const at = next(10);
      await tell(change(1005, 'left', now), secret, at);
      await tell(change(1005, 'member', now - 1), secret, at - 1);
      expect((await who(cookie)).status, 'one that was overtaken').toBe(403);
      await tell(change(1005, 'member', now), secret, at - 2);
      expect((await who(cookie)).status, 'one of the same second').toBe(403);
      await tell(change(1005, 'member', now + 1), secret, at + 1);
      expect((await who(cookie)).status).toBe(200);
      await tell(change(1005, 'left', now), secret, at);
      expect((await who(cookie)).status, 'one that is sent again').toBe(200);
      await tell(change(1005, 'member', now + 1), secret, at + 1);
      await tell(change(1005, 'kicked', now + 1), secret, at + 2);
      expect((await who(cookie)).status).toBe(403);
    });

    it('an old one changes nothing, whatever was asked meanwhile', async () => {
      await server.control('POST', '/reset');
      const cookie = await server.signIn(1005);
      const now = seconds();
      const at = next(10);
      await tell(change(1005, 'left', now), secret, at);
      // Telegram says at this moment that they are in: they came back, and that update is on its way.
      expect((await check(cookie)).json).toMatchObject({ state: 'member', asked: true });
      await tell(change(1005, 'kicked', now - 60), secret, at - 1);
      await tell(change(1005, 'left', now), secret, at);
      expect((await who(cookie)).status).toBe(200);
    });

    it('goes by their time where Telegram counts anew after a quiet week', async () => {
      const cookie = await server.signIn(1005);
      const now = seconds() + 8 * 24 * 60 * 60;
      await tell(change(1005, 'left', now), secret, 3);
      expect((await who(cookie)).status).toBe(403);
      await tell(change(1005, 'member', now + 5), secret, 4);
      expect((await who(cookie)).status).toBe(200);
      await tell(change(1005, 'kicked', seconds()), secret, updates);
      expect((await who(cookie)).status, 'one of a week ago').toBe(200);
    });
  });

  it('is asked about once a day where nothing is told, and an error revokes nobody', async () => {
    const cookie = await server.signIn(1003);
    await server.control('POST', '/reset');
    await server.runtime.telegram.setWebhook({ url: '', secret: 'a', kinds: [] });
    await kick('1003', 'left');
    const sweep = () => recheckMembers(server.runtime, new AbortController().signal);
    await sweep();
    expect((await who(cookie)).status, 'heard of within the day').toBe(200);
    server.advance(24 * 60 * 60_000 + 1);
    await server.control('POST', '/faults', { match: 'getChatMember', mode: '5xx', count: 100 });
    await sweep();
    expect((await who(cookie)).status, 'Telegram is away').toBe(200);
    await server.control('POST', '/reset');
    await kick('1003', 'left');
    await sweep();
    expect((await who(cookie)).json.reason).toBe('TELEGRAM_MEMBERSHIP_REVOKED');
    await server.control('POST', '/reset');
  });

  it('is never asked about by GET /api/auth/user', async () => {
    const cookie = await server.signIn(1001);
    await server.control('POST', '/faults', { match: '/bot', mode: '5xx', count: 1 });
    expect((await who(cookie)).status).toBe(200);
    // The first question meets the fault: it was left for this one.
    expect((await server.request('POST', '/api/auth/membership/check', { cookie })).json.asked).toBe(false);
    await server.control('POST', '/reset');
  });
});

describe('a place that is not set up', () => {
  it('says so instead of failing', async () => {
    const bare = await testServer({ sandbox: false });
    try {
      const start = await bare.request('GET', '/api/auth/telegram/start');
      expect(start.status).toBe(503);
      expect(start.json.reason).toBe('TELEGRAM_NOT_CONFIGURED');
      const page = await bare.request('GET', '/api/auth/telegram/start', { headers: HTML });
      expect(page.headers.get('location')).toBe('/?sign-in=TELEGRAM_NOT_CONFIGURED');
      const { cookie } = await bare.person();
      const x = await bare.request('GET', '/api/auth/x/start', { cookie });
      expect(x.json.reason).toBe('X_NOT_CONFIGURED');
      const status = await bare.request('GET', '/api/auth/membership', { cookie });
      expect(status.json).toMatchObject({ required: false, channelTitle: null });
    } finally {
      await bare.close();
    }
  });
});
