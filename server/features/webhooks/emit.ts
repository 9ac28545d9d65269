import { randomUUID } from 'node:crypto';
import type { JSONValue, TransactionSql } from 'postgres';
import type { WebhookEvent } from '../../contract/rooms.ts';

/**
 * Queues an event for the community's webhooks that want it, in the transaction of what happened: it is sent if and
 * only if that came to be. `data` is the contract's JSON of the thing, without secrets or other members' answers.
 */
export async function emit(
  tx: TransactionSql,
  happened: { communityId: string; event: WebhookEvent; at: Date; data: JSONValue },
): Promise<void> {
  const { communityId, event, at, data } = happened;
  await tx`
    insert into webhook_deliveries (webhook_id, event, body, created_at, next_try_at)
    select id, ${event}, ${tx.json({ id: randomUUID(), event, communityId, at: at.toISOString(), data })}, ${at}, ${at}
    from webhooks where community_id = ${communityId} and active and ${event} = any(events)`.execute();
}
