import { pino } from 'pino';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { rehearseClaims } from '../../server/features/claims/rehearse.ts';
import { connectTo } from '../../server/storage/connect.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const CONNECTIONS = 3;

let db: TestDatabase;
let pool: Sql;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

const warned: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void warned.push(line) });
beforeEach(() => {
  warned.length = 0;
});
async function rehearseOn(url: string): Promise<void> {
  pool = connectTo(url, { max: CONNECTIONS });
  await rehearseClaims({ sql: pool, log, now: () => new Date() });
}

/** What each connection has learnt: how many statements it keeps. */
async function statementsKept(): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.reserve()));
  const counts = await Promise.all(
    held.map(async (one) => {
      const [row] = await one<[{ count: number }]>`
        select count(*)::int from pg_prepared_statements where statement like ${'%insert into claims (%'}`;
      return row.count;
    }),
  );
  for (const one of held) one.release();
  return counts;
}

async function rowsOfTables(): Promise<Record<string, number>> {
  const tables = await db.sql<{ name: string }[]>`
    select quote_ident(relname) as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await db.sql.unsafe<{ count: number }[]>(`select count(*)::int as count from ${name}`);
    counts[name] = row?.count ?? 0;
  }
  return counts;
}

test('every connection has tried a claim, and nothing of it is kept', async () => {
  const before = await rowsOfTables();
  await rehearseOn(db.url);
  try {
    expect(warned).toEqual([]);
    expect(await statementsKept()).toEqual([1, 1, 1]);
    expect(await rowsOfTables()).toEqual(before);
  } finally {
    await pool.end({ timeout: 1 });
  }
});

test('a database that gives no connection is said, and holds nobody up', async () => {
  const nowhere = new URL(db.url);
  nowhere.pathname = '/there_is_no_such_database';
  await rehearseOn(nowhere.href);
  expect(warned).toHaveLength(CONNECTIONS);
  await pool.end({ timeout: 1 });
});
