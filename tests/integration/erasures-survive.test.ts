import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { upsertPerson } from '../../server/features/auth/people.ts';
import { eraseDue } from '../../server/features/person/erase.ts';
import { cancelErasure, scheduleErasure } from '../../server/features/person/erasure.ts';
import { backUp } from '../../server/storage/backup.ts';
import { copyOf, noteErasures } from '../../server/storage/erasure-list.ts';
import { migrate, stepsOf } from '../../server/storage/migrate.ts';
import { type Lists, restore } from '../../server/storage/restore.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { refusal, stage } from '../support/engagement.ts';

const opened: TestDatabase[] = [];
let folder: string;
let home: string;
let sql: Sql;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-erasures-'));
  home = join(folder, 'home');
  sql = await open(createTestDatabase());
});
afterEach(() => rmSync(folder, { recursive: true }));
afterAll(() => Promise.all(opened.map((database) => database.drop())));

async function open(made: Promise<TestDatabase>): Promise<Sql> {
  const database = await made;
  opened.push(database);
  return database.sql;
}
const list = (of = home) => join(of, 'erasures');

async function erase(from: Sql, userId: string, at = home): Promise<void> {
  const [now, later] = [new Date(), new Date(Date.now() + 8 * 86_400_000)];
  const wish = { userId, by: 'operator', actorId: null, reason: null, now, leavesCommunities: true } as const;
  await from.begin((tx) => scheduleErasure(tx, wish));
  await eraseDue({ sql: from, now: () => later, config: { home: at } });
}

/** A backup of three people, of whom one is erased after it. */
async function scene() {
  const on = stage(sql);
  const place = await on.community();
  const [gone, stays] = [await on.member(place.id, 'Gone'), await on.member(place.id, 'Stays')];
  await on.claim(place, await on.task(place, { setup: { kind: 'submit_text' } }), gone, { text: 'Words of Gone' });
  await sql`
    insert into sessions (token_hash, user_id, kind, expires_at)
    values ('gone', ${gone}, 'web', now() + interval '60 days'), ('stays', ${stays}, 'web', now() + interval '60 days')`;
  const backup = join(folder, 'nightly');
  await backUp(sql, home, backup);
  await erase(sql, gone);
  return { gone, stays, backup, place };
}

async function restored(backup: string, lists: Lists = {}, into = join(folder, 'new')) {
  const database = await open(createEmptyDatabase());
  const { erasures } = await restore(database, into, backup, lists);
  return { database, erasures, into };
}
const signIn = (database: Sql, userId: string) =>
  database.begin(async (tx) => {
    const [row] = await tx<{ id: string }[]>`select telegram_user_id::text as id from users where id = ${userId}`;
    return upsertPerson(tx, { telegramUserId: row?.id ?? '', username: null, displayName: 'Gone' }, null, new Date());
  });

test('who was erased after a backup is shut out as it is restored, and is erased again before it opens', async () => {
  const { gone, stays, backup } = await scene();
  // The newest backup’s copy of the list, beside the one that is restored.
  await backUp(sql, home, join(folder, 'newest'));
  const { database, erasures, into } = await restored(backup);
  expect(erasures).toMatchObject({ again: 1 });
  // A process that dies here leaves nobody in: no session, no sign-in, no change of mind.
  expect(await database`select user_id from sessions`).toEqual([{ user_id: stays }]);
  expect(await refusal(signIn(database, gone))).toMatchObject({ status: 403 });
  const keep = { userId: gone, by: 'admin', actorId: null, reason: 'Stay', now: new Date() } as const;
  expect(await database.begin((tx) => cancelErasure(tx, keep))).toBeNull();

  await eraseDue({ sql: database, now: () => new Date(), config: { home: into } });
  expect(await database`select display_name as name from users where id = ${gone}`).toEqual([
    { name: 'Erased person' },
  ]);
  expect(await database`select from claims where user_id = ${gone}`).toHaveLength(0);
  const audited = await database`select subject_id as id from audit_entries where action = 'person.erased'`;
  expect(audited).toEqual([{ id: gone }]);
  expect(await database`select display_name as name, suspended_at as out from users where id = ${stays}`).toEqual([
    { name: 'Stays', out: null },
  ]);
  // What was known is known to the new home, and to its backups.
  const added = readFileSync(list(into), 'utf8');
  for (const line of readFileSync(list(), 'utf8').trim().split('\n')) expect(added).toContain(line);
});

test('the list is found in the home, beside any backup of the folder, or where it is named', async () => {
  const { backup } = await scene();
  const mine = join(folder, 'list');
  copyFileSync(list(), mine);
  // The copy of the backup itself is older than the erasure.
  expect((await restored(backup, {}, join(folder, 'a'))).erasures.again).toBe(0);
  expect((await restored(backup, { named: mine }, join(folder, 'b'))).erasures.again).toBe(1);
  expect((await restored(backup, {}, home)).erasures.again).toBe(1);
  await expect(restored(backup, { named: join(folder, 'none') })).rejects.toThrow(/no .*none/);
});

test('without a list nothing is restored, unless that is known', async () => {
  const { backup, gone } = await scene();
  renameSync(copyOf(backup), join(folder, 'elsewhere'));
  const database = await open(createEmptyDatabase());
  const refused = await restore(database, join(folder, 'new'), backup).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: 'no-erasures',
    message: expect.stringMatching(/erased after this backup would be back/),
  });
  expect(await database`select from pg_class where relnamespace = 'public'::regnamespace`).toHaveLength(0);
  expect((await restore(database, join(folder, 'new'), backup, { mayLack: true })).erasures).toEqual({
    until: null,
    again: 0,
  });
  expect(await database`select display_name as name from users where id = ${gone}`).toEqual([{ name: 'Gone' }]);
});

test('the list only grows, is its owner’s alone, and tells nobody’s id or name', async () => {
  const { gone, stays } = await scene();
  const before = readFileSync(list(), 'utf8');
  await erase(sql, stays);
  const after = readFileSync(list(), 'utf8');
  expect(after.startsWith(before) && after.length > before.length).toBe(true);
  await noteErasures(sql, home);
  expect(readFileSync(list(), 'utf8')).toBe(after);
  expect(statSync(list()).mode & 0o777).toBe(0o600);
  for (const told of [gone, stays, 'Gone', 'Stays']) expect(after).not.toContain(told);
});

test('a line that a dying machine left unfinished is none; a damaged list is refused in words', async () => {
  const { gone, stays, backup } = await scene();
  appendFileSync(list(), '{"erased":"abc');
  await erase(sql, stays);
  await expect(noteErasures(sql, home)).resolves.toBeUndefined();
  expect((await restored(backup, {}, home)).erasures.again).toBe(2);
  const text = readFileSync(list(), 'utf8');
  expect(text).not.toContain('abc');
  writeFileSync(list(), text.replace('{', '['));
  await expect(restored(backup, {}, home)).rejects.toMatchObject({ code: 'kept-file' });
  expect(await sql`select from users where id in (${gone}, ${stays}) and erased_at is null`).toHaveLength(0);
});

test('an erasure that cannot be written down waits, and is written down by the next run', async () => {
  const { stays } = await scene();
  writeFileSync(list(), 'broken\n');
  await expect(erase(sql, stays)).rejects.toMatchObject({ code: 'kept-file' });
  expect(await sql`select from erasures where user_id = ${stays}`).toHaveLength(1);
  rmSync(list());
  await eraseDue({ sql, now: () => new Date(), config: { home } });
  expect(await sql`select from erasures`).toHaveLength(0);
  expect(readFileSync(list(), 'utf8').match(/"erased"/g)).toHaveLength(2);
});

test('of two machines on one database each has the whole list as soon as it writes its own', async () => {
  const { backup, stays } = await scene();
  const other = join(folder, 'other');
  await erase(sql, stays, other);
  rmSync(copyOf(backup));
  expect((await restored(backup, { named: list(other) })).erasures.again).toBe(2);
});

test('a backup of an earlier release is brought up first', async () => {
  const old = await open(createEmptyDatabase());
  const all = await sql<{ version: number; name: string; checksum: string }[]>`
    select version, name, checksum from schema_migrations order by version`;
  await migrate(old, stepsOf(all.slice(0, 4)));
  await old`insert into users (telegram_user_id, display_name) values (1, 'Gone'), (2, 'Stays')`;
  const backup = join(folder, 'old');
  await backUp(old, home, backup);
  await migrate(old);
  const [{ id } = { id: '' }] = await old<{ id: string }[]>`select id from users where display_name = 'Gone'`;
  await erase(old, id);
  expect((await restored(backup, {}, home)).erasures.again).toBe(1);
});
