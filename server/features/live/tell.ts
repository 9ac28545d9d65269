import type { Runtime } from '../../base/runtime.ts';
import { LIVE_RETENTION_MS } from '../../contract/open-limits.ts';

/** Channel of new changes, with the last one's id. */
export const CHANGES_CHANNEL = 'changes';

/**
 * Numbers the changes that transactions have recorded and notifies every process. One writer numbers at a time and
 * notifies in that order, so a process that got a number has all before it. Run as a job.
 */
export async function broadcastChanges({ sql, now }: Pick<Runtime, 'sql' | 'now'>): Promise<void> {
  const [waiting] = await sql`select from change_queue limit 1`;
  if (!waiting) return;
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended('changes', 6))`;
    await tx`
      with taken as (delete from change_queue returning community_id, topic),
      told as (
        insert into changes (community_id, topic, at) select distinct community_id, topic, ${now()}::timestamptz from taken
        returning id
      )
      select pg_notify(${CHANGES_CHANNEL}, max(id)::text) from told having count(*) > 0`;
  });
}

/** Deletes old changes. Run as a job. */
export async function sweepChanges({ sql, now }: Pick<Runtime, 'sql' | 'now'>): Promise<void> {
  await sql`delete from changes where at < ${new Date(now().getTime() - LIVE_RETENTION_MS)}`;
}
