import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { API_KEYS_PER_COMMUNITY } from '../../server/contract/limits.ts';
import { ApiScope } from '../../server/contract/route.ts';
import { newKey } from '../../server/http/api-key.ts';
import { ofFile } from '../support/of-file.ts';
import { type Ask, type Reply, testServer } from '../support/server.ts';
import { changes, community, memberOf, type TestCommunity } from '../support/world.ts';

const server = await ofFile(testServer({ sandbox: false }));

let place: TestCommunity;
let leader: { userId: string; cookie: string };
beforeEach(async () => {
  server.advance(60_000);
  place = await community(server, (await server.person()).userId);
  leader = await memberOf(server, place.id, 'leader');
});

const asLeader = (method: string, path: string, body?: unknown): Promise<Reply> =>
  server.command(method, `/api/communities/${place.id}${path}`, { cookie: leader.cookie, body });
const make = async (scopes: readonly ApiScope[] = ['read:board'], more: object = {}) =>
  (await asLeader('POST', '/api-keys', { name: 'Spreadsheet', scopes, ...more })).json;
const withKey = (key: string, path: string, ask: Ask & { method?: string } = {}) =>
  server.request(ask.method ?? 'GET', `/api/communities/${place.id}${path}`, {
    ...ask,
    headers: { 'sec-fetch-site': null, authorization: `Bearer ${key}`, ...ask.headers },
  });

test('a key is shown once, kept as a digest, and told by its beginning', async () => {
  const made = await make(['read:board', 'read:board', 'read:members'], { days: 2 });
  expect(made).toMatchObject({
    key: expect.stringMatching(/^mk_[\w-]{43}$/),
    prefix: made.key.slice(0, 8),
    scopes: ['read:board', 'read:members'],
    expiresAt: expect.any(String),
    lastUsedAt: null,
  });
  const [listed] = (await asLeader('GET', '/api-keys')).json;
  const { key, ...rest } = made;
  expect(listed).toEqual(rest);
  const tables = await server.sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`;
  for (const { name } of tables) {
    const found = await server.sql`select from ${server.sql(name)} t where strpos(t::text, ${key}) > 0`;
    expect(found, name).toHaveLength(0);
  }
});

test('a key reads and writes what it is made for, as its maker', async () => {
  const { key } = await make(['read:board', 'write:points', 'read:members']);
  expect((await withKey(key, '/leaderboard')).status).toBe(200);
  const member = await memberOf(server, place.id, 'member');
  const given = await withKey(key, '/adjustments', {
    method: 'POST',
    headers: { 'idempotency-key': randomUUID() },
    body: { userId: member.userId, points: 7, reason: 'Helped at the gate' },
  });
  expect(given.status, given.text).toBe(201);
  const [entry] = await server.sql`
    select actor_id as by from point_events where user_id = ${member.userId} and community_id = ${place.id}`;
  expect(entry?.['by']).toBe(leader.userId);
  const list = await withKey(key, '/members');
  expect(list.json.items.map((item: { id: string }) => item.id)).toContain(member.userId);
});

test('a cookie beside a key adds nothing to it', async () => {
  const { key } = await make(['read:board']);
  const before = await changes(server.sql);
  const reply = await withKey(key, '/members', { cookie: leader.cookie });
  expect(reply.json).toMatchObject({ status: 403, reason: 'NOT_FOR_KEYS' });
  const mine = await server.request('GET', '/api/auth/user', {
    cookie: leader.cookie,
    headers: { authorization: `Bearer ${key}` },
  });
  expect(mine.json.reason).toBe('NOT_FOR_KEYS');
  expect(await changes(server.sql)).toEqual(before);
});

test('a key is for its community only, also where its maker leads another', async () => {
  const { key } = await make([...ApiScope.options]);
  const other = await community(server, leader.userId);
  await server.sql`
    insert into community_members (community_id, user_id, role) values (${other.id}, ${leader.userId}, 'leader')`;
  for (const path of ['/leaderboard', '/members', '/exports/members?format=csv']) {
    const reply = await server.request('GET', `/api/communities/${other.id}${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect([path, reply.json?.reason]).toEqual([path, 'NOT_FOR_KEYS']);
  }
});

test('a key goes with its maker’s role, their account, its day, and its end', async () => {
  const second = await memberOf(server, place.id, 'leader');
  const { key } = await make();
  const reason = async () => {
    server.advance(61_000);
    const reply = await withKey(key, '/leaderboard');
    return reply.status === 200 ? 'in' : reply.json.reason;
  };
  const setRole = (role: string) =>
    server.command('PUT', `/api/communities/${place.id}/members/${leader.userId}/role`, {
      cookie: second.cookie,
      body: { role },
    });
  expect(await reason()).toBe('in');
  await setRole('moderator');
  expect(await reason()).toBe('NOT_ALLOWED');
  await setRole('leader');
  expect(await reason()).toBe('in');
  await server.sql`update users set suspended_at = now() where id = ${leader.userId}`;
  expect(await reason()).not.toBe('in');
  await server.sql`update users set suspended_at = null where id = ${leader.userId}`;
  expect(await reason()).toBe('in');

  const short = await make(['read:board'], { days: 1 });
  expect((await withKey(short.key, '/leaderboard')).status).toBe(200);
  server.advance(86_400_000 + 1_000);
  expect((await withKey(short.key, '/leaderboard')).json).toMatchObject({ status: 401, reason: 'KEY_UNKNOWN' });

  const [held] = (await asLeader('GET', '/api-keys')).json;
  expect((await asLeader('DELETE', `/api-keys/${held.id}`)).status).toBe(200);
  expect(await reason()).toBe('KEY_UNKNOWN');
});

test.each(['mk_', 'mk_short', newKey(), `${newKey()}x`, 'something-else'])(
  'what is no key opens nothing, and is never taken for signed out: %s',
  async (key) => {
    const reply = await withKey(key, '/leaderboard');
    expect(reply.json).toMatchObject({ status: 401, reason: 'KEY_UNKNOWN' });
  },
);

test('guesses are counted', async () => {
  // The whole of a minute lies ahead.
  server.advance(60_000 - (server.runtime.now().getTime() % 60_000));
  const replies = await Promise.all(Array.from({ length: 260 }, () => withKey(newKey(), '/leaderboard')));
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(20);
});

test('says when it was last used, to the minute', async () => {
  const { key } = await make();
  const used = async () => (await asLeader('GET', '/api-keys')).json[0].lastUsedAt;
  await withKey(key, '/leaderboard');
  const first = await used();
  expect(Math.abs(Date.parse(first) - server.runtime.now().getTime())).toBeLessThan(30_000);
  await withKey(key, '/leaderboard');
  expect(await used()).toBe(first);
  server.advance(61_000);
  await withKey(key, '/leaderboard');
  expect(Date.parse(await used())).toBeGreaterThan(Date.parse(first) + 60_000);
});

test('no more than so many, also when all are asked for at once', async () => {
  server.advance(60_000);
  const replies = await Promise.all(
    Array.from({ length: API_KEYS_PER_COMMUNITY }, () =>
      asLeader('POST', '/api-keys', { name: 'Key', scopes: ['read:board'] }),
    ),
  );
  server.advance(60_000);
  replies.push(await asLeader('POST', '/api-keys', { name: 'Key', scopes: ['read:board'] }));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(API_KEYS_PER_COMMUNITY);
  expect(replies.at(-1)?.json.reason).toBe('API_KEY_LIMIT');
});

test('what a key sends and what its maker sends are two commands, whatever both call them', async () => {
  const member = await memberOf(server, place.id, 'member');
  const { key } = await make(['write:points']);
  const ask = {
    body: { userId: member.userId, points: 5, reason: 'Thanks' },
    headers: { 'idempotency-key': 'the-same' },
  };
  const path = `/api/communities/${place.id}/adjustments`;
  for (let turn = 0; turn < 2; turn += 1) {
    expect((await withKey(key, '/adjustments', { method: 'POST', ...ask })).status).toBe(201);
    expect((await server.request('POST', path, { cookie: leader.cookie, ...ask })).status).toBe(201);
  }
  const [{ points }] = await server.sql<[{ points: number }]>`
    select sum(points)::int as points from point_events where user_id = ${member.userId}`;
  expect(points).toBe(10);
});
