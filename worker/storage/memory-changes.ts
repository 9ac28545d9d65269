import type { Meta, TableName } from '../schema.ts';
import { type DeviceStorage, getMeta, putMeta, type Transaction } from './storage.ts';

/** What memory holds of a row that the database does not: it is new, other than there, or gone. */
type Change = 'new' | 'other' | 'gone';
export type ChangedRow = { table: TableName; change: Change; row: object };

/** What memory holds beyond the database while it replaces it. */
export function memoryChanges() {
  const changes = new Map<TableName, Map<string | number, Change>>();
  function note(table: TableName, key: string | number, change: Change): void {
    const of = changes.get(table) ?? new Map<string | number, Change>();
    changes.set(table, of);
    const before = of.get(key);
    if (before === 'new' && change === 'gone') of.delete(key);
    else of.set(key, before === 'new' ? 'new' : change);
  }
  async function each(of: Change, does: (table: TableName, key: string | number) => Promise<void>): Promise<void> {
    for (const [table, keys] of changes) for (const [key, change] of keys) if (change === of) await does(table, key);
  }
  return {
    /** One piece of work in memory: its writes are noted once it has ended well. */
    async run<T>(memory: DeviceStorage, tables: TableName[], work: (tx: Transaction) => Promise<T>) {
      const noted: [TableName, string | number, Change][] = [];
      const result = await memory.run(tables, (tx) => work(noting(tx, (...change) => noted.push(change))));
      for (const change of noted) note(...change);
      return { result, wrote: noted.length > 0 };
    },
    /** Removes from the database what memory removed. */
    removeGone: (tx: Transaction) => each('gone', (table, key) => tx.remove(table, key)),
    /** The rows of memory that the database has not, or has otherwise. */
    async rows(tx: Transaction): Promise<ChangedRow[]> {
      const rows: ChangedRow[] = [];
      for (const change of ['other', 'new'] as const)
        await each(change, async (table, key) => {
          const row = await tx.get(table, key);
          if (row) rows.push({ table, change, row });
        });
      return rows;
    },
  };
}

/** @param isCopy whether memory began as a copy of the database: its counts and lists are then the whole ones */
export async function writeBack(tx: Transaction, { table, change, row }: ChangedRow, isCopy: boolean): Promise<void> {
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
