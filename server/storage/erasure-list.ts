import { createHmac, randomBytes } from 'node:crypto';
import {
  closeSync,
  fchownSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Sql, TransactionSql } from 'postgres';
import { errorCode } from './embedded/files.ts';
import { StorageError } from './error.ts';

/**
 * Who was erased, in a file that no backup holds, so that an older one that is restored brings nobody back (decision 129). Lines of JSON
 * that are only ever added: a salt, and after it a digest of the id and the time of each erasure. A copy of it lies beside each
 * backup and says of when it is. Nobody can be found by it who is not looked for by their id.
 */
export const ERASURE_LIST = 'erasures';
const COPY = '.erasures';
/** Where the copy of a backup is. */
export const copyOf = (backup: string): string => `${backup}${COPY}`;

type Line = { salt: string } | { erased: string; at: string } | { asOf: string };

/** What one list or several say: times by digest, by salt. `until`: the last moment of which they know, ISO 8601. */
export type Erasures = { bySalt: Map<string, Map<string, string>>; until: string | null };

const digestOf = (salt: string, id: string): string => createHmac('sha256', salt).update(id).digest('base64url');

/** When the person of an id was erased, or null. */
export function erasedAt({ bySalt }: Erasures, id: string): string | null {
  for (const [salt, erased] of bySalt) {
    const at = erased.get(digestOf(salt, id));
    if (at !== undefined) return at;
  }
  return null;
}

/** Adds what the text of a list says. A line that was being written when a machine died is none. */
function take(into: Erasures, path: string, text: string): void {
  let erased = new Map<string, string>();
  for (const line of text.split('\n').slice(0, -1)) {
    const said = parse(path, line);
    if ('salt' in said) {
      erased = into.bySalt.get(said.salt) ?? new Map();
      into.bySalt.set(said.salt, erased);
      continue;
    }
    if ('erased' in said) erased.set(said.erased, said.at);
    const at = 'at' in said ? said.at : said.asOf;
    if (into.until === null || at > into.until) into.until = at;
  }
}

function parse(path: string, line: string): Line {
  try {
    return JSON.parse(line) as Line;
  } catch (error) {
    throw new StorageError(
      'kept-file',
      `${path} cannot be read: it is no list of erasures, or damaged. Put it back from beside the newest backup.`,
      { cause: error },
    );
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Adds everybody who was erased and is not on the list of this home yet, and makes one where there is none. The accounts that erasures
 * leave in the database say who that is: several machines on one database each have the whole list after it.
 */
export async function noteErasures(sql: Sql, home: string): Promise<void> {
  const [there] = await sql<{ is: boolean }[]>`
    select exists (select from pg_attribute where attrelid = to_regclass('users') and attname = 'erased_at') as is`;
  const people = there?.is
    ? await sql<{ id: string; at: Date }[]>`
        select id, erased_at as at from users where erased_at is not null order by erased_at, id`
    : [];
  append(
    home,
    people.map(({ id, at }) => ({ id, at: at.toISOString() })),
  );
}

function append(home: string, people: readonly { id: string; at: string }[]): void {
  const path = join(home, ERASURE_LIST);
  const text = read(path) ?? '';
  const known: Erasures = { bySalt: new Map(), until: null };
  take(known, path, text);
  const missing = people.filter(({ id }) => erasedAt(known, id) === null);
  const old = [...known.bySalt.keys()].at(-1);
  if (old !== undefined && missing.length === 0) return;
  const salt = old ?? randomBytes(16).toString('base64url');
  const lines: Line[] = [{ salt }, ...missing.map(({ id, at }) => ({ erased: digestOf(salt, id), at }))];
  write(path, text, lines);
}

/** Adds lines, on disk before it is over; what an earlier writer left unfinished goes. */
function write(path: string, text: string, lines: readonly Line[]): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o711 });
  const file = openSync(path, 'a', 0o600);
  try {
    if (text !== '' && !text.endsWith('\n'))
      ftruncateSync(file, Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1)));
    writeSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    fsyncSync(file);
    // Made by root on the service's behalf, as by a nightly backup, it is the service's.
    if (text === '' && process.getuid?.() === 0) {
      const { uid, gid } = statSync(dirname(path));
      fchownSync(file, uid, gid);
    }
  } finally {
    closeSync(file);
  }
}

/** Puts a copy of this home's list beside a backup, as of now. */
export function copyErasures(home: string, backup: string, now: Date): void {
  const path = copyOf(backup);
  const draft = `${path}.${randomBytes(6).toString('hex')}.part`;
  const asOf: Line = { asOf: now.toISOString() };
  writeFileSync(draft, `${read(join(home, ERASURE_LIST)) ?? ''}${JSON.stringify(asOf)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, path);
}

/**
 * What all lists say that are at hand: the one of the home, those beside the backup (of newer backups, too) and the one that was named.
 * Null where there is none.
 */
export function findErasures(home: string, backup: string, named: string | null): Erasures | null {
  const folder = dirname(backup);
  const beside = readdirSync(folder).filter((name) => name.endsWith(COPY));
  const paths = [
    join(home, ERASURE_LIST),
    ...beside.map((name) => join(folder, name)),
    ...(named === null ? [] : [named]),
  ];
  const found: Erasures = { bySalt: new Map(), until: null };
  for (const path of paths) {
    const text = read(path);
    if (text === null && path === named) throw new StorageError('kept-file', `There is no ${path}.`);
    if (text !== null) take(found, path, text);
  }
  return found.bySalt.size > 0 ? found : null;
}

/** Adds what was found to the list of a home, so that its next backup has it as well. */
export function keepErasures(home: string, { bySalt }: Erasures): void {
  const path = join(home, ERASURE_LIST);
  const text = read(path) ?? '';
  const known: Erasures = { bySalt: new Map(), until: null };
  take(known, path, text);
  const lines = [...bySalt].flatMap(([salt, erased]): Line[] => {
    const missing = [...erased].filter(([digest]) => !known.bySalt.get(salt)?.has(digest));
    const isKnown = known.bySalt.has(salt) && missing.length === 0;
    return isKnown ? [] : [{ salt }, ...missing.map(([digest, at]) => ({ erased: digest, at }))];
  });
  if (lines.length > 0) write(path, text, lines);
}

/**
 * Shuts everybody out who is on a list, and writes down that they are to be erased at once: nobody takes that back, and whoever starts the
 * app erases them before anything else of theirs is shown. How many there are. In a schema that knows no erasures yet it does nothing.
 */
export async function askAgain(tx: TransactionSql, erasures: Erasures, now: Date): Promise<number> {
  const [there] = await tx<{ is: boolean }[]>`select to_regclass('erasures') is not null as is`;
  if (!there?.is) return 0;
  const people = await tx<{ id: string }[]>`select id from users where erased_at is null`;
  const ids = people.map(({ id }) => id).filter((id) => erasedAt(erasures, id) !== null);
  if (ids.length === 0) return 0;
  await tx`
    insert into erasures (user_id, asked_at, due_at, asked_by) select id, ${now}, ${now}, 'operator' from unnest(${ids}::uuid[]) id
    on conflict (user_id) do update set asked_at = ${now}, due_at = ${now}, asked_by = 'operator', cancelled_at = null
    where erasures.begun_at is null`;
  await tx`update users set suspended_at = coalesce(suspended_at, ${now}), suspended_until = null where id = any(${ids}::uuid[])`;
  await tx`delete from sessions where user_id = any(${ids}::uuid[])`;
  return ids.length;
}
