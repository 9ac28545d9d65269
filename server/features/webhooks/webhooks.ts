import { randomBytes } from 'node:crypto';
import type { ISql, TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import { WEBHOOK_DELIVERIES_PAGE, WEBHOOKS_PER_COMMUNITY } from '../../contract/limits.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import type { Delivery, NewlyMadeWebhook, Webhook, WebhookEvent } from '../../contract/rooms.ts';
import { isId } from '../../domain/ids.ts';
import { cursorOf, pageOf, readCursor } from '../../domain/page.ts';
import { mayBeCalled } from '../../integrations/outward/post.ts';
import { audit } from '../audit/audit.ts';

type By = { communityId: string; userId: string; now: Date };
type Row = Omit<Webhook, 'createdAt' | 'pausedAt' | 'lastDelivery'> & {
  createdAt: Date;
  pausedAt: Date | null;
  lastAt: Date | null;
  lastStatus: number | null;
  lastError: string | null;
};

const webhookOf = ({ id, url, events, active, pausedAt, waiting, createdAt, ...last }: Row): Webhook => ({
  id,
  url,
  events,
  active,
  pausedAt: pausedAt?.toISOString() ?? null,
  waiting,
  createdAt: createdAt.toISOString(),
  lastDelivery: last.lastAt && { at: last.lastAt.toISOString(), status: last.lastStatus, error: last.lastError },
});

const read = (sql: ISql, communityId: string, id: string | null) => sql<Row[]>`
  select w.id, w.url, w.events, w.active, w.paused_at as "pausedAt", w.created_at as "createdAt",
    (select count(*)::int from webhook_deliveries where webhook_id = w.id and state = 'waiting') as waiting,
    d.last_try_at as "lastAt", d.status as "lastStatus", d.error as "lastError"
  from webhooks w left join lateral (
    select last_try_at, status, error from webhook_deliveries
    where webhook_id = w.id and last_try_at is not null order by last_try_at desc limit 1
  ) d on true
  where w.community_id = ${communityId} and ${id === null ? sql`true` : sql`w.id = ${id}`}
  order by w.created_at, w.id`;

/** A community's webhooks with their last delivery, never with their secret. */
export const listWebhooks = async (sql: ISql, communityId: string): Promise<Webhook[]> =>
  (await read(sql, communityId, null)).map(webhookOf);

/** One webhook, locked for the transaction. Throws 404 `NOT_FOUND`. */
async function hold(tx: TransactionSql, communityId: string, id: string): Promise<Webhook> {
  const held = isId(id)
    ? await tx`select from webhooks where id = ${id} and community_id = ${communityId} for update`
    : [];
  const [row] = held.length > 0 ? await read(tx, communityId, id) : [];
  if (!row) throw notFound('webhook');
  return webhookOf(row);
}

/** The address as it is called, in one form. Throws 422 `URL_NOT_ALLOWED`. */
function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  // A lone `?` has no query.
  if (url?.search === '') url.search = '';
  if (url && mayBeCalled(url)) return url;
  throw new HttpError(422, 'URL_NOT_ALLOWED', 'A webhook is an https address on the open internet, on port 443.', {
    details: { field: 'url', needs: 'open_https' } satisfies ErrorDetails['URL_NOT_ALLOWED'],
  });
}

/** An address can have one webhook per community. Throws 409 `WEBHOOK_EXISTS`. */
async function refuseSecond(tx: TransactionSql, communityId: string, url: string): Promise<void> {
  const [same] = await tx`select from webhooks where community_id = ${communityId} and url = ${url}`;
  if (!same) return;
  throw new HttpError(409, 'WEBHOOK_EXISTS', 'There is a webhook to this address. Change its events instead.', {
    details: { field: 'url' },
  });
}

/** An address may carry a secret in its path: only its host is written down. */
const auditOf = (tx: TransactionSql, { communityId, userId, now }: By, action: string, webhook: Webhook) =>
  audit(tx, {
    communityId,
    actorId: userId,
    action: `webhook.${action}`,
    subject: new URL(webhook.url).host,
    subjectId: webhook.id,
    at: now,
  });

/**
 * Adds a webhook and returns its secret, once. Throws 422 `URL_NOT_ALLOWED`, 409 `WEBHOOK_LIMIT` and `WEBHOOK_EXISTS`.
 */
export async function addWebhook(
  tx: TransactionSql,
  by: By,
  input: { url: string; events: readonly WebhookEvent[] },
): Promise<NewlyMadeWebhook> {
  const { communityId, userId, now } = by;
  const url = readUrl(input.url);
  // The community's row is the lock: two at once cannot both be the last that fits.
  await tx`select from communities where id = ${communityId} for no key update`;
  const [count] = await tx<[{ all: number }]>`
    select count(*)::int as all from webhooks where community_id = ${communityId}`;
  if (count.all >= WEBHOOKS_PER_COMMUNITY) {
    throw new HttpError(409, 'WEBHOOK_LIMIT', `A community has at most ${WEBHOOKS_PER_COMMUNITY} webhooks.`, {
      details: { limit: WEBHOOKS_PER_COMMUNITY },
    });
  }
  await refuseSecond(tx, communityId, url.href);
  const secret = `whsec_${randomBytes(32).toString('base64url')}`;
  const [made] = await tx<[{ id: string }]>`
    insert into webhooks (community_id, url, events, secret, created_by, created_at)
    values (${communityId}, ${url.href}, ${[...new Set(input.events)]}, ${Buffer.from(secret)}, ${userId}, ${now})
    returning id`;
  const webhook = await hold(tx, communityId, made.id);
  await auditOf(tx, by, 'added', webhook);
  return { ...webhook, secret };
}

const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item) => other.includes(item));

/**
 * Changes, stops or starts a webhook; what changes nothing is not written down. Throws 404 `NOT_FOUND`, 422
 * `URL_NOT_ALLOWED`, 409 `WEBHOOK_EXISTS`.
 */
export async function changeWebhook(
  tx: TransactionSql,
  by: By,
  id: string,
  input: { url?: string | undefined; events?: readonly WebhookEvent[] | undefined; active?: boolean | undefined },
): Promise<Webhook> {
  // As for a new one: of two concurrent changes to the same address the second is rejected.
  if (input.url !== undefined) await tx`select from communities where id = ${by.communityId} for no key update`;
  const before = await hold(tx, by.communityId, id);
  const url = input.url === undefined ? before.url : readUrl(input.url).href;
  const events = [...new Set(input.events ?? before.events)];
  const active = input.active ?? before.active;
  const isSame = url === before.url && active === before.active && isSameSet(events, before.events);
  if (isSame) return before;
  if (url !== before.url) await refuseSecond(tx, by.communityId, url);
  const pausedAt = active ? null : before.pausedAt;
  await tx`
    update webhooks set url = ${url}, events = ${events}, active = ${active}, paused_at = ${pausedAt} where id = ${id}`;
  const webhook = { ...before, url, events, active, pausedAt };
  const action = active === before.active ? 'changed' : active ? 'started' : 'stopped';
  await auditOf(tx, by, action, webhook);
  return webhook;
}

/** Removes a webhook with its log. Throws 404 `NOT_FOUND`. */
export async function removeWebhook(tx: TransactionSql, by: By, id: string): Promise<void> {
  const webhook = await hold(tx, by.communityId, id);
  await tx`delete from webhooks where id = ${id}`;
  await auditOf(tx, by, 'removed', webhook);
}

type DeliveryRow = Omit<Delivery, 'createdAt' | 'lastTryAt' | 'nextTryAt'> & {
  createdAt: Date;
  lastTryAt: Date | null;
  nextTryAt: Date | null;
};
const deliveryColumns = (sql: ISql) => sql`
  d.id, d.event, d.state, d.attempts, d.created_at as "createdAt", d.last_try_at as "lastTryAt",
  d.next_try_at as "nextTryAt", d.status, d.error, d.body::text as body`;

const deliveryOf = (row: DeliveryRow): Delivery => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  lastTryAt: row.lastTryAt?.toISOString() ?? null,
  nextTryAt: row.nextTryAt?.toISOString() ?? null,
});

/** One page of past and future deliveries, latest first. Throws 404 `NOT_FOUND`, 400 `INVALID_INPUT`. */
export async function listDeliveries(
  sql: ISql,
  scope: { communityId: string; webhookId: string; after: string | undefined },
): Promise<{ items: Delivery[]; next: string | null }> {
  const { communityId, webhookId, after } = scope;
  const position = readCursor(after);
  const [webhook] = isId(webhookId)
    ? await sql`select id from webhooks where id = ${webhookId} and community_id = ${communityId}`
    : [];
  if (!webhook) throw notFound('webhook');
  const rows = await sql<DeliveryRow[]>`
    select ${deliveryColumns(sql)} from webhook_deliveries d
    where d.webhook_id = ${webhookId} and ${
      position
        ? sql`(d.created_at < ${position.at} or (d.created_at = ${position.at} and d.id > ${position.id}))`
        : sql`true`
    }
    order by d.created_at desc, d.id limit ${WEBHOOK_DELIVERIES_PAGE + 1}`;
  return pageOf(rows, WEBHOOK_DELIVERIES_PAGE, {
    item: deliveryOf,
    cursor: (row) => cursorOf({ at: row.createdAt, id: row.id }),
  });
}

/**
 * Sends a delivery again: a waiting one goes at once, a finished one again with a new log line. The body is the same,
 * so a receiver recognizes it by the body's id. Throws 404 `NOT_FOUND`, 409 `WEBHOOK_STOPPED`.
 */
export async function replay(tx: TransactionSql, by: By, webhookId: string, deliveryId: string): Promise<Delivery> {
  const webhook = await hold(tx, by.communityId, webhookId);
  if (!webhook.active) throw new HttpError(409, 'WEBHOOK_STOPPED', 'This webhook is stopped. Start it first.');
  const [old] = isId(deliveryId)
    ? await tx<{ state: Delivery['state'] }[]>`
        select state from webhook_deliveries where id = ${deliveryId} and webhook_id = ${webhookId} for update`
    : [];
  if (!old) throw notFound('delivery');
  const [row] =
    old.state === 'waiting'
      ? await tx<DeliveryRow[]>`
          update webhook_deliveries d set next_try_at = ${by.now} where d.id = ${deliveryId}
          returning ${deliveryColumns(tx)}`
      : await tx<DeliveryRow[]>`
          insert into webhook_deliveries as d (webhook_id, event, body, created_at, next_try_at)
          select webhook_id, event, body, ${by.now}, ${by.now} from webhook_deliveries where id = ${deliveryId}
          returning ${deliveryColumns(tx)}`;
  if (!row) throw new Error('the delivery was not stored');
  await auditOf(tx, by, 'replayed', webhook);
  return deliveryOf(row);
}
