import { purgeAcknowledged } from '../acknowledged.ts';
import { within } from '../browser.ts';
import { type Meta, type StorageState, TABLE_NAMES, type TableName } from '../schema.ts';
import { memoryStorage } from './memory.ts';
import { isHeldUp } from './moving.ts';
import { type DeviceStorage, getMeta, putMeta, type Transaction } from './storage.ts';

/** A browser without IndexedDB refuses at once or hangs; nothing must wait for either. */
const OPEN_WITHIN_MS = 3_000;
/** The way back from memory is tried at a writing, not more often than this. */
const BACK_AFTER_MS = { full: 1_000, lost: 1_000, held: 10_000, refused: 60_000 };

type Ports = {
  /** Opens the database. Called again after its connection was lost. */
  open: () => Promise<DeviceStorage>;
  /** Epoch milliseconds. */
  now: () => number;
  /** Called when the storage has changed between database and memory. */
  changed: () => void;
  openWithinMs?: number;
};
export type ResilientStorage = DeviceStorage & { state(): Promise<StorageState> };

/** What memory holds of a row that the database does not: it is new, other than there, or gone. */
type Change = 'new' | 'other' | 'gone';
type Changes = Map<TableName, Map<string | number, Change>>;
type Reason = keyof typeof BACK_AFTER_MS;

const namesOf = (error: unknown): string[] =>
  error instanceof Error ? [error.name, ...namesOf((error as { inner?: unknown }).inner)] : [];
const isFull = (error: unknown): boolean => namesOf(error).some((name) => name === 'QuotaExceededError');
/**
 * The connection is gone, not the database: iOS drops it in the background, and a newer build in another tab asks us to
 * close it.
 */
const LOST = new Set([
  'InvalidStateError',
  'UnknownError',
  'AbortError',
  'DatabaseClosedError',
  'TransactionInactiveError',
]);
const isLost = (error: unknown): boolean => !isFull(error) && namesOf(error).some((name) => LOST.has(name));

/**
 * The device's database as long as it works, this worker's memory when it does not. A lost connection is opened again and
 * the work repeated once; on a full disk all goes on in memory, from what the database holds, and is written back as soon
 * as it can be. Nothing of ours is evicted to make room.
 */
export function resilientStorage({ open, now, changed, openWithinMs = OPEN_WITHIN_MS }: Ports): ResilientStorage {
  let database: DeviceStorage | null = null;
  let memory: DeviceStorage | null = null;
  let reason: Reason = 'refused';
  /** The first try to open has not ended yet; a second would only hang beside it. */
  let isOpening = true;
  /** Memory began as a copy of the database. */
  let isCopy = false;
  let changes: Changes = new Map();
  let backAt = 0;
  let last: Promise<unknown> = begin();

  async function begin(): Promise<void> {
    const opening = open().finally(() => {
      isOpening = false;
    });
    try {
      database = await inTime(opening);
    } catch {
      switchToMemory('refused');
      // Late is better than never: what memory holds goes where it outlives the worker.
      opening.then(
        (opened) => {
          database = opened;
          backAt = 0;
          void queue(goBack);
        },
        () => undefined,
      );
    }
  }

  function inTime(opening: Promise<DeviceStorage>): Promise<DeviceStorage> {
    return within(opening, openWithinMs, new DOMException('IndexedDB did not open', 'TimeoutError'));
  }

  /** Runs one piece of work at a time: a switch of storage must not overlap a transaction. */
  function queue<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  function switchToMemory(why: Reason): DeviceStorage {
    memory = memoryStorage();
    reason = why;
    isCopy = false;
    changes = new Map();
    backAt = now() + BACK_AFTER_MS[why];
    changed();
    return memory;
  }

  async function run<T>(tables: TableName[], work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (memory) return inMemory(memory, tables, work);
    try {
      return await onDatabase(tables, work);
    } catch (error) {
      if (isFull(error)) return inMemory(await copyOfDatabase(), tables, work);
      if (isHeldUp(error)) return inMemory(holdOut(), tables, work);
      if (isLost(error)) return inMemory(switchToMemory('lost'), tables, work);
      throw error;
    }
  }

  /** Goes on in memory, and tries beside it until a transaction comes through again. */
  function holdOut(): DeviceStorage {
    const wait = (): void =>
      void onDatabase(TABLE_NAMES, (tx) => tx.get('meta', 'member')).then(
        () => queue(goBack),
        (error) => isHeldUp(error) && memory && wait(),
      );
    const held = switchToMemory('held');
    wait();
    return held;
  }

  async function onDatabase<T>(tables: TableName[], work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      database ??= await inTime(open());
      return await database.run(tables, work);
    } catch (error) {
      if (!isLost(error)) throw error;
      database?.close();
      database = null;
      database = await inTime(open());
      return database.run(tables, work);
    }
  }

  async function copyOfDatabase(): Promise<DeviceStorage> {
    const copy = switchToMemory('full');
    const rows = await onDatabase(TABLE_NAMES, async (tx) =>
      Promise.all(TABLE_NAMES.map(async (table) => [table, await tx.all(table)] as const)),
    ).catch(() => null);
    if (!rows) return copy;
    await copy.run(TABLE_NAMES, async (tx) => {
      for (const [table, all] of rows) for (const row of all) await tx.put(table, row);
    });
    isCopy = true;
    return copy;
  }

  async function inMemory<T>(
    target: DeviceStorage,
    tables: TableName[],
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const noted: [TableName, string | number, Change][] = [];
    const result = await target.run(tables, (tx) => work(noting(tx, (...change) => noted.push(change))));
    for (const [table, key, change] of noted) note(table, key, change);
    if (noted.length > 0 && now() >= backAt) await goBack();
    return result;
  }
  function note(table: TableName, key: string | number, change: Change): void {
    const of = changes.get(table) ?? new Map<string | number, Change>();
    changes.set(table, of);
    const before = of.get(key);
    if (before === 'new' && change === 'gone') of.delete(key);
    else of.set(key, before === 'new' ? 'new' : change);
  }

  /** Writes to the database what memory holds beyond it, and goes on there. Stays where it is when that fails. */
  async function goBack(): Promise<void> {
    const from = memory;
    if (!from || isOpening) return;
    backAt = now() + BACK_AFTER_MS[reason];
    try {
      // Removals first, alone: they fit on a full disk and make room there.
      await onDatabase(TABLE_NAMES, (tx) => eachChange('gone', (table, key) => tx.remove(table, key)));
      const rows = await from.run(TABLE_NAMES, readChanged);
      await onDatabase(TABLE_NAMES, async (tx) => {
        for (const { table, change, row } of rows) await writeBack(tx, table, change, row);
        // A member who signed out in the meantime did so in memory only.
        await purgeAcknowledged(tx, await getMeta(tx, 'member'));
      });
    } catch {
      return;
    }
    memory = null;
    changes = new Map();
    changed();
  }
  async function eachChange(
    of: Change,
    does: (table: TableName, key: string | number) => Promise<void>,
  ): Promise<void> {
    for (const [table, keys] of changes) for (const [key, change] of keys) if (change === of) await does(table, key);
  }
  type Changed = { table: TableName; change: Change; row: object };
  async function readChanged(tx: Transaction): Promise<Changed[]> {
    const rows: Changed[] = [];
    for (const change of ['other', 'new'] as const)
      await eachChange(change, async (table, key) => {
        const row = await tx.get(table, key);
        if (row) rows.push({ table, change, row });
      });
    return rows;
  }
  async function writeBack(tx: Transaction, table: TableName, change: Change, row: object): Promise<void> {
    if (table === 'logs' || table === 'outbox') {
      const { [table === 'logs' ? 'sequence' : 'position']: key, ...rest } = row as Record<string, never>;
      const { id } = rest as { id?: string };
      // A transaction may have come through in the moment in which it was given up.
      const isThere = change === 'new' && (await tx.all(table)).some((one) => one.id === id);
      if (change === 'new' && !isThere) await tx.append(table as 'logs', rest as never);
      // Another worker may have delivered it in the meantime: it must not come back.
      if (change === 'other' && key !== undefined && (await tx.get(table, key))) await tx.put(table, row as never);
      return;
    }
    const { key, value } = row as { key: string; value: never };
    if (table === 'meta' && key === 'dropped' && !isCopy) {
      const [before, { error, debug }] = [await getMeta(tx, 'dropped'), value as Meta['dropped']];
      return putMeta(tx, 'dropped', { error: before.error + error, debug: before.debug + debug });
    }
    if (table === 'meta' && key === 'undone' && !isCopy)
      return putMeta(tx, 'undone', [...(await getMeta(tx, 'undone')), ...(value as Meta['undone'])]);
    return tx.put(table, row as never);
  }

  return {
    get kind() {
      return memory ? 'memory' : 'durable';
    },
    run: (tables, work) => queue(() => run(tables, work)),
    state: () => queue(async () => (memory ? { kind: 'memory', reason } : { kind: 'durable' })),
    close: () => database?.close(),
  };
}

/** A transaction that reports its writes. */
function noting(
  tx: Transaction,
  onWrite: (table: TableName, key: string | number, change: Change) => void,
): Transaction {
  return {
    ...tx,
    async put(table, row) {
      await tx.put(table, row);
      const { key, sequence, position } = row as { key?: string; sequence?: number; position?: number };
      onWrite(table, key ?? sequence ?? position ?? '', 'other');
    },
    async append(table: 'logs' | 'outbox', row: never) {
      const key = await tx.append(table as 'logs', row);
      onWrite(table, key, 'new');
      return key;
    },
    async remove(table, key) {
      await tx.remove(table, key);
      onWrite(table, key, 'gone');
    },
  };
}
