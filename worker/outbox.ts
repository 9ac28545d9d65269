import { purgeAcknowledged } from './acknowledged.ts';
import { type Bytes, isBytes, type NewOutboxEntry, type OutboxEntry, type OutboxRow } from './schema.ts';
import { type DeviceStorage, getMeta, KEEPS_NO_BLOB, putMeta, type Transaction } from './storage/storage.ts';
import type { Hold } from './verdict.ts';

const REPORTED = 'notification:';
/** Under this the device reports what became of a notification. */
export const reportSubject = (notificationId: string): string => REPORTED + notificationId;
/** Whether the member did it. A report goes the same way, but it is nobody's to decide about: no screen shows it. */
export const isAct = ({ subject }: { subject: string }): boolean => !subject.startsWith(REPORTED);

/** What a screen may know of a row. */
export function entryOf({
  position: _,
  leasedUntil: __,
  serverNamedTime: ___,
  triedAt: ____,
  discarded: _____,
  beside: ______,
  ...entry
}: OutboxRow): OutboxEntry {
  return entry;
}

/** The same with an image as screens know it. */
function shownOf(row: OutboxRow): OutboxEntry {
  const { body, ...entry } = entryOf(row);
  return { ...entry, body: isBytes(body) ? new Blob([body.bytes], { type: body.type }) : body };
}

/** Keeps an image as its bytes where the browser's database keeps no `Blob`. */
async function keeping<T>(body: unknown, keep: (body: unknown) => Promise<T>): Promise<T> {
  try {
    return await keep(body);
  } catch (error) {
    if (!(body instanceof Blob) || (error as Error).name !== KEEPS_NO_BLOB) throw error;
    return keep({ type: body.type, bytes: await body.arrayBuffer() } satisfies Bytes);
  }
}

/** So many of the acts that were taken back are remembered. */
const UNDONE_KNOWN = 100;

/** Remembers acts as taken back, as a part of a transaction. */
async function noteUndone(tx: Transaction, ids: readonly string[]): Promise<void> {
  await putMeta(tx, 'undone', [...(await getMeta(tx, 'undone')), ...ids].slice(-UNDONE_KNOWN));
}

/**
 * Keeps a member's action at the end of its lane, once. Where the worker was told who is signed in (`member`) and
 * the store never was, the store came in the place of a lost or deleted one: it is told, or the action would wait for the
 * next page that says so.
 */
export async function addEntry(
  { storage, now }: { storage: DeviceStorage; now: () => number },
  { holdMs, ...entry }: NewOutboxEntry,
  member: string | null = null,
): Promise<void> {
  const createdAt = now();
  // As a time that the server named: no drain hurries it, in whichever room, and a clock that is changed lets it go.
  const hold = holdMs ? { nextTryAt: createdAt + holdMs, triedAt: createdAt, serverNamedTime: true } : {};
  await keeping(entry.body, (body) =>
    storage.run(['outbox', 'meta'], async (tx) => {
      if (member !== null && !(await tx.get('meta', 'member'))) await putMeta(tx, 'member', member);
      await appendEntry(tx, { ...entry, ...hold, body, createdAt });
    }),
  );
}

/**
 * The same as a part of a transaction. Where this very act is kept already, or was taken back meanwhile, nothing: whoever was
 * asked first was slow, so another was asked too.
 */
export async function appendEntry(
  tx: Transaction,
  entry: Omit<NewOutboxEntry, 'holdMs'> & Pick<OutboxEntry, 'createdAt'> & Partial<Hold>,
): Promise<void> {
  const isKept = (await tx.all('outbox')).some(({ id }) => id === entry.id);
  if (isKept || (await getMeta(tx, 'undone')).includes(entry.id)) return;
  await tx.append('outbox', {
    state: 'waiting',
    attempts: 0,
    nextTryAt: null,
    triedAt: null,
    serverNamedTime: false,
    leasedUntil: null,
    error: null,
    ...entry,
  });
}

/** What one member did that is not sent yet, oldest first. */
export function listEntries(storage: DeviceStorage, userId: string): Promise<OutboxEntry[]> {
  return storage.run(['outbox'], async (tx) =>
    (await tx.all('outbox')).filter((row) => row.userId === userId && isAct(row) && !row.discarded).map(shownOf),
  );
}

/**
 * Puts an entry that waits or was refused back in its place, to be sent at once, or when the server said.
 * The id stays: it counts once.
 */
export function retryEntry(storage: DeviceStorage, id: string): Promise<void> {
  return storage.run(['outbox'], async (tx) => {
    const row = (await tx.all('outbox')).find((one) => one.id === id);
    if (!row || row.state === 'sending') return;
    const nextTryAt = row.serverNamedTime ? row.nextTryAt : null;
    await tx.put('outbox', { ...row, state: 'waiting', nextTryAt, error: null });
  });
}

/**
 * Gives a refused entry another body and sends it again from its place. The server remembers what it answered to the old
 * id, so it gets a new one (`next`). Answers whether it has it: not when the entry is not refused (any more).
 */
export function editEntry(storage: DeviceStorage, id: string, body: unknown, next: string): Promise<boolean> {
  return keeping(body, (kept) =>
    storage.run(['outbox'], async (tx) => {
      const rows = await tx.all('outbox');
      const row = rows.find((one) => one.id === id);
      if (row?.state !== 'refused') return rows.some((one) => one.id === next);
      await tx.put('outbox', {
        ...row,
        id: next,
        body: kept,
        state: 'waiting',
        attempts: 0,
        nextTryAt: null,
        error: null,
      });
      return true;
    }),
  );
}

/**
 * Forgets an entry. One on the air keeps its lane's order until that is over, seen by nobody: the server may have it by
 * then, and if it has not it never will.
 */
export function discardEntry(storage: DeviceStorage, id: string): Promise<void> {
  return storage.run(['outbox', 'meta'], async (tx) => {
    await noteUndone(tx, [id]);
    const row = (await tx.all('outbox')).find((one) => one.id === id);
    if (row?.state === 'sending') await tx.put('outbox', { ...row, discarded: true });
    else if (row) await tx.remove('outbox', row.position);
  });
}

/**
 * Takes back acts that were never on the air, and answers the ids of those that are: one that a sender has taken meanwhile
 * stays, and so what was undone was never sent. Asked twice it answers the same.
 */
export function undoEntries(storage: DeviceStorage, ids: readonly string[]): Promise<string[]> {
  return storage.run(['outbox', 'meta'], async (tx) => {
    const undone = (await tx.all('outbox')).filter(({ id, attempts }) => ids.includes(id) && attempts === 0);
    for (const { position } of undone) await tx.remove('outbox', position);
    await noteUndone(
      tx,
      undone.map(({ id }) => id),
    );
    const all = await getMeta(tx, 'undone');
    return ids.filter((id) => all.includes(id));
  });
}

/** Lets held acts go out now. */
export function releaseEntries(storage: DeviceStorage, ids: readonly string[]): Promise<void> {
  return storage.run(['outbox'], async (tx) => {
    for (const row of await tx.all('outbox'))
      if (row.attempts === 0 && ids.includes(row.id)) await tx.put('outbox', { ...row, nextTryAt: null });
  });
}

/**
 * Records who is signed in and lets the entries that their last session refused with 401 go on; what the server
 * acknowledged to anybody else is purged. Answers whether that is news.
 */
export function setMember(storage: DeviceStorage, userId: string | null): Promise<boolean> {
  return storage.run(['meta', 'acknowledged'], async (tx) => {
    await purgeAcknowledged(tx, userId);
    const before = await getMeta(tx, 'member');
    const paused = await getMeta(tx, 'paused');
    await putMeta(tx, 'member', userId);
    // A session that ended took its subscription along: it is saved again with the next one.
    const push = await getMeta(tx, 'push');
    if (userId === null && push) await putMeta(tx, 'push', { ...push, endpoint: null });
    if (userId !== null && paused === userId) await putMeta(tx, 'paused', null);
    return before !== userId || paused === userId;
  });
}
