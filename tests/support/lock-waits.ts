import type { Sql } from 'postgres';
import { vi } from 'vitest';

/** How many connections to this database wait for a lock that another holds. */
export async function countLockWaits(sql: Sql): Promise<number> {
  const waiting = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return waiting.length;
}

/** Resolves once exactly `count` connections wait for a lock. Fails when they have not come within 20 s. */
export const untilLockWaits = (sql: Sql, count: number): Promise<void> =>
  vi.waitFor(
    async () => {
      const waiting = await countLockWaits(sql);
      if (waiting !== count) throw new Error(`${waiting} wait for a lock, not ${count}`);
    },
    { timeout: 20_000 },
  );
