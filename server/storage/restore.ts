import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Sql, TransactionSql } from 'postgres';
import { opened } from './age.ts';
import {
  backupError,
  type Count,
  FORMAT,
  type Head,
  type Part,
  PLAIN,
  type Progress,
  quoted,
  type Table,
  tablesIn,
} from './backup-format.ts';
import { differences, readTotals, type Totals } from './backup-totals.ts';
import { copyOf, type Erasures, findErasures, rescheduleErasures, storeErasures } from './erasure-list.ts';
import { StorageError } from './error.ts';
import { migrate, refuseBeforeRelease, stepsOf } from './migrate.ts';
import { SECRET_FILES } from './secrets.ts';

const CHARACTERS_AT_ONCE = 1_000_000;

/** Erasure lists to use besides those found; without any, a backup is restored only where that is accepted. */
export type Lists = { named?: string | null; mayLack?: boolean };
/** `identity`: the file that decrypts an encrypted backup (age). */
type Wishes = Lists & { identity?: string | null; progress?: Progress };
/** `until`: up to when erasures are known, ISO 8601; `again`: people in the backup who will be erased again. */
export type Restored = Count & { erasures: { until: string | null; again: number } };

/**
 * Restores a backup into an empty instance and migrates it to this release, in one transaction. The result is counted
 * and compared with the backup's totals. People who were erased since are locked out in the same transaction and erased
 * at the next start. Throws `StorageError` (`backup`, `no-erasures`).
 */
export async function restore(sql: Sql, home: string, path: string, wishes: Wishes = {}): Promise<Restored> {
  const { named = null, mayLack = false, identity = null, progress = () => {} } = wishes;
  try {
    const erasures = existsSync(path) ? findErasures(home, path, named) : null;
    if (erasures === null && existsSync(path) && !mayLack) throw lacking(path);
    const file = createReadStream(path);
    const { size } = await stat(path);
    const read = () => progress(`rows, ${Math.floor((100 * file.bytesRead) / size)} %`);
    return await pipeline(
      file,
      (bytes) => opened(bytes, identity),
      createGunzip(),
      (bytes) =>
        take(sql, home, linesIn(bytes, read), { erasures: erasures ?? { bySalt: new Map(), until: null }, progress }),
    );
  } catch (error) {
    throw backupError(`${path} was not restored`, error);
  }
}

/** The moment that a backup is of. Throws `StorageError` (`backup`). */
export async function momentOfBackup(path: string, identity: string | null): Promise<Date> {
  let first: string | undefined;
  try {
    await pipeline(
      createReadStream(path),
      (bytes) => opened(bytes, identity),
      createGunzip(),
      async (bytes) => {
        for await (const line of linesIn(bytes, () => {})) {
          first = line;
          break;
        }
      },
    ).catch((error: unknown) => {
      // The pipeline fails because the rest of the file stays unread.
      if (first === undefined) throw error;
    });
    const { at } = readHead(first ?? '');
    return at === undefined ? (await stat(path)).mtime : new Date(at);
  } catch (error) {
    throw backupError(`${path} cannot be read`, error);
  }
}

const lacking = (path: string): StorageError =>
  new StorageError(
    'no-erasures',
    `There is no list of erasures: neither ${copyOf(path)} nor another beside it, nor one in MUSTER_HOME. Whoever was erased after this backup would be back.`,
  );

async function* linesIn(bytes: AsyncIterable<Buffer>, onRead: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    onRead();
    yield* lines;
  }
  if (rest !== '') throw new StorageError('backup', 'it ends in the middle of a line');
}

type Taking = { erasures: Erasures; progress: Progress };

async function take(
  sql: Sql,
  home: string,
  lines: AsyncGenerator<string>,
  { erasures, progress }: Taking,
): Promise<Restored> {
  const first = await lines.next();
  const head = readHead(first.done ? '' : first.value);
  const steps = stepsOf(head.migrations);
  await requireEmpty(sql, steps.length);
  await migrate(sql, steps);
  const now = new Date();
  const { again, ...count } = await sql.begin(async (tx) => {
    await tx.unsafe(PLAIN);
    const tables = await tablesIn(tx);
    const tighten = await loosen(tx, tables);
    for (const day of head.logDays) await tx`select client_log_partition(${day}::date)`;
    const { totals, ...taken } = await fill(tx, tables, lines);
    progress('indexes and references');
    await tighten();
    progress('counting');
    const people = await compare(tx, tables, totals);
    const again = await rescheduleErasures(tx, erasures, now);
    writeSecrets(home, head.files);
    return { ...taken, people, again };
  });
  await migrate(sql);
  // Where the backup's own schema had no column for it.
  const later = await sql.begin((tx) => rescheduleErasures(tx, erasures, now));
  storeErasures(home, erasures);
  // Without figures of what is where the first boards would be read in the slowest of ways.
  await sql`analyze`;
  return { ...count, erasures: { until: erasures.until, again: Math.max(again, later) } };
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
 * Empties the tables, and lets rows come in any order, without what their coming would set off and into no index. The
 * function that it answers puts all of it back, which checks every reference at once. All that it takes is to own the tables.
 */
async function loosen(tx: TransactionSql, tables: readonly Table[]): Promise<() => Promise<void>> {
  const references = await tx<{ name: string; of: string; definition: string }[]>`
    select k.conname as name, c.relname as of, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_namespace n on n.oid = k.connamespace and n.nspname = current_schema()
    where k.contype = 'f' and k.conparentid = 0`;
  // Those of partitions come and go with their table's, which PostgreSQL describes as of ONLY that.
  const indexes = await tx<{ name: string; definition: string }[]>`
    select c.relname as name, 
      case c.relkind when 'I' then regexp_replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON ') else pg_get_indexdef(c.oid) end as definition
    from pg_index i
    join pg_class c on c.oid = i.indexrelid and not c.relispartition
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
    where i.indrelid = any(select to_regclass(format('%I', t)) from unnest(${tables.map(({ name }) => name)}::text[]) t)
      and not exists (select from pg_constraint k where k.conindid = c.oid)`;
  for (const { name, of } of references) await tx.unsafe(`alter table ${quoted(of)} drop constraint ${quoted(name)}`);
  for (const { name } of indexes) await tx.unsafe(`drop index ${quoted(name)}`);
  for (const { name } of tables) await tx.unsafe(`alter table ${quoted(name)} disable trigger user`);
  await tx.unsafe(`truncate ${tables.map(({ name }) => quoted(name))}`);
  return async () => {
    await tx`set local maintenance_work_mem = '128MB'`;
    for (const { definition } of indexes) await tx.unsafe(definition);
    for (const { name } of tables) await tx.unsafe(`alter table ${quoted(name)} enable trigger user`);
    for (const { name, of, definition } of references)
      await tx.unsafe(`alter table ${quoted(of)} add constraint ${quoted(name)} ${definition}`);
  };
}

/** Counts what came, and compares it with what was written. How many people came. */
async function compare(tx: TransactionSql, tables: readonly Table[], written: Totals | undefined): Promise<number> {
  const found = await readTotals(
    tx,
    tables.map(({ name }) => name),
  );
  const wrong = written ? differences(written, found) : [];
  if (wrong.length > 0) throw new StorageError('backup', wrong.join('; '));
  return found.rows['users'] ?? 0;
}

type Filled = { tables: number; rows: number; totals: Totals | undefined };

async function fill(tx: TransactionSql, tables: readonly Table[], lines: AsyncGenerator<string>): Promise<Filled> {
  const count = { tables: 0, rows: 0 };
  let totals: Totals | undefined;
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
    const part = JSON.parse(line) as Part;
    if (part.sequences) {
      for (const [name, [last, isCalled]] of Object.entries(part.sequences))
        await tx`select setval(format('%I', ${name}::text)::regclass, ${last}::bigint, ${isCalled}::boolean)`;
      totals = part.totals;
      isWhole = true;
      continue;
    }
    const table = tables.find(({ name }) => name === part.table);
    if (!table || `${table.columns.map(([column]) => column)}` !== `${part.columns}`)
      throw new StorageError('backup', `there is no place for its table ${part.table}`);
    count.tables += 1;
    insert = insertInto(table);
  }
  // Always read to the end: the checksum is there.
  if (!isWhole) throw new StorageError('backup', 'its end is missing');
  return { ...count, totals };
}

const insertInto = ({ name, columns }: Table): string => `
  insert into ${quoted(name)} (${columns.map(([column]) => quoted(column))}) overriding system value
  select ${columns.map(([, type], at) => `(r ->> ${at})::${type}`)} from jsonb_array_elements($1::text::jsonb) r`;

function writeSecrets(home: string, files: Head['files']): void {
  mkdirSync(home, { recursive: true, mode: 0o711 });
  for (const name of SECRET_FILES.filter((file) => files[file] !== undefined)) {
    const draft = join(home, `${name}.${randomBytes(6).toString('hex')}`);
    writeFileSync(draft, files[name] ?? '', { mode: 0o600, flag: 'wx' });
    renameSync(draft, join(home, name));
  }
}
