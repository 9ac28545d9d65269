import type { TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { NOTIFICATION_LOG_RETENTION_MS } from '../../contract/limits.ts';
import { LEAST_URGENT } from '../../domain/urgency.ts';
import { createMetrics } from '../../http/metrics.ts';
import { padded } from '../../integrations/push/message.ts';
import { type Batch, type Result, restFor, type Sender } from '../../integrations/push/send.ts';
import { type VapidKey, vapidHeader } from '../../integrations/push/vapid.ts';
import { backoff, type Chunk } from './chunks.ts';
import { readKeys } from './keys.ts';
import { groupOf, payloadOf } from './payload.ts';
import { endIfOver, spreadNext } from './spread.ts';
import { sendByTelegram } from './telegram.ts';

/** Chunks on their way beside each other, for each sender of `many`. */
const BESIDE = 6;
/** From this many due chunks on, further threads are worth their start. */
const A_RUSH = 4;

type Browser = {
  id: string;
  endpoint: string;
  origin: string;
  p256dh: Buffer;
  auth: Buffer;
  key: string;
  /** How often in a row its push service refused us (403). */
  refusals: number;
};

/**
 * Spreads and sends everything that is due. A job: one process at a time, so leftovers belong to a dead one. Messages
 * that it was sending are sent again; their topic lets them replace themselves.
 */
export async function fanOut(runtime: Runtime, stopping: AbortSignal): Promise<void> {
  const onTheWay = new Map<string, Promise<void>>();
  let rush: Sender | null = null;
  try {
    while (!stopping.aborted) {
      const spread = await spreadNext(runtime);
      const due = await dueChunks(runtime, [...onTheWay.keys()]);
      if (due.length >= A_RUSH) rush ??= runtime.push.many();
      const keys = due.length > 0 ? await readKeys(runtime.sql) : new Map<string, VapidKey>();
      for (const chunk of due) {
        const send =
          chunk.channel === 'telegram'
            ? sendByTelegram(runtime, chunk)
            : push(runtime, chunk, { sender: rush ?? runtime.push.here, keys });
        const done = send
          .catch((error: unknown) => {
            runtime.log.error({ err: error, chunk: chunk.id }, 'a chunk of notifications was not sent');
            return putOff(runtime, chunk);
          })
          .finally(() => onTheWay.delete(chunk.id));
        onTheWay.set(chunk.id, done);
      }
      if (onTheWay.size >= BESIDE || (!spread && due.length === 0 && onTheWay.size > 0)) {
        await Promise.race(onTheWay.values());
      } else if (!spread && due.length === 0) return;
    }
  } finally {
    await Promise.allSettled(onTheWay.values());
    rush?.close();
  }
}

function dueChunks({ sql, now }: Pick<Runtime, 'sql' | 'now'>, onTheWay: readonly string[]): Promise<Chunk[]> {
  const room = BESIDE - onTheWay.length;
  if (room <= 0) return Promise.resolve([]);
  return sql<Chunk[]>`
    select c.id, c.notification_id as "notificationId", c.channel, c.targets, c.collapse, c.attempts,
      c.expires_at as "expiresAt", n.topic, n.community_id as "communityId", n.path, n.title, n.body
    from generate_series(0, ${LEAST_URGENT}::int) of (urgency) cross join lateral (
      select * from notification_chunks k
      where k.urgency = of.urgency and k.next_try_at <= ${now()} and k.id <> all(${[...onTheWay]}::bigint[])
      order by k.next_try_at, k.id limit ${room}) c join notifications n on n.id = c.notification_id
    order by c.urgency, c.next_try_at, c.id limit ${room}`;
}

/** Something of ours failed: the chunk stays whole for a later run. */
async function putOff({ sql, now }: Pick<Runtime, 'sql' | 'now'>, chunk: Chunk): Promise<void> {
  const next = new Date(now().getTime() + backoff(chunk.attempts));
  await sql`update notification_chunks set attempts = attempts + 1, next_try_at = ${next} where id = ${chunk.id}`.catch(
    () => undefined,
  );
}

type Means = { sender: Sender; keys: ReadonlyMap<string, VapidKey> };

async function push(runtime: Runtime, chunk: Chunk, { sender, keys }: Means): Promise<void> {
  const { sql, config } = runtime;
  const now = runtime.now();
  const browsers = await sql<Browser[]>`
    select p.id, p.endpoint, p.origin, p.p256dh, p.auth, p.vapid_key as key, p.refusals
    from push_subscriptions p join sessions s on s.id = p.session_id join users u on u.id = p.user_id
    where p.id = any(${chunk.targets}::uuid[]) and s.expires_at > ${now} and u.suspended_at is null
      and ${config.telegram.requiredChannel === null ? sql`true` : sql`u.membership not in ('left', 'kicked')`}`;
  const resting = await sql<{ origin: string; until: Date }[]>`
    select origin, resting_until as until from push_origins where resting_until > ${now}`;
  const ttl = Math.floor((chunk.expiresAt.getTime() - now.getTime()) / 1_000);
  const message = { ...chunk, id: chunk.notificationId };
  const instance = { origin: config.publicOrigin, product: config.productName };
  const authorizations: string[] = [];
  const contentIndex = new Map<string, number>();
  const indexOf = ({ origin, key }: Browser): number => {
    const name = `${origin} ${key}`;
    const existing = contentIndex.get(name);
    const vapid = keys.get(key);
    if (existing !== undefined || !vapid) return existing ?? -1;
    contentIndex.set(name, authorizations.push(vapidHeader(vapid, origin, config.push.subject)) - 1);
    return authorizations.length - 1;
  };
  const batch: Batch = {
    text: padded(JSON.stringify(payloadOf(message, instance, chunk.collapse))),
    ttl: Math.max(0, ttl),
    urgency: chunk.topic === 'task' || chunk.topic === 'streak' ? 'normal' : 'high',
    topic: groupOf(message, chunk.collapse),
    targets: browsers.map((browser) => {
      const { id, endpoint, p256dh, auth } = browser;
      return { id, endpoint, p256dh, auth, authorization: indexOf(browser) };
    }),
    authorizations,
    resting: resting.map(({ origin }) => origin),
  };
  const results = ttl > 0 ? await sender.send(batch) : [];
  const originOf = new Map(browsers.map(({ id, origin }) => [id, origin]));
  const refusedOnce = new Set(browsers.filter(({ refusals }) => refusals > 0).map(({ id }) => id));
  const sent: Sent = { results, originOf, refusedOnce, resting, now: runtime.now(), isOver: ttl <= 0 };
  const write = () => sql.begin((tx) => settle(tx, chunk, sent));
  // What was sent and not written down would be sent again: worth another try.
  await write().catch(write);
  runtime.own(createMetrics)?.push(results.map((result) => outcomeOf(result, refusedOnce.has(result.id))));
}

type Outcome = 'sent' | 'gone' | 'failed' | 'again' | 'held';

/**
 * What an answer of a push service means for the message. 404 and 410 (RFC 8030) end a subscription, and so does a second
 * 403: it was made with another key than ours, and its browser makes a new one. Nothing else does.
 */
export function outcomeOf(result: Result, wasRefused = false): Outcome {
  if ('error' in result) {
    if (result.error === 'HELD') return 'held';
    return result.error === 'ADDRESS' || result.error === 'KEYS' ? 'failed' : 'again';
  }
  const { status } = result;
  if (status >= 200 && status < 300) return 'sent';
  if (status === 404 || status === 410) return 'gone';
  if (status === 403 && wasRefused) return 'gone';
  if (restFor(result) !== null) return 'held';
  return status >= 500 || status === 408 || status === 429 ? 'again' : 'failed';
}

type Sent = {
  results: readonly Result[];
  originOf: ReadonlyMap<string, string>;
  /** Subscriptions that their push service refused the last time. */
  refusedOnce: ReadonlySet<string>;
  resting: readonly { origin: string; until: Date }[];
  now: Date;
  /** Its time was over before it could be sent. */
  isOver: boolean;
};

/**
 * Records a chunk's results and replaces it by what is left to send, in one transaction. Concurrent chunks overlap:
 * each locks browsers, services, then the notification and its chunks, in order, which prevents deadlocks. A
 * cancellation comes before or after all of it.
 */
async function settle(
  tx: TransactionSql,
  chunk: Chunk,
  { results, originOf, refusedOnce, resting, now, isOver }: Sent,
): Promise<void> {
  const rests = new Map(resting.map(({ origin, until }) => [origin, until]));
  const byOutcome: Record<Outcome, string[]> = { sent: [], gone: [], failed: [], again: [], held: [] };
  const services = new Map<string, { sent: number; gone: number; failed: number }>();
  const paused = new Set<string>();
  for (const result of results) {
    const origin = originOf.get(result.id) ?? '';
    const restMs = restFor(result);
    if (restMs !== null) {
      const until = new Date(now.getTime() + restMs);
      if (until > (rests.get(origin) ?? now)) rests.set(origin, until);
      paused.add(origin);
    }
    const outcome = outcomeOf(result, refusedOnce.has(result.id));
    byOutcome[outcome].push(result.id);
    if (outcome === 'again' || outcome === 'held') continue;
    const counts = services.get(origin) ?? { sent: 0, gone: 0, failed: 0 };
    counts[outcome] += 1;
    services.set(origin, counts);
  }
  // A subscription that has gone since it was queued, and everything that is too late.
  const missing = isOver ? 0 : chunk.targets.length - results.length;
  const late = isOver ? chunk.targets.length : 0;

  await noteBrowsers(tx, results, byOutcome.gone, now);
  for (const origin of [...paused].sort()) {
    await tx`
      insert into push_origins (origin, resting_until) values (${origin}, ${rests.get(origin) ?? now})
      on conflict (origin) do update set resting_until = greatest(push_origins.resting_until, excluded.resting_until)`;
  }

  await tx`
    update notifications set sent = sent + ${byOutcome.sent.length}, gone = gone + ${byOutcome.gone.length + missing},
      failed = failed + ${byOutcome.failed.length + late}
    where id = ${chunk.notificationId}`;
  const next = new Map<number, string[]>();
  const putOffUntil = (time: number, id: string) => next.set(time, [...(next.get(time) ?? []), id]);
  for (const id of byOutcome.again) putOffUntil(now.getTime() + backoff(chunk.attempts), id);
  for (const id of byOutcome.held) {
    const until = rests.get(originOf.get(id) ?? '') ?? now;
    putOffUntil(Math.max(until.getTime(), now.getTime() + 1), id);
  }
  for (const [time, targets] of next) {
    const tried = targets.some((id) => byOutcome.again.includes(id)) ? chunk.attempts + 1 : chunk.attempts;
    await tx`
      insert into notification_chunks (notification_id, urgency, channel, targets, collapse, attempts, next_try_at, expires_at)
      select id, urgency, 'push', ${targets}::uuid[], ${chunk.collapse}::boolean, ${tried}::int, ${new Date(time)}::timestamptz,
        ${chunk.expiresAt}::timestamptz
      from notifications where id = ${chunk.notificationId} and state <> 'cancelled'`;
  }
  for (const [origin, { sent, gone, failed }] of services) {
    await tx`
      insert into notification_services as kept (notification_id, origin, sent, gone, failed)
      values (${chunk.notificationId}, ${origin}, ${sent}, ${gone}, ${failed})
      on conflict (notification_id, origin) do update set
        sent = kept.sent + excluded.sent, gone = kept.gone + excluded.gone, failed = kept.failed + excluded.failed`;
  }
  await tx`delete from notification_chunks where id = ${chunk.id}`;
  await endIfOver(tx, chunk.notificationId, now);
}

/** Deletes the subscriptions that are gone and notes at the others how the last message fared. */
async function noteBrowsers(
  tx: TransactionSql,
  results: readonly Result[],
  gone: readonly string[],
  now: Date,
): Promise<void> {
  await tx`
    select from push_subscriptions where id = any(${results.map(({ id }) => id)}::uuid[]) order by id for update`;
  if (gone.length > 0) await tx`delete from push_subscriptions where id = any(${[...gone]}::uuid[])`;
  const tried = results.filter(
    (result) => !('error' in result && result.error === 'HELD') && !gone.includes(result.id),
  );
  if (tried.length === 0) return;
  await tx`
    update push_subscriptions p set last_try_at = ${now}, last_status = t.status,
      last_ok_at = case when t.status between 200 and 299 then ${now} else p.last_ok_at end,
      refusals = case when t.status = 403 then least(p.refusals + 1, 100) when t.status between 200 and 299 then 0
        else p.refusals end
    from unnest(${tried.map(({ id }) => id)}::uuid[],
      ${tried.map((result) => ('status' in result ? result.status : null))}::int[]) as t (id, status)
    where p.id = t.id`;
}

/** Forgets what has no more meaning. A job. */
export async function sweepNotifications({ sql, now }: Pick<Runtime, 'sql' | 'now'>): Promise<void> {
  const before = new Date(now().getTime() - NOTIFICATION_LOG_RETENTION_MS);
  await sql`delete from notifications where created_at < ${before} and not campaign and state in ('done', 'cancelled')`;
  await sql`delete from notification_days where day < ${before.toISOString().slice(0, 10)}::date`;
  await sql`delete from push_origins where resting_until < ${before}`;
  await sql`
    delete from vapid_keys k where retired_at < ${before}
      and not exists (select from push_subscriptions p where p.vapid_key = k.public_key)`;
}
