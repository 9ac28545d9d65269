import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Sql, TransactionSql } from 'postgres';
import { SNAPSHOT } from '../domain/snapshot.ts';
import { encrypted } from './age.ts';
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

/** `recipient`: whom it is encrypted for (age). `signal` gives it up. */
type Wishes = { recipient?: string | null; signal?: AbortSignal };

/**
 * Writes a consistent snapshot of the database with its keys into a new file that only its owner can read, and a copy
 * of the erasure list beside it. The instance keeps running. A backup of an unused instance is usually a mistake, so it
 * must be allowed explicitly. Throws `StorageError` (`backup`, `backup-empty`, `disk-full`, or what a start says of data
 * that this release cannot read), and then there is no file.
 */
export async function backUp(
  sql: Sql,
  home: string,
  path: string,
  { allowEmpty = false, progress = () => {}, ...wishes }: Wishes & { allowEmpty?: boolean; progress?: Progress } = {},
): Promise<Count> {
  const count: Count = { tables: 0, rows: 0, people: 0 };
  await writeNew(path, async (into) => {
    await sql.begin(SNAPSHOT, (tx) =>
      into(Readable.from(linesOf(tx, { home, count, allowEmpty, progress })), wishes, createGzip()),
    );
    await noteErasures(sql, home);
    copyErasures(home, path, new Date());
  });
  return count;
}

/** Encrypts a backup into a new file, with a copy of the erasure list beside it. Throws as `backUp` does. */
export const sealBackup = (
  from: string,
  path: string,
  { home, ...wishes }: Wishes & { home: string; recipient: string },
): Promise<void> =>
  writeNew(path, async (into) => {
    await into(createReadStream(from), wishes);
    copyErasures(home, path, new Date());
  });

type Into = (bytes: Readable, wishes: Wishes, zip?: Transform) => Promise<void>;

/** What `write` writes is a file once it is whole, on the disk and read again; before that it has another name. */
async function writeNew(path: string, write: (into: Into) => Promise<void>): Promise<void> {
  if (existsSync(path)) throw new StorageError('backup', `${path} is there already. Name a new file.`);
  const draft = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    await write((...what) => writeInto(draft, ...what));
    renameSync(draft, path);
    const folder = await open(dirname(path));
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    rmSync(draft, { force: true });
    if (error instanceof StorageError && error.code.startsWith('schema-')) throw error;
    throw backupError(`${path} was not written`, error);
  }
}

/** The file is there before anything can fail: a stream that makes its own may do so after it was given up. */
async function writeInto(
  path: string,
  bytes: Readable,
  { recipient = null, signal }: Wishes,
  zip: Transform = new PassThrough(),
): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  const [sent, found] = [createHash('sha256'), createHash('sha256')];
  try {
    const hashed = async function* (source: AsyncIterable<Buffer>) {
      for await (const chunk of recipient === null ? source : encrypted(source, recipient)) {
        sent.update(chunk);
        yield chunk;
      }
    };
    await pipeline(bytes, zip, hashed, file.createWriteStream({ flush: true }), { ...(signal && { signal }) });
  } finally {
    // Nothing where the stream did so.
    await file.close();
  }
  for await (const chunk of createReadStream(path)) found.update(chunk);
  if (sent.digest('hex') !== found.digest('hex'))
    throw new StorageError('backup', 'it reads otherwise than it was written');
}

type Writing = { home: string; count: Count; allowEmpty: boolean; progress: Progress };

async function* linesOf(tx: TransactionSql, writing: Writing): AsyncGenerator<string> {
  const { home, count, allowEmpty, progress } = writing;
  const line = (value: unknown) => `${JSON.stringify(value)}\n`;
  await tx.unsafe(PLAIN);
  const [found] = await tx<
    { at: Date; is: boolean }[]
  >`select now() as at, to_regclass('schema_migrations') is not null as is`;
  if (!found?.is) throw new StorageError('backup', 'There is nothing to back up: no start has made a schema here yet');
  const migrations = await tx<Applied[]>`select version, name, checksum from schema_migrations order by version`;
  stepsOf(migrations);
  const days = await tx<{ day: string }[]>`
    select to_date(right(relname, 8), 'YYYYMMDD')::text as day from pg_class
    where relispartition and relname ~ '^client_log_entries_[0-9]{8}$' order by 1`;
  yield line({
    muster: 'backup',
    format: FORMAT,
    at: found.at.toISOString(),
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
