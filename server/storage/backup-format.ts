import type { TransactionSql } from 'postgres';
import type { Totals } from './backup-totals.ts';
import { errorCode } from './embedded/files.ts';
import { StorageError } from './error.ts';
import type { Applied } from './migrate.ts';

/**
 * A backup is lines of JSON, compressed: a head, then for each table its name and columns and a list of texts for each row,
 * and at the end where the sequences are and what all of it comes to. Values are PostgreSQL's own texts, so they come back
 * exactly (docs/decisions/backups.md).
 */
export type Head = {
  muster: 'backup';
  format: number;
  /** The moment that it is of, ISO 8601. Missing in files from before it was written. */
  at?: string;
  /** The steps that had been applied: rows only fit into the schema that they came from. */
  migrations: Applied[];
  /** Days that `client_log_entries` has partitions for. */
  logDays: string[];
  /** Texts of the files of the home that belong to the data, by name. */
  files: Record<string, string>;
};
export type Sequences = Record<string, [last: string, isCalled: boolean]>;
/** Any line but those of rows. Totals are missing in files that were written before they were counted. */
export type Part = { table?: string; columns?: string[]; sequences?: Sequences; totals?: Totals };
export type Table = { name: string; columns: [name: string, type: string][] };
/** What a backup holds: tables, rows, and people among them. */
export type Count = { tables: number; rows: number; people: number };

/** Is told in a few words what is being done, often. */
export type Progress = (words: string) => void;

export const FORMAT = 1;

/** Texts of values must not depend on how a server happens to be set up. */
export const PLAIN = `select set_config('datestyle', 'ISO, YMD', true), set_config('intervalstyle', 'postgres', true),
  set_config('timezone', 'UTC', true), set_config('bytea_output', 'hex', true), set_config('extra_float_digits', '1', true)`;

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Tables with the columns that are written; partitions are parts of theirs. */
export const tablesIn = (tx: TransactionSql): Promise<Table[]> =>
  tx<Table[]>`
    select c.relname as name,
      json_agg(json_build_array(a.attname, format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'schema_migrations'
    group by c.relname order by c.relname`;

/** Explains an error to people; most of the schema's own errors say enough. */
export function backupError(what: string, error: unknown): StorageError {
  if (error instanceof StorageError && error.code === 'schema-before-release')
    return new StorageError(error.code, `${what}: ${error.message}`, { cause: error });
  if (error instanceof StorageError && error.code !== 'backup')
    return error.code === 'schema-newer'
      ? new StorageError('backup', `${what}: a newer release made it. Use that one.`, { cause: error })
      : error;
  if (['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? ''))
    return new StorageError('disk-full', `${what}: the disk is full. Free some space.`, { cause: error });
  const why = error instanceof Error ? error.message : String(error);
  const hint = errorCode(error)?.startsWith('Z_') ? ' (the file is damaged, or no backup)' : '';
  return new StorageError('backup', `${what}: ${why}${hint}.`, { cause: error });
}
