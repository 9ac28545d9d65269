import { readFileSync } from 'node:fs';
import { makeRuns } from '../../server/features/claims/member-days.ts';
import { connectTo } from '../../server/storage/connect.ts';
import { noting, type Sent } from './buffers.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export type GrownDatabase = TestDatabase & {
  /** What has been sent since this was asked last. */
  takeSent(): Sent[];
};

/** A database of its own with so many people and days in it (`grown-world.sql`), which notes what is asked of it. */
export async function grownDatabase(people: number, days: number): Promise<GrownDatabase> {
  const database = await createTestDatabase();
  const seed = (name: string) =>
    readFileSync(new URL(`${name}.sql`, import.meta.url), 'utf8')
      .replaceAll(':people', String(people))
      .replaceAll(':days', String(days));
  // Its temporary tables belong to one connection.
  const one = connectTo(database.url, { max: 1 });
  await one.unsafe(seed('grown-world'));
  await one`analyze`;
  await one.unsafe(seed('grown-counts'));
  const ids = (await one<{ id: string }[]>`select id from users`).map(({ id }) => id);
  await one.begin((tx) => makeRuns(tx, ids));
  await one`vacuum analyze`;
  await one.end();
  await database.sql.end();
  const sent: Sent[] = [];
  const sql = connectTo(database.url, { max: 10, debug: noting(sent) });
  const drop = async () => {
    await sql.end({ timeout: 2 });
    await database.drop();
  };
  return { ...database, sql, drop, takeSent: () => sent.splice(0) };
}
