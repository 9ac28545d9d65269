import { describe, expect, it } from 'vitest';
import { ofFile } from '../support/of-file.ts';
import { sampleSubscription } from '../support/samples.ts';
import { cookiesOf, type Reply, testServer } from '../support/server.ts';

const server = await ofFile(testServer());

const DAY_MS = 24 * 60 * 60_000;
/** What the X page sends the browser back with. */
type Returned = { code: string; state: string };

async function atX(cookie: string, answer: Record<string, string>, next = '/'): Promise<URL> {
  const start = await server.request('GET', `/api/auth/x/start?next=${encodeURIComponent(next)}`, { cookie });
  expect(start.status, start.text).toBe(302);
  const authorize = new URL(start.headers.get('location') ?? '');
  for (const [name, value] of Object.entries(answer)) authorize.searchParams.set(name, value);
  return new URL((await fetch(authorize, { redirect: 'manual' })).headers.get('location') ?? '');
}
async function approvedAtX(cookie: string, person: number | string, next = '/'): Promise<Returned> {
  const back = await atX(cookie, { person: String(person) }, next);
  expect(back.pathname).toBe('/twitter-return');
  return { code: back.searchParams.get('code') ?? '', state: back.searchParams.get('state') ?? '' };
}
const complete = (cookie: string, body: Returned): Promise<Reply> =>
  server.request('POST', '/api/auth/x/complete', { cookie, body });
const sidOf = (reply: Reply) =>
  cookiesOf(reply)
    .split('; ')
    .find((pair) => pair.startsWith('sid=')) ?? '';
const who = (cookie: string) => server.request('GET', '/api/auth/user', { cookie });
const linkOf = async (telegramUserId: number) => {
  const [row] = await server.sql<{ x: string | null; handle: string | null; verified: boolean }[]>`
    select x_user_id as x, twitter_username as handle, is_verified as verified
    from users where telegram_user_id = ${telegramUserId}`;
  return row;
};

describe('linking X', () => {
  it('proves the account, verifies the person, and gives the browser a new token', async () => {
    const cookie = await server.signIn(1001);
    const body = { subscription: sampleSubscription() };
    expect((await server.request('POST', '/api/pwa/subscribe', { cookie, body })).status).toBe(200);
    const done = await complete(cookie, await approvedAtX(cookie, 1001, '/communities'));
    expect(done.status).toBe(200);
    expect(done.json).toMatchObject({
      next: '/communities',
      user: { telegramUserId: '1001', twitterUsername: 'maya_walks', isVerified: true },
    });
    expect(await linkOf(1001)).toEqual({ x: '9001', handle: 'maya_walks', verified: true });
    const fresh = sidOf(done);
    expect(fresh).not.toBe(cookie);
    expect((await who(cookie)).status).toBe(401);
    expect((await who(fresh)).json).toEqual(done.json.user);
    // It is the same browser: what is pushed there goes on.
    const { json } = await server.request('GET', '/api/user/notifications', { cookie: fresh });
    expect(json.devices).toMatchObject([{ current: true }]);
  });

  it('keeps how long ago the session proved itself to Telegram', async () => {
    const cookie = await server.signIn(1005);
    server.advance(5 * 60_000);
    const [before] = await server.sql`select telegram_at, expires_at from sessions order by created_at desc limit 1`;
    const done = await complete(cookie, await approvedAtX(cookie, 1005));
    expect(done.status).toBe(200);
    const [after] = await server.sql`select telegram_at, expires_at from sessions order by created_at desc limit 1`;
    expect(after).toEqual(before);
  });

  it('works once: the same answer again, and twenty at once, change nothing more', async () => {
    const cookie = await server.signIn(1002);
    const returned = await approvedAtX(cookie, 1002);
    const replies = await Promise.all(Array.from({ length: 10 }, () => complete(cookie, returned)));
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
    for (const reply of replies.filter((one) => one.status !== 200)) {
      expect(['X_STATE_UNKNOWN', 'NOT_SIGNED_IN']).toContain(reply.json.reason);
    }
    expect(await linkOf(1002)).toMatchObject({ x: '9002' });
  });

  it('cannot be finished by another session of the same person, nor by another person', async () => {
    const victim = await server.signIn(1004);
    const otherSession = await server.signIn(1004);
    const attacker = await server.signIn(1003);
    const returned = await approvedAtX(victim, 1004);
    for (const cookie of [attacker, otherSession]) {
      const reply = await complete(cookie, returned);
      expect(reply.status).toBe(400);
      expect(reply.json.reason).toBe('X_STATE_UNKNOWN');
    }
    expect(await linkOf(1003)).toMatchObject({ x: null, verified: false });
    expect((await complete(victim, returned)).status).toBe(200);
    expect((await server.request('POST', '/api/auth/x/complete', { body: returned })).status).toBe(401);
  });

  it('refuses an account that is another member’s, by its number and not by its handle', async () => {
    await server.control('PUT', '/people', {
      telegramUserId: '1001',
      firstName: 'Maya',
      username: 'maya_walks',
      xId: '9001',
      xUsername: 'maya_moved',
    });
    const cookie = await server.signIn(1003);
    const taken = await complete(cookie, await approvedAtX(cookie, '9001'));
    expect(taken.status).toBe(409);
    expect(taken.json.reason).toBe('X_ACCOUNT_TAKEN');
    expect(await linkOf(1003)).toEqual({ x: null, handle: null, verified: false });
    expect((await who(cookie)).status).toBe(200);

    // Somebody new takes over the freed handle: they get their own link and nothing of Maya's.
    await server.control('PUT', '/people', {
      telegramUserId: '1003',
      firstName: 'Aiko',
      username: 'aiko_mori',
      xId: '9777',
      xUsername: 'maya_walks',
    });
    const linked = await complete(cookie, await approvedAtX(cookie, 1003));
    expect(linked.status).toBe(200);
    expect(await linkOf(1003)).toMatchObject({ x: '9777', handle: 'maya_walks' });
    expect(await linkOf(1001)).toMatchObject({ x: '9001' });
  });

  it('lets one of two people win who link one account at the same time', async () => {
    const people = [2001, 2002];
    for (const id of people) {
      await server.control('PUT', '/people', { telegramUserId: String(id), firstName: `P${id}` });
    }
    await server.control('PUT', '/people', {
      telegramUserId: '2003',
      firstName: 'X',
      xId: '9500',
      xUsername: 'shared_one',
    });
    const cookies = await Promise.all(people.map((id) => server.signIn(id)));
    const returned = await Promise.all(cookies.map((cookie) => approvedAtX(cookie, '9500')));
    const replies = await Promise.all(
      cookies.map((cookie, index) => complete(cookie, returned[index] ?? { code: '', state: '' })),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409]);
  });

  it('says so when X was denied: the return page gets the error and nothing is written', async () => {
    await server.control('PUT', '/people', {
      telegramUserId: '2010',
      firstName: 'Denier',
      xId: '9510',
      xUsername: 'denier',
    });
    const cookie = await server.signIn(2010);
    const back = await atX(cookie, { deny: '1' });
    expect(back.pathname).toBe('/twitter-return');
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(await linkOf(2010)).toMatchObject({ x: null, verified: false });
  });

  it('refuses a code that ran out, was made up or belongs to another verifier, and can be started again', async () => {
    await server.control('PUT', '/people', {
      telegramUserId: '2011',
      firstName: 'Late',
      xId: '9511',
      xUsername: 'late_one',
    });
    const cookie = await server.signIn(2011);
    const made = await approvedAtX(cookie, 2011);
    const madeUp = await complete(cookie, { ...made, code: 'made-up' });
    expect(madeUp.status).toBe(400);
    expect(madeUp.json.reason).toBe('X_REFUSED');
    const one = await approvedAtX(cookie, 2011);
    const two = await approvedAtX(cookie, 2011);
    expect((await complete(cookie, { code: one.code, state: two.state })).json.reason).toBe('X_REFUSED');
    expect(await linkOf(2011)).toMatchObject({ x: null });
    expect((await complete(cookie, await approvedAtX(cookie, 2011))).status).toBe(200);
    server.advance(61_000);
  });

  it('forgets an attempt after ten minutes', async () => {
    const cookie = await server.signIn(2010);
    const returned = await approvedAtX(cookie, 2010);
    server.advance(10 * 60_000 + 1);
    expect((await complete(cookie, returned)).json.reason).toBe('X_STATE_UNKNOWN');
  });

  it.each(['429', '5xx', 'reset'] as const)('says that X is away when it answers %s', async (mode) => {
    const cookie = await server.signIn(2010);
    for (const match of ['/2/oauth2/token', '/2/users/me']) {
      const returned = await approvedAtX(cookie, 2010);
      await server.control('POST', '/faults', { match, mode, count: 1 });
      const reply = await complete(cookie, returned);
      expect(reply.status).toBe(503);
      expect(reply.json.reason).toBe('X_UNAVAILABLE');
    }
    expect(await linkOf(2010)).toMatchObject({ x: null, verified: false });
    server.advance(61_000);
  });
});

describe('linking another X account', () => {
  const asPage = { accept: 'text/html' };

  it('waits 30 days, then asks for a fresh Telegram sign-in, and then goes through', async () => {
    await server.control('PUT', '/people', {
      telegramUserId: '2020',
      firstName: 'Mover',
      xId: '9520',
      xUsername: 'mover_a',
    });
    const first = await server.signIn(2020);
    const linked = await complete(first, await approvedAtX(first, 2020));
    const cookie = sidOf(linked);

    const locked = await server.request('GET', '/api/auth/x/start', { cookie });
    expect(locked.status).toBe(409);
    expect(locked.json.reason).toBe('X_RELINK_LOCKED');
    expect(Date.parse(locked.json.details.allowedAt)).toBeGreaterThan(server.runtime.now().getTime() + 29 * DAY_MS);
    const page = await server.request('GET', '/api/auth/x/start', { cookie, headers: asPage });
    expect(page.headers.get('location')).toBe('/profile-accounts?x=X_RELINK_LOCKED');

    for (let day = 0; day < 31; day += 10) {
      server.advance(10 * DAY_MS);
      expect((await who(cookie)).status).toBe(200);
    }
    const stale = await server.request('GET', '/api/auth/x/start', { cookie });
    expect(stale.status).toBe(403);
    expect(stale.json.reason).toBe('TELEGRAM_SIGN_IN_TOO_OLD');

    await server.control('PUT', '/people', {
      telegramUserId: '2020',
      firstName: 'Mover',
      xId: '9521',
      xUsername: 'mover_b',
    });
    const fresh = await server.signIn(2020);
    const moved = await complete(fresh, await approvedAtX(fresh, 2020));
    expect(moved.status).toBe(200);
    expect(await linkOf(2020)).toEqual({ x: '9521', handle: 'mover_b', verified: true });
    const again = await server.request('GET', '/api/auth/x/start', { cookie: sidOf(moved) });
    expect(again.json.reason).toBe('X_RELINK_LOCKED');
  });

  it('is checked again when it finishes, so that an attempt begun before does not slip through', async () => {
    await server.control('PUT', '/people', {
      telegramUserId: '2021',
      firstName: 'Racer',
      xId: '9530',
      xUsername: 'racer_a',
    });
    await server.control('PUT', '/people', {
      telegramUserId: '2022',
      firstName: 'Other',
      xId: '9531',
      xUsername: 'racer_b',
    });
    const one = await server.signIn(2021);
    const two = await server.signIn(2021);
    const early = await approvedAtX(two, '9531');
    expect((await complete(one, await approvedAtX(one, 2021))).status).toBe(200);
    const late = await complete(two, early);
    expect(late.status).toBe(409);
    expect(late.json.reason).toBe('X_RELINK_LOCKED');
    expect(await linkOf(2021)).toMatchObject({ x: '9530' });
  });
});
