import { beforeEach, expect, test } from 'vitest';
import { LIVE_PER_PERSON } from '../../server/contract/open-limits.ts';
import { hubOf } from '../../server/features/live/hub.ts';
import { broadcastChanges, sweepChanges } from '../../server/features/live/tell.ts';
import { createTestDatabase } from '../support/database.ts';
import { ofFile } from '../support/of-file.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { community, memberOf, type TestCommunity } from '../support/world.ts';

const CHECK_MS = 200;

const database = await ofFile(createTestDatabase());
const server = await ofFile(testServer({ sandbox: false, streamCheckMs: CHECK_MS, database }));
const { connectTo } = await import('../../server/storage/connect.ts');
const sql = connectTo(database.url, { max: 4 });
const own = { sql, url: database.url, drop: () => sql.end({ timeout: 1 }) };
/** Another process on the same database. */
const beside = await ofFile(testServer({ sandbox: false, streamCheckMs: CHECK_MS, database: own }));

let place: TestCommunity;
let leader: { userId: string; cookie: string };
let member: { userId: string; cookie: string };
beforeEach(async () => {
  place = await community(server, (await server.person()).userId);
  leader = await memberOf(server, place.id, 'leader');
  member = await memberOf(server, place.id, 'member');
  await tell();
});

const tell = () => broadcastChanges(server.runtime);
type Heard = { name: string; id: string; topics: string[] };

/** Somebody who follows; `heard` is what they were told so far. */
async function follow(
  at: TestServer,
  cookie: string,
  path = `/api/communities/${place.id}/live`,
  headers: Record<string, string> = {},
) {
  const hangUp = new AbortController();
  const response = await fetch(at.url.replace('localhost', '127.0.0.1') + path, {
    headers: { cookie, ...headers },
    signal: hangUp.signal,
  });
  const heard: Heard[] = [];
  let text = '';
  let retry = 0;
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        retry = Number(/^retry: (\d+)$/.exec(part)?.[1] ?? retry);
        const [, name = '', id = '', data = '{}'] = /^event: (\w+)\nid: (\d+)\ndata: (.*)$/.exec(part) ?? [];
        if (name !== '') heard.push({ name, id, topics: (JSON.parse(data).topics ?? []).sort() });
      }
    }
  })().catch(() => undefined);
  if (response.status === 200) await expect.poll(() => heard.length).toBeGreaterThan(0);
  const topics = () => [...new Set(heard.flatMap((one) => one.topics))].sort();
  return { status: response.status, heard, topics, ended, comesBackAfter: () => retry, hangUp: () => hangUp.abort() };
}

const command = (path: string, body: unknown, cookie = leader.cookie, method = 'POST') =>
  server.command(method, `/api/communities/${place.id}${path}`, { cookie, body });
const award = () => command('/adjustments', { userId: member.userId, points: 5, reason: 'Thanks' });
const announce = () => command('/announcements', { title: 'Saturday', body: 'We meet at ten.' });

test('a change is heard in every process, by whom it concerns, and says where to look, not what is there', async () => {
  const elsewhere = await memberOf(server, (await community(server, leader.userId)).id, 'member');
  const [other] = await server.sql<[{ id: string }]>`
    select community_id as id from community_members where user_id = ${elsewhere.userId}`;
  await tell();
  const there = await follow(beside, leader.cookie);
  const mine = await follow(server, member.cookie);
  const aside = await follow(beside, elsewhere.cookie, `/api/communities/${other.id}/live`);
  await award();
  await tell();
  await expect.poll(() => [there.topics(), mine.topics()]).toEqual([['board'], ['board']]);
  await command('/decisions', { decisions: [{ claimId: place.claimId, decision: 'reject', reason: 'Not this time' }] });
  await announce();
  await tell();
  await expect.poll(there.topics).toEqual(['board', 'dashboard', 'review']);
  // What waits for reviewers is nothing that a member may read.
  await expect.poll(mine.topics).toEqual(['board', 'dashboard']);
  expect(aside.topics()).toEqual([]);
  for (const one of [there, mine, aside]) one.hangUp();
});

test('what was undone is not told, and one transaction is one change of each kind', async () => {
  const mine = await follow(server, member.cookie);
  await server.sql
    .begin(async (tx) => {
      await tx`insert into announcements (community_id, title, body, created_by) values (${place.id}, 'a', 'b', ${leader.userId})`;
      throw new Error('undone');
    })
    .catch(() => undefined);
  await server.sql.begin(async (tx) => {
    for (let count = 0; count < 5; count += 1)
      await tx`insert into announcements (community_id, title, body, created_by) values (${place.id}, 'a', 'b', ${leader.userId})`;
  });
  expect(await server.sql`select topic from change_queue where community_id = ${place.id}`).toEqual([
    { topic: 'dashboard' },
  ]);
  await tell();
  await expect.poll(mine.topics).toEqual(['dashboard']);
  expect(mine.heard.filter(({ name }) => name === 'change')).toHaveLength(1);
  mine.hangUp();
});

test('who was away hears on coming back what changed since, in another process too, and else nothing', async () => {
  const before = await follow(server, member.cookie);
  await award();
  await tell();
  await expect.poll(before.topics).toEqual(['board']);
  const last = before.heard.at(-1)?.id ?? '';
  before.hangUp();
  const quiet = await follow(beside, member.cookie, undefined, { 'last-event-id': last });
  await announce();
  await tell();
  await expect.poll(quiet.topics).toEqual(['dashboard']);
  quiet.hangUp();
  const [back, asked] = [
    await follow(beside, member.cookie, undefined, { 'last-event-id': last }),
    await follow(server, member.cookie, `/api/communities/${place.id}/live?after=${last}`),
  ];
  await expect.poll(() => [back.topics(), asked.topics()]).toEqual([['dashboard'], ['dashboard']]);
  for (const one of [back, asked]) one.hangUp();
  // Who was away for longer than changes are known is told to look at everything.
  await announce();
  await tell();
  server.advance(20 * 60_000);
  await sweepChanges(server.runtime);
  server.advance(-20 * 60_000);
  await announce();
  await tell();
  const late = await follow(server, member.cookie, undefined, { 'last-event-id': last });
  await expect.poll(late.topics).toEqual(['board', 'dashboard']);
  late.hangUp();
});

test('only who may read may follow, and whoever may not any more hears nothing more', async () => {
  const stranger = await server.person();
  expect((await follow(server, stranger.cookie)).status).toBe(403);
  const moderator = await memberOf(server, place.id, 'moderator');
  const losses: [{ userId: string; cookie: string }, () => Promise<unknown>][] = [
    [
      await memberOf(server, place.id, 'member'),
      () => command(`/members/${losses[0]?.[0].userId}/removal`, { reason: 'Asked to leave' }),
    ],
    [moderator, () => command(`/members/${moderator.userId}/role`, { role: 'member' }, leader.cookie, 'PUT')],
    [leader, () => server.sql`update communities set status = 'suspended' where id = ${place.id}`],
  ];
  for (const [person, lose] of losses) {
    const one = await follow(server, person.cookie);
    expect(one.status).toBe(200);
    await lose();
    await one.ended;
  }
});

test('of the instance a member hears of its board, and staff of the desk', async () => {
  const [person, ops] = [await server.person(), await server.person({ role: 'ops' })];
  const [one, other] = [
    await follow(server, person.cookie, '/api/live'),
    await follow(server, ops.cookie, '/api/live'),
  ];
  await server.sql`update users set suspended_at = now() where id = ${member.userId}`;
  await tell();
  await expect.poll(other.topics).toEqual(['desk']);
  expect(one.topics()).toEqual([]);
  for (const each of [one, other]) each.hangUp();
});

test('a process that ends sends its followers away, each to come back after a moment, where they miss nothing', async () => {
  const sql = connectTo(database.url, { max: 2 });
  const going = await testServer({ sandbox: false, database: { sql, url: database.url, drop: () => sql.end() } });
  const one = await follow(going, member.cookie);
  const last = one.heard.at(-1)?.id ?? '';
  await going.close();
  await one.ended;
  expect(one.comesBackAfter()).toBeGreaterThanOrEqual(500);
  await announce();
  await tell();
  const back = await follow(server, member.cookie, undefined, { 'last-event-id': last });
  await expect.poll(back.topics).toEqual(['dashboard']);
  back.hangUp();
});

test('a person has places for twelve tabs, and one is free when a stream is over', async () => {
  const all = await Promise.all(Array.from({ length: LIVE_PER_PERSON }, () => follow(server, member.cookie)));
  expect(all.map(({ status }) => status)).toEqual(Array(LIVE_PER_PERSON).fill(200));
  expect((await follow(server, member.cookie)).status).toBe(429);
  all[0]?.hangUp();
  await expect
    .poll(async () => {
      const one = await follow(server, member.cookie);
      one.hangUp();
      return one.status;
    })
    .toBe(200);
  for (const one of all) one.hangUp();
  await expect.poll(() => hubOf(server.runtime).count()).toBe(0);
});
