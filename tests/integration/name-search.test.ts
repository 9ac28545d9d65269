import { afterAll, beforeAll, expect, test } from 'vitest';
import { SEARCH_FOUND } from '../../server/contract/limits.ts';
import { listMembers } from '../../server/features/members/list.ts';
import { listPeople } from '../../server/features/people/people.ts';
import { readsOf } from '../support/buffers.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { stage } from '../support/engagement.ts';

const PEOPLE = 20_000;
const NOW = new Date('2026-11-21T12:00:00Z');
let db: TestDatabase;
let [large, small] = ['', ''];
beforeAll(async () => {
  db = await createTestDatabase();
  large = (await stage(db.sql).community()).id;
  small = (await stage(db.sql).community()).id;
  await db.sql`
    insert into users (telegram_user_id, display_name, created_at)
    select 8000000 + n, 'Stone ' || n, ${NOW}::timestamptz - make_interval(secs => n / 3) from generate_series(1, ${PEOPLE}) n`;
  await db.sql.begin(async (tx) => {
    await tx`alter table community_members disable trigger community_members_compete`;
    await tx`
      insert into community_members (community_id, user_id, joined_at)
      select c, id, created_at from users, unnest(${[large, small]}::uuid[]) c
      where telegram_user_id > 8000000 and (c = ${large} or telegram_user_id % 200 = 0)`;
    await tx`alter table community_members enable trigger community_members_compete`;
  });
  await db.sql`vacuum analyze`;
}, 60_000);
afterAll(() => db?.drop());

const names = (items: readonly { displayName: string }[]) => items.map(({ displayName }) => displayName).sort();
const most = async (act: (sql: TestDatabase['sql']) => Promise<unknown>) =>
  Math.max(...(await readsOf(db, act)).map(({ buffers }) => buffers));

test.each([
  ['a part of a name', 'stone 1999'],
  ['a name that nobody has', 'nobody at all'],
])('%s is found among many members and accounts by reading what is found', async (_, search) => {
  const found = await db.sql.begin((tx) => listMembers(tx, { communityId: large, search }));
  const wanted = await db.sql<{ displayName: string }[]>`
    select display_name as "displayName" from users where strpos(lower(display_name), ${search}) > 0`;
  expect(names(found.items)).toEqual(names(wanted));
  const members = (sql: TestDatabase['sql']) => sql.begin((tx) => listMembers(tx, { communityId: large, search }));
  expect(await most(members)).toBeLessThan(500);
  const accounts = (sql: TestDatabase['sql']) => sql.begin((tx) => listPeople(tx, { search, now: NOW }));
  expect(names((await db.sql.begin((tx) => listPeople(tx, { search, now: NOW }))).items)).toEqual(names(wanted));
  expect(await most(accounts)).toBeLessThan(500);
});

test('a name that all have is found in a small community by reading that community', async () => {
  const search = (sql: TestDatabase['sql']) =>
    sql.begin((tx) => listMembers(tx, { communityId: small, search: 'stone' }));
  expect(await search(db.sql)).toMatchObject({ total: PEOPLE / 200 });
  expect(await most(search)).toBeLessThan(1_500);
});

test('of many matches two hundred are put in order, and it is said that there are more', async () => {
  const members = (after?: string) => (sql: TestDatabase['sql']) =>
    sql.begin((tx) => listMembers(tx, { communityId: large, search: 'stone', order: 'name', after }));
  const found: string[] = [];
  for (let after: string | undefined | null; after !== null; ) {
    const page = await members(after)(db.sql);
    expect(page.total).toBe(SEARCH_FOUND + 1);
    found.push(...page.items.map(({ displayName }) => displayName));
    after = page.next;
  }
  expect(found).toEqual([...new Set(found)].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
  expect(found).toHaveLength(SEARCH_FOUND);
  const accounts = await db.sql.begin((tx) => listPeople(tx, { search: 'stone', now: NOW }));
  expect(accounts.total).toBe(SEARCH_FOUND + 1);
});

test('a changed name is found at once in every community, and the one before no more', async () => {
  await db.sql`update users set display_name = 'Marble 200' where telegram_user_id = 8000200`;
  for (const communityId of [large, small]) {
    const of = async (search: string) =>
      names((await db.sql.begin((tx) => listMembers(tx, { communityId, search }))).items);
    expect(await of('marble')).toEqual(['Marble 200']);
    expect(await of('stone 200')).not.toContain('Stone 200');
  }
});

test('the latest members and accounts are a page in the order of an index, first and in the middle', async () => {
  const members = (after?: string) => (sql: TestDatabase['sql']) =>
    sql.begin((tx) => listMembers(tx, { communityId: large, order: 'joined', after }));
  const { next, total } = await members()(db.sql);
  expect(total).toBeGreaterThanOrEqual(PEOPLE);
  for (const after of [undefined, next ?? '']) expect(await most(members(after))).toBeLessThan(1_000);
  const accounts = (after?: string) => async (sql: TestDatabase['sql']) =>
    sql.begin((tx) => listPeople(tx, { after, now: NOW }));
  const page = await accounts()(db.sql);
  const [list] = (await readsOf(db, accounts(page.next ?? ''))).filter(({ query }) => query.includes('order by'));
  expect(list?.buffers).toBeLessThan(500);
});
