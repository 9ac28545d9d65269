import { expect, test } from 'vitest';
import { IMPORT_LINES_FIRST } from '../../server/contract/import-limits.ts';
import type { ImportCheck, Offer } from '../../server/contract/imports.ts';
import { settleImports } from '../../server/features/imports/settle.ts';
import { spreadNext } from '../../server/features/notifications/spread.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';

const server = await ofFile(testServer({ sandbox: false }));
const admin = await server.person({ role: 'admin' });

let count = 0;
const ask = (method: string, path: string, cookie: string, body?: object) =>
  server.command(method, path, { cookie, body });

/** Founds a community as its leader does. */
async function found(visibility: 'public' | 'private' = 'public', leader?: string) {
  count += 1;
  const cookie = leader ?? (await server.person()).cookie;
  const [name, slug] = [`Ridge walks ${count}`, `ridge-walks-${count}`];
  const made = await ask('POST', '/api/communities', cookie, { name, slug, description: 'We walk', visibility });
  expect(made.status).toBe(201);
  return { id: String(made.json.id), name, slug, leader: cookie };
}
type StagedCommunity = Awaited<ReturnType<typeof found>>;

const file = (place: StagedCommunity, lines: readonly string[], what = '') =>
  server.command('POST', `/api/communities/${place.id}/imports${what}?kind=people&name=x.csv`, {
    cookie: place.leader,
    headers: { 'content-type': 'text/csv' },
    raw: lines.join('\n'),
  });
const listed = (from: number, to: number) => [
  'telegram_id,points',
  ...Array.from({ length: to - from }, (_, at) => `${40_000_000 + from + at},5`),
];

async function someone() {
  const person = await server.person();
  const [row] = await server.sql<[{ id: string; name: string }]>`
    update users set telegram_username = ${`walker_${count}`} where id = ${person.userId}
    returning telegram_user_id::text as id, telegram_username as name`;
  await server.sql`update sessions set telegram_at = now() where user_id = ${person.userId}`;
  const offers = async () => (await ask('GET', '/api/user/offers', person.cookie)).json as Offer[];
  return { ...person, telegramId: row.id, name: row.name, offers };
}
const isMember = async (place: StagedCommunity, userId: string) =>
  (await server.sql`select from community_members where community_id = ${place.id} and user_id = ${userId}`).length ===
  1;

test('whoever has proven an X handle is offered a public community whose file names nobody on Telegram, and no private one', async () => {
  const [open, hidden] = [await found(), await found('private')];
  const walker = await someone();
  await server.sql`update users set twitter_username = 'Ridge_X', x_linked_by = 'post' where id = ${walker.userId}`;
  for (const place of [open, hidden]) expect((await file(place, ['points,x', '30,@ridge_x'])).status).toBe(201);
  expect(await walker.offers()).toMatchObject([{ communityId: open.id, points: 30 }]);
  await ask('POST', `/api/user/offers/${open.id}`, walker.cookie);
  await settleImports(server.runtime);
  const [score] = await server.sql`
    select points from scores where community_id = ${open.id} and user_id = ${walker.userId}`;
  expect(score).toEqual({ points: 30 });
});

test('a private community is offered to whom its file names by id: they join with one press, and find their points', async () => {
  const place = await found('private');
  const [named, guessed] = [await someone(), await someone()];
  const lines = ['telegram_id,telegram,points', `${named.telegramId},,40`, `,${guessed.name},7`];
  expect((await file(place, lines)).json).toMatchObject({ waiting: { people: 2, points: 47 } });
  expect(await named.offers()).toEqual([{ communityId: place.id, slug: place.slug, name: place.name, points: 40 }]);
  expect(await guessed.offers(), 'a name alone tells of no private community').toEqual([]);
  expect((await ask('POST', `/api/user/offers/${place.id}`, guessed.cookie)).status).toBe(404);
  expect(await isMember(place, named.userId)).toBe(false);
  const joined = await ask('POST', `/api/user/offers/${place.id}`, named.cookie);
  expect(joined.json).toMatchObject({ slug: place.slug, role: 'member' });
  await settleImports(server.runtime);
  const board = await ask('GET', `/api/communities/${place.id}/dashboard`, named.cookie);
  expect(board.json.points).toBe(40);
  expect(await named.offers()).toEqual([]);
});

test('who says no, left or was removed is offered nothing again, and the leader is not told', async () => {
  const place = await found();
  const [refuses, leaves, removed] = [await someone(), await someone(), await someone()];
  const people = [refuses, leaves, removed];
  const lines = ['telegram_id,points', ...people.map(({ telegramId }) => `${telegramId},5`)];
  const imported = async () => (await ask('GET', `/api/communities/${place.id}/imports`, place.leader)).json;
  await file(place, lines);
  const before = await imported();
  expect((await ask('DELETE', `/api/user/offers/${place.id}`, refuses.cookie)).status).toBe(200);
  expect(await imported()).toEqual(before);
  for (const { cookie } of [leaves, removed]) await ask('POST', `/api/user/offers/${place.id}`, cookie);
  await ask('POST', `/api/communities/${place.id}/leave`, leaves.cookie);
  await ask('POST', `/api/communities/${place.id}/members/${removed.userId}/removal`, place.leader, {
    reason: 'Sold answers',
  });
  expect(await isMember(place, removed.userId)).toBe(false);
  await file(place, lines);
  await settleImports(server.runtime);
  for (const { offers, userId, cookie } of people) {
    expect(await offers()).toEqual([]);
    expect((await ask('POST', `/api/user/offers/${place.id}`, cookie)).status).toBe(404);
    expect(await isMember(place, userId)).toBe(false);
  }
  // Joining where everybody may is their own act still.
  expect((await ask('POST', `/api/communities/${place.id}/join`, leaves.cookie)).status).toBe(200);
});

test('an announcement reaches nobody who was only imported', async () => {
  const place = await found();
  const [joins, waits] = [await someone(), await someone()];
  await file(place, ['telegram_id,points', `${joins.telegramId},5`, `${waits.telegramId},5`]);
  await ask('POST', `/api/communities/${place.id}/join`, joins.cookie);
  const made = await ask('POST', `/api/communities/${place.id}/announcements`, place.leader, {
    title: 'Saturday',
    body: 'We meet at ten.',
  });
  server.advance(60_000);
  while (await spreadNext(server.runtime));
  const reached = await server.sql`
    select n.members from notifications n where n.subject_id = ${made.json.id} and n.topic = 'announcement'`;
  // The leader who wrote it is told nothing.
  expect(reached).toEqual([{ members: 1 }]);
});

test('the communities of a new founder move in few people in all, whatever was undone, until an administrator says so', async () => {
  const place = await found();
  const other = await found('public', place.leader);
  const half = IMPORT_LINES_FIRST / 2;
  const first = await file(place, listed(0, half));
  expect(first.status).toBe(201);
  await ask('POST', `/api/communities/${place.id}/imports/${first.json.id}/undo`, place.leader);
  expect((await file(other, listed(0, half))).status).toBe(201);
  for (const one of [place, other]) {
    expect((await file(one, listed(900, 901), '/check')).json as ImportCheck).toMatchObject({ ready: 1, room: 0 });
    const refused = await file(one, listed(900, 901));
    expect([refused.status, refused.json.reason]).toEqual([409, 'IMPORT_SMALL']);
    expect(refused.json.details).toEqual({ limit: IMPORT_LINES_FIRST, room: 0 });
  }
  const allow = (cookie: string, allowed = true) =>
    ask('PUT', `/api/admin/communities/${place.id}/large-imports`, cookie, { allowed, reason: 'They move from Zealy' });
  expect((await allow(place.leader)).status).toBe(403);
  expect((await allow(admin.cookie)).json.largeImportsAt).toBeTruthy();
  expect((await file(place, listed(0, 3 * IMPORT_LINES_FIRST))).status).toBe(201);
  // What a founder may in one community is not counted in the others.
  expect((await file(other, listed(900, 901), '/check')).json).toMatchObject({ room: half });
  await allow(admin.cookie, false);
  expect((await file(place, listed(900, 901))).json.reason).toBe('IMPORT_SMALL');
  const audit = await server.sql`
    select action, reason, actor_id = ${admin.userId} as "isAdmin" from audit_entries
    where subject_id = ${place.id} and community_id is null order by id`;
  expect(audit).toEqual([
    { action: 'community.imports_large', reason: 'They move from Zealy', isAdmin: true },
    { action: 'community.imports_small', reason: 'They move from Zealy', isAdmin: true },
  ]);
});
