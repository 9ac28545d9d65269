import { SEND_TIMEOUT_MS } from '../server/contract/limits.ts';
import type { DrainReport } from './api.ts';
import { drainLogs, whenLogsAreDue } from './drain-logs.ts';
import { entryOf } from './outbox.ts';
import type { DeviceEvent, OutboxRow } from './schema.ts';
import type { Send, SendAnswer } from './send.ts';
import { type DeviceStorage, getMeta, putMeta, type Transaction } from './storage/storage.ts';
import { backoffOf, errorOf, heldUntil, isAway, retryAfterOf, verdictOf } from './verdict.ts';

/** A sender without a lock may hold an entry a little longer than a request can last. */
const LEASE_MS = SEND_TIMEOUT_MS + 5_000;

/** Everything that the drain touches, injected: it is the same in the device worker, the service worker and the tests. */
export type DrainPorts = {
  storage: DeviceStorage;
  send: Send;
  /** Epoch milliseconds. */
  now: () => number;
  /** Numbers in [0, 1). */
  random: () => number;
  /** Runs `work` when nobody else on the device drains. `alone` is false where the browser cannot promise that. */
  lock: <T>(work: (alone: boolean) => Promise<T>) => Promise<T>;
  tell: (event: DeviceEvent) => void;
};

type Run = DrainPorts & {
  hurry: boolean;
  /** Lanes whose first entry failed in this drain; each is tried again in a later one. */
  stuck: Set<string>;
  delivered: number;
  refused: number;
  /** Something got no answer of the server's own. */
  unanswered: boolean;
};

/**
 * Sends what is due: actions by lane, lanes beside each other, and logs beside the actions. An entry is leased, sent,
 * and removed only after the server acknowledged it, so a drain may die at any point: what it held is sent again under
 * the same id, and the server counts it once.
 */
export function drain(ports: DrainPorts, { hurry = false } = {}): Promise<DrainReport> {
  return ports.lock(async (alone) => {
    const run: Run = { ...ports, hurry, stuck: new Set(), delivered: 0, refused: 0, unanswered: false };
    if (alone) await freeLeases(run);
    const logs = drainLogs(ports, { hurry }).then((answered) => {
      run.unanswered ||= !answered;
    });
    await allEnded([logs, drainLanes(run)]);
    if (run.unanswered) ports.tell({ type: 'NO_ANSWER' });
    return report(run);
  });
}

/**
 * Waits for all, also when one of them fails: the lock must not be let go while anything is on the air.
 * @throws what the first of the failed has thrown
 */
async function allEnded<T>(works: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}

/** Whoever drains alone knows that every lease left behind belongs to the dead. */
function freeLeases({ storage }: Run): Promise<void> {
  return storage.run(['outbox'], async (tx) => {
    for (const row of await tx.all('outbox'))
      if (row.state === 'sending') await tx.put('outbox', { ...row, state: 'waiting', leasedUntil: null });
  });
}

async function drainLanes(run: Run): Promise<void> {
  for (;;) {
    const rows = await run.storage.run(['outbox', 'meta'], sendable);
    const lanes = new Set(rows.map((row) => row.lane).filter((lane) => !run.stuck.has(lane)));
    const sent = await allEnded([...lanes].map((lane) => drainLane(run, lane)));
    if (!sent.includes(true)) return;
  }
}

/** Sends a lane's entries in order until one is not due or fails. Answers whether any was sent. */
async function drainLane(run: Run, lane: string): Promise<boolean> {
  for (let sent = false; ; sent = true) {
    const row = run.stuck.has(lane) ? null : await lease(run, lane);
    if (!row) return sent;
    run.tell({ type: 'OUTBOX_CHANGED' });
    const answer = await run.send(requestOf(row)).catch(() => null);
    await settle(run, row, answer);
    run.tell({ type: 'OUTBOX_CHANGED' });
  }
}

const requestOf = (row: OutboxRow) => ({
  method: row.method,
  path: row.path,
  body: row.body,
  headers: { 'Idempotency-Key': row.id, 'X-Actor': row.userId },
  credentials: 'include' as const,
});

/** Entries that may go out under the session of this moment, in order. */
async function sendable(tx: Transaction): Promise<OutboxRow[]> {
  const member = await getMeta(tx, 'member');
  if (member === null || (await getMeta(tx, 'paused')) === member) return [];
  return (await tx.all('outbox')).filter((row) => row.userId === member && row.state !== 'refused');
}

/** Time until which a row must be left alone, or null. A lease for longer than a lease lasts was written under another clock. */
function restsUntil(row: OutboxRow, now: number): number | null {
  if (row.state !== 'sending') return heldUntil(row, now);
  const { leasedUntil } = row;
  return leasedUntil !== null && leasedUntil > now && leasedUntil - now <= LEASE_MS ? leasedUntil : null;
}

/** Takes the first entry of a lane for this sender, if it is the member's, due and nobody else's. */
function lease(run: Run, lane: string): Promise<OutboxRow | null> {
  return run.storage.run(['outbox', 'meta'], async (tx) => {
    const now = run.now();
    const head = (await sendable(tx)).find((row) => row.lane === lane);
    if (!head) return null;
    const impatient = run.hurry && head.state === 'waiting' && !head.serverNamedTime;
    if (restsUntil(head, now) !== null && !impatient) return null;
    const leased: OutboxRow = {
      ...head,
      state: 'sending',
      attempts: head.attempts + 1,
      leasedUntil: now + LEASE_MS,
      nextTryAt: null,
      serverNamedTime: false,
    };
    await tx.put('outbox', leased);
    return leased;
  });
}

/**
 * The entry as it stands now. Not always where it was: its edited successor has its place, and a store that comes back
 * gives what was kept in memory meanwhile new places.
 */
async function standing(tx: Transaction, { id, position }: OutboxRow): Promise<OutboxRow | undefined> {
  const there = await tx.get('outbox', position);
  return there?.id === id ? there : (await tx.all('outbox')).find((row) => row.id === id);
}

/** Writes down what came of a sending. `answer` is null when none came. */
async function settle(run: Run, row: OutboxRow, answer: SendAnswer | null): Promise<void> {
  const verdict = answer === null ? 'retry' : verdictOf(answer);
  if (verdict === 'delivered') {
    await run.storage.run(['outbox'], async (tx) => {
      const current = await standing(tx, row);
      if (current) await tx.remove('outbox', current.position);
    });
    run.delivered += 1;
    run.tell({ type: 'DELIVERED', entry: entryOf(row), status: answer?.status ?? 0, answer: answer?.body ?? null });
    return;
  }
  if (verdict !== 'refused') run.stuck.add(row.lane);
  const now = run.now();
  run.unanswered ||= isAway(answer, now);
  const named = answer && verdict === 'retry' ? retryAfterOf(answer, now) : null;
  const next: OutboxRow = {
    ...row,
    state: verdict === 'refused' ? 'refused' : 'waiting',
    leasedUntil: null,
    nextTryAt: verdict === 'retry' ? now + (named ?? backoffOf(row.attempts, run.random)) : null,
    triedAt: now,
    serverNamedTime: named !== null,
    error: errorOf(answer),
  };
  const written = await run.storage.run(['outbox', 'meta'], async (tx) => {
    const current = await standing(tx, row);
    // Another sender took over after our lease had run out: the entry is theirs now.
    if (current?.leasedUntil !== row.leasedUntil) return false;
    await tx.put('outbox', { ...next, position: current.position });
    if (verdict === 'signed-out') await putMeta(tx, 'paused', row.userId);
    return true;
  });
  if (written && verdict === 'refused') {
    run.refused += 1;
    run.tell({ type: 'REFUSED', entry: entryOf(next) });
  }
}

function report({ storage, now, delivered, refused }: Run): Promise<DrainReport> {
  return storage.run(['outbox', 'logs', 'meta'], async (tx) => {
    const rows = await sendable(tx);
    const heads = [...new Map([...rows].reverse().map((row) => [row.lane, row])).values()];
    const times = heads.map((row) => restsUntil(row, now()) ?? now());
    const logs = await whenLogsAreDue(tx, now());
    if (logs !== null) times.push(logs);
    return { delivered, refused, waiting: rows.length, nextAt: times.length > 0 ? Math.min(...times) : null };
  });
}
