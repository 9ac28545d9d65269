import { type Rows, TABLE_NAMES, TABLES, type TableName } from '../schema.ts';
import type { DeviceStorage, Transaction } from './storage.ts';

type Stored = Map<string | number, unknown>;

/** A copy as a database would make it, without its cost for what most rows are made of. */
function copyOf<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? structuredClone(value) : value;
  if (Array.isArray(value)) return value.map(copyOf) as T;
  if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) copy[key] = copyOf((value as Record<string, unknown>)[key]);
  return copy as T;
}

/** Keeps everything in this worker's memory. Values are copied in and out, as a database would. */
export function memoryStorage(): DeviceStorage {
  let tables = new Map<TableName, Stored>(TABLE_NAMES.map((name) => [name, new Map()]));
  const counters = { logs: 0, outbox: 0 };
  let last: Promise<unknown> = Promise.resolve();

  async function alone<T>(names: TableName[], work: (tx: Transaction) => Promise<T>): Promise<T> {
    const own = new Map(names.map((name) => [name, new Map(tables.get(name))]));
    const of = (name: TableName): Stored => {
      const table = own.get(name);
      if (!table) throw new Error(`The transaction does not include ${name}`);
      return table;
    };
    const append = async (name: 'logs' | 'outbox', row: object): Promise<number> => {
      counters[name] += 1;
      of(name).set(counters[name], copyOf({ ...row, [TABLES[name].key]: counters[name] }));
      return counters[name];
    };
    const result = await work({
      async all<N extends TableName>(name: N) {
        const keys = [...of(name).keys()].sort((a, b) => (a < b ? -1 : 1));
        return keys.map((key) => copyOf(of(name).get(key)) as Rows[N]);
      },
      async get<N extends TableName>(name: N, key: string | number) {
        return copyOf(of(name).get(key)) as Rows[N] | undefined;
      },
      async put(name, row) {
        const key = (row as unknown as Record<string, string | number>)[TABLES[name].key] ?? '';
        const counter: keyof typeof counters | null = name === 'logs' || name === 'outbox' ? name : null;
        if (counter && typeof key === 'number') counters[counter] = Math.max(counters[counter], key);
        of(name).set(key, copyOf(row));
      },
      append,
      async remove(name, key) {
        of(name).delete(key);
      },
    });
    tables = new Map([...tables, ...own]);
    return result;
  }

  return {
    kind: 'memory',
    run(names, work) {
      const result = last.then(() => alone(names, work));
      last = result.catch(() => undefined);
      return result;
    },
    close: () => undefined,
  };
}
