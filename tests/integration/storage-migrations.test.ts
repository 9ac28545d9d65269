import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readMigrations, readReleased } from '../../server/release/freeze.mjs';
import { connectTo } from '../../server/storage/connect.ts';
import { type Migration, migrate, stepsOf } from '../../server/storage/migrate.ts';
import { asBeforeRelease, BEFORE_RELEASE } from '../support/before-release.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';

const opened: TestDatabase[] = [];
async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  opened.push(database);
  return database;
}
afterEach(async () => {
  for (const database of opened.splice(0)) await database.drop();
});

const steps: Migration[] = [
  { version: 1, name: 'people', text: 'create table people (id integer primary key);' },
  { version: 2, name: 'counter', text: 'create table counter (n integer); insert into counter values (1);' },
  { version: 3, name: 'twice', text: 'update counter set n = n * 10;' },
];

it('two runners that start at once apply every step exactly once', async () => {
  const { sql, url } = await emptyDatabase();
  const runners = Array.from({ length: 4 }, () => connectTo(url, { max: 1 }));
  const counts = await Promise.all(runners.map((runner) => migrate(runner, steps)));
  await Promise.all(runners.map((runner) => runner.end()));

  expect(counts.reduce((sum, count) => sum + count)).toBe(3);
  expect(await sql`select n from counter`).toEqual([{ n: 10 }]);
  expect(await sql`select version, name from schema_migrations order by version`).toEqual([
    { version: 1, name: 'people' },
    { version: 2, name: 'counter' },
    { version: 3, name: 'twice' },
  ]);
  expect(await migrate(sql, steps)).toBe(0);
});

it('a schema of a later release is refused and left as it is', async () => {
  const { sql } = await emptyDatabase();
  await migrate(sql, steps);
  await expect(migrate(sql, steps.slice(0, 2))).rejects.toMatchObject({
    code: 'schema-newer',
    message: expect.stringContaining('0003_twice'),
  });
  expect(await sql`select n from counter`).toEqual([{ n: 10 }]);
});

it('a released step that reads differently now is refused before anything is applied', async () => {
  const { sql } = await emptyDatabase();
  await migrate(sql, steps.slice(0, 2));
  const changed = steps.map((step) => (step.version === 1 ? { ...step, text: `${step.text} -- changed` } : step));
  await expect(migrate(sql, changed)).rejects.toMatchObject({
    code: 'schema-changed',
    message: expect.stringContaining('0001_people'),
  });
  expect(await sql`select n from counter`).toEqual([{ n: 1 }]);
});

it('a database of a build before the first release is refused in words and left as it is', async () => {
  const { sql } = await emptyDatabase();
  await asBeforeRelease(sql);
  await expect(migrate(sql)).rejects.toMatchObject({
    code: 'schema-before-release',
    message: expect.stringMatching(
      /before the first release.*nothing was changed.*MUSTER_HOME=.*run the build that made it/,
    ),
  });
  expect(await sql`select version, name, checksum from schema_migrations order by version`).toEqual(BEFORE_RELEASE);
  expect(
    await sql`select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  ).toEqual([{ relname: 'schema_migrations' }, { relname: 'users' }]);
  expect(await sql`select display_name from users`).toEqual([{ display_name: 'Ada' }]);
});

it('a user who may not make tables is told how to become one who may', async () => {
  const { sql, url } = await emptyDatabase();
  const role = `guest_${Date.now()}`;
  await sql.unsafe(`create role ${role} login password '${role}'`);
  const guest = connectTo(url.replace(/\/\/[^@]*@/, `//${role}:${role}@`), { max: 1 });
  await expect(migrate(guest, steps)).rejects.toMatchObject({
    code: 'migration',
    message: expect.stringMatching(/permission denied for schema public.*alter database/),
  });
  await guest.end();
  await sql.unsafe(`drop role ${role}`);
});

it('a database that is set up for another part of the world tells days and times as ours does', async () => {
  const { sql, url } = await emptyDatabase();
  const [{ name }] = await sql<[{ name: string }]>`select current_database() as name`;
  for (const set of ["timezone = 'Asia/Tokyo'", "datestyle = 'SQL, DMY'"])
    await sql.unsafe(`alter database ${name} set ${set}`);
  const there = connectTo(url, { max: 1 });
  const [row] = await there<[{ at: Date; midnight: Date }]>`
    select '2026-02-01T20:00:00Z'::timestamptz as at, '2026-02-01'::date::timestamptz as midnight`;
  await there.end();
  expect(row).toEqual({ at: new Date('2026-02-01T20:00:00Z'), midnight: new Date('2026-02-01T00:00:00Z') });
});

describe('a step whose table somebody uses', () => {
  const wider: Migration = { version: 4, name: 'wider', text: 'alter table counter add column later text;' };

  it('lets others through while it waits, and is applied when the table is free', async () => {
    const { sql } = await emptyDatabase();
    await migrate(sql, steps);
    const holder = await sql.reserve();
    await holder`begin`;
    await holder`select n from counter`;
    const applied = migrate(sql, [...steps, wider], { lockMs: 50, tries: 1_000, pauseMs: 50 });
    // A reader that comes later stands behind the step that waits, for no longer than the step may.
    for (let reader = 0; reader < 5; reader += 1) expect(await sql`select n from counter`).toEqual([{ n: 10 }]);
    await holder`commit`;
    holder.release();
    expect(await applied).toBe(1);
  });

  it('is given up after some tries in words, and nothing of it is kept', async () => {
    const { sql } = await emptyDatabase();
    await migrate(sql, steps);
    await sql.begin(async (tx) => {
      await tx`select n from counter`;
      await expect(migrate(sql, [...steps, wider], { lockMs: 20, tries: 3, pauseMs: 10 })).rejects.toMatchObject({
        code: 'schema-locked',
        message: expect.stringMatching(/0004_wider.*nothing of it was kept.*Start again/),
      });
    });
    expect(await sql`select * from counter`).toEqual([{ n: 10 }]);
    expect(await sql`select version from schema_migrations where version = 4`).toHaveLength(0);
  });
});

it('line ends of another system are no change', async () => {
  const { sql } = await emptyDatabase();
  const [first] = steps;
  await migrate(sql, [{ version: 1, name: 'people', text: `${first?.text}\n` }]);
  expect(await migrate(sql, [{ version: 1, name: 'people', text: `${first?.text}\r\n` }])).toBe(0);
});

it('a step that fails half-way leaves nothing behind, and the steps before it stay', async () => {
  const { sql } = await emptyDatabase();
  const broken = {
    version: 2,
    name: 'broken',
    text: 'create table half (id integer); insert into nowhere values (1);',
  };
  await expect(migrate(sql, [...steps.slice(0, 1), broken])).rejects.toMatchObject({ code: 'migration' });
  expect(await sql`select to_regclass('people') is not null as people, to_regclass('half') as half`).toEqual([
    { people: true, half: null },
  ]);
  expect(await migrate(sql, steps)).toBe(2);
});

it("the release's own steps give the schema that test databases are copied from", async () => {
  const { sql } = await emptyDatabase();
  const shipped = await migrate(sql);
  const copy = await createTestDatabase();
  opened.push(copy);
  const tables = (database: TestDatabase['sql']) =>
    database`select table_name, column_name, data_type from information_schema.columns
      where table_schema = 'public' order by 1, ordinal_position`;
  expect(shipped).toBeGreaterThan(0);
  expect(await tables(copy.sql)).toEqual(await tables(sql));
});

it('a store of every release is brought up to this one, and who was in it still is', async () => {
  const root = join(import.meta.dirname, '../..');
  const files = readMigrations(root).map(({ file, sha256 }) => ({
    file,
    sha256,
    since: readReleased(root)[file]?.since,
  }));
  // Files without a release belong to the next one.
  for (const release of new Set(files.map(({ since }) => since))) {
    const had = files.slice(0, files.map(({ since }) => since).lastIndexOf(release) + 1);
    const { sql } = await emptyDatabase();
    const steps = had.map(({ file, sha256 }) => ({ version: Number.parseInt(file, 10), name: file, checksum: sha256 }));
    await migrate(sql, stepsOf(steps));
    await sql`insert into users (telegram_user_id, display_name) values (1, 'Ada')`;
    expect(await migrate(sql)).toBe(files.length - had.length);
    expect(await sql`select display_name from users`).toEqual([{ display_name: 'Ada' }]);
  }
});
