import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Sql } from 'postgres';
import { afterEach, expect, test } from 'vitest';
import { readDrift } from '../../server/features/ledger/drift.ts';
import { backUp } from '../../server/storage/backup.ts';
import { migrate, stepsOf } from '../../server/storage/migrate.ts';
import { restore } from '../../server/storage/restore.ts';
import { ledgerKey, storedSecrets } from '../../server/storage/secrets.ts';
import { verifyBackup } from '../../server/storage/verify-backup.ts';
import { asBeforeRelease, BEFORE_RELEASE } from '../support/before-release.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { stage } from '../support/engagement.ts';
import { folderOfFile, ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { until } from '../support/storage-processes.ts';

const folder = folderOfFile();
const home = join(folder, 'home');
const file = join(folder, 'muster.backup');
const WORDS = 'a "quote", a \\ back\\slash\\n, a\ttab,\na line, \u2028, {braces}, NULL, \\N, 😀 and مرحبا';
const PICTURE = randomBytes(90_000);

const opened: TestDatabase[] = [];
afterEach(async () => {
  for (const database of opened.splice(0)) await database.drop();
});
async function emptyDatabase(): Promise<Sql> {
  const database = await createEmptyDatabase();
  opened.push(database);
  return database.sql;
}

/** Every row, sequence, rule and trigger of a database, as text. */
async function everything(sql: Sql): Promise<string[]> {
  const relations = await sql<{ name: string; kind: string }[]>`
    select relname as name, relkind as kind from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S') and relname <> 'schema_migrations'
    order by 1`;
  const found: string[] = [];
  for (const { name, kind } of relations) {
    const what = kind === 'S' ? 'last_value, is_called' : 't::text';
    const rows = await sql.unsafe(`select ${what} from ${name} t order by 1`);
    found.push(...rows.map((row) => `${name}: ${JSON.stringify(row)}`));
  }
  const rules = await sql<{ is: string }[]>`
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated::text as is
    from pg_constraint where connamespace = 'public'::regnamespace
    union all
    select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
    union all select regexp_replace(pg_get_indexdef(i.indexrelid), 'INDEX \\S+ ', '') from pg_index i
      join pg_class c on c.oid = i.indexrelid and c.relnamespace = 'public'::regnamespace
    union all select version || name || checksum from schema_migrations order by 1`;
  return [...found, ...rules.map(({ is }) => is)];
}

test('what was backed up is all there again in another database, and its rules hold', async () => {
  const sql = await emptyDatabase();
  const elsewhere = join(folder, 'elsewhere');
  const { rows } = await restore(sql, elsewhere, file);
  expect(rows).toBeGreaterThan(20);
  expect(await everything(sql)).toEqual(await everything(server.sql));

  expect(await readDrift(sql)).toEqual([]);
  expect(await sql`select bytes from images`).toEqual([{ bytes: PICTURE }]);
  expect(await sql`select display_name from users where display_name = ${WORDS}`).toHaveLength(1);
  await expect(sql`update point_events set points = points + 1`).rejects.toThrow(/append/);
  expect(await sql`insert into audit_entries (action) values ('after') returning id`).toHaveLength(1);
  for (const name of ['secrets.json', 'ledger-key.pem']) {
    expect(readFileSync(join(elsewhere, name), 'utf8')).toBe(readFileSync(join(home, name), 'utf8'));
    expect(statSync(join(elsewhere, name)).mode & 0o777).toBe(0o600);
  }
});

test('a backup is for its owner only, takes the place of no file, and leaves none where it fails', async () => {
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const before = readFileSync(file);
  await expect(backUp(server.sql, home, file)).rejects.toMatchObject({ code: 'backup' });
  expect(readFileSync(file).equals(before)).toBe(true);
  await expect(backUp(server.sql, home, join(folder, 'none', 'file'))).rejects.toThrow(/was not written: ENOENT/);
  const nobodys = await emptyDatabase();
  for (let turn = 0; turn < 30; turn += 1)
    await expect(backUp(nobodys, home, join(folder, 'nothing'))).rejects.toThrow(/nothing to back up/);
  expect(
    readdirSync(folder).filter(
      (name) => !['home', 'elsewhere', 'muster.backup', 'muster.backup.erasures'].includes(name),
    ),
  ).toEqual([]);
});

test('a backup of nobody is none, unless it is asked for', async () => {
  const nobodys = await emptyDatabase();
  await migrate(nobodys);
  const path = join(folder, 'nobody');
  await expect(backUp(nobodys, home, path)).rejects.toMatchObject({ code: 'backup-empty' });
  expect(existsSync(path)).toBe(false);
  expect(await backUp(nobodys, home, path, { allowEmpty: true })).toMatchObject({ people: 0 });
  rmSync(path);
});

const NEVER = new Promise<never>(() => {});
const leftOvers = () => readdirSync(tmpdir()).filter((name) => /^muster-verify-\w{6}$/.test(name));

test('a backup is verified in a database that is thrown away', async () => {
  const before = leftOvers();
  const drift: unknown[] = [];
  const told: string[] = [];
  const look = async (sql: Sql) => void drift.push(...(await readDrift(sql)));
  const count = await verifyBackup(file, look, NEVER, { progress: (words) => told.push(words) });
  expect(told.slice(-4)).toEqual(['rows, 100 %', 'indexes and references', 'counting', 'points and boards']);
  const [{ people }] = await server.sql<[{ people: number }]>`select count(*)::int as people from users`;
  expect(count.people).toBe(people);
  expect(drift).toEqual([]);

  const path = join(folder, 'changed');
  writeFileSync(path, gzipSync(text().replace(/("rows":\{[^}]*"users":)\d+/, '$199')));
  await expect(verifyBackup(path, async () => {}, NEVER)).rejects.toThrow(/users has \d+ rows, and 99 were written/);
  rmSync(path);
  const stop = Promise.reject(new Error('stopped'));
  await expect(verifyBackup(file, async () => {}, stop)).rejects.toThrow('stopped');
  expect(leftOvers()).toEqual(before);
});

test('an older release’s backup is brought up to this one', async () => {
  const old = await emptyDatabase();
  const all = await server.sql<{ version: number; name: string; checksum: string }[]>`
    select version, name, checksum from schema_migrations order by version`;
  await migrate(old, stepsOf(all.slice(0, 4)));
  await old`insert into users (telegram_user_id, display_name) values (1, ${WORDS})`;
  const path = join(folder, 'old.backup');
  await backUp(old, home, path);
  const sql = await emptyDatabase();
  await restore(sql, join(folder, 'elsewhere'), path);
  expect(await sql`select display_name from users`).toEqual([{ display_name: WORDS }]);
  expect(await migrate(sql)).toBe(0);
  const begun = await emptyDatabase();
  await migrate(begun);
  await expect(restore(begun, join(folder, 'elsewhere'), path)).rejects.toThrow(/newer release already.*MUSTER_HOME=/);
  rmSync(path);
});

test('a database of another build is refused as a start refuses it, and no file is written', async () => {
  const foreign = await emptyDatabase();
  await migrate(foreign);
  await foreign`insert into users (telegram_user_id, display_name) values (1, 'Ada')`;
  await foreign`update schema_migrations set checksum = 'x' where version = 3`;
  const path = join(folder, 'foreign');
  const start = await migrate(foreign).catch((error: unknown) => error);
  expect(start).toMatchObject({ code: 'schema-changed' });
  await expect(backUp(foreign, home, path)).rejects.toEqual(start);
  await foreign`insert into schema_migrations (version, name, checksum) values (9999, 'later', 'x')`;
  await expect(backUp(foreign, home, path)).rejects.toMatchObject({ code: 'schema-changed' });
  expect(readdirSync(folder).filter((name) => name.startsWith('foreign'))).toEqual([]);
});

test('an instance with people is left as it is', async () => {
  const before = await everything(server.sql);
  await expect(restore(server.sql, home, file)).rejects.toThrow(/people use this instance already.*MUSTER_HOME=/);
  expect(await everything(server.sql)).toEqual(before);
});

test('a backup of a build before the first release is refused in words, and so is its database as the new place', async () => {
  const path = join(folder, 'before.backup');
  const head = text().replace(/"migrations":\[[^\]]*\]/, `"migrations":${JSON.stringify(BEFORE_RELEASE)}`);
  writeFileSync(path, gzipSync(head));
  const refused = {
    code: 'schema-before-release',
    message: expect.stringMatching(/was not restored: .*before the first release/),
  };
  const sql = await emptyDatabase();
  await expect(restore(sql, join(folder, 'untouched'), path)).rejects.toMatchObject(refused);
  expect(await sql`select from pg_class where relnamespace = 'public'::regnamespace`).toHaveLength(0);
  rmSync(path);

  const old = await emptyDatabase();
  await asBeforeRelease(old);
  await expect(restore(old, join(folder, 'untouched'), file)).rejects.toMatchObject(refused);
  expect(await old`select display_name from users`).toEqual([{ display_name: 'Ada' }]);
  expect(existsSync(join(folder, 'untouched'))).toBe(false);
});

const LATER = ',{"version":9999,"name":"later","checksum":"x"}],"logDays"';
const bytes = () => readFileSync(file);
const text = () => gunzipSync(bytes()).toString();
const server = await ofFile(testServer({ sandbox: false }));
const { sql } = server;
const on = stage(sql);
const place = await on.community();
const member = await on.member(place.id, WORDS);
await on.claim(place, await on.task(place), member);
const writing = await on.task(place, { setup: { kind: 'submit_text' }, points: 20 });
const { id: claimId } = await on.claim(place, writing, member, { text: WORDS });
await on.approve(place, claimId);
await sql`insert into images (id, community_id, user_id, type, width, height, sha256, bytes)
  values (gen_random_uuid(), ${place.id}, ${member}, 'image/webp', 3, 3, ${PICTURE.subarray(0, 32)}, ${PICTURE})`;
expect((await server.request('GET', '/api/vapid-public-key')).status).toBe(200);
const data = { message: WORDS, stack: null, source: 'x', timestamp: new Date().toISOString(), url: '/' };
await server.request('POST', '/api/debug/client-logs', { body: { type: 'error', data } });
await until('the log is ingested', async () => (await sql`select 1 from client_log_entries`).length > 0);
storedSecrets(home);
ledgerKey(home);
await backUp(sql, home, file);
test.each([
  ['a part of it', () => bytes().subarray(0, -200), /damaged/],
  ['a changed one', () => Buffer.from(bytes()).fill(0, 500, 510), /was not restored/],
  ['one whose last lines are missing', () => gzipSync(text().replace(/\{"sequences".*\n$/, '')), /its end is missing/],
  [
    'a row of somebody who is not there',
    () => gzipSync(text().replace(/(\{"table":"users"[^\n]*\n)[^\n]*\n/, '$1')),
    /foreign key/,
  ],
  [
    'one row less than were written',
    () => gzipSync(text().replace(/(\{"table":"point_events"[^\n]*\n)[^\n]*\n/, '$1')),
    /point_events has 1 rows, and 2 were written; the ledger of .* sums up to \d+ points, and \d+ were written/,
  ],
  [
    'other points than were written',
    () => gzipSync(text().replace(/"points":"(\d+)"/, '"points":"1$1"')),
    /the ledger of .* sums up to/,
  ],
  ['another file', () => Buffer.from('letters'), /damaged, or no backup/],
  ['another compressed file', () => gzipSync('{"some":"json"}\n'), /no backup of this program/],
  ['one of a newer release', () => gzipSync(text().replace('],"logDays"', LATER)), /newer release made it/],
])('of %s nothing is kept', async (_what, broken, words) => {
  const sql = await emptyDatabase();
  const path = join(folder, 'broken');
  writeFileSync(path, broken());
  await expect(restore(sql, join(folder, 'untouched'), path)).rejects.toThrow(words);
  rmSync(path);
  expect(existsSync(join(folder, 'untouched'))).toBe(false);
  const [{ made }] = await sql<[{ made: boolean }]>`select to_regclass('users') is not null as made`;
  expect(made ? await sql`select 1 from users` : []).toHaveLength(0);
  // The way is free for a good one.
  await restore(sql, join(folder, 'elsewhere'), file);
});
