import type { KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import type { Sql } from 'postgres';
import { ELSEWHERE, STORED, STORED_GROUPS, type StoredName } from '../../contract/stored.ts';
import { SNAPSHOT } from '../../domain/snapshot.ts';
import { emptyZip, ZIP_BYTES_MAX, ZIP_ENTRIES_MAX, type ZipEntry, zipEnd, zipEntry } from '../../rules/zip.ts';
import { exportLedger } from '../ledger/export.ts';
import { PERSON_TABLES, ROWS_AT_ONCE } from './tables.ts';

const deflate = promisify(deflateRaw);
const PICTURES_AT_ONCE = 20;

export type Archived = { userId: string; name: string; issuer: string; key: KeyObject; now: Date };

const README = (host: string, at: Date): string => `Everything that ${host} stores about you, as of ${at.toISOString()}.

- One file of JSON for each kind of data; a long one goes on in -002, -003. index.json says what each is for, how long
  it is kept, and what an erasure does with it.
- pictures/ holds what you sent, named by the id that claims.json gives.
- points-signed.json is your ledger, signed: "muster ledger verify points-signed.json" checks it.
- Times are UTC. Ids are only ours. Lists that end in "_made" and "_by_you" are what you did for a community.
- What you made for a community is here as you may see it now: its contents while you lead that community, else its kind,
  its title where you may still read it, and its times.
- Not in it: what your browsers keep (the app adds its own as device.json when you download there), backups of this
  instance, and secrets such as the keys of your sessions, which are stored as digests.
`;

/**
 * Everything of a person as one ZIP, piece by piece: neither a large archive nor a slow reader costs memory or holds a
 * connection. `key` signs the ledger in it.
 */
export async function* archiveOf(sql: Sql, scope: Archived): AsyncGenerator<Buffer> {
  const zip = emptyZip();
  const put = async (name: string, content: string | Buffer): Promise<Buffer> => {
    const bytes = new Uint8Array(Buffer.from(content));
    const entry: ZipEntry = { name, bytes, at: scope.now };
    // A picture is compressed already.
    if (typeof content === 'string') entry.deflated = new Uint8Array(await deflate(bytes));
    return Buffer.from(zipEntry(zip, entry));
  };
  yield await put('README.txt', README(new URL(scope.issuer).host, scope.now));
  const written = new Map<string, string[]>();
  for (const group of STORED_GROUPS)
    for await (const { name, content } of filesOf(sql, scope.userId, group)) {
      written.set(group, [...(written.get(group) ?? []), name]);
      yield await put(name, content);
    }
  const member = { id: scope.userId, name: scope.name };
  yield await put(
    'points-signed.json',
    await sql.begin(SNAPSHOT, (snapshot) => exportLedger(snapshot, { ...scope, member })),
  );
  let left = 0;
  for await (const picture of picturesOf(sql, scope.userId)) {
    const isFull = zip.entries >= ZIP_ENTRIES_MAX || zip.bytes >= ZIP_BYTES_MAX;
    if (isFull) left += 1;
    else yield await put(picture.name, picture.bytes);
  }
  yield await put('index.json', indexOf(written, left));
  yield Buffer.from(zipEnd(zip));
}

type File = { name: string; content: string };

/** How files of a type are called. */
const ENDINGS: Readonly<Record<string, string>> = {
  'image/webp': 'webp',
  'image/jpeg': 'jpg',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
};

/** The rows of one group as files: all lists in the first, what is more of a list in the next. */
async function* filesOf(sql: Sql, userId: string, group: string): AsyncGenerator<File> {
  const tables = PERSON_TABLES.filter((table) => table.group === group);
  const name = group.replaceAll('_', '-');
  let open = tables.map((table) => ({ table, isDone: false }));
  for (let page = 0; open.some(({ isDone }) => !isDone); page += 1) {
    const lists: Record<string, unknown[]> = {};
    for (const one of open) {
      const rows = await one.table.rows(sql, userId, page);
      if (page === 0 || rows.length > 0) lists[one.table.name] = rows;
      one.isDone = rows.length < ROWS_AT_ONCE;
    }
    open = open.filter(({ isDone }) => !isDone);
    if (Object.keys(lists).length === 0) return;
    const part = page === 0 ? '' : `-${String(page + 1).padStart(3, '0')}`;
    yield { name: `${name}${part}.json`, content: `${JSON.stringify(lists, null, 1)}\n` };
  }
}

async function* picturesOf(sql: Sql, userId: string): AsyncGenerator<{ name: string; bytes: Buffer }> {
  const ids = await sql<{ id: string }[]>`select id from images where user_id = ${userId} order by created_at, id`;
  for (let at = 0; at < ids.length; at += PICTURES_AT_ONCE) {
    const some = ids.slice(at, at + PICTURES_AT_ONCE).map(({ id }) => id);
    const rows = await sql<{ id: string; type: string; bytes: Buffer }[]>`
      select id, type, bytes from images where id = any(${some}::uuid[])`;
    for (const { id, type, bytes } of rows) {
      const ending = ENDINGS[type] ?? 'bin';
      yield { name: `pictures/${id}.${ending}`, bytes };
    }
  }
}

/** What the files are, for a program: the one table, as it is. */
function indexOf(written: ReadonlyMap<string, readonly string[]>, picturesLeftOut: number): string {
  const groups = STORED_GROUPS.map((group) => ({
    group,
    files: written.get(group) ?? [],
    tables: (Object.keys(STORED) as StoredName[])
      .filter((table) => STORED[table].group === group)
      .map((table) => ({ table, ...STORED[table] })),
  }));
  const elsewhere = ELSEWHERE.map(({ id, onDevice }) => ({ place: id, onDevice }));
  return `${JSON.stringify({ format: 'muster-person-1', groups, elsewhere, picturesLeftOut }, null, 1)}\n`;
}
