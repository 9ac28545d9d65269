import { Dexie, type Transaction as DexieTransaction, type Table } from 'dexie';
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
  // Every call names its transaction. Dexie would otherwise take the one "of this moment", which it follows through
  // native promises by guessing: beside a second transaction it guesses wrong. `rw!` never joins another's.
  const portOf = (trans: DexieTransaction): Transaction => {
    const table = <N extends TableName>(of: N) => trans.table(of) as Table<Rows[N], string | number>;
    return {
      all: async (of) => table(of).toArray(),
      get: async (of, key) => table(of).get(key),
      put: async (of, row) => void (await table(of).put(row)),
      append: async (of: 'logs' | 'outbox', row: object) => (await trans.table(of).add(row)) as number,
      remove: async (of, key) => table(of).delete(key),
    };
  };
  return {
    kind: 'durable',
    run: (tables, work) => db.transaction('rw!', tables, (trans) => work(portOf(trans))),
    close: () => db.close(),
  };
}
