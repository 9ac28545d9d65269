import { purgeAcknowledged } from './acknowledged.ts';
import { type Bytes, isBytes, type NewOutboxEntry, type OutboxEntry, type OutboxRow } from './schema.ts';
import { type DeviceStorage, getMeta, NO_BLOB_ERROR, putMeta, type Transaction } from './storage/storage.ts';
import type { Hold } from './verdict.ts';

const REPORTED = 'notification:';
/** Subject of the report of a notification event. */
export const reportSubject = (notificationId: string): string => REPORTED + notificationId;
/** Whether an entry is a member's command. Reports use the same outbox, but no screen shows them. */
export const isMemberCommand = ({ subject }: { subject: string }): boolean => !subject.startsWith(REPORTED);

/** The part of a row that screens may see. */
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

/** The same, with an image's bytes as a `Blob` again. */
function shownOf(row: OutboxRow): OutboxEntry {
  const { body, ...entry } = entryOf(row);
  return { ...entry, body: isBytes(body) ? new Blob([body.bytes], { type: body.type }) : body };
}

/** Stores an image as bytes where the browser's database cannot store a `Blob`. */
async function withBytesFallback<T>(body: unknown, store: (body: unknown) => Promise<T>): Promise<T> {
  try {
    return await store(body);
  } catch (error) {
    if (!(body instanceof Blob) || (error as Error).name !== NO_BLOB_ERROR) throw error;
    return store({ type: body.type, bytes: await body.arrayBuffer() } satisfies Bytes);
  }
}

/** Number of undone ids that are remembered. */
const UNDONE_MAX = 100;

/** Remembers ids as undone, as part of a transaction. */
async function noteUndone(tx: Transaction, ids: readonly string[]): Promise<void> {
  await putMeta(tx, 'undone', [...(await getMeta(tx, 'undone')), ...ids].slice(-UNDONE_MAX));
}

/**
 * Appends a member's command to its lane, once. When this worker knows the signed-in `member` and the database does
 * not, the database was lost or deleted and created again: the member is written too, because entries wait for it.
 */
export async function addEntry(
  { storage, now }: { storage: DeviceStorage; now: () => number },
  { holdMs, ...entry }: NewOutboxEntry,
  member: string | null = null,
): Promise<void> {
  const createdAt = now();
  // Stored like a time that the server named: no drain shortens it, and a changed clock releases it.
  const hold = holdMs ? { nextTryAt: createdAt + holdMs, triedAt: createdAt, serverNamedTime: true } : {};
  await withBytesFallback(entry.body, (body) =>
    storage.run(['outbox', 'meta'], async (tx) => {
      if (member !== null && !(await tx.get('meta', 'member'))) await putMeta(tx, 'member', member);
      await appendEntry(tx, { ...entry, ...hold, body, createdAt });
    }),
  );
}

/**
 * The same as part of a transaction. An entry that is stored already or was undone is not added: the page repeats a
 * call when a worker is slow.
 */
export async function appendEntry(
  tx: Transaction,
  entry: Omit<NewOutboxEntry, 'holdMs'> & Pick<OutboxEntry, 'createdAt'> & Partial<Hold>,
): Promise<void> {
  const isStored = (await tx.all('outbox')).some(({ id }) => id === entry.id);
  if (isStored || (await getMeta(tx, 'undone')).includes(entry.id)) return;
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
    (await tx.all('outbox'))
      .filter((row) => row.userId === userId && isMemberCommand(row) && !row.discarded)
      .map(shownOf),
  );
}

/**
 * Puts a waiting or refused entry back in its lane to be sent at once, or at the time that the server named. The id
 * stays the same, so the server processes it once.
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
 * Gives a refused entry another body and sends it again from its position. The server remembers its answer to the old
 * id, so the entry gets a new one (`next`). Returns whether the entry has it; false when the entry is not refused (any
 * more).
 */
export function editEntry(storage: DeviceStorage, id: string, body: unknown, next: string): Promise<boolean> {
  return withBytesFallback(body, (stored) =>
    storage.run(['outbox'], async (tx) => {
      const rows = await tx.all('outbox');
      const row = rows.find((one) => one.id === id);
      if (row?.state !== 'refused') return rows.some((one) => one.id === next);
      await tx.put('outbox', {
        ...row,
        id: next,
        body: stored,
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
 * Removes an entry. One that is being sent stays hidden in its lane until the answer, because the server may process
 * it.
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
 * Removes entries that were never sent and returns their ids. An entry that a sender has leased in between stays, so an
 * undone entry was never sent. Repeated calls return the same.
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

/** Releases held entries to be sent now. */
export function releaseEntries(storage: DeviceStorage, ids: readonly string[]): Promise<void> {
  return storage.run(['outbox'], async (tx) => {
    for (const row of await tx.all('outbox'))
      if (row.attempts === 0 && ids.includes(row.id)) await tx.put('outbox', { ...row, nextTryAt: null });
  });
}

/**
 * Records who is signed in, resumes the entries that met a 401 for this member, and purges other members'
 * acknowledgements. Returns whether something changed.
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
