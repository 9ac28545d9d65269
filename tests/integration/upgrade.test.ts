import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { describe } from '../../server/cli/upgrade.ts';
import { type Applied, type Migration, stepsOf } from '../../server/storage/migrate.ts';
import { restore } from '../../server/storage/restore.ts';
import { bringUp, locksOf, planUpgrade } from '../../server/storage/upgrade.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { stage } from '../support/engagement.ts';

const STEP = `create table next_one (id integer); create index next_claims on claims (id);
  alter table users add column next_one text;
  create function next_one() returns trigger language plpgsql as $$ begin update tasks set id = id; return new; end $$;`;

const opened: TestDatabase[] = [];
const homes: string[] = [];
afterEach(async () => {
  for (const database of opened.splice(0)) await database.drop();
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
});

/** A store of this release, and what a release after it would ship. */
async function nextRelease() {
  const database = await createTestDatabase();
  opened.push(database);
  const home = mkdtempSync(join(tmpdir(), 'muster-upgrade-'));
  homes.push(home);
  const { sql } = database;
  await stage(sql).person('Ada');
  const had = stepsOf(await sql<Applied[]>`select version, name, checksum from schema_migrations order by version`);
  const migrations: Migration[] = [...had, { version: had.length + 1, name: 'next', text: STEP }];
  const step = `${`${had.length + 1}`.padStart(4, '0')}_next`;
  return { sql, home, had, migrations, step, embedded: { home, databaseUrl: null } };
}

const filesIn = (home: string) => readdirSync(home, { recursive: true, encoding: 'utf8' }).sort();

it('the built-in database is backed up before a migration, and the backup brings back what was there', async () => {
  const { sql, home, migrations, embedded, step } = await nextRelease();
  expect(await bringUp(sql, embedded, { migrations })).toBe(1);
  expect(await sql`select to_regclass('next_one') is not null as is`).toEqual([{ is: true }]);
  const [name = ''] = readdirSync(join(home, 'backups'));
  expect(name).toMatch(new RegExp(`^before-${step}-\\d{14}\\.backup$`));

  const other = await createEmptyDatabase();
  opened.push(other);
  await restore(other.sql, join(home, 'restored'), join(home, 'backups', name));
  expect(await other.sql`select display_name from users`).toEqual([{ display_name: 'Ada' }]);
  // Nothing waits any more: nothing is backed up.
  const before = filesIn(home);
  expect(await bringUp(sql, embedded, { migrations })).toBe(0);
  expect(filesIn(home)).toEqual(before);
});

it('of such backups the last three stay, and files of others are left alone', async () => {
  const { sql, home, migrations, embedded, step } = await nextRelease();
  mkdirSync(join(home, 'backups'));
  const old = ['0001_a-20250101000000', '0002_b-20250201000000', '0003_c-20250301000000'];
  for (const name of old) writeFileSync(join(home, 'backups', `before-${name}.backup`), '');
  writeFileSync(join(home, 'backups', 'mine.backup'), '');
  await bringUp(sql, embedded, { migrations });
  const kept = readdirSync(join(home, 'backups')).filter((name) => name.endsWith('.backup'));
  expect(kept).toEqual([
    `before-${old[1]}.backup`,
    `before-${old[2]}.backup`,
    expect.stringContaining(`before-${step}-`),
    'mine.backup',
  ]);
});

it('without room for the backup nothing is changed, unless the operator says so', async () => {
  const { sql, had, migrations } = await nextRelease();
  // A file system without any room.
  const full = { home: '/proc', databaseUrl: null };
  await expect(bringUp(sql, full, { migrations })).rejects.toMatchObject({
    code: 'disk-full',
    message: expect.stringMatching(
      /needs up to \d+ MB; \/proc has 0 MB free\. Nothing was changed\..*migrate --without-backup/,
    ),
  });
  expect(await sql`select max(version) as last from schema_migrations`).toEqual([{ last: had.length }]);
  expect(await bringUp(sql, full, { migrations, withoutBackup: true })).toBe(1);
});

it('a database of its own is its operator’s to back up, and a new one has nothing to lose', async () => {
  const { sql, home, had, migrations } = await nextRelease();
  expect(await bringUp(sql, { home, databaseUrl: 'postgres://elsewhere' }, { migrations })).toBe(1);
  const empty = await createEmptyDatabase();
  opened.push(empty);
  expect(await bringUp(empty.sql, { home, databaseUrl: null })).toBe(had.length);
  expect(filesIn(home)).toEqual([]);
});

it('an upgrade is told before it happens: what waits, what it locks and for how long, and whether there is room', async () => {
  const { sql, home, had, migrations, embedded, step } = await nextRelease();
  const plan = await planUpgrade(sql, embedded, migrations);
  expect(plan.steps).toEqual([
    {
      name: step,
      locks: expect.arrayContaining([
        { table: 'claims', bytes: expect.any(Number), isWhole: true },
        { table: 'users', bytes: expect.any(Number), isWhole: false },
      ]),
    },
  ]);
  expect(plan.steps[0]?.locks).toHaveLength(2);
  expect(describe(plan)).toMatch(
    /^PostgreSQL \d+.* is supported\..*\n1 migration waits:\n {2}\d+_next\n.*locks claims \(1 MB\), and reads or writes all of it/s,
  );
  expect(await sql`select max(version) as last from schema_migrations`).toEqual([{ last: had.length }]);
  expect(filesIn(home)).toEqual([]);
  expect(describe(await planUpgrade(sql, embedded))).toContain('No migration waits');
});

it('a table is found in each statement that locks it, and none in a comment or in the body of a function', () => {
  expect([
    ...locksOf(`
    -- alter table nobody add x text;
    ALTER TABLE a
      ADD CONSTRAINT b CHECK (n > 0);
    create unique index if not exists c on d (n); update e set n = 1; drop table if exists f;
    create trigger g after insert on h for each row execute function i();
    create function j() returns void language sql as $x$ delete from k; $x$;`),
  ]).toEqual([
    ['a', true],
    ['d', true],
    ['e', true],
    ['f', false],
    ['h', false],
  ]);
});
