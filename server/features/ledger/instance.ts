import type { Runtime } from '../../base/runtime.ts';
import { lockCommunity } from './lock.ts';
import { INSTANCE } from './record.ts';
import { addToScores } from './scores.ts';

/** Lines of one transaction: some tens of milliseconds of work. */
const LINES_AT_ONCE = 2_000;

const SCORES_OF_TAKEN = addToScores(`
  select '${INSTANCE}'::uuid as community_id, e.user_id, e.points, e.at, null::uuid as season_id
  from taken t join point_events e on e.community_id = t.community_id and e.id = t.event_id`);

/**
 * Counts the lines that wait in `instance_queue` on the instance's boards. A line leaves the queue in the transaction that counts
 * it, so it counts exactly once whatever is killed in between. Run as a job, twice a second: communities
 * write their points without waiting for each other, and the instance's boards follow.
 */
export async function countForInstance({ sql }: Pick<Runtime, 'sql'>, stopping?: AbortSignal): Promise<void> {
  const [waiting] = await sql`select from instance_queue limit 1`;
  let counted = waiting ? LINES_AT_ONCE : 0;
  while (counted === LINES_AT_ONCE && !stopping?.aborted) {
    counted = await sql.begin(async (tx) => {
      await lockCommunity(tx, INSTANCE);
      const [row] = await tx<[{ count: number }]>`
        with taken as (
          delete from instance_queue where (community_id, event_id) in (
            select community_id, event_id from instance_queue order by event_id limit ${LINES_AT_ONCE})
          returning community_id, event_id
        ), ${tx.unsafe(SCORES_OF_TAKEN)}
        select count(*)::int as count from taken`;
      return row.count;
    });
  }
}
