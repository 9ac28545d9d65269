import { randomUUID } from 'node:crypto';
import type { ISql, JSONValue, TransactionSql } from 'postgres';
import { WEBHOOK_WAITING_MAX } from '../../contract/limits.ts';
import type { WebhookEvent } from '../../contract/rooms.ts';

/** A row where as much waits for a webhook of `webhooks` as may. */
export const isFull = (sql: ISql) => sql`
  select from webhook_deliveries w where w.webhook_id = webhooks.id and w.state = 'waiting' offset ${WEBHOOK_WAITING_MAX - 1}`;

type Happened = { communityId: string; at: Date; data: JSONValue };

/**
 * Queues an event for the community's webhooks that want it, in the transaction of what happened: it is sent if and
 * only if that came to be. `data` is the contract's JSON of the thing, without secrets or other members' answers.
 */
export const emit = (tx: TransactionSql, { event, ...happened }: Happened & { event: WebhookEvent }): Promise<void> =>
  emitAll(tx, [event], happened);

/** The same of several events of one thing, in their order. */
export async function emitAll(tx: TransactionSql, events: readonly WebhookEvent[], happened: Happened): Promise<void> {
  const { communityId, at, data } = happened;
  // Events of one moment are sent in the order of their ids.
  const ids = events.map(() => randomUUID()).sort();
  const bodies = events.map((event, nth) =>
    JSON.stringify({ id: ids[nth], event, communityId, at: at.toISOString(), data }),
  );
  await tx`
    insert into webhook_deliveries (webhook_id, event, body, created_at, next_try_at)
    select id, event, body::jsonb, ${at}, ${at}
    from unnest((select ${[...events]}::text[]), (select ${bodies}::text[])) with ordinality as told (event, body, nth)
    join webhooks on community_id = ${communityId} and active and event = any(events)
      -- One that has enough waiting gets no more; the next delivery run pauses it and tells its leaders.
      and not exists (${isFull(tx)})
    -- One that is being removed is waited for: it is told nothing, and holds up nobody's claim.
    order by nth for key share of webhooks`.execute();
}
