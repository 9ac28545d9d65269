import { Dexie, type Table } from 'dexie';
import { DATABASE, type Rows, SCHEMA_VERSION, TABLE_NAMES, TABLES, type TableName } from '../schema.ts';
import type { DeviceStorage, Transaction } from './storage.ts';

const stores = Object.fromEntries(
  TABLE_NAMES.map((name) => [name, TABLES[name].counts ? `++${TABLES[name].key}` : TABLES[name].key]),
);

/** Opens the device's database. @throws when the browser gives none, or does not answer. */
export async function dexieStorage(name: string = DATABASE): Promise<DeviceStorage> {
  const db = new Dexie(name);
  db.version(SCHEMA_VERSION).stores(stores);
  await db.open();
  const table = <N extends TableName>(of: N) => db.table(of) as Table<Rows[N], string | number>;
  const tx: Transaction = {
    all: (of) => table(of).toArray(),
    get: (of, key) => table(of).get(key),
    put: async (of, row) => void (await table(of).put(row)),
    append: async (of: 'logs' | 'outbox', row: object) => (await db.table(of).add(row)) as number,
    remove: (of, key) => table(of).delete(key),
  };
  return {
    kind: 'durable',
    run: (tables, work) => db.transaction('rw', tables, () => work(tx)),
    close: () => db.close(),
  };
}
