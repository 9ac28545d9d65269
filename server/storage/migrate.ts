/// <reference types="vite/types/importMeta.d.ts" />
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql, TransactionSql } from 'postgres';
import { errorCode } from './embedded/files.ts';
import { StorageError } from './error.ts';

export type Migration = { version: number; name: string; text: string };
export type Applied = { version: number; name: string; checksum: string };
/** How long a migration waits for a table lock, in ms, and how often it retries. */
export type Patience = { lockMs: number; tries: number; pauseMs: number };

const MIGRATION_LOCK = 7_186_002;
const LOCK_NOT_AVAILABLE = '55P03';
/**
 * Queries queue up behind a migration that waits for a table, which would stop the running release. So a migration
 * gives up soon, lets them through, and retries. Half a minute outlasts every statement of the product.
 */
const PATIENCE: Patience = { lockMs: 2_000, tries: 10, pauseMs: 1_000 };
const files = import.meta.glob<string>('./migrations/*.sql', { query: '?raw', import: 'default', eager: true });
const shipped = numbered(files);

/** The first migration of builds before 0.1.0; the baseline replaced its schema (docs/decisions/migrations.md). */
const FIRST_BEFORE_RELEASE = 'spine';

/**
 * Brings the schema up to this release and returns how many steps were applied. Each step is one transaction under an
 * advisory lock, so any number of processes may start at once and a failed step leaves nothing behind.
 * Throws `StorageError`: `schema-before-release` (a build before 0.1.0 made it), `schema-newer` (a later release was
 * here), `schema-changed` (a step that was applied reads differently now), `schema-locked` (a table stayed in use),
 * `migration` (a step failed).
 */
export async function migrate(
  sql: Sql,
  migrations: readonly Migration[] = shipped,
  patience: Patience = PATIENCE,
): Promise<number> {
  let count = 0;
  while (await applyPatiently(sql, migrations, patience)) count += 1;
  return count;
}

/**
 * What a start would apply: of how many steps the database has had, and those that wait. Throws as `migrate` does where
 * the schema is of no earlier release, and changes nothing.
 */
export async function readWaiting(
  sql: Sql,
  migrations: readonly Migration[] = shipped,
): Promise<{ had: number; waiting: readonly Migration[] }> {
  const [made] = await sql<{ is: boolean }[]>`select to_regclass('schema_migrations') is not null as is`;
  const applied = made?.is
    ? await sql<Applied[]>`select version, name, checksum from schema_migrations order by version`
    : [];
  verify(applied, migrations);
  return { had: applied.length, waiting: migrations.slice(applied.length) };
}

async function applyPatiently(sql: Sql, migrations: readonly Migration[], patience: Patience): Promise<boolean> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await sql.begin((tx) => applyNext(tx, migrations, patience.lockMs));
    } catch (error) {
      const isLocked = error instanceof StorageError && error.code === 'schema-locked';
      if (!isLocked || tried >= patience.tries) throw error;
    }
    await sleep(patience.pauseMs);
  }
}

/**
 * The steps of this release that a database with these has had. Throws `schema-before-release`, `schema-newer` or
 * `schema-changed`.
 */
export function stepsOf(applied: readonly Applied[]): Migration[] {
  verify(applied, shipped);
  return shipped.slice(0, applied.length);
}

async function applyNext(tx: TransactionSql, migrations: readonly Migration[], lockMs: number): Promise<boolean> {
  // Waits for another process that migrates, however long: the limit below is for the tables of a step.
  await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
  await tx`create table if not exists schema_migrations (
    version integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`.catch(explainRights);
  const applied = await tx<Applied[]>`select version, name, checksum from schema_migrations order by version`;
  verify(applied, migrations);
  const next = migrations[applied.length];
  if (!next) return false;
  await tx`select set_config('lock_timeout', ${`${lockMs}ms`}, true)`;
  try {
    await tx.unsafe(next.text).simple();
  } catch (error) {
    if (errorCode(error) === LOCK_NOT_AVAILABLE)
      throw new StorageError(
        'schema-locked',
        `Migration ${title(next)} could not lock what it changes, and nothing of it was kept: somebody uses it for long. Start again; if it comes again, end what holds it (pg_stat_activity shows long transactions).`,
        { cause: error },
      );
    throw new StorageError('migration', `Migration ${title(next)} failed and nothing of it was kept: ${error}`, {
      cause: error,
    });
  }
  await tx`insert into schema_migrations (version, name, checksum)
    values (${next.version}, ${next.name}, ${checksumOf(next.text)})`;
  return true;
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** Since PostgreSQL 15 only the owner of a database may make tables in it, which is met here first. */
function explainRights(error: unknown): never {
  if (!(error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE)) throw error;
  throw new StorageError(
    'migration',
    `The user of DATABASE_URL may not make tables: ${error.message}. Make it the owner, as in: alter database muster owner to muster`,
    { cause: error },
  );
}

/** Throws `schema-before-release` for the migrations of a build before 0.1.0, which no release brings up to date. */
export function refuseBeforeRelease(applied: readonly Pick<Applied, 'name'>[]): void {
  if (applied[0]?.name !== FIRST_BEFORE_RELEASE) return;
  throw new StorageError(
    'schema-before-release',
    'A build from before the first release made this data. No release brings it up to date, and nothing was changed. Start with a new store: MUSTER_HOME=/some/new/folder, or DATABASE_URL of an empty database. To read or export the old data, run the build that made it.',
  );
}

function verify(applied: readonly Applied[], migrations: readonly Migration[]): void {
  refuseBeforeRelease(applied);
  applied.forEach((row, index) => {
    const migration = migrations[index];
    if (!migration)
      throw new StorageError(
        'schema-newer',
        `The database has migration ${title(row)}, which this release does not know: a newer release was here. Start that release, or restore a backup made before it.`,
      );
    if (row.version !== migration.version || row.checksum !== checksumOf(migration.text))
      throw new StorageError(
        'schema-changed',
        `Migration ${title(migration)} was applied in another form than this release ships, and nothing was changed. A released file never changes: put it back and add a new one. A build from before the first release may have made this data: start with a new store, MUSTER_HOME=/some/new/folder or DATABASE_URL of an empty database.`,
      );
  });
}

export const title = ({ version, name }: { version: number; name: string }) =>
  `${String(version).padStart(4, '0')}_${name}`;

/** Without carriage returns, so a checkout on Windows gives the same. */
const checksumOf = (text: string) => createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');

function numbered(sources: Record<string, string>): Migration[] {
  const migrations = Object.entries(sources).map(([path, text]) => {
    const match = /(\d{4})_(\w+)\.sql$/.exec(path);
    if (!match?.[1] || !match[2]) throw new Error(`${path} is not named NNNN_name.sql`);
    return { version: Number(match[1]), name: match[2], text };
  });
  migrations.sort((a, b) => a.version - b.version);
  migrations.forEach(({ version }, index) => {
    if (version === migrations[index - 1]?.version) throw new Error(`migration ${version} is there twice`);
  });
  return migrations;
}
