import { resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { moveCluster } from '../storage/move-cluster.ts';
import { megabytes, type Plan, planUpgrade } from '../storage/upgrade.ts';
import { CommandError, readArgs, usageError } from './command-error.ts';
import { persons, withStorage } from './database.ts';

export const UPGRADE_USAGE = `  migrate --without-backup       the same where there is no room for the backup that the built-in database gets before
  upgrade --check                what a start of this release would do to the database, how long and with what room
  upgrade postgres --from <release>  move the built-in database to this release's PostgreSQL, by the release that made it
`;
const OPTIONS = { check: { type: 'boolean' }, from: { type: 'string' } } as const;

export async function runUpgrade(args: readonly string[]): Promise<string> {
  const { values, positionals } = readArgs(
    { args: [...args], options: OPTIONS, allowPositionals: true },
    UPGRADE_USAGE,
  );
  const { check, from } = values;
  if (check && !from && positionals.length === 0) return sayPlan();
  if (!check && from && positionals.join() === 'postgres') return move(resolve(from));
  throw usageError(UPGRADE_USAGE);
}

async function sayPlan(): Promise<string> {
  const plan = await withStorage((sql, config) => planUpgrade(sql, config), 'instance');
  const said = describe(plan);
  if (plan.steps.length > 0 && plan.freeBytes !== null && plan.freeBytes < plan.databaseBytes)
    throw new CommandError(`${said}\nThere is no room for the backup: free some, or see migrate --without-backup.`);
  return said;
}

async function move(release: string): Promise<string> {
  const { home, databaseUrl } = readConfig(process.env);
  if (databaseUrl !== null)
    throw new CommandError(
      'The database of DATABASE_URL is moved by its own tools: pg_upgrade, or backup and restore.',
    );
  const moved = await moveCluster(home, release);
  if (!moved) return 'The database is of the PostgreSQL of this release already. Nothing was changed.';
  return [
    `The database was made by PostgreSQL ${moved.from} and is moved: ${moved.rows} rows of ${moved.tables} tables, ${persons(moved.people)}.`,
    `The backup that was moved: ${moved.backup}`,
    `The old data stays until you remove it: rm -r ${moved.old}`,
  ].join('\n');
}

const seconds = (count: number): string => (count < 120 ? `${count} s` : `${Math.ceil(count / 60)} min`);

export function describe({ postgres, databaseBytes, freeBytes, steps, seconds: of }: Plan): string {
  const rows = [`PostgreSQL ${postgres} is supported. The database has ${megabytes(databaseBytes)}.`];
  if (steps.length === 0) return [...rows, 'No migration waits: a start of this release changes nothing.'].join('\n');
  rows.push(`${steps.length} ${steps.length === 1 ? 'migration waits' : 'migrations wait'}:`);
  for (const { name, locks } of steps) {
    rows.push(`  ${name}${locks.length === 0 ? ': locks no table that is there' : ''}`);
    for (const { table, bytes, isWhole } of locks)
      rows.push(
        `    locks ${table} (${megabytes(bytes)})${isWhole ? ', and reads or writes all of it' : ' for a moment'}`,
      );
  }
  rows.push(
    freeBytes === null
      ? 'Back the database up before that: it is not the built-in one, of which a start makes a backup itself.'
      : `A start backs it up before that: it takes up to ${megabytes(databaseBytes)} and ${seconds(of.backup)}; ${megabytes(freeBytes)} are free.`,
    `All steps together take up to ${seconds(of.steps)}, during which what is locked waits.`,
  );
  return rows.join('\n');
}
