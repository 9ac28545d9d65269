import type { Sql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import {
  WEBHOOK_LOG_RETENTION_MS,
  WEBHOOK_RETRY_FIRST_MS,
  WEBHOOK_RETRY_FOR_MS,
  WEBHOOK_RETRY_MAX_MS,
  WEBHOOK_TIMEOUT_MS,
} from '../../contract/limits.ts';
import { type Outcome, post } from '../../integrations/outward/post.ts';
import { signature } from '../../integrations/outward/sign.ts';
import { audit } from '../audit/audit.ts';
import { notifyOfWebhookPaused } from '../notifications/happened.ts';
import { isFull } from './emit.ts';

/** Webhooks served in parallel. Every waiting one is served in each run, so dead ones cannot starve others. */
const AT_ONCE = 32;
/** Deliveries of one webhook per run, in sequence; the first failure ends it. */
const IN_A_ROW = 50;
/** So does this time: a deliberately slow receiver delays only its own deliveries. */
const ATTEMPT_MS = WEBHOOK_TIMEOUT_MS;

type Due = {
  id: string;
  event: string;
  body: string;
  attempts: number;
  createdAt: Date;
  url: string;
  secret: Buffer;
};
type Send = typeof post;

/** When a delivery that failed `attempts` times is tried again; null when it was tried long enough. */
export function nextTry(attempts: number, createdAt: Date, now: Date): Date | null {
  const wait = Math.min(WEBHOOK_RETRY_FIRST_MS * 2 ** (attempts - 1), WEBHOOK_RETRY_MAX_MS);
  const at = new Date(now.getTime() + wait);
  return at.getTime() - createdAt.getTime() > WEBHOOK_RETRY_FOR_MS ? null : at;
}

/** Sends what is due, each webhook's in order and webhooks beside each other. A job. */
export async function deliverWebhooks(runtime: Runtime, stopping: AbortSignal, send: Send = post): Promise<void> {
  const { sql } = runtime;
  const waiting = await sql<{ id: string }[]>`
    select d.webhook_id as id from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    where d.state = 'waiting' and d.next_try_at <= ${runtime.now()} and w.active
    group by d.webhook_id order by min(d.next_try_at)`;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await deliverTo(next.id, runtime, stopping, send);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await pauseFull(runtime);
}

async function deliverTo(webhookId: string, { sql, now }: Runtime, stopping: AbortSignal, send: Send): Promise<void> {
  const until = now().getTime() + ATTEMPT_MS;
  for (let count = 0; count < IN_A_ROW && now().getTime() < until && !stopping.aborted; count += 1) {
    const [due] = await sql<Due[]>`
      select d.id, d.event, d.body::text as body, d.attempts, d.created_at as "createdAt", w.url, w.secret
      from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      where d.webhook_id = ${webhookId} and d.state = 'waiting' and d.next_try_at <= ${now()} and w.active
      order by d.created_at, d.body->>'id', d.id limit 1`;
    if (!due) return;
    const outcome = await send({
      url: new URL(due.url),
      body: due.body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Muster',
        'muster-event': due.event,
        'muster-delivery': due.id,
        'muster-signature': signature(due.secret, due.body, now()),
      },
      timeoutMs: WEBHOOK_TIMEOUT_MS,
      signal: stopping,
    });
    // A request that this process's shutdown aborted says nothing about the receiver.
    if (stopping.aborted && 'error' in outcome) return;
    if (!(await note(sql, due, outcome, now()))) return;
  }
}

/** Writes down what came of a try; true when it was delivered. */
async function note(sql: Sql, due: Due, outcome: Outcome, now: Date): Promise<boolean> {
  const status = 'status' in outcome ? outcome.status : null;
  const isDelivered = status !== null && status >= 200 && status < 300;
  const attempts = due.attempts + 1;
  const next = isDelivered ? null : nextTry(attempts, due.createdAt, now);
  const state = isDelivered ? 'delivered' : next ? 'waiting' : 'failed';
  await sql`
    update webhook_deliveries set state = ${state}, attempts = ${attempts}, last_try_at = ${now}, next_try_at = ${next},
      status = ${status}, error = ${'error' in outcome ? outcome.error : null}
    where id = ${due.id}`;
  return isDelivered;
}

export const sweepDeliveries = (sql: Sql, now: Date): Promise<unknown> =>
  sql`delete from webhook_deliveries where created_at < ${new Date(now.getTime() - WEBHOOK_LOG_RETENTION_MS)}`;

/**
 * Pauses webhooks with a full queue and notifies their leaders: later events are not sent until a leader restarts the
 * webhook.
 */
async function pauseFull({ sql, now }: Pick<Runtime, 'sql' | 'now'>): Promise<void> {
  const at = now();
  await sql.begin(async (tx) => {
    const paused = await tx<{ id: string; communityId: string; url: string }[]>`
      update webhooks set active = false, paused_at = ${at} where active and exists (${isFull(tx)})
      returning id, community_id as "communityId", url`;
    for (const { id, communityId, url } of paused) {
      const { host } = new URL(url);
      await audit(tx, { communityId, actorId: null, action: 'webhook.paused', subject: host, subjectId: id, at });
      await notifyOfWebhookPaused(tx, { communityId, webhookId: id, host, at });
    }
  });
}
