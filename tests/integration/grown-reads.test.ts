/** What a person waits for reads what it shows, not what there is: statements are measured by the pages that they read. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadOf } from '../../server/cli/sizing.ts';
import type { Key } from '../../server/contract/routes.ts';
import type { StoredName } from '../../server/contract/stored.ts';
import type { Job } from '../../server/jobs.ts';
import { jobs } from '../../server/runtime.ts';
import { TABLES } from '../../server/storage/tables.ts';
import { buffersOf, isRead, workOf } from '../support/buffers.ts';
import { type GrownWorld, grownWorld, type PlayedRead, playReads } from '../support/grown-reads.ts';
import type { TestServer } from '../support/server.ts';

const PEOPLE = 10_000;
const DAYS = 30;
/** Pages that one statement of a request may read. */
const MOST = 2_000;
/** Rows that a statement may go through however few members there are: some for each of a page. */
const FEW = 1_500;
/** And that many times as many as among a tenth of the members. */
const MOST_GROWTH = 1.5;
/** Reads that grow, and with what. */
const GROWING: Partial<Record<Key, string>> = {
  'GET /api/admin/overview': 'accounts and those that are verified',
  'GET /api/admin/analytics/funnel': 'who came in these days',
  'GET /api/admin/analytics/retention': 'who came in these weeks',
  'GET /api/admin/analytics/installs': 'devices that told of themselves in these days',
  'GET /api/admin/client-logs/fleet': 'the same',
  'GET /api/admin/analytics/offline': 'tasks and days, of all communities',
  'GET /api/admin/analytics/tasks': 'the same',
  'GET /api/communities/:communityId/analytics': 'who joined in these days',
  'GET /api/communities/:communityId/announcements/sent': 'whom each went to',
  'GET /api/communities/:communityId/chats': 'members of the community, whom its chats may lack',
};
/** The same of one way of asking: answers that wait are looked through for a name. */
const GROWING_ASKED = ['GET /api/communities/:communityId/review?search=stone as leader'];
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
let world: GrownWorld;
let server: TestServer;
let played: PlayedRead[];
beforeAll(async () => {
  world = await grownWorld(PEOPLE, DAYS);
  ({ server } = world);
  played = await playReads(world);
}, 300_000);
afterAll(() => server?.close());

const told = ({ name }: PlayedRead, work: string, query: string) => `${name}: ${work}: ${query.slice(0, 300)}`;

test('every read of the contract is answered in a community of 10,000', () => {
  const refused = played.filter((one) => one.refused !== null && !(one.key in REFUSED));
  expect(refused.map(({ name, refused }) => `${name}: ${refused}`)).toEqual([]);
});

test('no statement of any read takes more than 2,000 pages of a community of 10,000', () => {
  const over = played.flatMap((one) =>
    one.statements
      .filter(({ buffers }) => buffers > (GROWING_ASKED.includes(one.name) ? 1.25 * MOST : MOST))
      .map(({ buffers, query }) => told(one, `${buffers} pages`, query)),
  );
  expect(over).toEqual([]);
});

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

test('each statement of the hottest reads says of which community', () => {
  const unplaced = new Map<string, Set<string>>();
  for (const { key, statements } of played)
    for (const { query } of statements)
      if (HOTTEST.includes(key) && OF_COMMUNITY.test(query) && !/community_id|\bboard\b/.test(query))
        unplaced.set(key, (unplaced.get(key) ?? new Set()).add(query));
  expect(Object.fromEntries([...unplaced].map(([key, queries]) => [key, queries.size]))).toEqual({});
});

/** The most rows that each statement of some requests goes through, by request and statement, where no table is read whole that has an index. */
async function rowsOf({ server }: GrownWorld, reads: readonly PlayedRead[]): Promise<Map<string, number>> {
  const rows = new Map<string, number>();
  for (const { name, statements } of reads)
    for (const { query, sent, rows: usual } of statements.filter((one) => one.rows > FEW)) {
      const key = `${name}: ${query.slice(0, 300)}`;
      const work = usual > FEW ? await workOf(server.sql, sent, { inSmallTables: false }) : { rows: usual };
      rows.set(key, Math.max(rows.get(key) ?? 0, work.rows));
    }
  return rows;
}

test('no statement goes through more rows because there are ten times as many members', {
  timeout: 300_000,
}, async () => {
  const busy = played.filter(
    ({ key, name, statements }) =>
      !(key in GROWING) && !GROWING_ASKED.includes(name) && statements.some(({ rows }) => rows > FEW),
  );
  const small = await grownWorld(PEOPLE / 10, DAYS);
  const before = await rowsOf(small, await playReads(small, new Set(busy.map(({ name }) => name))));
  await small.server.close();
  const grown = [...(await rowsOf(world, busy))].flatMap(([statement, rows]) => {
    const most = FEW + MOST_GROWTH * (before.get(statement) ?? 0);
    return rows > most ? [`${rows} rows instead of ${most}: ${statement}`] : [];
  });
  expect(grown).toEqual([]);
});

test('the reach of a large audience is in proportion to those who were asked, and of a small one exact', async () => {
  const reach = async (query = '') =>
    (
      await server.request('GET', `/api/communities/${world.ids['communityId']}/campaigns/reach${query}`, {
        cookie: world.cookies.leader,
      })
    ).json;
  const [real] = await server.sql<[{ push: number; leaders: number }]>`
    select count(*) filter (where exists (select from push_subscriptions p where p.user_id = m.user_id))::int as push,
      count(*) filter (where role = 'leader')::int as leaders
    from community_members m where community_id = ${world.ids['communityId'] ?? ''}`;
  const all = await reach();
  expect(all.workedOutFrom).toBe(1_000);
  expect(Math.abs(all.everybody - PEOPLE)).toBeLessThanOrEqual(20);
  // Four times as far off as chance has it in two of three cases.
  const far = 4 * Math.sqrt((real.push / PEOPLE) * (1 - real.push / PEOPLE) * 1_000) * (PEOPLE / 1_000);
  expect(Math.abs(all.push - real.push)).toBeLessThan(far);
  expect(await reach('?roles=leader')).toMatchObject({ everybody: real.leaders - 1, workedOutFrom: null });
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
  // Chance moves it by some bytes.
  expect(claim).toBeLessThanOrEqual(1_220);
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
    world.database.takeSent();
    await job.run(server.runtime, never);
    let pages = 0;
    for (const statement of world.database.takeSent().filter(isRead)) pages += await buffersOf(server.sql, statement);
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
