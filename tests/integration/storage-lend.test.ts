import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectTo } from '../../server/storage/connect.ts';
import { lendLastUsed } from '../../server/storage/lend.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const CONNECTIONS = 4;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

async function withPool(work: (pool: Sql) => Promise<void>, onclose: () => void = () => undefined): Promise<void> {
  const pool = connectTo(db.url, { max: CONNECTIONS, onclose });
  try {
    await lendLastUsed(pool);
    await work(pool);
  } finally {
    await pool.end({ timeout: 1 });
  }
}

async function whoAnswers(pool: Sql): Promise<number> {
  const [row] = await pool<[{ pid: number }]>`select pg_backend_pid() as pid`;
  return row.pid;
}

/** Has all connections at work at once, and says whose they are. */
async function allAtWork(pool: Sql): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.reserve()));
  const pids = await Promise.all(held.map((one) => whoAnswers(one)));
  for (const one of held) one.release();
  return pids;
}

async function oneAfterTheOther(pool: Sql, count: number): Promise<number[]> {
  const pids: number[] = [];
  for (let turn = 0; turn < count; turn += 1) pids.push(await whoAnswers(pool));
  return pids;
}

test('the connection given back last is lent next, and the others rest', () =>
  withPool(async (pool) => {
    const all = await allAtWork(pool);
    expect(new Set(all).size).toBe(CONNECTIONS);
    const last = all.at(-1);
    expect(new Set(await oneAfterTheOther(pool, 2 * CONNECTIONS))).toEqual(new Set([last]));
    // A transaction takes it away; who asks meanwhile gets the next one, and afterwards it is lent again.
    await pool.begin(async (tx) => {
      expect(await whoAnswers(tx as unknown as Sql)).toBe(last);
      expect(new Set(await oneAfterTheOther(pool, 3))).toEqual(new Set([all.at(-2)]));
    });
    expect(await whoAnswers(pool)).toBe(last);
  }));

test('a connection that is lost while it rests is no longer lent, and comes back', async () => {
  let closed = 0;
  await withPool(
    async (pool) => {
      const all = await allAtWork(pool);
      const middle = all[1] ?? 0;
      await db.sql`select pg_terminate_backend(${middle})`;
      // Who asks before the driver has heard of it meets it, as in any pool.
      await expect.poll(() => closed).toBe(1);
      const again = await allAtWork(pool);
      expect(new Set(again).size).toBe(CONNECTIONS);
      expect(again).not.toContain(middle);
      expect(again).toEqual(expect.arrayContaining(all.filter((pid) => pid !== middle)));
    },
    () => {
      closed += 1;
    },
  );
});

test('more statements than connections are all answered', () =>
  withPool(async (pool) => {
    const asked = Array.from({ length: 50 * CONNECTIONS }, (_, index) => index);
    const answers = await Promise.all(asked.map((index) => pool<[{ index: number }]>`select ${index}::int as index`));
    expect(answers.map(([row]) => row.index)).toEqual(asked);
  }));

test('a pool without a database says so', async () => {
  const nowhere = new URL(db.url);
  nowhere.pathname = '/there_is_no_such_database';
  const pool = connectTo(nowhere.href);
  await expect(lendLastUsed(pool)).rejects.toMatchObject({ code: '3D000' });
  await pool.end({ timeout: 1 });
});
