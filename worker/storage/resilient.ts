import { purgeAcknowledged } from '../acknowledged.ts';
import { within } from '../browser.ts';
import { type StorageState, TABLE_NAMES, type TableName } from '../schema.ts';
import { memoryStorage } from './memory.ts';
import { memoryChanges, writeBack } from './memory-changes.ts';
import { isHeldUp } from './moving.ts';
import { type DeviceStorage, getMeta, type Transaction } from './storage.ts';

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
  const database = connection(open, openWithinMs);
  let memory: DeviceStorage | null = null;
  let reason: Reason = 'refused';
  /** Memory began as a copy of the database. */
  let isCopy = false;
  let changes = memoryChanges();
  let backAt = 0;
  let last: Promise<unknown> = begin();

  async function begin(): Promise<void> {
    // Late is better than never: what memory holds goes where it outlives the worker.
    const late = () => {
      backAt = 0;
      void queue(goBack);
    };
    if (!(await database.begin(late))) switchToMemory('refused');
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
    changes = memoryChanges();
    backAt = now() + BACK_AFTER_MS[why];
    changed();
    return memory;
  }

  async function run<T>(tables: TableName[], work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (memory) return inMemory(memory, tables, work);
    try {
      return await database.run(tables, work);
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
      void database
        .run(TABLE_NAMES, (tx) => tx.get('meta', 'member'))
        .then(
          () => queue(goBack),
          (error) => isHeldUp(error) && memory && wait(),
        );
    const held = switchToMemory('held');
    wait();
    return held;
  }

  async function copyOfDatabase(): Promise<DeviceStorage> {
    const copy = switchToMemory('full');
    const rows = await database
      .run(TABLE_NAMES, async (tx) =>
        Promise.all(TABLE_NAMES.map(async (table) => [table, await tx.all(table)] as const)),
      )
      .catch(() => null);
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
    const { result, wrote } = await changes.run(target, tables, work);
    if (wrote && now() >= backAt) await goBack();
    return result;
  }
  /** Writes to the database what memory holds beyond it, and goes on there. Stays where it is when that fails. */
  async function goBack(): Promise<void> {
    const from = memory;
    if (!from || database.isOpening()) return;
    backAt = now() + BACK_AFTER_MS[reason];
    try {
      // Removals first, alone: they fit on a full disk and make room there.
      await database.run(TABLE_NAMES, changes.removeGone);
      const rows = await from.run(TABLE_NAMES, changes.rows);
      await database.run(TABLE_NAMES, async (tx) => {
        for (const row of rows) await writeBack(tx, row, isCopy);
        // A member who signed out in the meantime did so in memory only.
        await purgeAcknowledged(tx, await getMeta(tx, 'member'));
      });
    } catch {
      return;
    }
    memory = null;
    changes = memoryChanges();
    changed();
  }
  return {
    get kind() {
      return memory ? 'memory' : 'durable';
    },
    run: (tables, work) => queue(() => run(tables, work)),
    state: () => queue(async () => (memory ? { kind: 'memory', reason } : { kind: 'durable' })),
    close: () => database.close(),
  };
}

/** The database, whose connection is opened again when it was lost, and what was asked of it repeated once. */
function connection(open: Ports['open'], openWithinMs: number) {
  let database: DeviceStorage | null = null;
  /** The first try to open has not ended yet; a second would only hang beside it. */
  let isOpening = true;
  const inTime = (opening: Promise<DeviceStorage>): Promise<DeviceStorage> =>
    within(opening, openWithinMs, new DOMException('IndexedDB did not open', 'TimeoutError'));
  return {
    isOpening: () => isOpening,
    /** Whether it opened in time; `late` is called where it does afterwards. */
    async begin(late: () => void): Promise<boolean> {
      const opening = open().finally(() => {
        isOpening = false;
      });
      try {
        database = await inTime(opening);
        return true;
      } catch {
        opening.then(
          (opened) => {
            database = opened;
            late();
          },
          () => undefined,
        );
        return false;
      }
    },
    async run<T>(tables: TableName[], work: (tx: Transaction) => Promise<T>): Promise<T> {
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
    },
    close: () => database?.close(),
  };
}
