import { createHash, createHmac, randomBytes } from 'node:crypto';
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
 * People who were erased, in a file outside of backups, so restoring an older backup brings nobody back (docs/decisions/erasure.md).
 * Append-only lines of JSON: a salt, then a digest of the id and the time for each erasure. A copy with its date lies
 * beside each backup. Only a known id can be looked up in it.
 */
export const ERASURE_LIST = 'erasures';
const COPY = '.erasures';
/** Path of a backup's copy. */
export const copyOf = (backup: string): string => `${backup}${COPY}`;
export const isErasureCopy = (name: string): boolean => name.endsWith(COPY);

type Line = { salt: string } | { erased: string; at: string } | { asOf: string };

/** Content of one or more lists: times by digest, by salt. `until`: the latest moment they cover, ISO 8601. */
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

/** Adds the content of a list. An incomplete last line is ignored. */
function take(into: Erasures, path: string, text: string): void {
  let erased = new Map<string, string>();
  for (const line of text.split('\n').slice(0, -1)) {
    const parsed = parse(path, line);
    if ('salt' in parsed) {
      erased = into.bySalt.get(parsed.salt) ?? new Map();
      into.bySalt.set(parsed.salt, erased);
      continue;
    }
    if ('erased' in parsed) erased.set(parsed.erased, parsed.at);
    const at = 'at' in parsed ? parsed.at : parsed.asOf;
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
 * Adds all erasures that this home's list lacks, and creates the list if missing. The database stores who was erased,
 * so several machines on one database all have the whole list.
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
  const listed: Erasures = { bySalt: new Map(), until: null };
  take(listed, path, text);
  const missing = people.filter(({ id }) => erasedAt(listed, id) === null);
  const old = [...listed.bySalt.keys()].at(-1);
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

/** How long this home's list is; it only grows. */
export const sizeOfErasures = (home: string): number =>
  statSync(join(home, ERASURE_LIST), { throwIfNoEntry: false })?.size ?? 0;

/** A copy of this home's list as of now, with a name that no other home's list has. */
export function erasureCopy(home: string, now: Date): { id: string; text: string } {
  const list = read(join(home, ERASURE_LIST)) ?? '';
  const asOf: Line = { asOf: now.toISOString() };
  const id = createHash('sha256')
    .update(list.split('\n', 1)[0] ?? '')
    .digest('hex')
    .slice(0, 12);
  return { id, text: `${list}${JSON.stringify(asOf)}\n` };
}

/** Puts a copy of this home's list beside a backup, as of now. */
export function copyErasures(home: string, backup: string, now: Date): void {
  const path = copyOf(backup);
  const draft = `${path}.${randomBytes(6).toString('hex')}.part`;
  writeFileSync(draft, erasureCopy(home, now).text, { mode: 0o600, flag: 'wx' });
  renameSync(draft, path);
}

/**
 * All available lists: the home's, those beside the backup (also of newer backups) and the given one. Null where there
 * is none.
 */
export function findErasures(home: string, backup: string, named: string | null): Erasures | null {
  const folder = dirname(backup);
  const beside = readdirSync(folder).filter(isErasureCopy);
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

/** Adds erasures to a home's list, so its next backup has them too. */
export function storeErasures(home: string, { bySalt }: Erasures): void {
  const path = join(home, ERASURE_LIST);
  const text = read(path) ?? '';
  const listed: Erasures = { bySalt: new Map(), until: null };
  take(listed, path, text);
  const lines = [...bySalt].flatMap(([salt, erased]): Line[] => {
    const missing = [...erased].filter(([digest]) => !listed.bySalt.get(salt)?.has(digest));
    const isListed = listed.bySalt.has(salt) && missing.length === 0;
    return isListed ? [] : [{ salt }, ...missing.map(([digest, at]) => ({ erased: digest, at }))];
  });
  if (lines.length > 0) write(path, text, lines);
}

/**
 * Locks out everyone on a list and schedules their erasure at once: it cannot be cancelled, and the next start of the
 * app erases them before it shows anything of theirs. Returns their number. Does nothing in a schema without erasures.
 */
export async function rescheduleErasures(tx: TransactionSql, erasures: Erasures, now: Date): Promise<number> {
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
