import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ApiScope } from '../../server/contract/route.ts';
import { connectTo } from '../../server/storage/connect.ts';
import { type Applied, type Migration, migrate, stepsOf } from '../../server/storage/migrate.ts';
import { stage } from '../support/engagement.ts';
import { ofFile } from '../support/of-file.ts';
import { ALL_ROUTES, fill, idsOfNothing, queryOf } from '../support/samples.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { until } from '../support/storage-processes.ts';
import { apiKey, community, furnish, memberOf } from '../support/world.ts';

/** All that a release may add: a column of each kind on every table, an index, a table. */
const ADDITIVE: Migration = {
  version: 9_000,
  name: 'later',
  text: `
    do $$
    declare
      one text;
    begin
      for one in
        select c.oid::regclass from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and c.relname <> 'schema_migrations'
      loop
        execute format('alter table %s add column later_text text, add column later_number integer not null default 1', one);
      end loop;
    end $$;
    create index users_later on users (later_number);
    create table later_things (id uuid primary key default gen_random_uuid(), user_id uuid references users);`,
};

const old = await ofFile(testServer());
const { sql } = old;
const founder = await old.person();
const place = await community(old, founder.userId);
const params: Record<string, string> = { ...idsOfNothing(), ...(await furnish(old, place)), communityId: place.id };
const leader = await memberOf(old, place.id, 'leader');
const admin = await old.person({ role: 'admin' });
const key = await apiKey(sql, place.id, leader.userId, ApiScope.options);
const proofs: Record<string, string> = { nobody: '', leader: leader.cookie, admin: admin.cookie, key };
const data = { message: 'it broke', stack: null, source: 'x', timestamp: new Date().toISOString(), url: '/' };
await old.request('POST', '/api/debug/client-logs', { body: { type: 'error', data } });
await until('the log is processed', async () => (await sql`select 1 from client_log_entries`).length > 0);
const [log] = await sql<Record<string, string>[]>`
  select e.id as "entryId", g.issue_id as "issueId" from client_log_entries e join client_log_groups g on g.id = e.group_id`;
const on = stage(sql);
const here = { ...place, leader: leader.userId, moderator: leader.userId };
const choices = ['a', 'b'].map((id) => ({ id, text: id }));
const now = new Date();
/** Tasks of a kind and queries without which a path says nothing, by the path's end. */
const tasks: Record<string, string> = {
  seen: await on.task(here, { setup: { kind: 'telegram_chat', needed: 1, minLength: 1 } }),
  poll: await on.task(here, { setup: { kind: 'poll', multiple: false, choices } }),
  'event-key': await on.task(here, {
    setup: { kind: 'telegram_event', place: 'Here', startsAt: now.toISOString(), endsAt: now.toISOString() },
  }),
};
await sql`update communities set embedding = true where id = ${place.id}`;
await sql`insert into invites (code, community_id, user_id) values ('abcd2345', ${place.id}, ${leader.userId})`;
const [told] = await sql<[{ id: string }]>`
  insert into notifications (topic, community_id, user_id, path, title, body, created_at, send_at, state)
  values ('review', ${place.id}, ${leader.userId}, '/', 'T', 'B', ${now}, ${now}, 'done') returning id`;
const timeline = `?user=${leader.userId}`;
const queries: Record<string, string> = {
  'client-logs/timeline': timeline,
  'client-logs/export': '?format=csv',
  'audit/export': '?format=csv',
};
Object.assign(params, log, { notificationId: told.id });
const url = old.runtime.config.databaseUrl ?? '';
const own = connectTo(url, { max: 4 });
const fresh = await ofFile(testServer({ database: { sql: own, url, drop: () => own.end() } }));

/** What needs more than a world at rest: a sign-in under way, and a reward that was drawn. */
const NOTHING_TO_READ = ['GET /api/auth/telegram/callback', 'GET /api/communities/:communityId/rewards/:rewardId/draw'];
const reads = ALL_ROUTES.filter(({ method }) => method === 'GET');

function pathOf(path: string): string {
  const of = (known: Record<string, string>) => Object.entries(known).find(([end]) => path.endsWith(end))?.[1];
  const taskId = of(tasks) ?? place.taskId;
  return fill(path, { ...params, taskId }) + (of(queries) ?? queryOf(path));
}

/** The status of every read, for everybody who may ask. */
async function statuses(server: TestServer): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { key, path } of reads)
    for (const [who, proof] of Object.entries(proofs)) {
      const isKey = proof.startsWith('mk_');
      const reply = await server.request('GET', pathOf(path), {
        ...(isKey || proof === '' ? {} : { cookie: proof }),
        headers: isKey ? { authorization: `Bearer ${proof}`, 'sec-fetch-site': null } : {},
      });
      found[`${key} ${who}`] = reply.status;
    }
  return found;
}

test('an old process that runs and a new one serve every read on one database that the new one has migrated', async () => {
  const before = await statuses(old);
  // Whoever may read finds something: a test in which all is refused would prove nothing.
  const served = reads.filter(({ key }) => Object.keys(proofs).some((who) => (before[`${key} ${who}`] ?? 500) < 400));
  expect(reads.filter((route) => !served.includes(route)).map(({ key }) => key)).toEqual(NOTHING_TO_READ);
  expect(Object.entries(before).filter(([, status]) => status >= 500)).toEqual([]);

  const applied = await fresh.sql<Applied[]>`select version, name, checksum from schema_migrations order by version`;
  expect(await migrate(fresh.sql, [...stepsOf(applied), ADDITIVE])).toBe(1);

  expect(await statuses(old)).toEqual(before);
  expect(await statuses(fresh)).toEqual(before);
}, 120_000);

test('the old process goes on to write beside the new one', async () => {
  const { cookie } = await memberOf(old, place.id, 'member');
  for (const server of [old, fresh]) {
    const task = await stage(server.sql).task({
      id: place.id,
      slug: '',
      leader: params['userId'] ?? '',
      moderator: '',
    });
    const path = `/api/communities/${place.id}/tasks/${task}/claims`;
    const headers = { 'idempotency-key': randomUUID() };
    const claim = await server.request('POST', path, { cookie, body: {}, headers });
    expect([claim.status, claim.text]).toEqual([201, expect.stringContaining('approved')]);
    const data = { message: task, stack: null, source: 'x', timestamp: new Date().toISOString(), url: '/' };
    const log = await server.request('POST', '/api/debug/client-logs', { body: { type: 'error', data } });
    expect(log.status).toBeLessThan(300);
    await until(
      'the log is processed',
      async () => (await old.sql`select 1 from client_log_entries where message = ${task}`).length > 0,
    );
  }
  expect((await old.request('GET', `/api/communities/${place.id}/leaderboard`, { cookie })).json.me.points).toBe(10);
});

test('an old process does not start on the newer schema, and says what to do', async () => {
  await expect(migrate(old.sql)).rejects.toMatchObject({
    code: 'schema-newer',
    message: expect.stringContaining('9000_later'),
  });
});
