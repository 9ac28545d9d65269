import { type IDBPDatabase, type IDBPTransaction, openDB } from 'idb';
import { DATABASE, TABLES, type TableName } from '../worker/schema.ts';
import { moving } from '../worker/storage/moving.ts';
import type { DeviceStorage, Transaction } from '../worker/storage/storage.ts';
import { NATIVE_PER_VERSION, VERSIONS, type Version } from '../worker/storage/storage.ts';

type Tx = IDBPTransaction<unknown, string[], 'readwrite' | 'versionchange'>;
function portOf(tx: Tx, moved: () => void = () => undefined): Transaction {
  const tracked = async <T>(answer: Promise<T>): Promise<T> => {
    const value = await answer;
    moved();
    return value;
  };
  return {
    all: (table) => tracked(tx.objectStore(table).getAll()),
    get: (table, key) => tracked(tx.objectStore(table).get(key)),
    put: async (table, row) => void (await tracked(tx.objectStore(table).put(row))),
    append: (table: 'logs' | 'outbox', row: object) => tracked(tx.objectStore(table).add(row)) as Promise<number>,
    remove: (table, key) => tracked(tx.objectStore(table).delete(key)),
  };
}

async function bringUp(db: IDBPDatabase, tx: Tx, missing: readonly Version[]): Promise<void> {
  for (const { adds, upgrade } of missing) {
    for (const table of adds)
      db.createObjectStore(table, { keyPath: TABLES[table].key, autoIncrement: TABLES[table].counts });
    await upgrade?.(portOf(tx));
  }
}

/** Opens the database of this build's version, or of a newer one where another room has been ahead. */
async function open(name: string, versions: readonly Version[], lost: () => void): Promise<IDBPDatabase> {
  const callbacks = {
    // A newer build wants to change the schema: let go, and open again when next needed.
    blocking: (_current: number, _blocked: number | null, event: IDBVersionChangeEvent) => {
      (event.target as IDBDatabase).close();
      lost();
    },
    terminated: lost,
  };
  try {
    return await openDB(name, versions.length * NATIVE_PER_VERSION, {
      ...callbacks,
      // Half an upgrade would be taken for a whole one: what fails is undone.
      upgrade(db, before, _after, tx) {
        tx.done.catch(() => undefined);
        return bringUp(db, tx, versions.slice(Math.floor(before / NATIVE_PER_VERSION))).catch(() => tx.abort());
      },
    });
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'VersionError') throw error;
    return openDB(name, undefined, callbacks);
  }
}

/** The device's database for the service worker, in a tenth of Dexie's size. Opened when first used. */
export function idbStorage(name: string = DATABASE, versions: readonly Version[] = VERSIONS): DeviceStorage {
  let db: Promise<IDBPDatabase> | undefined;
  const lost = () => {
    db = undefined;
  };
  function opened(): Promise<IDBPDatabase> {
    db ??= open(name, versions, lost).catch((error: unknown) => {
      lost();
      throw error;
    });
    return db;
  }
  return {
    kind: 'durable',
    run<T>(tables: TableName[], work: (tx: Transaction) => Promise<T>) {
      let abort: () => void = () => undefined;
      const once = async (moved: () => void): Promise<T> => {
        const tx = (await opened()).transaction(tables, 'readwrite');
        tx.done.catch(() => undefined);
        abort = () => {
          try {
            tx.abort();
          } catch {
            // The transaction has ended already; its own error is the one to throw.
          }
        };
        try {
          const result = await work(portOf(tx, moved));
          await tx.done;
          return result;
        } catch (error) {
          abort();
          throw error;
        }
      };
      return moving(
        (moved) => {
          const own = opened();
          return once(moved).catch((error: Error) => {
            // A connection that the browser dropped reports it only now, or during the transaction: one retry on a new
            // connection.
            if (db === own && error.name !== 'InvalidStateError') throw error;
            lost();
            return once(moved);
          });
        },
        () => abort(),
      );
    },
    close() {
      void db?.then((opened) => opened.close());
      lost();
    },
  };
}
