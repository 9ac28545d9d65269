import { readFileSync } from 'node:fs';
import { countQueued } from '../../server/features/analytics/counts.ts';
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
  const seed = readFileSync(new URL('grown-world.sql', import.meta.url), 'utf8');
  // Its temporary tables belong to one connection.
  const one = connectTo(database.url, { max: 1 });
  await one.unsafe(seed.replaceAll(':people', String(people)).replaceAll(':days', String(days)));
  await one`analyze`;
  await countQueued({ sql: one });
  // A month at once leaves room that days would use again.
  await one`vacuum full member_days, active_counts, active_months`;
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
