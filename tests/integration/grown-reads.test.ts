/** What a person waits for reads what it shows, not what there is: statements are measured by the pages that they read. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadOf } from '../../server/cli/sizing.ts';
import type { Access } from '../../server/contract/route.ts';
import type { Key } from '../../server/contract/routes.ts';
import type { StoredName } from '../../server/contract/stored.ts';
import { sessionCookie } from '../../server/http/cookies.ts';
import { createSession } from '../../server/http/session.ts';
import type { Job } from '../../server/jobs.ts';
import { jobs } from '../../server/runtime.ts';
import { TABLES } from '../../server/storage/tables.ts';
import { buffersOf, isRead, type Sent } from '../support/buffers.ts';
import { type GrownDatabase, grownDatabase } from '../support/grown-world.ts';
import { ALL_ROUTES, fill, idsOfNothing, queryOf, type RouteUnderTest } from '../support/samples.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { furnish } from '../support/world.ts';

const PEOPLE = 10_000;
const DAYS = 30;
/** Pages that one statement of a request may read. */
const MOST = 2_000;
/** Routes of which a statement reads more, with the most that it may and why. A row that its route no longer needs is red. */
const EXCEPTIONS: Partial<Record<Key, { most: number; why: string }>> = {
  'GET /api/communities/:communityId/campaigns/reach': {
    most: 110_000,
    why: 'everybody whom it reaches is counted anew',
  },
  'GET /api/admin/campaigns/reach': { most: 110_000, why: 'everybody whom it reaches is counted anew' },
  'GET /api/communities/:communityId/tasks': { most: 25_000, why: 'claims of each task are counted for its leader' },
  'GET /api/communities/:communityId/claims/:claimId/similar': {
    most: 8_000,
    why: 'all answers of the task are compared',
  },
};
/** What most requests ask for: each statement about rows of communities says of which, so it finds them on one database. */
const HOTTEST = [
  'dashboard',
  'leaderboard',
  'claims',
  'activity',
  'league',
  'tasks',
  'review',
  'morning',
  'analytics',
  'members',
].map((path) => `GET /api/communities/:communityId/${path}`);
const SPREAD = Object.entries(TABLES).flatMap(([name, { spread }]) => (spread === 'community' ? [name] : []));
const OF_COMMUNITY = new RegExp(`\\b(?:from|join|into|update) (?:${SPREAD.join('|')})\\b`);
/** They are read to their end, in pages of 2,000 rows. */
const FILES = /\/exports?\b|\/archive$/;
/** Routes that refuse here, with what they lack. */
const REFUSED: Partial<Record<Key, string>> = {
  'GET /api/auth/telegram/start': 'a bot',
  'GET /api/auth/telegram/callback': 'a sign-in under way',
  'GET /api/auth/x/start': 'an application at X',
  'GET /api/communities/:communityId/rewards/:rewardId/draw': 'a reward that is drawn by lot',
  'GET /api/communities/:communityId/tasks/:taskId/event-key': 'an event with a key',
  'GET /api/communities/:communityId/tasks/:taskId/seen': 'a connected chat of the task',
  'GET /api/communities/:communityId/images/:imageId': 'a picture of the member',
  'GET /api/communities/:communityId/files/:fileId': 'a file of the member',
};
/** What a route is asked with, where that is not what samples say. */
const ASKED: Partial<Record<Key, { task?: string; query?: string }>> = {
  'GET /api/communities/:communityId/tasks/:taskId/poll': { task: 'poll' },
  'GET /api/admin/client-logs/timeline': { query: '?device=device-500' },
};

let database: GrownDatabase;
let server: TestServer;
beforeAll(async () => {
  database = await grownDatabase(PEOPLE, DAYS);
  server = await testServer({ database, sandbox: false });
}, 300_000);
afterAll(async () => {
  await server?.close();
});

async function cookieOf(userId: string): Promise<string> {
  const { sql } = server;
  const made = await createSession(sql, { userId, kind: 'web', userAgent: null, now: new Date() });
  return `${sessionCookie(server.runtime.config, 'web')}=${made.token}`;
}

/** Something of the large community for each id that a path may name. The member is the author of the claim. */
async function grownIds(): Promise<Record<string, string>> {
  const { sql } = server;
  const [found] = await sql<[{ id: string; taskId: string; claimId: string }]>`
    select c.id, t.id as "taskId", w.id as "claimId" from communities c
    join tasks t on t.community_id = c.id and t.title = 'Task 3'
    join claims w on w.task_id = t.id and w.state = 'submitted'
    where c.slug = 'grown-0' order by w.submitted_at limit 1`;
  const furnished = await furnish(server, { ...found, slug: 'world-0' });
  const [own] = await sql<[Record<string, string>]>`
    select w.user_id as "userId", e.id as "entryId", g.issue_id as "issueId", s.id as "seasonId", r.id as "rewardId", n.id as "notificationId",
      i.code
    from claims w
    join client_log_entries e on e.user_id = w.user_id join client_log_groups g on g.id = e.group_id
    join seasons s on s.community_id = w.community_id and s.frozen_at is not null join rewards r on r.season_id = s.id
    join notifications n on n.community_id = w.community_id join invites i on i.community_id = w.community_id
    where w.id = ${found.claimId} limit 1`;
  await sql`update invites set code = 'abcd2345' where code = ${own['code'] ?? ''}`;
  const { id: communityId, ...rest } = found;
  return { ...idsOfNothing(), ...furnished, ...rest, ...own, communityId };
}

async function taskOf(kind: string, { communityId = '' }: Record<string, string>): Promise<string | undefined> {
  const [task] = await server.sql<{ id: string }[]>`
    select id from tasks where community_id = ${communityId} and kind = ${kind} limit 1`;
  return task?.id;
}

/** Of a claim with its steps and points, and of a month's activity of a member who acts on twenty days, as a share of their points. */
async function bytesKept(sql: TestServer['sql']): Promise<{ claim: number; activity: number }> {
  const [kept] = await sql<[{ claim: number; activity: number }]>`
    with one as (
      select jsonb_object_agg(relname, pg_total_relation_size(oid) / reltuples) as row from pg_class
      where relname in ('claims', 'claim_events', 'point_events', 'active_months')
    ), per as (
      select (select count(*) from claim_events)::float / (select count(*) from claims) as claim,
        count(distinct (community_id, user_id))::float / count(distinct user_id) as member from active_months
    )
    select (row->'claims')::float + (row->'point_events')::float + (row->'claim_events')::float * per.claim as claim,
      (row->'active_months')::float * per.member / ((row->'point_events')::float * 20) as activity
    from one, per`;
  return kept;
}

type Role = 'member' | 'leader' | 'operator';
function rolesOf(access: Access): readonly Role[] {
  if (access === 'ops' || access === 'admin') return ['operator'];
  return access === 'moderator' || access === 'leader' ? ['leader'] : ['member', 'leader'];
}

test('no statement of any read takes more than 2,000 pages of a community of 10,000', {
  timeout: 300_000,
}, async () => {
  const ids = await grownIds();
  // The first of all leads the large community, the tenth leads nothing.
  const [people] = await server.sql<[{ leader: string; operator: string }]>`
    with operator as (update users set role = 'admin' where telegram_user_id = 10000010 returning id)
    select users.id as leader, operator.id as operator from users, operator where telegram_user_id = 10000001`;
  const cookies = {
    member: await cookieOf(ids['userId'] ?? ''),
    leader: await cookieOf(people.leader),
    operator: await cookieOf(people.operator),
  };
  const measured = new Map<string, number>();
  const measure = async (statement: Sent) => {
    const key = JSON.stringify([statement.query, statement.parameters]);
    const buffers = measured.get(key) ?? (await buffersOf(server.sql, statement));
    measured.set(key, buffers);
    return buffers;
  };
  const over: string[] = [];
  const needless = new Set(Object.keys(EXCEPTIONS));
  const refused: string[] = [];
  const unplaced = new Map<string, Set<string>>();
  const call = async ({ key, path }: RouteUnderTest, role: Role) => {
    const { task, query = queryOf(path) } = ASKED[key] ?? {};
    const taskId = (task === undefined ? undefined : await taskOf(task, ids)) ?? ids['taskId'] ?? '';
    database.takeSent();
    const reply = await server.request('GET', fill(path, { ...ids, taskId }) + query, { cookie: cookies[role] });
    if (reply.status >= 400 && !(key in REFUSED)) refused.push(`${key} as ${role}: ${reply.status} ${reply.text}`);
    const statements = database.takeSent().filter(isRead);
    for (const statement of statements) {
      if (
        HOTTEST.includes(key) &&
        OF_COMMUNITY.test(statement.query) &&
        !/community_id|\bboard\b/.test(statement.query)
      )
        unplaced.set(key, (unplaced.get(key) ?? new Set()).add(statement.query));
      const buffers = await measure(statement);
      if (buffers > MOST / 2) needless.delete(key);
      if (buffers > (EXCEPTIONS[key]?.most ?? MOST))
        over.push(`${key} as ${role}: ${buffers} pages: ${statement.query.replace(/\s+/g, ' ').slice(0, 300)}`);
    }
  };
  for (const route of ALL_ROUTES)
    if (route.method === 'GET' && !FILES.test(route.path))
      for (const role of rolesOf(route.declaration.access)) {
        server.advance(60_000);
        await call(route, role);
      }
  expect({
    refused,
    over,
    needless: [...needless],
    unplaced: Object.fromEntries([...unplaced].map(([key, queries]) => [key, queries.size])),
  }).toEqual({
    refused: [],
    over: [],
    needless: [],
    unplaced: {},
  });
});

test('bytes of a row are what the list of tables says, give or take a third', async () => {
  const tables = await server.sql<{ name: StoredName; rows: number; bytes: number }[]>`
    select coalesce(p.relname, c.relname) as name, sum(c.reltuples)::float as rows, sum(pg_total_relation_size(c.oid))::float as bytes
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1`;
  const wrong = tables.filter(({ name, rows, bytes }) => {
    const said = TABLES[name].rowBytes;
    return rows >= 2_000 && (said === null || Math.abs(Math.log(bytes / rows / said)) > Math.log(4 / 3));
  });
  expect(wrong.map(({ name, rows, bytes }) => `${name}: ${Math.round(bytes / rows)}`)).toEqual([]);
});

test('a claim takes at most 1.2 kB with its history and its points, and activity a tenth of the points', async () => {
  const { claim, activity } = await bytesKept(server.sql);
  expect(claim).toBeLessThanOrEqual(1_200);
  expect(activity).toBeLessThanOrEqual(0.1);
});

test('sizing is asked with what the last four weeks of the instance were like', async () => {
  const load = await loadOf(server.sql);
  expect(load.members).toBeGreaterThanOrEqual(PEOPLE);
  const [counted] = await server.sql<[{ claims: number; logs: number }]>`
    select (select count(*) from claims where submitted_at > now() - interval '28 days') / 28.0 as claims,
      (select count(*) from client_log_entries) / 28.0 as logs`;
  expect(load.claims).toBeCloseTo(Number(counted.claims), 3);
  expect(load.logs).toBeCloseTo(Number(counted.logs), 3);
});

/** Pages that a run of a job may read where nothing has happened since the one before. */
const IDLE = 150;
/** Jobs that read more, with the most that they may and why. */
const MORE: Record<string, { most: number; why: string }> = {
  ledger: { most: 3_000, why: 'of all people and boards a 168th is compared each hour' },
  'counts-compared': { most: 12_000, why: 'of all days and people a 168th is compared each hour' },
  'chat-members': { most: 45_000, why: 'a chat whose members are due: nobody answers for Telegram here' },
  'analytics-push': { most: 9_000, why: 'notifications of eight days are counted anew: they are opened for days' },
};

test('a job that finds nothing new reads a few pages, whatever there is', { timeout: 120_000 }, async () => {
  const never = new AbortController().signal;
  const pagesOf = async (job: Job): Promise<number> => {
    database.takeSent();
    await job.run(server.runtime, never);
    let pages = 0;
    for (const statement of database.takeSent().filter(isRead)) pages += await buffersOf(server.sql, statement);
    return pages;
  };
  // What the first run finds the next jobs act on.
  for (let run = 0; run < 2; run += 1) for (const job of jobs) await job.run(server.runtime, never);
  const over: string[] = [];
  for (const job of jobs) {
    const pages = await pagesOf(job);
    if (pages > (MORE[job.name]?.most ?? IDLE)) over.push(`${job.name}: ${pages}`);
  }
  expect(over).toEqual([]);
});
