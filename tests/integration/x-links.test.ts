import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { revokeTokens } from '../../server/features/x/tokens.ts';
import { createX } from '../../server/integrations/x/client.ts';
import { sessionIn, xStage } from '../support/x-stage.ts';

const written: string[] = [];
const x = await xStage();
// What the client of X writes down is looked through at the end.
const sink = new Writable({
  write(chunk, _, done) {
    written.push(String(chunk));
    done();
  },
});
x.server.runtime.x = createX(x.server.runtime.config, pino({ level: 'trace' }, sink));

const DAY_MS = 24 * 60 * 60_000;
const someone = async (telegramUserId: number, xId?: string, xUsername?: string) => {
  await x.control('PUT', '/people', {
    telegramUserId: String(telegramUserId),
    firstName: `P${telegramUserId}`,
    ...(xId ? { xId, xUsername } : {}),
  });
  return x.server.signIn(telegramUserId);
};
const take = async (cookie: string): Promise<string> => {
  const reply = await x.server.request('POST', '/api/auth/x/proof-codes', { cookie, body: {} });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.code;
};
const prove = (cookie: string, url: string) => x.server.request('POST', '/api/auth/x/proof', { cookie, body: { url } });
const linkOf = async (telegramUserId: number) => {
  const [row] = await x.server.sql<{ x: string | null; handle: string | null; by: string | null; verified: boolean }[]>`
    select x_user_id as x, twitter_username as handle, x_linked_by as by, is_verified as verified
    from users where telegram_user_id = ${telegramUserId}`;
  return row;
};

test('a post with a code links its author, once, and gives the browser a new token', async () => {
  const cookie = await someone(5001, '9901', 'proof_one');
  const code = await take(cookie);
  const url = await x.post('9901', `Linking my account: ${code}`);
  const done = await prove(cookie, url);
  expect(done.json.user, done.text).toMatchObject({ twitterUsername: 'proof_one', isVerified: true });
  expect(await linkOf(5001)).toEqual({ x: null, handle: 'proof_one', by: 'post', verified: true });
  const fresh = sessionIn(done);
  expect((await x.server.request('GET', '/api/auth/user', { cookie })).status).toBe(401);
  expect((await x.server.request('GET', '/api/auth/x', { cookie: fresh })).json).toMatchObject({
    provenBy: 'post',
    checksSince: null,
  });
  expect((await prove(fresh, url)).json.reason).toBe('X_CODE_EXPIRED');
});

test('a code is its person’s, ends after fifteen minutes, and must be in a post that X shows', async () => {
  const [mine, other] = [await someone(5002, '9902', 'proof_two'), await someone(5003)];
  const code = await take(mine);
  await take(other);
  const url = await x.post('9902', `My code: ${code}`);
  // Somebody who has another read their code out gains nothing by it.
  expect((await prove(other, url)).json.reason).toBe('X_CODE_MISSING');
  expect((await prove(mine, 'https://x.com/proof_two/status/1')).json.reason).toBe('X_POST_NOT_SHOWN');
  expect((await prove(mine, 'https://evil.example/x.com/a/status/1')).status).toBe(400);
  await x.fault('/oembed', '5xx');
  expect((await prove(mine, url)).json.reason).toBe('X_UNAVAILABLE');
  x.server.advance(15 * 60_000 + 1);
  expect((await prove(mine, url)).json.reason).toBe('X_CODE_EXPIRED');
  expect(await linkOf(5002)).toMatchObject({ handle: null, verified: false });
});

test('an account that is somebody’s by any way is taken for every other way, also at the same moment', async () => {
  const admin = await x.server.person({ role: 'admin' });
  const byHand = (userId: string, handle: string) =>
    x.server.command('POST', `/api/admin/people/${userId}/x-link`, {
      cookie: admin.cookie,
      body: { handle, evidence: 'https://example.org/letter', reason: 'Showed it to us' },
    });
  const owner = await x.linked(5010, '9910', { checks: false });
  const thief = await someone(5011);
  const code = await take(thief);
  expect((await prove(thief, await x.post('9910', code))).json.reason).toBe('X_ACCOUNT_TAKEN');
  const other = await x.server.person();
  expect((await byHand(other.userId, owner.handle.toUpperCase())).json.reason).toBe('X_ACCOUNT_TAKEN');
  // A name without a number holds against X's own sign-in, too.
  expect((await byHand(other.userId, 'by_hand')).json).toMatchObject({
    twitterUsername: 'by_hand',
    xLinkedBy: 'admin',
    isVerified: true,
  });
  const late = await someone(5012, '9912', 'By_Hand');
  expect((await x.link(late, '5012')).json.reason).toBe('X_ACCOUNT_TAKEN');
  const [act] = await x.server.sql<{ reason: string }[]>`
    select reason from audit_entries where action = 'person.x_linked' and subject_id = ${other.userId}`;
  expect(act?.reason).toBe('@by_hand: Showed it to us (https://example.org/letter)');
  const people = await Promise.all([x.server.person(), x.server.person(), x.server.person()]);
  const raced = await Promise.all(people.map(({ userId }) => byHand(userId, 'raced_for')));
  expect(raced.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

test('X’s own sign-in adds the number to a name that was proven by a post, and the number follows a new name', async () => {
  const cookie = await someone(5020, '9920', 'name_a');
  const proven = sessionIn(await prove(cookie, await x.post('9920', await take(cookie))));
  const linked = await x.link(proven, '5020', true);
  expect(linked.status, linked.text).toBe(200);
  expect(await linkOf(5020)).toMatchObject({ x: '9920', handle: 'name_a', by: 'oauth' });
  await x.control('PUT', '/people', { telegramUserId: '5020', firstName: 'P', xId: '9920', xUsername: 'name_b' });
  const again = await x.server.request('GET', '/api/auth/x/start?again=renamed', { cookie: sessionIn(linked) });
  expect(again.status).toBe(302);
  const authorize = new URL(again.headers.get('location') ?? '');
  expect(authorize.searchParams.get('scope')).toBe('tweet.read users.read');
  expect((await x.link(sessionIn(linked), '5020', true)).status).toBe(200);
  expect(await linkOf(5020)).toMatchObject({ x: '9920', handle: 'name_b' });
});

test('another account by a post waits 30 days and asks for a fresh sign-in, as any other way does', async () => {
  const first = await someone(5030, '9930', 'mover_a');
  const cookie = sessionIn(await prove(first, await x.post('9930', await take(first))));
  await x.control('PUT', '/people', { telegramUserId: '5031', firstName: 'B', xId: '9931', xUsername: 'mover_b' });
  expect((await prove(cookie, await x.post('9931', await take(cookie)))).json.reason).toBe('X_RELINK_LOCKED');
  for (let day = 0; day < 31; day += 10) {
    x.server.advance(10 * DAY_MS);
    await x.server.request('GET', '/api/auth/user', { cookie });
  }
  expect((await prove(cookie, await x.post('9931', await take(cookie)))).json.reason).toBe('TELEGRAM_SIGN_IN_TOO_OLD');
  const fresh = await x.server.signIn(5030);
  expect((await prove(fresh, await x.post('9931', await take(fresh)))).status).toBe(200);
  expect(await linkOf(5030)).toMatchObject({ handle: 'mover_b' });
});

test('tokens lie sealed, and are revoked at X when checks end or an account is taken off, also once X was away', async () => {
  const admin = await x.server.person({ role: 'admin' });
  const member = await x.linked(5040, '9940');
  const held = () => x.server.sql`select refresh_token, access_token from x_tokens where user_id = ${member.userId}`;
  const waits = async () => {
    const [row] = await x.server.sql<
      [{ count: number }]
    >`select count(*)::int from x_revocations where user_id = ${member.userId}`;
    return row.count;
  };
  expect(await held()).toHaveLength(1);
  const off = await x.server.request('DELETE', '/api/auth/x/checks', { cookie: member.cookie });
  expect([off.status, (await held()).length, await waits()]).toEqual([200, 0, 1]);
  await x.fault('/2/oauth2/revoke', '5xx');
  await revokeTokens(x.server.runtime);
  expect(await waits()).toBe(1);
  x.server.advance(11 * 60_000);
  await revokeTokens(x.server.runtime);
  expect(await waits()).toBe(0);
  const again = await x.link(member.cookie, '5040', true);
  expect(again.status).toBe(200);
  await x.server.command('POST', `/api/admin/people/${member.userId}/x`, {
    cookie: admin.cookie,
    body: { decision: 'unlink', reason: 'Sold the account' },
  });
  expect([(await held()).length, await waits()]).toEqual([0, 1]);
});

test('no token and no code is written down or stored in the clear', async () => {
  const cookie = await someone(5050, '9950', 'planted_one');
  const code = await take(cookie);
  const secrets: string[] = [code];
  const { x: client } = x.server.runtime;
  const identity = client.identity;
  x.server.runtime.x = {
    ...client,
    async identity(input) {
      const proven = await identity(input);
      secrets.push(input.code, input.codeVerifier, proven.tokens?.access ?? '', proven.tokens?.refresh ?? '');
      return proven;
    },
  };
  expect((await x.link(cookie, '5050', true)).status).toBe(200);
  x.server.runtime.x = client;
  expect(secrets.filter(Boolean)).toHaveLength(5);
  const tables = await x.server.sql<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r'`;
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const [all] = await x.server.sql<[{ all: string | null }]>`
        select string_agg(to_jsonb(t)::text, ' ') as all from ${x.server.sql(name)} t`;
      return all.all ?? '';
    }),
  );
  const stored = rows.join(' ');
  expect(written.length).toBeGreaterThan(0);
  for (const secret of secrets)
    for (const form of [secret, Buffer.from(secret).toString('hex')]) {
      expect(stored.includes(form)).toBe(false);
      expect(written.join('').includes(form)).toBe(false);
    }
});
