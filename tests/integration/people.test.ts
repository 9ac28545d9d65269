import { describe, expect, test } from 'vitest';
import { PersonDetail } from '../../server/contract/people.ts';
import { endSuspensions } from '../../server/features/people/change.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { community, join } from '../support/world.ts';

const server = await ofFile(testServer());
const admin = await server.person({ name: 'Maya Admin', role: 'admin' });

const REASON = 'Four photos were of somebody else';
const act = (userId: string, what: string, body: object, cookie = admin.cookie) => {
  const [method, path] = what === 'role' ? (['PUT', 'role'] as const) : (['POST', what] as const);
  return server.command(method, `/api/admin/people/${userId}/${path}`, { cookie, body });
};
const suspend = (userId: string, until: string | null = null) => act(userId, 'suspension', { reason: REASON, until });
const who = (cookie: string) => server.request('GET', '/api/auth/user', { cookie });
const auditOf = async (userId: string) =>
  (
    await server.sql<{ action: string; reason: string | null; actor: string | null }[]>`
    select action, reason, actor_id as actor from audit_entries where subject_id = ${userId} order by id`
  ).map(({ action, reason, actor }) => [action, reason, actor]);
const find = async (query: string) =>
  (await server.request('GET', `/api/admin/people?${query}`, { cookie: admin.cookie })).json as {
    items: { id: string; displayName: string }[];
    next: string | null;
    total: number;
  };

describe('the list of people', () => {
  test('finds somebody by each of their names, and nobody by a part of an id', async () => {
    const { userId } = await server.person({ name: 'Emil Sand' });
    await server.sql`
      update users set telegram_username = 'emil_walks', twitter_username = 'emilsand' where id = ${userId}`;
    const [row] = await server.sql`select telegram_user_id::text as id from users where id = ${userId}`;
    for (const words of ['emil sand', '@EMIL_walks', 'milsan', String(row?.['id']), userId])
      expect((await find(`search=${encodeURIComponent(words)}`)).items, words).toMatchObject([{ id: userId }]);
    expect((await find(`search=${userId.slice(0, 12)}`)).items).toEqual([]);
    expect((await find(`search=${encodeURIComponent("%' or true --")}`)).total).toBe(0);
  });

  test('is read page by page, the newest first, nobody twice and nobody left out', async () => {
    // All in one moment: their order is by id then.
    await server.sql`
      insert into users (telegram_user_id, display_name, created_at)
      select 7000000 + n, 'Crowd ' || n, '2026-01-01T10:00:00.123456Z' from generate_series(1, 120) n`;
    const seen: string[] = [];
    let after = '';
    do {
      const page = await find(`search=crowd${after}`);
      seen.push(...page.items.map(({ id }) => id));
      expect(page.total).toBe(120);
      after = page.next === null ? '' : `&after=${encodeURIComponent(page.next)}`;
    } while (after !== '');
    expect(new Set(seen).size).toBe(120);
    expect(seen).toHaveLength(120);
  });

  test('shows who is suspended, and who has a role', async () => {
    const { userId } = await server.person({ name: 'Shut Out' });
    await suspend(userId);
    const ids = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id);
    expect(ids(await find('filter=suspended'))).toContain(userId);
    expect(ids(await find('filter=staff'))).toContain(admin.userId);
    expect(ids(await find('filter=staff'))).not.toContain(userId);
  });
});

describe('a suspension', () => {
  test('refuses the next request in its own words, and restored all is as before', async () => {
    const one = await server.person();
    const place = await community(server, admin.userId);
    await join(server.sql, place.id, one.userId, 'member');
    await server.sql`
      insert into scores (community_id, user_id, points, reached_at, competes) values (${place.id}, ${one.userId}, 9, now(), true)`;
    const until = new Date(server.runtime.now().getTime() + 7 * 86_400_000).toISOString();
    const reply = await suspend(one.userId, until);
    expect(PersonDetail.parse(reply.json).suspension).toMatchObject({ until, reason: REASON });
    const refused = await who(one.cookie);
    expect(refused).toMatchObject({ status: 403, json: { reason: 'SUSPENDED', details: { until, reason: REASON } } });
    expect(refused.json.message).toContain(REASON);
    const competes = () => server.sql`select competes from scores where user_id = ${one.userId}`;
    expect(await competes()).toEqual([{ competes: false }]);
    expect((await act(one.userId, 'restoration', { reason: 'A mistake' })).status).toBe(200);
    expect((await who(one.cookie)).status).toBe(200);
    expect(await competes()).toEqual([{ competes: true }]);
    expect(await auditOf(one.userId)).toEqual([
      ['person.suspended', REASON, admin.userId],
      ['person.restored', 'A mistake', admin.userId],
    ]);
  });

  test('ends at its time by itself, and not before', async () => {
    const one = await server.person();
    const now = server.runtime.now();
    await suspend(one.userId, new Date(now.getTime() + 3_600_000).toISOString());
    await endSuspensions(server.sql, new Date(now.getTime() + 3_599_000));
    expect((await who(one.cookie)).status).toBe(403);
    await endSuspensions(server.sql, new Date(now.getTime() + 3_601_000));
    expect((await who(one.cookie)).status).toBe(200);
    expect((await auditOf(one.userId)).at(-1)).toEqual([
      'person.restored',
      'The time of the suspension was over.',
      null,
    ]);
  });

  test('is changed by a second one, which keeps when it began', async () => {
    const one = await server.person();
    const first = PersonDetail.parse((await suspend(one.userId)).json);
    const second = PersonDetail.parse(
      (await act(one.userId, 'suspension', { reason: 'Longer', until: '2099-01-01T00:00:00Z' })).json,
    );
    expect(second.suspension).toEqual({
      since: first.suspension?.since,
      until: '2099-01-01T00:00:00.000Z',
      reason: 'Longer',
    });
    expect((await auditOf(one.userId)).map(([action]) => action)).toEqual([
      'person.suspended',
      'person.suspension_changed',
    ]);
  });

  test.each([
    ['of oneself', () => suspend(admin.userId), 409, 'OWN_ACCOUNT'],
    ['of nobody', () => suspend(crypto.randomUUID()), 404, 'NOT_FOUND'],
    [
      'that ends at once',
      () => person().then((id) => suspend(id, server.runtime.now().toISOString())),
      422,
      'INVALID_TIME',
    ],
    [
      'without a word',
      () => person().then((id) => act(id, 'suspension', { reason: ' ', until: null })),
      400,
      'INVALID_INPUT',
    ],
  ] as const)('%s is refused and changes nothing', async (_name, ask, status, reason) => {
    const before = await server.sql`select id, suspended_at from users order by id`;
    expect(await ask()).toMatchObject({ status, json: { reason } });
    const after = await server.sql`select id, suspended_at from users order by id`;
    expect(after.filter(({ id }) => before.some((row) => row['id'] === id))).toEqual([...before]);
  });
  const person = async () => (await server.person()).userId;

  test('a restoration of who is not suspended is refused', async () => {
    expect(await act(await person(), 'restoration', { reason: 'For nothing' })).toMatchObject({
      status: 409,
      json: { reason: 'NOT_SUSPENDED' },
    });
  });
});

test('signed out everywhere, every session ends with its notifications; another person is untouched', async () => {
  const [one, other] = [await server.person(), await server.person()];
  const reply = await act(one.userId, 'sign-out', { reason: 'Lost the phone' });
  expect(PersonDetail.parse(reply.json).sessions).toEqual([]);
  expect((await who(one.cookie)).status).toBe(401);
  expect((await who(other.cookie)).status).toBe(200);
});

test('X is unlinked and free for another account; an account is verified by hand once', async () => {
  const { userId } = await server.person();
  await server.sql`update users set x_user_id = '99', twitter_username = 'ridge', x_linked_at = now() where id = ${userId}`;
  const after = PersonDetail.parse((await act(userId, 'x', { decision: 'unlink', reason: REASON })).json);
  expect(after).toMatchObject({ twitterUsername: null, isVerified: false, xLinkedAt: null });
  expect((await act(userId, 'x', { decision: 'unlink', reason: REASON })).json.reason).toBe('NO_X_ACCOUNT');
  expect((await act(userId, 'x', { decision: 'verify', reason: REASON })).json.isVerified).toBe(true);
  expect((await act(userId, 'x', { decision: 'verify', reason: REASON })).json.reason).toBe('ALREADY_VERIFIED');
  await server.sql`update users set x_user_id = '99' where id = ${(await server.person()).userId}`;
});

test('a role is given and taken; nobody takes their own, so one administrator stays', async () => {
  const one = await server.person();
  expect((await act(one.userId, 'role', { role: 'admin', reason: 'Runs it too' })).json.role).toBe('admin');
  expect((await act(admin.userId, 'role', { role: 'member', reason: 'Gone' }, one.cookie)).json.role).toBe('member');
  expect((await act(one.userId, 'role', { role: 'member', reason: 'Gone' }, one.cookie)).json.reason).toBe(
    'OWN_ACCOUNT',
  );
  expect((await act(admin.userId, 'role', { role: 'admin', reason: 'Back' }, one.cookie)).json.role).toBe('admin');
  expect((await auditOf(one.userId)).map(([action]) => action)).toEqual(['person.made_admin']);
});

test('the page of a person says where they take part, and what was done to them', async () => {
  const one = await server.person({ name: 'Hanne Aas' });
  const place = await community(server, one.userId);
  await join(server.sql, place.id, one.userId, 'leader');
  await suspend(one.userId);
  const reply = await server.request('GET', `/api/admin/people/${one.userId}`, { cookie: admin.cookie });
  const person = PersonDetail.parse(reply.json);
  expect(person.communities).toMatchObject([{ id: place.id, role: 'leader', points: 0 }]);
  expect(person.sessions).toHaveLength(1);
  expect(person.history[0]).toMatchObject({ action: 'person.suspended', by: 'Maya Admin', reason: REASON });
  expect(reply.text).not.toContain('token');
});
