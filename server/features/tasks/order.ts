import type { TransactionSql } from 'postgres';
import { audit } from '../audit/audit.ts';

/** Orders a community's tasks; unnamed ones come last, unknown ones are ignored. */
export async function orderTasks(
  tx: TransactionSql,
  { communityId, actorId, now }: { communityId: string; actorId: string; now: Date },
  taskIds: readonly string[],
): Promise<void> {
  const { count } = await tx`
    update tasks set position = array_position(${[...taskIds]}::uuid[], id)
    where community_id = ${communityId} and position is distinct from array_position(${[...taskIds]}::uuid[], id)`;
  if (count > 0) await audit(tx, { communityId, actorId, action: 'tasks.ordered', at: now });
}
