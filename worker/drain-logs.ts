import { DRAIN_BACKOFF_MAX_MS, LOG_BATCH_AFTER_FAILURE, LOG_BATCH_MAX } from '../server/contract/limits.ts';
import type { LogKind } from '../server/contract/logs.ts';
import { wireEntry } from './client-logs.ts';
import type { LogDelivery, LogRow } from './schema.ts';
import type { Send, SendAnswer } from './send.ts';
import { type DeviceStorage, getMeta, putMeta, type Transaction } from './storage/storage.ts';
import { backoffOf, RETRY_AFTER_MAX_MS, retryAfterOf } from './verdict.ts';

export const LOG_BATCH_PATH = '/api/debug/client-logs/batch';
/** Characters of one request's entries; the server takes 64 kB of body. */
const LARGEST_REQUEST_CHARS = 40_000;

type Ports = { storage: DeviceStorage; send: Send; now: () => number; random: () => number };
type Batch = { rows: LogRow[]; dropped: Record<LogKind, number>; anonymous: boolean };
type Result = { id: string; status: 'stored' | 'duplicate' | 'rejected' };

/** Sends the kept log entries, oldest first, in batches. Ends at the first batch that brings nothing forward. */
export async function drainLogs(ports: Ports, { hurry }: { hurry: boolean }): Promise<void> {
  for (let first = true; ; first = false) {
    const batch = await takeBatch(ports, hurry && first);
    if (!batch) return;
    const answer = await ports
      .send({
        method: 'POST',
        path: LOG_BATCH_PATH,
        headers: {},
        body: {
          sentAt: new Date(ports.now()).toISOString(),
          dropped: batch.dropped,
          entries: batch.rows.map(wireEntry),
        },
        credentials: batch.anonymous ? 'omit' : 'include',
      })
      .catch(() => null);
    if (!(await settle(ports, batch, answer))) return;
  }
}

/** When the logs have something to do; null when none are kept. */
export async function whenLogsAreDue(tx: Transaction): Promise<number | null> {
  const kept = await tx.all('logs');
  return kept.length === 0 ? null : ((await getMeta(tx, 'logDelivery')).nextTryAt ?? 0);
}

/** Picks the oldest entries of one member, as many as a request takes, and marks them: nothing is folded into them from now on. */
function takeBatch({ storage, now }: Ports, hurry: boolean): Promise<Batch | null> {
  return storage.run(['logs', 'meta'], async (tx) => {
    const delivery = await getMeta(tx, 'logDelivery');
    const kept = await tx.all('logs');
    const owner = kept[0]?.userId ?? null;
    if (kept.length === 0 || isHeld(delivery, now(), hurry)) return null;
    const rows: LogRow[] = [];
    let size = 0;
    for (const row of kept.filter((one) => one.userId === owner).slice(0, delivery.batch)) {
      size += JSON.stringify(row.data).length;
      if (rows.length > 0 && size > LARGEST_REQUEST_CHARS) break;
      rows.push(row);
      await tx.put('logs', { ...row, sent: true });
    }
    const member = await getMeta(tx, 'member');
    return { rows, dropped: await getMeta(tx, 'dropped'), anonymous: owner !== null && owner !== member };
  });
}

function isHeld({ nextTryAt, serverNamedTime }: LogDelivery, now: number, hurry: boolean): boolean {
  if (nextTryAt === null || nextTryAt <= now || (hurry && !serverNamedTime)) return false;
  return nextTryAt - now <= (serverNamedTime ? RETRY_AFTER_MAX_MS : DRAIN_BACKOFF_MAX_MS);
}

/** Per-entry results of an answer, or null when it acknowledges nothing. */
function resultsOf(answer: SendAnswer | null): Result[] | null {
  if (!answer || answer.status < 200 || answer.status > 299) return null;
  const results = (answer.body as { results?: unknown } | null | undefined)?.results;
  return Array.isArray(results) ? (results as Result[]) : null;
}
/** The server read the request and will not take it as it is; a smaller one may pass. */
const isUnfit = (answer: SendAnswer | null): boolean => answer !== null && [400, 413, 422].includes(answer.status);

/** Writes down what came of a batch. Answers whether to go on with the next. */
function settle(ports: Ports, batch: Batch, answer: SendAnswer | null): Promise<boolean> {
  return ports.storage.run(['logs', 'meta'], async (tx) => {
    const delivery = await getMeta(tx, 'logDelivery');
    const results = resultsOf(answer);
    const done = new Map(results?.map(({ id, status }) => [id, status]));
    const settled = batch.rows.filter((row) => done.has(row.id));
    if (settled.length > 0) {
      await forget(tx, batch, settled, (row) => done.get(row.id) === 'rejected');
      const grown = Math.min(LOG_BATCH_MAX, delivery.batch * 2);
      await putMeta(tx, 'logDelivery', { batch: grown, attempts: 0, nextTryAt: null, serverNamedTime: false });
      return true;
    }
    const [only] = batch.rows;
    if (isUnfit(answer) && only && batch.rows.length === 1) {
      // This very entry is what the server cannot read: it must not hold the others.
      await forget(tx, { ...batch, dropped: { error: 0, debug: 0 } }, [only], () => true);
      return true;
    }
    if (isUnfit(answer)) {
      const size = batch.rows.length > LOG_BATCH_AFTER_FAILURE ? LOG_BATCH_AFTER_FAILURE : 1;
      await putMeta(tx, 'logDelivery', { ...delivery, batch: size });
      return true;
    }
    const attempts = delivery.attempts + 1;
    const now = ports.now();
    const named = answer ? retryAfterOf(answer, now) : null;
    await putMeta(tx, 'logDelivery', {
      batch: Math.min(delivery.batch, LOG_BATCH_AFTER_FAILURE),
      attempts,
      nextTryAt: now + (named ?? backoffOf(attempts, ports.random)),
      serverNamedTime: named !== null,
    });
    return false;
  });
}

/** Removes settled entries and brings the count of the lost up to date: what was reported, rejected, or arrived after all. */
async function forget(
  tx: Transaction,
  batch: Batch,
  settled: LogRow[],
  isRejected: (row: LogRow) => boolean,
): Promise<void> {
  const dropped = { ...(await getMeta(tx, 'dropped')) };
  for (const kind of ['error', 'debug'] as const) dropped[kind] = Math.max(0, dropped[kind] - batch.dropped[kind]);
  for (const row of settled) {
    const isKept = (await tx.get('logs', row.sequence)) !== undefined;
    if (isKept) await tx.remove('logs', row.sequence);
    if (isKept && isRejected(row)) dropped[row.kind] += row.repeats;
    // The cap took it while it was on the air, and counted it as lost; it was not.
    if (!isKept && !isRejected(row)) dropped[row.kind] = Math.max(0, dropped[row.kind] - row.repeats);
  }
  await putMeta(tx, 'dropped', dropped);
}
