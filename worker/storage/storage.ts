import { LOG_BATCH_MAX } from '../../server/contract/limits.ts';
import type { Meta, Rows, TableName } from '../schema.ts';

/** One transaction: all of its writes happen, or none. Only the transaction's own calls may be awaited inside it. */
export type Transaction = {
  /** Every row of a table, by ascending primary key. */
  all<T extends TableName>(table: T): Promise<Rows[T][]>;
  get<T extends TableName>(table: T, key: string | number): Promise<Rows[T] | undefined>;
  /** Writes a row over the one with the same primary key, or as a new one. */
  put<T extends TableName>(table: T, row: Rows[T]): Promise<void>;
  /** Appends a row to a counting table and answers its number, greater than every number ever given. */
  append(table: 'logs', row: Omit<Rows['logs'], 'sequence'>): Promise<number>;
  append(table: 'outbox', row: Omit<Rows['outbox'], 'position'>): Promise<number>;
  remove(table: TableName, key: string | number): Promise<void>;
};

/** Name of the error of a database that stores rows but no `Blob`. */
export const NO_BLOB_ERROR = 'DataError';

/**
 * The device's storage. It has three adapters: Dexie in the device worker, idb in the service worker, memory where the
 * browser refuses IndexedDB. One contract test covers all three.
 */
export type DeviceStorage = {
  readonly kind: 'durable' | 'memory';
  /**
   * Runs `work` alone on its tables.
   * @throws whatever `work` throws, with nothing written; QuotaExceededError when the disk is full.
   */
  run<T>(tables: TableName[], work: (tx: Transaction) => Promise<T>): Promise<T>;
  close(): void;
};

const AT_FIRST: Meta = {
  member: null,
  paused: null,
  deviceId: '',
  dropped: { error: 0, debug: 0 },
  logDelivery: { batch: LOG_BATCH_MAX, attempts: 0, nextTryAt: null, triedAt: null, serverNamedTime: false },
  push: null,
  undone: [],
  activeShell: '',
};

/** Reads a setting of the device, or its default. */
export async function getMeta<K extends keyof Meta>(tx: Transaction, key: K): Promise<Meta[K]> {
  const row = await tx.get('meta', key);
  return row ? (row.value as Meta[K]) : AT_FIRST[key];
}
export function putMeta<K extends keyof Meta>(tx: Transaction, key: K, value: Meta[K]): Promise<void> {
  return tx.put('meta', { key, value });
}

/** What one version of the database has beyond the one before: tables, and rows of another shape. */
export type Version = { adds: readonly TableName[]; upgrade?: (tx: Transaction) => Promise<void> };
/** Every version that a build has had, oldest first; the last is this build's. Never changed, only added to. */
export const VERSIONS: readonly Version[] = [
  { adds: ['settings', 'meta', 'logs', 'outbox'] },
  // What the server has answered and cached reads may not show yet. Earlier builds had it in localStorage.
  { adds: ['acknowledged'] },
];
/** Dexie's version number times this is the native one, which is the one on disk. */
export const NATIVE_PER_VERSION = 10;
