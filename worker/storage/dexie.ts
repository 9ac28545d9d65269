import { Dexie, type Transaction as DexieTransaction, type Table } from 'dexie';
import { DATABASE, type Rows, TABLES, type TableName } from '../schema.ts';
import { moving } from './moving.ts';
import { type DeviceStorage, NO_BLOB_ERROR, type Transaction, VERSIONS, type Version } from './storage.ts';

const keyOf = (name: TableName): string => (TABLES[name].counts ? `++${TABLES[name].key}` : TABLES[name].key);

/**
 * Opens the device's database and brings it to this build's version.
 * @throws when the browser refuses it or does not answer
 */
export async function dexieStorage(
  name: string = DATABASE,
  versions: readonly Version[] = VERSIONS,
): Promise<DeviceStorage> {
  const db = new Dexie(name, { autoOpen: false });
  for (const [index, { adds, upgrade }] of versions.entries()) {
    const version = db.version(index + 1).stores(Object.fromEntries(adds.map((table) => [table, keyOf(table)])));
    if (upgrade) version.upgrade((trans) => upgrade(portOf(trans)));
  }
  // A newer build in another tab wants to change the schema: let go. The next user of the database opens it again.
  db.on('versionchange', () => db.close());
  await db.open();
  return {
    kind: 'durable',
    run(tables, work) {
      let begun: DexieTransaction | undefined;
      return moving(
        async (moved) =>
          db.transaction('rw!', tables, (trans) => {
            begun = trans;
            return work(portOf(trans, moved));
          }),
        () => begun?.abort(),
      );
    },
    close: () => db.close(),
  };
}

/**
 * In a private window WebKit answers a `Blob` with the error of a broken database. The caller retries without the
 * `Blob`, which shows whether the database is broken.
 */
async function written<T>(row: object, work: PromiseLike<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isOfBlob = (row as { body?: unknown }).body instanceof Blob && (error as Error).name === 'UnknownError';
    throw isOfBlob ? new DOMException('This database keeps no Blob', NO_BLOB_ERROR) : error;
  }
}

/**
 * Every call names its transaction. Dexie would otherwise take the one "of this moment", which it follows through native
 * promises by guessing: beside a second transaction it guesses wrong. `rw!` never joins another's.
 */
function portOf(trans: DexieTransaction, moved: () => void = () => undefined): Transaction {
  const table = <N extends TableName>(of: N) => trans.table(of) as Table<Rows[N], string | number>;
  const tracked = async <T>(answer: PromiseLike<T>): Promise<T> => {
    const value = await answer;
    moved();
    return value;
  };
  return {
    all: async (of) => tracked(table(of).toArray()),
    get: async (of, key) => tracked(table(of).get(key)),
    put: async (of, row) => void (await tracked(written(row, table(of).put(row)))),
    append: async (of: 'logs' | 'outbox', row: object) =>
      (await tracked(written(row, trans.table(of).add(row)))) as number,
    remove: async (of, key) => tracked(table(of).delete(key)),
  };
}
