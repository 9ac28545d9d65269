import { type IDBPDatabase, openDB } from 'idb';
import { DATABASE, NATIVE_VERSION, TABLE_NAMES, TABLES } from '../worker/schema.ts';
import type { DeviceStorage, Transaction } from '../worker/storage/storage.ts';

function open(name: string, lost: () => void): Promise<IDBPDatabase> {
  return openDB(name, NATIVE_VERSION, {
    upgrade(db) {
      for (const table of TABLE_NAMES)
        db.createObjectStore(table, { keyPath: TABLES[table].key, autoIncrement: TABLES[table].counts });
    },
    // A newer build wants to change the schema: let go, and open again when next needed.
    blocking: (_current, _blocked, event) => {
      (event.target as IDBDatabase).close();
      lost();
    },
    terminated: lost,
  });
}

/** The device's database for the service worker, in a tenth of Dexie's size. Opened when first used. */
export function idbStorage(name: string = DATABASE): DeviceStorage {
  let db: Promise<IDBPDatabase> | undefined;
  const lost = () => {
    db = undefined;
  };
  return {
    kind: 'durable',
    async run(tables, work) {
      db ??= open(name, lost).catch((error: unknown) => {
        lost();
        throw error;
      });
      const tx = (await db).transaction(tables, 'readwrite');
      const port: Transaction = {
        all: (table) => tx.objectStore(table).getAll(),
        get: (table, key) => tx.objectStore(table).get(key),
        put: async (table, row) => void (await tx.objectStore(table).put(row)),
        append: async (table: 'logs' | 'outbox', row: object) => (await tx.objectStore(table).add(row)) as number,
        remove: (table, key) => tx.objectStore(table).delete(key),
      };
      tx.done.catch(() => undefined);
      try {
        const result = await work(port);
        await tx.done;
        return result;
      } catch (error) {
        try {
          tx.abort();
        } catch {
          // It has ended by itself; its own error is the one to tell.
        }
        throw error;
      }
    },
    close() {
      void db?.then((opened) => opened.close());
      lost();
    },
  };
}
