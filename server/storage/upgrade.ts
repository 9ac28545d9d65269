import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import type { Config } from '../config.ts';
import { backUp } from './backup.ts';
import { copyOf } from './erasure-list.ts';
import { StorageError } from './error.ts';
import { type Migration, migrate, readWaiting, title } from './migrate.ts';

/** Backups of this kind that stay, the latest first. */
const KEPT = 3;
const NAME = /^before-\d{4}_\w+-\d{14}\.backup$/;
/** The least that is read, written or backed up in a second. */
const BYTES_A_SECOND = 10 * 2 ** 20;

type Home = Pick<Config, 'home' | 'databaseUrl'>;
type Ways = { withoutBackup?: boolean; migrations?: readonly Migration[] };

/**
 * Brings the schema up to this release, as `migrate` does. The embedded server is backed up before that, because nobody
 * else does: without room for it nothing is changed, unless the operator says so. How many steps were applied. Throws
 * `StorageError`: `disk-full`, `backup`, and those of `migrate`.
 */
export async function bringUp(sql: Sql, { home, databaseUrl }: Home, ways: Ways = {}): Promise<number> {
  const { had, waiting } = await readWaiting(sql, ways.migrations);
  const [first] = waiting;
  if (databaseUrl === null && had > 0 && first && !ways.withoutBackup) await backUpBefore(sql, home, first);
  return migrate(sql, ways.migrations);
}

async function backUpBefore(sql: Sql, home: string, first: Migration): Promise<void> {
  const needed = await sizeOf(sql);
  const free = freeAt(home);
  if (free < needed)
    throw new StorageError(
      'disk-full',
      `This release changes the database, and a backup before that needs up to ${megabytes(needed)}; ${home} has ${megabytes(free)} free. Nothing was changed. Free some room, or take a backup elsewhere (backup <file>) and then: migrate --without-backup.`,
    );
  const folder = join(home, 'backups');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const at = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  await backUp(sql, home, join(folder, `before-${title(first)}-${at}.backup`), { allowEmpty: true });
  const made = readdirSync(folder).filter((name) => NAME.test(name));
  const byTime = made.sort((a, b) => (a.slice(-21) < b.slice(-21) ? 1 : -1));
  for (const old of byTime.slice(KEPT))
    for (const path of [old, copyOf(old)]) rmSync(join(folder, path), { force: true });
}

export const megabytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20).toLocaleString('en')} MB`;

function freeAt(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

async function sizeOf(sql: Sql): Promise<number> {
  const [row] = await sql<[{ bytes: number }]>`select pg_database_size(current_database())::float as bytes`;
  return row.bytes;
}

/** A table that a waiting step locks against writes. `isWhole`: all of it is read or written. */
export type Lock = { table: string; bytes: number; isWhole: boolean };
export type Plan = {
  postgres: string;
  databaseBytes: number;
  /** Null where it is another machine's. */
  freeBytes: number | null;
  steps: { name: string; locks: Lock[] }[];
  /** At most, of the backup before and of all steps. */
  seconds: { backup: number; steps: number };
};

/** What a start of this release would do to the database, which stays as it is. */
export async function planUpgrade(
  sql: Sql,
  { home, databaseUrl }: Home,
  migrations?: readonly Migration[],
): Promise<Plan> {
  const { waiting } = await readWaiting(sql, migrations);
  const [server] = await sql<[{ server_version: string }]>`show server_version`;
  const databaseBytes = await sizeOf(sql);
  const steps: Plan['steps'] = [];
  for (const step of waiting) steps.push({ name: title(step), locks: await sizesOf(sql, locksOf(step.text)) });
  const whole = steps.flatMap(({ locks }) => locks.filter((lock) => lock.isWhole).map(({ bytes }) => bytes));
  const isBackedUp = databaseUrl === null && waiting.length > 0;
  return {
    postgres: server.server_version,
    databaseBytes,
    freeBytes: databaseUrl === null ? freeAt(home) : null,
    steps,
    seconds: {
      backup: isBackedUp ? Math.ceil(databaseBytes / BYTES_A_SECOND) : 0,
      steps: Math.ceil(whole.reduce((sum, bytes) => sum + bytes, 0) / BYTES_A_SECOND),
    },
  };
}

const STATEMENTS: readonly (readonly [pattern: RegExp, whole: RegExp])[] = [
  [
    /^alter table (?:if exists )?(?:only )?"?(\w+)/,
    /add (constraint|foreign|primary|unique|check)|set not null| type |generated|validate/,
  ],
  [/^create (?:unique )?index (?:if not exists )?(?:\w+ )?on (?:only )?"?(\w+)/, /^/],
  [/^(?:update|delete from|truncate) (?:only )?"?(\w+)/, /^/],
  [/^create (?:or replace )?trigger .*? on "?(\w+)/, /^never$/],
  [/^drop table (?:if exists )?"?(\w+)/, /^never$/],
];

/** Tables that a step's statements lock, and whether one of them reads or writes the whole table. */
export function locksOf(text: string): Map<string, boolean> {
  const locks = new Map<string, boolean>();
  const plain = text
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, '')
    .replace(/--.*$/gm, '')
    .toLowerCase();
  for (const statement of plain.split(';').map((one) => one.replace(/\s+/g, ' ').trim()))
    for (const [pattern, whole] of STATEMENTS) {
      const [, table] = pattern.exec(statement) ?? [];
      if (table) locks.set(table, (locks.get(table) ?? false) || whole.test(statement));
    }
  return locks;
}

async function sizesOf(sql: Sql, locks: Map<string, boolean>): Promise<Lock[]> {
  const rows = await sql<{ table: string; bytes: number }[]>`
    select relname as table, pg_total_relation_size(oid)::float as bytes from pg_class
    where relname = any(${[...locks.keys()]}) and relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
    order by 2 desc, 1`;
  return rows.map(({ table, bytes }) => ({ table, bytes, isWhole: locks.get(table) ?? false }));
}
