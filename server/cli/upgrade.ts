import { megabytes, type Plan, planUpgrade } from '../storage/upgrade.ts';
import { CommandError, readArgs, usageError } from './command-error.ts';
import { withStorage } from './database.ts';

export const UPGRADE_USAGE = `  upgrade --check                what a start of this release would do to the database, how long and with what room
`;

export async function runUpgrade(args: readonly string[]): Promise<string> {
  const { values } = readArgs({ args: [...args], options: { check: { type: 'boolean' } } }, UPGRADE_USAGE);
  if (!values.check) throw usageError(UPGRADE_USAGE);
  const plan = await withStorage((sql, config) => planUpgrade(sql, config), 'instance');
  const said = describe(plan);
  if (plan.steps.length > 0 && plan.freeBytes !== null && plan.freeBytes < plan.databaseBytes)
    throw new CommandError(`${said}\nThere is no room for the backup: free some, or see migrate --without-backup.`);
  return said;
}

const seconds = (count: number): string => (count < 120 ? `${count} s` : `${Math.ceil(count / 60)} min`);

export function describe({ postgres, databaseBytes, freeBytes, steps, seconds: of }: Plan): string {
  const rows = [`PostgreSQL ${postgres} is supported. The database has ${megabytes(databaseBytes)}.`];
  if (steps.length === 0) return [...rows, 'No migration waits: a start of this release changes nothing.'].join('\n');
  rows.push(`${steps.length} ${steps.length === 1 ? 'migration waits' : 'migrations wait'}:`);
  for (const { name, locks } of steps) {
    rows.push(`  ${name}${locks.length === 0 ? ': locks no table that is there' : ''}`);
    for (const { table, bytes, anew } of locks)
      rows.push(
        `    locks ${table} (${megabytes(bytes)})${anew ? ', and reads or writes all of it' : ' for a moment'}`,
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
