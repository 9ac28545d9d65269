import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recordPoints } from '../../server/features/awards/record.ts';
import { checkLedger, readDrift } from '../../server/features/ledger/drift.ts';
import { readsOf } from '../support/buffers.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { stage } from '../support/engagement.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
/** Runs in which everything is compared once. */
const ROUND = 168;

let db: TestDatabase;
let place: { id: string; leader: string };
let moved: string;
let still: string;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

const check = (sql = db.sql) => checkLedger({ sql, log: pino({ level: 'silent' }), now: () => NOW });
const differences = async () =>
  (await db.sql<[{ differences: number }]>`select differences from ledger_checks`)[0].differences;
const give = (userId: string, points: number) =>
  db.sql.begin((tx) =>
    recordPoints(tx, NOW, [{ communityId: place.id, userId, kind: 'adjust', points, actorId: place.leader }]),
  );
const scoreOf = (userId: string, change: number) =>
  db.sql`update scores set points = points + ${change} where user_id = ${userId} and community_id = ${place.id}`;
/** Runs until a difference is found, at most one round. */
async function runsUntilFound(): Promise<number> {
  for (let runs = 1; runs <= ROUND; runs += 1) {
    await check();
    if ((await differences()) > 0) return runs;
  }
  return Number.POSITIVE_INFINITY;
}

beforeEach(async () => {
  const staged = await stage(db.sql).community();
  place = { id: staged.id, leader: staged.leader };
  [moved, still] = [await stage(db.sql).member(staged.id), await stage(db.sql).member(staged.id)];
  await give(moved, 50);
  await give(still, 60);
  await check();
  expect(await differences()).toBe(0);
});

test('points of a member who moved, changed by hand, are found by the next run, and again until they are mended', async () => {
  await scoreOf(moved, 5);
  await give(moved, 50);
  await check();
  expect(await differences()).toBeGreaterThan(0);
  await check();
  expect(await differences()).toBeGreaterThan(0);
  await scoreOf(moved, -5);
  await check();
  expect(await differences()).toBe(0);
});

test('a line without its score is found by the next run', async () => {
  const line = (points: number) => db.sql`
    insert into point_events (community_id, user_id, kind, points, instance, at)
    values (${place.id}, ${moved}, 'adjust', ${points}, false, ${NOW})`;
  await line(7);
  await check();
  expect(await differences()).toBeGreaterThan(0);
  await line(-7);
  await check();
});

test('points of a member who did not move are found by their part, within a week of runs', async () => {
  await scoreOf(still, 5);
  expect(await runsUntilFound()).toBeLessThanOrEqual(ROUND);
  await scoreOf(still, -5);
});

test('a board’s count that is none is found by its part, within a week of runs', async () => {
  const count = (by: number) =>
    db.sql`update bucket_counts set members = members + ${by} where board = ${place.id} and period = 'all'`;
  await count(1);
  expect(await runsUntilFound()).toBeLessThanOrEqual(ROUND);
  await count(-1);
  await check();
  expect(await differences()).toBe(0);
});

test('all parts together are everything: each finds what is whole to be whole', async () => {
  for (let run = 0; run < ROUND; run += 1) {
    await check();
    expect(await differences()).toBe(0);
  }
  expect(await readDrift(db.sql)).toEqual([]);
});

test('a run reads what moved since the last, however long the ledger is', async () => {
  await db.sql`
    insert into point_events (community_id, user_id, kind, points, instance, at)
    select ${place.id}, ${still}, 'adjust', case when n % 2 = 0 then 1 else -1 end, false, ${NOW} from generate_series(1, 20000) n`;
  await check();
  await db.sql`analyze`;
  const quiet = await readsOf(db, check);
  const adding = quiet.filter(({ query }) => query.includes('as materialized'));
  expect(adding.map(({ buffers }) => buffers)).toEqual([expect.any(Number)]);
  expect(adding[0]?.buffers).toBeLessThan(100);
  await give(moved, 1);
  const [step] = (await readsOf(db, check)).filter(({ query }) => query.includes('as materialized'));
  expect(step?.buffers).toBeLessThan(200);
});
