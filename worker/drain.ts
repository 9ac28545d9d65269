import { SEND_TIMEOUT_MS } from '../server/contract/limits.ts';
import { acknowledgementOf, putAcknowledged } from './acknowledged.ts';
import type { DrainReport } from './api.ts';
import { drainLogs, whenLogsAreDue } from './drain-logs.ts';
import { entryOf, isMemberCommand } from './outbox.ts';
import type { Acknowledgement, OutboxRow } from './schema.ts';
import type { DrainPorts, SendAnswer } from './send.ts';
import { getMeta, putMeta, type Transaction } from './storage/storage.ts';
import { backoffOf, errorOf, heldUntil, isAway, retryAfterOf, type Verdict, verdictOf } from './verdict.ts';

/** A sender without a lock may hold an entry a little longer than a request can last. */
const LEASE_MS = SEND_TIMEOUT_MS + 5_000;

/** Parallel requests for commands. A browser opens six connections to a server, and the page needs some for reads. */
const MOST_ON_AIR = 4;

type Run = DrainPorts & {
  hurry: boolean;
  /** Nobody else on the device drains. */
  alone: boolean;
  /** Lanes whose first entry failed in this drain; each is tried again in a later one. */
  stuck: Set<string>;
  /**
   * Ids that this drain is sending. On a phone that slept their lease may have run out, but they must not be leased
   * again.
   */
  onAir: Set<string>;
  delivered: number;
  refused: number;
  /** Something got no answer of the server's own. */
  unanswered: boolean;
};

/** Result of one drain of the commands. */
export type ActionsReport = { delivered: number; refused: number; isAnswered: boolean };

/**
 * Sends what is due: actions in the order of their lanes, lanes beside each other, and logs beside the actions. An entry
 * is leased, sent, and removed only after the server acknowledged it, so a drain may die at any point: what it held is
 * sent again under the same id, and the server counts it once.
 */
export function drain(ports: DrainPorts, { hurry = false } = {}): Promise<DrainReport> {
  return bothDrained(ports, drainActions(ports, { hurry }), drainLogs(ports, { hurry }));
}

/** Waits for both drains, broadcasts when one got no answer, and counts what is left. */
export async function bothDrained(
  ports: DrainPorts,
  actions: Promise<ActionsReport>,
  logs: Promise<boolean>,
): Promise<DrainReport> {
  const [{ delivered, refused, isAnswered }, logsAreAnswered] = await allEnded([actions, logs]);
  if (!isAnswered || !logsAreAnswered) ports.broadcast({ type: 'NO_ANSWER' });
  return { delivered, refused, ...(await left(ports)) };
}

/** Sends the commands that are due, under the drain lock. */
export function drainActions(ports: DrainPorts, { hurry }: { hurry: boolean }): Promise<ActionsReport> {
  return ports.lock(async (alone) => {
    const run: Run = {
      ...ports,
      hurry,
      alone,
      stuck: new Set(),
      onAir: new Set(),
      delivered: 0,
      refused: 0,
      unanswered: false,
    };
    if (alone) await freeLeases(run);
    await sendActions(run);
    return { delivered: run.delivered, refused: run.refused, isAnswered: !run.unanswered };
  }, 'actions');
}

/**
 * Waits for both, even when one fails: callers rely on it that no request is in flight.
 * @throws the first error
 */
async function allEnded<A, B>(works: [Promise<A>, Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}

/** A drain that holds the lock knows that leases left behind are stale, except those of a drain without the lock. */
function freeLeases({ storage }: Run): Promise<void> {
  return storage.run(['outbox'], async (tx) => {
    for (const row of await tx.all('outbox'))
      if (row.state === 'sending' && !row.beside)
        await tx.put('outbox', { ...row, state: 'waiting', leasedUntil: null });
  });
}

type AnsweredRow = { row: OutboxRow; answer: SendAnswer | null };

/**
 * Sends entries beside each other, each as soon as nothing earlier holds it up, until nothing more can go. One
 * transaction writes down what was answered and takes what goes next: an answer waits for the store once, not twice.
 */
async function sendActions(run: Run): Promise<void> {
  const onAir = new Set<Promise<unknown>>();
  const answered: AnsweredRow[] = [];
  let failure: { error: unknown } | null = null;
  for (;;) {
    const settled = answered.splice(0);
    const room = failure === null ? MOST_ON_AIR - onAir.size : 0;
    const leased = await settleAndLease(run, settled, room).catch(async (error: unknown) => {
      failure ??= { error };
      // A store without room for a lease has room for what is taken away.
      await settleAndLease(run, settled, 0, false).catch(() => undefined);
      return [];
    });
    for (const { row } of settled) run.onAir.delete(row.id);
    if (leased.length + settled.length > 0) run.broadcast({ type: 'OUTBOX_CHANGED' });
    for (const row of leased) {
      run.onAir.add(row.id);
      const sending = run
        .send(requestOf(row))
        .catch(() => null)
        .then((answer) => {
          onAir.delete(sending);
          answered.push({ row, answer });
        });
      onAir.add(sending);
    }
    if (answered.length > 0) continue;
    if (onAir.size === 0) break;
    await Promise.race(onAir);
  }
  if (failure !== null) throw (failure as { error: unknown }).error;
}

/**
 * Writes down what came of sendings, then leases so many more. Answers what was leased, once both are written. What leaves
 * the outbox and what the server answered to it change in one transaction: no reload falls between them. `mayAdd`: false
 * on a full store, where only what is taken away has room.
 */
async function settleAndLease(
  run: Run,
  answered: readonly AnsweredRow[],
  room: number,
  mayAdd = true,
): Promise<OutboxRow[]> {
  const outcomes = answered.map((one) => outcomeOf(run, one));
  if (outcomes.length === 0 && room === 0) return [];
  const { written, leased } = await run.storage.run(['outbox', 'meta', 'acknowledged'], async (tx) => {
    const outbox = await readOutbox(tx);
    const written = outcomes.filter((outcome) => settle(outbox, outcome));
    const leased = lease(run, outbox, room);
    await Promise.all(outbox.writes);
    // A member who signed out during the request leaves no acknowledgement behind.
    for (const { acknowledged } of mayAdd ? written : [])
      if (acknowledged?.userId === outbox.member) await putAcknowledged(tx, acknowledged);
    return { written, leased };
  });
  for (const outcome of written) {
    if (outcome.verdict === 'delivered') {
      const { row, answer, acknowledged } = outcome;
      const [status, body] = [answer?.status ?? 0, answer?.body ?? null];
      run.delivered += 1;
      run.broadcast({ type: 'DELIVERED', entry: entryOf(row), status, answer: body, acknowledged });
    } else if (outcome.verdict === 'refused') {
      run.refused += 1;
      run.broadcast({ type: 'REFUSED', entry: entryOf(outcome.next) });
    } else if (outcome.verdict === 'signed-out') {
      run.broadcast({ type: 'UNAUTHENTICATED', userId: outcome.row.userId });
    }
  }
  return leased;
}

const requestOf = (row: OutboxRow) => ({
  method: row.method,
  path: row.path,
  body: row.body,
  headers: { 'Idempotency-Key': row.id, 'X-Actor': row.userId },
  credentials: 'include' as const,
});

/**
 * The outbox as one transaction sees it: read once, with all writes collected. Each wait is a round trip to IndexedDB,
 * which is what takes the time on a busy phone.
 */
type Outbox = {
  tx: Transaction;
  /**
   * In order, by id. Positions change: an edited entry's successor takes its position, and a storage that recovers
   * renumbers what memory held.
   */
  rows: Map<string, OutboxRow>;
  member: string | null;
  /** The member whose session the server no longer knew. */
  paused: string | null;
  writes: Promise<void>[];
};

async function readOutbox(tx: Transaction): Promise<Outbox> {
  const [rows, member, paused] = await Promise.all([tx.all('outbox'), getMeta(tx, 'member'), getMeta(tx, 'paused')]);
  return { tx, rows: new Map(rows.map((row) => [row.id, row])), member, paused, writes: [] };
}

function write(outbox: Outbox, row: OutboxRow): void {
  outbox.rows.set(row.id, row);
  outbox.writes.push(outbox.tx.put('outbox', row));
}

function remove(outbox: Outbox, row: OutboxRow): void {
  outbox.rows.delete(row.id);
  outbox.writes.push(outbox.tx.remove('outbox', row.position));
}

/** Entries that may go out under the session of this moment, in order. */
function sendable({ rows, member, paused }: Outbox): OutboxRow[] {
  if (member === null || paused === member) return [];
  return [...rows.values()].filter((row) => row.userId === member && row.state !== 'refused');
}

/** Time until which a row must be left alone, or null. A lease for longer than a lease lasts was written under another clock. */
function restsUntil(row: OutboxRow, now: number): number | null {
  if (row.state !== 'sending') return heldUntil(row, now);
  const { leasedUntil } = row;
  return leasedUntil !== null && leasedUntil > now && leasedUntil - now <= LEASE_MS ? leasedUntil : null;
}

/** The lane itself and those that it lies within: `a/b` lies within `a`. */
const around = (lane: string): string[] => lane.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'));

/** Entries that no earlier entry blocks: not in their own lane, in one that contains it, or in one within it. */
function heads(rows: OutboxRow[]): OutboxRow[] {
  const taken = new Set<string>();
  const takenWithin = new Set<string>();
  return rows.filter(({ lane }) => {
    const path = around(lane);
    const isFree = !takenWithin.has(lane) && !path.some((one) => taken.has(one));
    taken.add(lane);
    for (const one of path) takenWithin.add(one);
    return isFree;
  });
}

/** Leases up to `room` of the member's entries that are due, not blocked and not leased by another sender. */
function lease(run: Run, outbox: Outbox, room: number): OutboxRow[] {
  if (room === 0) return [];
  const now = run.now();
  for (const row of outbox.rows.values())
    if (row.discarded && restsUntil(row, now) === null && !run.onAir.has(row.id)) remove(outbox, row);
  const isDue = (row: OutboxRow) =>
    restsUntil(row, now) === null || (run.hurry && row.state === 'waiting' && !row.serverNamedTime);
  const isOurs = (row: OutboxRow) => run.stuck.has(row.lane) || run.onAir.has(row.id);
  const due = heads(sendable(outbox)).filter((row) => !isOurs(row) && isDue(row));
  const leased = due.slice(0, room).map(
    (row): OutboxRow => ({
      ...row,
      state: 'sending',
      attempts: row.attempts + 1,
      leasedUntil: now + LEASE_MS,
      beside: !run.alone,
      nextTryAt: null,
      serverNamedTime: false,
    }),
  );
  for (const row of leased) write(outbox, row);
  return leased;
}

type Outcome = AnsweredRow & { verdict: Verdict; next: OutboxRow; acknowledged: Acknowledgement | null };

/** Decides how an entry goes on after an answer; `answer` is null when none came. */
function outcomeOf(run: Run, { row, answer }: AnsweredRow): Outcome {
  const verdict = answer === null ? 'retry' : verdictOf(answer, row.path);
  const now = run.now();
  if (verdict === 'delivered')
    return { row, answer, verdict, next: row, acknowledged: acknowledgementOf(row, answer?.body, now) };
  if (verdict !== 'refused') run.stuck.add(row.lane);
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
  return { row, answer, verdict, next, acknowledged: null };
}

/**
 * Returns false when there is nothing to broadcast: the entry is no longer this sender's, was discarded, or is a
 * refused report.
 */
function settle(outbox: Outbox, { row, verdict, next }: Outcome): boolean {
  const current = outbox.rows.get(row.id);
  if (verdict === 'delivered') {
    if (current) remove(outbox, current);
    return true;
  }
  // Another sender took over after our lease had run out: the entry is theirs now.
  if (current?.leasedUntil !== row.leasedUntil) return false;
  // A report that the server refuses is dropped: nobody can correct it.
  const isOver = current.discarded || (verdict === 'refused' && !isMemberCommand(row));
  if (isOver) remove(outbox, current);
  else write(outbox, { ...next, position: current.position });
  if (verdict === 'signed-out') {
    outbox.paused = row.userId;
    outbox.writes.push(putMeta(outbox.tx, 'paused', row.userId));
  }
  return !isOver;
}

/** How many entries are left, and when the next of them or of the logs is due. */
function left(ports: DrainPorts): Promise<Pick<DrainReport, 'waiting' | 'nextAt'>> {
  const { storage, now } = ports;
  return storage.run(['outbox', 'logs', 'meta'], async (tx) => {
    const rows = sendable(await readOutbox(tx));
    const times = heads(rows).map((row) => restsUntil(row, now()) ?? now());
    const logs = await whenLogsAreDue(tx, ports);
    if (logs !== null) times.push(logs);
    return { waiting: rows.length, nextAt: times.length > 0 ? Math.min(...times) : null };
  });
}
