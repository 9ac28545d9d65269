import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Sql, TransactionSql } from 'postgres';
import { SNAPSHOT } from '../domain/snapshot.ts';
import {
  backupError,
  type Count,
  FORMAT,
  type Head,
  type Part,
  PLAIN,
  type Progress,
  quoted,
  type Sequences,
  tablesIn,
} from './backup-format.ts';
import { readTotals } from './backup-totals.ts';
import { copyErasures, noteErasures } from './erasure-list.ts';
import { StorageError } from './error.ts';
import { type Applied, stepsOf } from './migrate.ts';
import { SECRET_FILES } from './secrets.ts';

const ROWS_AT_ONCE = 50;

/**
 * Writes a consistent snapshot of the database with its keys into a new file that only its owner can read, and a copy
 * of the erasure list beside it. The instance keeps running. A backup of an unused instance is usually a mistake, so it
 * must be allowed explicitly. Throws `StorageError` (`backup`, `backup-empty`, or what a start says of data that this
 * release cannot read), and then there is no file.
 */
export async function backUp(
  sql: Sql,
  home: string,
  path: string,
  { allowEmpty = false, progress = () => {} }: { allowEmpty?: boolean; progress?: Progress } = {},
): Promise<Count> {
  if (existsSync(path)) throw new StorageError('backup', `${path} is there already. Name a new file.`);
  const draft = `${path}.${randomBytes(6).toString('hex')}.part`;
  const count: Count = { tables: 0, rows: 0, people: 0 };
  try {
    await writeInto(draft, sql, (tx) => linesOf(tx, { home, count, allowEmpty, progress }));
    await noteErasures(sql, home);
    copyErasures(home, path, new Date());
    renameSync(draft, path);
    return count;
  } catch (error) {
    rmSync(draft, { force: true });
    if (error instanceof StorageError && error.code.startsWith('schema-')) throw error;
    throw backupError(`${path} was not written`, error);
  }
}

/** The file is there before anything can fail: a stream that makes its own may do so after it was given up. */
async function writeInto(path: string, sql: Sql, lines: (tx: TransactionSql) => AsyncGenerator<string>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await sql.begin(SNAPSHOT, (tx) =>
      pipeline(Readable.from(lines(tx)), createGzip(), file.createWriteStream({ flush: true })),
    );
  } finally {
    // Nothing where the stream did so.
    await file.close();
  }
}

type Writing = { home: string; count: Count; allowEmpty: boolean; progress: Progress };

async function* linesOf(tx: TransactionSql, writing: Writing): AsyncGenerator<string> {
  const { home, count, allowEmpty, progress } = writing;
  const line = (value: unknown) => `${JSON.stringify(value)}\n`;
  await tx.unsafe(PLAIN);
  const [found] = await tx<{ is: boolean }[]>`select to_regclass('schema_migrations') is not null as is`;
  if (!found?.is) throw new StorageError('backup', 'There is nothing to back up: no start has made a schema here yet');
  const migrations = await tx<Applied[]>`select version, name, checksum from schema_migrations order by version`;
  stepsOf(migrations);
  const days = await tx<{ day: string }[]>`
    select to_date(right(relname, 8), 'YYYYMMDD')::text as day from pg_class
    where relispartition and relname ~ '^client_log_entries_[0-9]{8}$' order by 1`;
  yield line({
    muster: 'backup',
    format: FORMAT,
    migrations,
    logDays: days.map(({ day }) => day),
    files: secretsIn(home),
  } satisfies Head);
  const tables = await tablesIn(tx);
  const totals = await readTotals(
    tx,
    tables.map(({ name }) => name),
  );
  count.people = totals.rows['users'] ?? 0;
  if (count.people === 0 && !allowEmpty)
    throw new StorageError('backup-empty', 'Nobody has ever signed in to this instance, so no backup was written.');
  const all = Object.values(totals.rows).reduce((sum, rows) => sum + rows, 0);
  for (const { name, columns } of tables) {
    count.tables += 1;
    yield line({ table: name, columns: columns.map(([column]) => column) });
    const texts = columns.map(([column]) => `${quoted(column)}::text`);
    const rows = tx.unsafe<{ row: string }[]>(`select json_build_array(${texts})::text as row from ${quoted(name)}`);
    for await (const some of rows.cursor(ROWS_AT_ONCE)) {
      count.rows += some.length;
      progress(`rows, ${Math.floor((100 * count.rows) / all)} %`);
      yield some.map(({ row }) => `${row}\n`).join('');
    }
  }
  yield line({ sequences: await sequencesIn(tx), totals } satisfies Part);
}

function secretsIn(home: string): Head['files'] {
  const present = SECRET_FILES.filter((name) => existsSync(join(home, name)));
  return Object.fromEntries(present.map((name) => [name, readFileSync(join(home, name), 'utf8')]));
}

async function sequencesIn(tx: TransactionSql): Promise<Sequences> {
  const sequences = await tx<{ name: string }[]>`
    select c.relname as name from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
    where c.relkind = 'S' order by 1`;
  const states: Sequences = {};
  for (const { name } of sequences) {
    const [state] = await tx.unsafe<{ last: string; called: boolean }[]>(
      `select last_value::text as last, is_called as called from ${quoted(name)}`,
    );
    if (state) states[name] = [state.last, state.called];
  }
  return states;
}
