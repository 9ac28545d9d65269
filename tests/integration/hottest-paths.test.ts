/** What the most used requests ask of a community's rows finds them by their community, so on one database of many. */
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectTo } from '../../server/storage/connect.ts';
import { TABLES } from '../../server/storage/tables.ts';
import { isRead, noting, type Sent } from '../support/buffers.ts';
import { createTestDatabase } from '../support/database.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { community, memberOf } from '../support/world.ts';

const OF_COMMUNITY = Object.entries(TABLES).flatMap(([name, { spread }]) => (spread === 'community' ? [name] : []));
/** Tables of which a board is named, which is a community's or a season's. */
const BY_BOARD = ['score_counts', 'bucket_counts'];
/** What finds claims by no community, and why. */
const EXCEPTIONS = [
  // A member's days make one run over all communities.
  /select distinct (?:c\.)?local_day/,
  // Those of a task in an index by task: by community, the plan reads all that wait there (22,000 pages of 20,000 people).
  /c\.task_id = "t"\."id" and c\.state in/,
  // The same of a task's counts.
  /done\.waiting/,
];

const sent: Sent[] = [];
let server: TestServer;
/** It notes nothing of what it is asked. */
let sql: Sql;
beforeAll(async () => {
  const database = await createTestDatabase();
  sql = database.sql;
  const watched = connectTo(database.url, { max: 4, debug: noting(sent) });
  const drop = async () => {
    await watched.end();
    await database.drop();
  };
  server = await testServer({ database: { ...database, sql: watched, drop }, sandbox: false });
});
afterAll(() => server?.close());

type Plan = { 'Node Type': string; 'Relation Name'?: string; Alias?: string; Plans?: Plan[] };
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** The tables of communities that a statement looks into by no community, each with the statement. */
async function unplaced({ query, parameters, types }: Sent): Promise<string[]> {
  const given = parameters.map((value, at) => (types[at] ? sql.typed(value as never, types[at]) : value));
  const [row] = await sql.unsafe(`explain (verbose, format json) ${query}`, given as never[]);
  const nodes = nodesOf(row?.['QUERY PLAN'][0].Plan);
  const conditions = nodes.flatMap((node) =>
    Object.entries(node).flatMap(([key, text]) => (/Cond|Filter/.test(key) ? [String(text)] : [])),
  );
  return nodes.flatMap(({ 'Node Type': type, 'Relation Name': name = '', Alias: alias }) => {
    if (type === 'ModifyTable' || !OF_COMMUNITY.includes(name)) return [];
    const column = new RegExp(`\\b${alias}\\.${BY_BOARD.includes(name) ? 'board' : 'community_id'}\\b`);
    return conditions.some((text) => column.test(text)) ? [] : [`${name}: ${query.replace(/\s+/g, ' ').trim()}`];
  });
}

test('every statement of the ten most used requests says of which community the rows are', async () => {
  const founder = await server.person();
  const place = await community(server, founder.userId);
  const [leader, member] = [await memberOf(server, place.id, 'leader'), await memberOf(server, place.id, 'member')];
  const at = `/api/communities/${place.id}`;
  const found: string[] = [];
  const ask = async (method: 'GET' | 'POST', path: string, cookie: string, body?: object) => {
    sent.length = 0;
    const ask = body === undefined ? { cookie } : { cookie, body };
    const { status, text } = await (method === 'GET' ? server.request : server.command)(method, path, ask);
    expect(status, text).toBeLessThan(300);
    for (const statement of sent.splice(0).filter(isRead))
      for (const one of await unplaced(statement))
        if (!one.startsWith('claims: ') || !EXCEPTIONS.some((known) => known.test(one))) found.push(one);
  };
  for (const path of ['dashboard', 'leaderboard', 'activity']) await ask('GET', `${at}/${path}`, member.cookie);
  for (const path of ['tasks', 'review', 'members', 'morning']) await ask('GET', `${at}/${path}`, leader.cookie);
  await ask('POST', `${at}/tasks/${place.taskId}/claims`, member.cookie, {});
  await ask('POST', `${at}/claims/${place.claimId}/decision`, leader.cookie, { decision: 'approve', version: 1 });
  await ask('GET', '/api/user/profile', member.cookie);
  expect(found).toEqual([]);
});

test('a join across communities is found', async () => {
  const query =
    'select t.title from claims c join tasks t on t.id = c.task_id where c.community_id = gen_random_uuid()';
  expect(await unplaced({ query, parameters: [], types: [] })).toEqual([`tasks: ${query}`]);
});
