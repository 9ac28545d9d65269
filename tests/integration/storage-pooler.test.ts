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

test('PostgreSQL itself is taken', async () => {
  const storage = await openStorage({ databaseUrl: db.url, home }, quiet);
  expect(await storage.sql`select 1 as one`).toEqual([{ one: 1 }]);
  await storage.close();
});
