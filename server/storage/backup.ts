import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Sql, TransactionSql } from 'postgres';
import { SNAPSHOT } from '../domain/snapshot.ts';
import { errorCode } from './embedded/files.ts';
import { StorageError } from './error.ts';
import { type Applied, migrate, refuseBeforeRelease, stepsOf } from './migrate.ts';
import { KEPT_FILES } from './secrets.ts';

/**
 * A backup is lines of JSON, compressed: a head, then for each table its name and columns and a list of texts for each row,
 * and at the end where the sequences are. Values are PostgreSQL's own texts, so they come back exactly (decision 044).
 */
type Head = {
  muster: 'backup';
  format: number;
  /** The steps that had been applied: rows only fit into the schema that they came from. */
  migrations: Applied[];
  /** Days that `client_log_entries` has partitions for. */
  logDays: string[];
  /** Texts of the files of the home that belong to the data, by name. */
  files: Record<string, string>;
};
type Sequences = Record<string, [last: string, isCalled: boolean]>;
type Table = { name: string; columns: [name: string, type: string][] };
export type Count = { tables: number; rows: number };

const FORMAT = 1;
const ROWS_AT_ONCE = 50;
const CHARACTERS_AT_ONCE = 1_000_000;

/** Texts of values must not depend on how a server happens to be set up. */
const PLAIN = `select set_config('datestyle', 'ISO, YMD', true), set_config('intervalstyle', 'postgres', true),
  set_config('timezone', 'UTC', true), set_config('bytea_output', 'hex', true), set_config('extra_float_digits', '1', true)`;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Writes everything that the database holds at one moment, and the keys beside it, into a new file that only its owner
 * may read. Whoever works on goes on meanwhile. Throws `StorageError` (`backup`), and then there is no file.
 */
export async function backUp(sql: Sql, home: string, path: string): Promise<Count> {
  if (existsSync(path)) throw new StorageError('backup', `${path} is there already. Name a new file.`);
  const draft = `${path}.${randomBytes(6).toString('hex')}.part`;
  const count: Count = { tables: 0, rows: 0 };
  try {
    await writeInto(draft, sql, (tx) => linesOf(tx, home, count));
    renameSync(draft, path);
    return count;
  } catch (error) {
    rmSync(draft, { force: true });
    throw told(`${path} was not written`, error);
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

async function* linesOf(tx: TransactionSql, home: string, count: Count): AsyncGenerator<string> {
  const line = (value: unknown) => `${JSON.stringify(value)}\n`;
  await tx.unsafe(PLAIN);
  const [found] = await tx<{ is: boolean }[]>`select to_regclass('schema_migrations') is not null as is`;
  if (!found?.is) throw new StorageError('backup', 'There is nothing to back up: no start has made a schema here yet');
  const migrations = await tx<Applied[]>`select version, name, checksum from schema_migrations order by version`;
  const days = await tx<{ day: string }[]>`
    select to_date(right(relname, 8), 'YYYYMMDD')::text as day from pg_class
    where relispartition and relname ~ '^client_log_entries_[0-9]{8}$' order by 1`;
  yield line({
    muster: 'backup',
    format: FORMAT,
    migrations,
    logDays: days.map(({ day }) => day),
    files: keptIn(home),
  } satisfies Head);
  for (const { name, columns } of await tablesIn(tx)) {
    count.tables += 1;
    yield line({ table: name, columns: columns.map(([column]) => column) });
    const texts = columns.map(([column]) => `${quoted(column)}::text`);
    const rows = tx.unsafe<{ row: string }[]>(`select json_build_array(${texts})::text as row from ${quoted(name)}`);
    for await (const some of rows.cursor(ROWS_AT_ONCE)) {
      count.rows += some.length;
      yield some.map(({ row }) => `${row}\n`).join('');
    }
  }
  yield line({ sequences: await sequencesIn(tx) });
}

function keptIn(home: string): Head['files'] {
  const present = KEPT_FILES.filter((name) => existsSync(join(home, name)));
  return Object.fromEntries(present.map((name) => [name, readFileSync(join(home, name), 'utf8')]));
}

/** Tables with the columns that are written; partitions are parts of theirs. */
const tablesIn = (tx: TransactionSql): Promise<Table[]> =>
  tx<Table[]>`
    select c.relname as name,
      json_agg(json_build_array(a.attname, format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'schema_migrations'
    group by c.relname order by c.relname`;

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

/**
 * Puts a backup into an instance that has nobody yet, and brings it up to this release. In one transaction: all of it,
 * or nothing. Throws `StorageError` (`backup`).
 */
export async function restore(sql: Sql, home: string, path: string): Promise<Count> {
  try {
    return await pipeline(createReadStream(path), createGunzip(), (bytes) => take(sql, home, linesIn(bytes)));
  } catch (error) {
    throw told(`${path} was not restored`, error);
  }
}

async function* linesIn(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new StorageError('backup', 'it ends in the middle of a line');
}

async function take(sql: Sql, home: string, lines: AsyncGenerator<string>): Promise<Count> {
  const first = await lines.next();
  const head = readHead(first.done ? '' : first.value);
  const steps = stepsOf(head.migrations);
  await requireEmpty(sql, steps.length);
  await migrate(sql, steps);
  const count = await sql.begin(async (tx) => {
    await tx.unsafe(PLAIN);
    const tables = await tablesIn(tx);
    const tighten = await loosen(tx, tables);
    for (const day of head.logDays) await tx`select client_log_partition(${day}::date)`;
    const taken = await fill(tx, tables, lines);
    await tighten();
    keep(home, head.files);
    return taken;
  });
  await migrate(sql);
  // Without figures of what is where the first boards would be read in the slowest of ways.
  await sql`analyze`;
  return count;
}

function readHead(line: string): Head {
  let head: Partial<Head> = {};
  try {
    head = JSON.parse(line) as Head;
  } catch {
    // Not ours either.
  }
  if (head.muster !== 'backup') throw new StorageError('backup', 'it is no backup of this program');
  if (head.format !== FORMAT) throw new StorageError('backup', 'a newer release made it: restore it with that one');
  return head as Head;
}

async function requireEmpty(sql: Sql, steps: number): Promise<void> {
  const [made] = await sql<{ is: boolean }[]>`select to_regclass('schema_migrations') is not null as is`;
  if (!made?.is) return;
  const applied = await sql<{ name: string }[]>`select name from schema_migrations order by version`;
  refuseBeforeRelease(applied);
  const [users] = await sql<{ is: boolean }[]>`select to_regclass('users') is not null as is`;
  const [person] = users?.is ? await sql`select 1 from users limit 1` : [];
  if (person || applied.length > steps)
    throw new StorageError(
      'backup',
      `${person ? 'people use this instance already' : 'this instance is of a newer release already'}. Restore into a new one: MUSTER_HOME=/some/new/folder, or DATABASE_URL of an empty database`,
    );
}

/**
 * Empties the tables, and lets rows come in any order and without what their coming would set off. The function that it
 * answers puts all of it back, which checks every reference at once. All that it takes is to own the tables.
 */
async function loosen(tx: TransactionSql, tables: readonly Table[]): Promise<() => Promise<void>> {
  const references = await tx<{ name: string; of: string; definition: string }[]>`
    select k.conname as name, c.relname as of, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_namespace n on n.oid = k.connamespace and n.nspname = current_schema()
    where k.contype = 'f' and k.conparentid = 0`;
  for (const { name, of } of references) await tx.unsafe(`alter table ${quoted(of)} drop constraint ${quoted(name)}`);
  for (const { name } of tables) await tx.unsafe(`alter table ${quoted(name)} disable trigger user`);
  await tx.unsafe(`truncate ${tables.map(({ name }) => quoted(name))}`);
  return async () => {
    for (const { name } of tables) await tx.unsafe(`alter table ${quoted(name)} enable trigger user`);
    for (const { name, of, definition } of references)
      await tx.unsafe(`alter table ${quoted(of)} add constraint ${quoted(name)} ${definition}`);
  };
}

async function fill(tx: TransactionSql, tables: readonly Table[], lines: AsyncGenerator<string>): Promise<Count> {
  const count: Count = { tables: 0, rows: 0 };
  let insert = '';
  let rows: string[] = [];
  let characters = 0;
  let isWhole = false;
  const flush = async () => {
    if (rows.length > 0) await tx.unsafe(insert, [`[${rows}]`]);
    count.rows += rows.length;
    rows = [];
    characters = 0;
  };
  for await (const line of lines) {
    if (line.startsWith('[')) {
      rows.push(line);
      characters += line.length;
      if (characters > CHARACTERS_AT_ONCE) await flush();
      continue;
    }
    await flush();
    const part = JSON.parse(line) as { table?: string; columns?: string[]; sequences?: Sequences };
    if (part.sequences) {
      for (const [name, [last, isCalled]] of Object.entries(part.sequences))
        await tx`select setval(format('%I', ${name}::text)::regclass, ${last}::bigint, ${isCalled}::boolean)`;
      isWhole = true;
      continue;
    }
    const table = tables.find(({ name }) => name === part.table);
    if (!table || `${table.columns.map(([column]) => column)}` !== `${part.columns}`)
      throw new StorageError('backup', `there is no place for its table ${part.table}`);
    count.tables += 1;
    insert = insertInto(table);
  }
  // Read to the end in any case: the checksum stands there.
  if (!isWhole) throw new StorageError('backup', 'its end is missing');
  return count;
}

const insertInto = ({ name, columns }: Table): string => `
  insert into ${quoted(name)} (${columns.map(([column]) => quoted(column))}) overriding system value
  select ${columns.map(([, type], at) => `(r ->> ${at})::${type}`)} from json_array_elements($1::text::json) r`;

function keep(home: string, files: Head['files']): void {
  mkdirSync(home, { recursive: true, mode: 0o711 });
  for (const name of KEPT_FILES.filter((known) => files[known] !== undefined)) {
    const draft = join(home, `${name}.${randomBytes(6).toString('hex')}`);
    writeFileSync(draft, files[name] ?? '', { mode: 0o600, flag: 'wx' });
    renameSync(draft, join(home, name));
  }
}

/** What went wrong, for people; most of the schema's own errors say enough themselves. */
function told(what: string, error: unknown): StorageError {
  if (error instanceof StorageError && error.code === 'schema-before-release')
    return new StorageError(error.code, `${what}: ${error.message}`, { cause: error });
  if (error instanceof StorageError && error.code !== 'backup')
    return error.code === 'schema-newer'
      ? new StorageError('backup', `${what}: a newer release made it. Use that one.`, { cause: error })
      : error;
  const why = error instanceof Error ? error.message : String(error);
  const hint = errorCode(error)?.startsWith('Z_') ? ' (the file is damaged, or no backup)' : '';
  return new StorageError('backup', `${what}: ${why}${hint}.`, { cause: error });
}
