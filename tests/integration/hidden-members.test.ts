/** A member whom others are not to see: what they see of themselves, what others see, and what leaders still do. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { recordPoints } from '../../server/features/awards/record.ts';
import { countForInstance } from '../../server/features/ledger/instance.ts';
import { createPreviews } from '../../server/features/previews/previews.ts';
import { closeSeasons } from '../../server/features/seasons/close.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { apiKey, community, memberOf, type TestCommunity } from '../support/world.ts';

const server = await ofFile(testServer({ sandbox: false }));

const SHY = 'Shy Violet';
const HIDDEN = 'Hidden member';
type Person = { userId: string; cookie: string };
let place: TestCommunity;
let leader: Person;
let shy: Person;
let other: Person;
let at: string;
const get = async (path: string, { cookie }: Partial<Person> = {}) =>
  (await server.request('GET', path, cookie ? { cookie } : {})).json;
const choose = (who: Person, hidden: boolean) =>
  server.command('PUT', '/api/user/visibility', { cookie: who.cookie, body: { hidden } });
const give = (who: Person, points: number) =>
  server.command('POST', `${at}/adjustments`, {
    cookie: leader.cookie,
    body: { userId: who.userId, points, reason: 'Helped at the gate' },
  });
/** `[rank, name, points]` of a board. */
const rows = (list: { rank: number; displayName: string; points: number }[]) =>
  list.map((row) => [row.rank, row.displayName, row.points]);

beforeEach(async () => {
  server.advance(70_000);
  leader = await server.person({ name: 'Ilse' });
  place = await community(server, leader.userId);
  await server.sql`
    insert into community_members (community_id, user_id, role) values (${place.id}, ${leader.userId}, 'leader')`;
  await server.sql`update communities set embedding = true where id = ${place.id}`;
  at = `/api/communities/${place.id}`;
  [shy, other] = [
    await memberOf(server, place.id, 'member', { name: SHY }),
    await memberOf(server, place.id, 'member', { name: 'Otto' }),
  ];
  const third = await memberOf(server, place.id, 'member', { name: 'Tess' });
  for (const [who, points] of [
    [shy, 30],
    [other, 20],
    [third, 20],
  ] as const)
    expect((await give(who, points)).status).toBeLessThan(300);
});

test('on a board others see rank and points without a name or an id; ranks stay, and the member sees their own', async () => {
  const before = await get(`${at}/leaderboard?period=all`, other);
  expect((await choose(shy, true)).json).toMatchObject({ hidden: true });
  const seen = await get(`${at}/leaderboard?period=all`, other);
  expect(rows(seen.top)).toEqual([
    [1, HIDDEN, 30],
    [2, 'Otto', 20],
    [2, 'Tess', 20],
  ]);
  expect(rows(seen.around)).toEqual(rows(seen.top));
  expect(JSON.stringify(seen)).not.toContain(shy.userId);
  expect(seen.top[0].userId).toBe(seen.around[0].userId);
  expect(seen.me).toEqual(before.me);

  const own = await get(`${at}/leaderboard?period=all`, shy);
  expect(own.me).toMatchObject({ rank: 1, displayName: SHY, userId: shy.userId, me: true });
  expect(rows(own.top)[0]).toEqual([1, SHY, 30]);

  expect((await choose(shy, false)).json).toMatchObject({ hidden: false });
  expect(rows((await get(`${at}/leaderboard?period=all`, other)).top)[0]).toEqual([1, SHY, 30]);
});

test('a dashboard, a community’s page, an embed, the API and frozen boards say no name either', async () => {
  await choose(shy, true);
  const key = await apiKey(server.sql, place.id, leader.userId, ['read:board']);
  const byKey = await server.request('GET', `${at}/leaderboard`, { headers: { authorization: `Bearer ${key}` } });
  const answers = {
    dashboard: await get(`${at}/dashboard`, other),
    page: await get(at, other),
    stranger: await get(at),
    embed: await get(`/api/public/communities/${place.id}/board`),
    key: byKey.json,
  };
  for (const [name, answer] of Object.entries(answers)) {
    const text = JSON.stringify(answer);
    expect(text, name).toContain(HIDDEN);
    expect(text, name).not.toContain(SHY);
    expect(text, name).not.toContain(shy.userId);
  }
  await server.command('PUT', `${at}/board`, { cookie: leader.cookie, body: { state: 'frozen' } });
  const frozen = await get(`${at}/leaderboard?period=all`, other);
  expect([frozen.state, rows(frozen.top)[0]]).toEqual(['frozen', [1, HIDDEN, 30]]);
  // The same copy, once they want to be seen again.
  await choose(shy, false);
  expect(rows((await get(`${at}/leaderboard?period=all`, other)).top)[0]).toEqual([1, SHY, 30]);
});

test('the board of the instance and a season’s, running and frozen, say no name either', async () => {
  await server.sql`update users set display_name = 'Lone Violet' where id = ${shy.userId}`;
  const season = async (path: string, body?: object) => {
    const ask = { cookie: leader.cookie, headers: { 'idempotency-key': randomUUID() }, ...(body && { body }) };
    const { status, json } = await server.request('POST', `${at}/seasons${path}`, ask);
    expect(status).toBeLessThan(300);
    return json;
  };
  const endsAt = new Date(server.runtime.now().getTime() + 86_400_000).toISOString();
  const plan = { name: 'Autumn', rules: '', startsAt: null, endsAt, graceHours: 0, taskIds: [] };
  const { id } = await season('', plan);
  await season(`/${id}/start`);
  // What a leader gives by hand counts in no other place than the community.
  const of = { communityId: place.id, kind: 'award', actorId: leader.userId } as const;
  await server.sql.begin((tx) =>
    recordPoints(tx, server.runtime.now(), [
      { ...of, userId: shy.userId, points: 5 },
      { ...of, userId: other.userId, points: 1 },
    ]),
  );
  await countForInstance(server.runtime);
  /** Where I am, and what the board tells of who hides. */
  const seen = async (who: Person, path: string) => {
    const { me, top, around } = await get(path, who);
    const tells = (list: object) => {
      const text = JSON.stringify(list);
      return [text.includes('Lone Violet'), text.includes(shy.userId)];
    };
    return { rank: me.rank, top: tells(top), around: tells(around) };
  };
  const told = (rank: number, is: boolean) => ({ rank, top: [is, is], around: [is, is] });
  const instance = '/api/leaderboard?period=all';
  const { rank: before } = await seen(other, instance);
  const boards = async () => {
    const inSeason = `${at}/leaderboard?period=season`;
    expect(await seen(other, instance)).toEqual(told(before, false));
    expect(await seen(other, inSeason)).toEqual(told(2, false));
    expect(await seen(shy, instance)).toEqual(told(before - 1, true));
    expect(await seen(shy, inSeason)).toEqual(told(1, true));
  };
  expect(await seen(other, instance)).toEqual(told(before, true));
  await choose(shy, true);
  await boards();
  await season(`/${id}/end`);
  await closeSeasons(server.runtime);
  expect((await get(`${at}/leaderboard?period=season`, other)).season.state).toBe('frozen');
  await boards();
});

test('winners of a reward are named to leaders and to themselves', async () => {
  const [{ id: seasonId }] = await server.sql<[{ id: string }]>`
    insert into seasons (community_id, name, ends_at, created_by, started_at, frozen_at)
    values (${place.id}, 'Autumn', now(), ${leader.userId}, now(), now()) returning id`;
  const [{ id }] = await server.sql<[{ id: string }]>`
    insert into rewards (season_id, community_id, name, rule, seed, drawn_at)
    values (${seasonId}, ${place.id}, 'Mug', '{"type":"all","minPoints":1}', 'seed', now()) returning id`;
  await server.sql`insert into reward_winners (community_id, reward_id, place, user_id, points)
    select community_id, id, 1, ${shy.userId}, 30 from rewards where id = ${id}`;
  await choose(shy, true);
  const winner = async (who: Person) => (await get(`${at}/rewards/${id}`, who)).winners[0]?.displayName;
  expect([await winner(other), await winner(shy), await winner(leader)]).toEqual([HIDDEN, SHY, SHY]);
});

test('who invites and who was invited are not named; leaders see everybody in their lists', async () => {
  await choose(shy, true);
  const { code } = await get(`${at}/invite`, shy);
  expect((await get(`/api/invites?code=${code}`, other)).invitedBy).toBe(HIDDEN);
  expect((await createPreviews(server.runtime)(`/i/${code}`))?.description).not.toContain(SHY);
  const guest = await server.person({ name: 'Gustav' });
  await server.command('POST', '/api/invites/accept', { cookie: guest.cookie, body: { code } });
  expect((await get(at, guest)).invitedBy).toBe(HIDDEN);
  await choose(guest, true);
  expect((await get(`${at}/invite`, shy)).invited[0].displayName).toBe(HIDDEN);
  const { items } = await get(`${at}/members`, leader);
  expect(items.map(({ displayName }: { displayName: string }) => displayName)).toEqual(
    expect.arrayContaining([SHY, 'Gustav']),
  );
});

test('whoever looks at a board hears that somebody hid', async () => {
  await server.sql`delete from change_queue`;
  await choose(shy, true);
  await choose(shy, true);
  const told = await server.sql`select topic from change_queue where community_id = ${place.id}`;
  expect([...told]).toEqual([{ topic: 'board' }]);
});
