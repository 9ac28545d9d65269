import { LOG_BATCH_AFTER_FAILURE, LOG_BATCH_MAX } from '../server/contract/limits.ts';
import type { LogKind } from '../server/contract/logs.ts';
import { wireEntry } from './client-logs.ts';
import type { LogRow } from './schema.ts';
import type { DrainPorts, SendAnswer } from './send.ts';
import { getMeta, putMeta, type Transaction } from './storage/storage.ts';
import { backoffOf, heldUntil, isAway, isForeign, isOtherMember, retryAfterOf } from './verdict.ts';

export const LOG_BATCH_PATH = '/api/debug/client-logs/batch';
/** A breadcrumb is in no hurry: it goes out with what comes after it, or so much later. */
export const BREADCRUMB_AFTER_MS = 10_000;
/** Characters of one request's entries; the server takes 64 kB of body. */
const LARGEST_REQUEST_CHARS = 40_000;

type Ports = Pick<DrainPorts, 'storage' | 'send' | 'now' | 'random' | 'breadcrumbsFrom'>;
type Batch = { rows: LogRow[]; dropped: Record<LogKind, number>; actor: string | null };
type Result = { id: string; status: 'stored' | 'duplicate' | 'rejected' };

/**
 * Sends the stored log entries in batches, oldest first, under the drain lock. Stops at the first batch without
 * progress, and returns false when the server itself did not answer that one.
 */
export function drainLogs(ports: Ports & Pick<DrainPorts, 'lock'>, { hurry }: { hurry: boolean }): Promise<boolean> {
  return ports.lock(() => sendLogs(ports, hurry), 'logs');
}

async function sendLogs(ports: Ports, hurry: boolean): Promise<boolean> {
  const { storage, now } = ports;
  let batch = await storage.run(['logs', 'meta'], async (tx) => {
    const isDue = (await restsUntil(tx, ports)) <= now();
    return isDue ? takeBatch(tx, now(), hurry) : null;
  });
  while (batch) {
    const sent = batch;
    let answer = await post(ports, sent);
    // The session belongs to another member now: the entries are sent without an actor, because operators still want
    // them.
    if (answer && isOtherMember(answer)) answer = await post(ports, { ...sent, actor: null });
    // What came of one and what goes next are one transaction: an answer waits for the store once, not twice.
    const next = await storage.run(['logs', 'meta'], async (tx) => {
      const goesOn = await settle(tx, ports, sent, answer);
      return { goesOn, batch: goesOn ? await takeBatch(tx, now(), false) : null };
    });
    if (!next.goesOn) return !isAway(answer, now());
    batch = next.batch;
  }
  return true;
}

/** Sends a batch under its member's session, or without credentials when another member is signed in. */
function post({ send, now }: Ports, { rows, dropped, actor }: Batch): Promise<SendAnswer | null> {
  return send({
    method: 'POST',
    path: LOG_BATCH_PATH,
    headers: actor === null ? {} : { 'X-Actor': actor },
    body: { sentAt: new Date(now()).toISOString(), dropped, entries: rows.map(wireEntry) },
    credentials: actor === null ? 'omit' : 'include',
  }).catch(() => null);
}

/** When the next log delivery is due; null when there are no entries. */
export async function whenLogsAreDue(
  tx: Transaction,
  ports: Pick<Ports, 'now' | 'breadcrumbsFrom'>,
): Promise<number | null> {
  const [stored, delivery, rest] = await Promise.all([
    tx.all('logs'),
    getMeta(tx, 'logDelivery'),
    restsUntil(tx, ports),
  ]);
  return stored.length === 0 ? null : Math.max(rest, heldUntil(delivery, ports.now()) ?? ports.now());
}

/**
 * A visitor's breadcrumbs wait unless there is an error: they must not compete with the page's start. A member's never
 * wait, because the member may leave the device.
 */
async function restsUntil(tx: Transaction, ports: Pick<Ports, 'now' | 'breadcrumbsFrom'>): Promise<number> {
  const { breadcrumbsFrom = 0 } = ports;
  // A time further off than that was named under another clock.
  const isOver = breadcrumbsFrom - ports.now() > BREADCRUMB_AFTER_MS;
  const isUrgent = ({ kind, userId }: LogRow) => kind === 'error' || userId !== null;
  return isOver || (await tx.all('logs')).some(isUrgent) ? 0 : breadcrumbsFrom;
}

/** Picks the oldest entries of one member, as many as a request takes, and marks them: nothing is folded into them from now on. */
async function takeBatch(tx: Transaction, now: number, hurry: boolean): Promise<Batch | null> {
  const [delivery, stored, member, dropped] = await Promise.all([
    getMeta(tx, 'logDelivery'),
    tx.all('logs'),
    getMeta(tx, 'member'),
    getMeta(tx, 'dropped'),
  ]);
  const owner = stored[0]?.userId ?? null;
  const isHeld = heldUntil(delivery, now) !== null && (!hurry || delivery.serverNamedTime);
  if (stored.length === 0 || isHeld) return null;
  const ofOwner = stored.filter((one) => one.userId === owner);
  // After many failures entries go one at a time, each time another one, so an entry that breaks the server does not
  // block the rest.
  const from = delivery.batch === 1 ? delivery.attempts % ofOwner.length : 0;
  const rows: LogRow[] = [];
  let size = 0;
  for (const row of ofOwner.slice(from, from + delivery.batch)) {
    size += JSON.stringify(row.data).length;
    if (rows.length > 0 && size > LARGEST_REQUEST_CHARS) break;
    rows.push(row);
  }
  const unmarked = rows.filter(({ sent }) => !sent);
  await Promise.all(unmarked.map((row) => tx.put('logs', { ...row, sent: true })));
  return { rows, dropped, actor: owner === member ? owner : null };
}

/** Per-entry results of an answer, or null when it acknowledges nothing. */
function resultsOf(answer: SendAnswer | null): Result[] | null {
  if (!answer || answer.status < 200 || answer.status > 299) return null;
  const results = (answer.body as { results?: unknown } | null | undefined)?.results;
  return Array.isArray(results) ? (results as Result[]) : null;
}
const smaller = (batch: number): number => (batch > LOG_BATCH_AFTER_FAILURE ? LOG_BATCH_AFTER_FAILURE : 1);
const DELIVERING = { attempts: 0, nextTryAt: null, triedAt: null, serverNamedTime: false };
/** The request is not taken as it is; a smaller one may pass. */
const isUnfit = (answer: SendAnswer | null): boolean => answer !== null && [400, 413, 422].includes(answer.status);

/** Writes down what came of a batch. Answers whether to go on with the next. */
async function settle(
  tx: Transaction,
  { now, random }: Ports,
  batch: Batch,
  answer: SendAnswer | null,
): Promise<boolean> {
  const delivery = await getMeta(tx, 'logDelivery');
  const results = resultsOf(answer);
  const done = new Map(results?.map(({ id, status }) => [id, status]));
  const settled = batch.rows.filter((row) => done.has(row.id));
  if (settled.length > 0) {
    await forget(tx, batch, settled, (row) => done.get(row.id) === 'rejected');
    const grown = Math.min(LOG_BATCH_MAX, delivery.batch * 2);
    await putMeta(tx, 'logDelivery', { ...DELIVERING, batch: grown });
    return true;
  }
  const [only] = batch.rows;
  const isRefused = isUnfit(answer) && answer !== null && !isForeign(answer);
  if (isRefused && only && batch.rows.length === 1) {
    // This very entry is what the server cannot read: it must not hold the others.
    await forget(tx, { ...batch, dropped: { error: 0, debug: 0 } }, [only], () => true);
    return true;
  }
  if (isRefused) {
    await putMeta(tx, 'logDelivery', { ...delivery, batch: smaller(batch.rows.length) });
    return true;
  }
  const attempts = delivery.attempts + 1;
  const triedAt = now();
  const named = answer ? retryAfterOf(answer, triedAt) : null;
  await putMeta(tx, 'logDelivery', {
    // A server error or a proxy's refusal may be due to one entry, so the batch shrinks. A server that did not answer
    // has read none.
    batch:
      answer?.status === 500 || isUnfit(answer)
        ? smaller(delivery.batch)
        : Math.min(delivery.batch, LOG_BATCH_AFTER_FAILURE),
    attempts,
    triedAt,
    nextTryAt: triedAt + (named ?? backoffOf(attempts, random)),
    serverNamedTime: named !== null,
  });
  return false;
}

/** Removes settled entries and brings the count of the lost up to date: what was reported, rejected, or arrived after all. */
async function forget(
  tx: Transaction,
  batch: Batch,
  settled: LogRow[],
  isRejected: (row: LogRow) => boolean,
): Promise<void> {
  const [counted, rows] = await Promise.all([getMeta(tx, 'dropped'), tx.all('logs')]);
  const dropped = { ...counted };
  for (const kind of ['error', 'debug'] as const) dropped[kind] = Math.max(0, dropped[kind] - batch.dropped[kind]);
  // Looked up by id: a storage that recovers renumbers what memory held.
  const kept = new Map(rows.map(({ id, sequence }) => [id, sequence]));
  const writes: Promise<void>[] = [];
  for (const row of settled) {
    const sequence = kept.get(row.id);
    const isStored = sequence !== undefined;
    if (isStored) writes.push(tx.remove('logs', sequence));
    if (isStored && isRejected(row)) dropped[row.kind] += row.repeats;
    // The cap removed it during the request and counted it as lost, but it arrived.
    if (!isStored && !isRejected(row)) dropped[row.kind] = Math.max(0, dropped[row.kind] - row.repeats);
  }
  await Promise.all([...writes, putMeta(tx, 'dropped', dropped)]);
}
