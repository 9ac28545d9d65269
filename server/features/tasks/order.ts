import type { TransactionSql } from 'postgres';
import { audit } from '../audit/audit.ts';

/** Puts a community's tasks in this order; those that are not named come after them. What is no task of it has no place. */
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
