import { beforeEach, expect, test } from 'vitest';
import { firstAdminWords, makeAdminLink } from '../../server/features/auth/admins.ts';
import { createTestDatabase } from '../support/database.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';

const database = await ofFile(createTestDatabase());
/** Another process of the same instance. */
const [server, beside] = await Promise.all([
  ofFile(testServer({ database })),
  ofFile(testServer({ database, sandbox: false })),
]);
beforeEach(async () => {
  await server.sql`update users set role = 'member'`;
  await server.sql`delete from admin_links`;
});

const linkOf = async (on = server): Promise<string> => {
  const words = await firstAdminWords(on.runtime, true);
  return /\/admin\/first#([\w-]{43})$/.exec(words ?? '')?.[1] ?? '';
};
const open = (token: string, cookie: string, on = server) =>
  on.request('POST', '/api/auth/admin-link', { cookie, body: { token } });
const roleOf = async (userId: string) =>
  (await server.sql<{ role: string }[]>`select role from users where id = ${userId}`)[0]?.role;

test('a start without an administrator says a link, which makes who opens it one, under a new session', async () => {
  const token = await linkOf();
  expect(token).toHaveLength(43);
  const { userId, cookie } = await server.person({ name: 'Maya', verified: false });
  const reply = await open(token, cookie);
  expect(reply).toMatchObject({ status: 200, json: { role: 'admin' } });
  expect(await roleOf(userId)).toBe('admin');
  // The token from before the change of standing is worth nothing, the new one is.
  expect((await server.request('GET', '/api/auth/user', { cookie })).status).toBe(401);
  const fresh = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
  expect((await server.request('GET', '/api/admin/people', { cookie: fresh })).status).toBe(200);
  const [entry] = await server.sql`
    select action, actor_id, reason from audit_entries where subject_id = ${userId} order by id desc limit 1`;
  expect(entry).toEqual({
    action: 'person.made_admin',
    actor_id: userId,
    reason: 'With a one-time link that was printed on the machine of this instance',
  });
  expect(await firstAdminWords(server.runtime, true)).toBeNull();
});

test('a start that is no terminal, whose words are stored in a journal, makes no link and names the command', async () => {
  expect(await firstAdminWords(server.runtime, false)).toMatch(/No administrator yet\..*muster -- admin link$/);
  expect(await server.sql`select from admin_links`).toHaveLength(0);
});

test('of several processes that start, and of one that starts again, one says a link while that is good', async () => {
  const said = await Promise.all([server, beside, server, beside].map(({ runtime }) => firstAdminWords(runtime, true)));
  expect(said.filter((words) => words?.includes('/admin/first#'))).toHaveLength(1);
  expect(said.filter((words) => words?.includes('is still good'))).toHaveLength(3);
  expect(await linkOf()).toBe('');
  server.advance(30 * 60_000);
  expect(await linkOf()).toHaveLength(43);
});

test('the database has no link, only its hash', async () => {
  const token = await linkOf();
  const rows = await server.sql`select to_jsonb(l)::text as text from admin_links l`;
  expect(rows).toHaveLength(1);
  expect(String(rows[0]?.['text'])).not.toContain(token);
});

test('opened by many at one moment, in two processes, one becomes it', async () => {
  const asked = { origin: '', first: true, now: beside.runtime.now() };
  const tokens = [await linkOf(), (await makeAdminLink(beside.sql, asked)).split('#')[1]];
  const people = await Promise.all(Array.from({ length: 8 }, () => server.person()));
  const replies = await Promise.all(
    people.map(({ cookie }, nth) => open(tokens[nth % 2] ?? '', cookie, nth % 2 === 0 ? server : beside)),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(new Set(replies.filter(({ status }) => status !== 200).map(({ json }) => json.reason))).toEqual(
    new Set(['ADMIN_LINK_USED', 'ADMIN_EXISTS']),
  );
  const [{ count }] = await server.sql<[{ count: number }]>`select count(*)::int from users where role = 'admin'`;
  expect(count).toBe(1);
});

test('old, used, cut short, or after somebody else became it: refused in words, and nobody becomes anything', async () => {
  const { userId, cookie } = await server.person();
  const words = async (token: string) => {
    const { status, json } = await open(token, cookie);
    expect(json.message.length).toBeGreaterThan(30);
    return [status, json.reason];
  };
  const token = await linkOf();
  expect(await words(token.slice(0, 40))).toEqual([409, 'ADMIN_LINK_UNKNOWN']);
  expect((await server.request('POST', '/api/auth/admin-link', { body: { token } })).status).toBe(401);
  server.advance(30 * 60_000);
  expect(await words(token)).toEqual([409, 'ADMIN_LINK_EXPIRED']);
  const fresh = await linkOf();
  const admin = await server.person({ role: 'admin' });
  expect(await words(fresh)).toEqual([409, 'ADMIN_EXISTS']);
  expect(await roleOf(userId)).toBe('member');
  expect(await roleOf(admin.userId)).toBe('admin');
});

test('who is named by ADMIN_TELEGRAM_IDS is an administrator from the sign-in on, and nobody else is', async () => {
  const named = { ...server.runtime, config: { ...server.runtime.config, adminTelegramIds: ['1001', '1002'] } };
  await server.signIn('1001');
  expect(await firstAdminWords(named, true)).toBeNull();
  const [first] = await server.sql<
    { role: string; id: string }[]
  >`select role, id from users where telegram_user_id = 1001`;
  expect(first?.role).toBe('admin');
  const [entry] = await server.sql`select via, reason from audit_entries where subject_id = ${first?.id ?? ''}`;
  expect(entry).toEqual({ via: 'config', reason: 'Named by ADMIN_TELEGRAM_IDS' });
  Object.assign(server.runtime.config, { adminTelegramIds: ['1002'] });
  await server.signIn('1002');
  await server.signIn('1003');
  Object.assign(server.runtime.config, { adminTelegramIds: [] });
  const roles = await server.sql`
    select telegram_user_id::int as id, role from users where telegram_user_id in (1002, 1003) order by 1`;
  expect([...roles]).toEqual([
    { id: 1002, role: 'admin' },
    { id: 1003, role: 'member' },
  ]);
});

test('before they signed in, a start says who is waited for and makes no link', async () => {
  const named = { ...server.runtime, config: { ...server.runtime.config, adminTelegramIds: ['99'] } };
  expect(await firstAdminWords(named, true)).toContain('99 (ADMIN_TELEGRAM_IDS)');
  expect(await server.sql`select from admin_links`).toHaveLength(0);
});

test('former names are kept at sign-in, and somebody is found by them', async () => {
  const cookie = await server.signIn('1004');
  const [{ id }] = await server.sql<[{ id: string }]>`select id from users where telegram_user_id = 1004`;
  await server.sql`update users set telegram_username = 'old_handle', display_name = 'Old Name' where id = ${id}`;
  await server.signIn('1004', cookie);
  const admin = await server.person({ role: 'admin' });
  const get = async (path: string) => (await server.request('GET', path, { cookie: admin.cookie })).json;
  const person = await get(`/api/admin/people/${id}`);
  expect(person.formerNames.map(({ kind, name }: { kind: string; name: string }) => [kind, name]).sort()).toEqual([
    ['display', 'Old Name'],
    ['telegram', 'old_handle'],
  ]);
  expect((await get('/api/admin/people?search=old_handle')).items).toMatchObject([{ id }]);
});
