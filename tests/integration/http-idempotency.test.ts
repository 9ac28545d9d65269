import { randomUUID } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { beforeEach, expect, test } from 'vitest';
import { IDEMPOTENCY_RETENTION_DAYS } from '../../server/contract/limits.ts';
import { once } from '../../server/http/idempotency.ts';
import { jobs } from '../../server/runtime.ts';
import { ofFile } from '../support/of-file.ts';
import { ALL_ROUTES, sampleBody } from '../support/samples.ts';
import { testServer } from '../support/server.ts';
import { changes, community, memberOf, type TestCommunity } from '../support/world.ts';

let place: TestCommunity;
let leader: { userId: string; cookie: string };
const server = await ofFile(testServer());

beforeEach(async () => {
  server.advance(60_000);
  place = await community(server, (await server.person()).userId);
  leader = await memberOf(server, place.id, 'leader', { role: 'admin' });
});

const TASK = { setup: { kind: 'check_in' }, title: 'Once only', instructions: '', points: 5, recurrence: 'daily' };
const addTask = (key: string | null, body: unknown = TASK, cookie = leader.cookie) =>
  server.request('POST', `/api/communities/${place.id}/tasks`, {
    cookie,
    body,
    headers: key === null ? {} : { 'idempotency-key': key },
  });
const tasks = async () => {
  const [row] =
    await server.sql`select count(*)::int as n from tasks where community_id = ${place.id} and title = 'Once only'`;
  return row?.['n'];
};

test('ten identical commands at once have one effect and one answer', async () => {
  const key = randomUUID();
  const replies = await Promise.all(Array.from({ length: 10 }, () => addTask(key)));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(replies.map(({ json }) => json.id)).size).toBe(1);
  expect(replies.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(9);
  expect(await tasks()).toBe(1);
});

test('a repeat, with its fields in another order, gets the stored answer', async () => {
  const key = randomUUID();
  const first = await addTask(key);
  const before = await changes(server.sql);
  const again = await addTask(key, Object.fromEntries(Object.entries(TASK).reverse()));
  expect([again.status, again.json]).toEqual([first.status, first.json]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  expect(await changes(server.sql)).toEqual(before);
});

test('the same key with another body, or on another route, is refused', async () => {
  const key = randomUUID();
  await addTask(key);
  const before = await changes(server.sql);
  expect((await addTask(key, { ...TASK, points: 6 })).json).toMatchObject({
    status: 422,
    reason: 'IDEMPOTENCY_KEY_REUSED',
  });
  const elsewhere = await server.request('POST', '/api/communities', {
    cookie: leader.cookie,
    body: sampleBody('POST /api/communities'),
    headers: { 'idempotency-key': key },
  });
  expect(elsewhere.json.reason).toBe('IDEMPOTENCY_KEY_REUSED');
  expect(await changes(server.sql)).toEqual(before);
});

test('two people may use the same key', async () => {
  const other = await memberOf(server, place.id, 'leader');
  const key = randomUUID();
  const [mine, theirs] = [await addTask(key), await addTask(key, TASK, other.cookie)];
  expect(mine.json.id).not.toBe(theirs.json.id);
  expect(await tasks()).toBe(2);
});

test('a refused command is not remembered and may be sent again', async () => {
  const key = randomUUID();
  const stranger = await server.person();
  expect((await addTask(key, TASK, stranger.cookie)).status).toBe(403);
  expect((await addTask(key, { ...TASK, title: '' })).status).toBe(400);
  expect(await tasks()).toBe(0);
  expect((await addTask(key)).status).toBe(201);
});

test('a command whose answer cannot be stored has no effect', async () => {
  const { userId } = leader;
  const command = { userId, key: randomUUID(), route: 'POST /tried', hash: Buffer.from('it') };
  const run = async (tx: TransactionSql) => {
    await tx`update users set display_name = 'Changed' where id = ${userId}`;
    return { status: 200, json: null };
  };
  // PostgreSQL takes no zero in JSON.
  const keep = () => '\u0000';
  await expect(once(server.sql, command, server.runtime.now(), { run, toStore: keep })).rejects.toMatchObject({
    code: '22P05',
  });
  const rows = await server.sql`
    select display_name as name from users where id = ${userId} and display_name = 'Changed'
    union all select key from idempotency_keys where key = ${command.key}`;
  expect(rows).toHaveLength(0);
});

test('a command whose key is kept meanwhile by a server that takes no turn is undone, and its repeat gets that answer', async () => {
  const { userId } = leader;
  const command = { userId, key: randomUUID(), route: 'POST /tried', hash: Buffer.from('it') };
  const keep = (json: unknown) => json;
  const run = async (tx: TransactionSql) => {
    await tx`update users set display_name = 'Changed' where id = ${userId}`;
    await server.sql`
      insert into idempotency_keys (user_id, key, route, request_hash, status, answer)
      values (${userId}, ${command.key}, ${command.route}, ${command.hash}, 201, '"theirs"')`;
    return { status: 201, json: 'ours' };
  };
  const ours = once(server.sql, command, server.runtime.now(), { run, toStore: keep });
  await expect(ours).rejects.toMatchObject({ status: 503, reason: 'TRY_AGAIN' });
  expect(await server.sql`select from users where display_name = 'Changed'`).toHaveLength(0);
  expect(await once(server.sql, command, server.runtime.now(), { run, toStore: keep })).toEqual({
    status: 201,
    json: 'theirs',
    replayed: true,
  });
});

test('leaving twice, because the first answer was lost, still succeeds', async () => {
  const member = await memberOf(server, place.id, 'member');
  const key = randomUUID();
  const leave = (sent: string) =>
    server.request('POST', `/api/communities/${place.id}/leave`, {
      cookie: member.cookie,
      headers: { 'idempotency-key': sent },
    });
  const first = await leave(key);
  expect(first.status).toBe(200);
  const again = await leave(key);
  expect([again.status, again.json, again.headers.get('idempotency-replayed')]).toEqual([200, first.json, 'true']);
  expect((await leave(randomUUID())).json.reason).toBe('NOT_A_MEMBER');
});

test('every idempotent route demands a key that is 1 to 128 visible characters', async () => {
  const before = await changes(server.sql);
  for (const { key, method, path } of ALL_ROUTES.filter(({ declaration }) => declaration.idempotent)) {
    const body = sampleBody(key);
    const ask = (headers: Record<string, string>) =>
      server.request(
        method,
        path
          .replace(':communityId', place.id)
          .replace(':taskId', place.taskId)
          .replace(':claimId', place.claimId)
          .replace(/:\w+/g, () => randomUUID()),
        { cookie: leader.cookie, ...(body === undefined ? {} : { body }), headers },
      );
    expect([key, (await ask({})).json.reason]).toEqual([key, 'IDEMPOTENCY_KEY_REQUIRED']);
    for (const bad of ['a b', 'x'.repeat(129), 'caf\u00e9']) {
      expect([key, (await ask({ 'idempotency-key': bad })).json.reason]).toEqual([key, 'IDEMPOTENCY_KEY_INVALID']);
    }
  }
  expect(await changes(server.sql)).toEqual(before);
});

test('a job forgets answers after their days', async () => {
  const sweep = () => jobs.find(({ name }) => name === 'sweep')?.run(server.runtime, AbortSignal.timeout(60_000));
  const key = randomUUID();
  await addTask(key);
  const held = async () => (await server.sql`select from idempotency_keys where key = ${key}`).length;
  server.advance((IDEMPOTENCY_RETENTION_DAYS - 1) * 86_400_000);
  await sweep();
  expect(await held()).toBe(1);
  server.advance(2 * 86_400_000);
  await sweep();
  expect(await held()).toBe(0);
});
