import { expect, test } from 'vitest';
import { openStorage } from '../../server/storage/open.ts';
import { createTestDatabase } from '../support/database.ts';
import { folderOfFile, ofFile } from '../support/of-file.ts';
import { startTransactionPooler } from '../support/transaction-pooler.ts';

const quiet = { info() {}, warn() {} };
const home = folderOfFile();

const db = await ofFile(createTestDatabase());

test.each([1, 2, 5])('a pooler that shares %i sessions is refused at the start, with the way out', async (size) => {
  const pooler = await startTransactionPooler(db.url, size);
  try {
    await expect(openStorage({ databaseUrl: pooler.url, home }, quiet)).rejects.toMatchObject({
      code: 'pooler',
      message: expect.stringMatching(/pooler.*PostgreSQL itself, or pool_mode = session/),
    });
    expect(pooler.sessions()).toBeGreaterThan(0);
  } finally {
    pooler.close();
  }
});

test('one without what names are found by is refused at the start, with what to install', async () => {
  // As a server without its contrib package answers, before the catalogue is looked at.
  const bare = await createTestDatabase();
  try {
    await bare.sql`create schema bare`;
    await bare.sql`create view bare.pg_available_extensions as select 'plpgsql' as name`;
    const [{ name }] = await bare.sql<[{ name: string }]>`select current_database() as name`;
    await bare.sql`alter database ${bare.sql(name)} set search_path = bare, pg_catalog, public`;
    await expect(openStorage({ databaseUrl: bare.url, home }, quiet)).rejects.toMatchObject({
      code: 'connect',
      message:
        'The PostgreSQL of DATABASE_URL lacks pg_trgm and btree_gin, by which names are found. Install its contrib package.',
    });
  } finally {
    await bare.drop();
  }
});

test('PostgreSQL itself is taken', async () => {
  const storage = await openStorage({ databaseUrl: db.url, home }, quiet);
  expect(await storage.sql`select 1 as one`).toEqual([{ one: 1 }]);
  await storage.close();
});
