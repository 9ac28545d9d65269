import type { Sql } from 'postgres';
import { SNAPSHOT } from '../domain/snapshot.ts';
import { readDrift } from '../features/ledger/drift.ts';
import { stopSignal } from '../stop-signal.ts';
import { backUp } from '../storage/backup.ts';
import type { Count } from '../storage/backup-format.ts';
import { noteBackup } from '../storage/backup-runs.ts';
import { StorageError } from '../storage/error.ts';
import { restore } from '../storage/restore.ts';
import { verifyBackup } from '../storage/verify-backup.ts';
import { CommandError, EXIT_USAGE } from './command-error.ts';
import { persons, whose, withStorage } from './database.ts';
import { requireNoDrift } from './require-no-drift.ts';

export const BACKUP_USAGE = `  backup <file>                  write everything that the instance holds into a new file, also while it runs
    --allow-empty                also where nobody has ever signed in
  backup --verify <file>         restore a backup into a throwaway database and compare counts, points and boards
  restore <file>                 put a backup into an instance that has nobody yet
`;

const OPTIONS = ['--allow-empty', '--verify'];

/** The verbs `backup` and `restore`; null for other arguments than theirs. */
export function readBackupCommand(args: readonly string[]): (() => Promise<string>) | null {
  const [verb, ...rest] = args;
  if (verb !== 'backup' && verb !== 'restore') return null;
  const given = rest.filter((arg) => arg.startsWith('--'));
  const [path = '', ...more] = rest.filter((arg) => !arg.startsWith('--'));
  if (more.length > 0 || given.length > 1 || given.some((arg) => verb === 'restore' || !OPTIONS.includes(arg)))
    throw new CommandError(`Usage:\n${BACKUP_USAGE}`, EXIT_USAGE);
  if (path === '') throw new CommandError(`Name the file, as in: npm run muster -- ${verb} muster.backup`, EXIT_USAGE);
  if (given[0] === '--verify') return () => verify(path);
  return () => (verb === 'backup' ? write(path, given[0] === '--allow-empty') : put(path));
}

const amount = ({ rows, tables }: Count): string => `${rows} rows of ${tables} tables`;

const write = (path: string, allowEmpty: boolean): Promise<string> =>
  withStorage(async (sql, config) => {
    const count = await backUp(sql, config.home, path, { allowEmpty }).catch(async (error: unknown) => {
      await noteBackup(sql, { rows: null, error });
      // Most often a sign of another folder than the service's: whose it was belongs to the message.
      if (!(error instanceof StorageError) || error.code !== 'backup-empty') throw error;
      throw new CommandError(`${error.message} If it is the right one, add --allow-empty.\n${whose(config, 0)}`);
    });
    await noteBackup(sql, { rows: count.rows, error: null });
    return `${path} holds ${amount(count)}.\n${whose(config, count.people)}`;
  }, 'instance');

const put = (path: string): Promise<string> =>
  withStorage(async (sql, config) => {
    const count = await restore(sql, config.home, path);
    return `${path} is restored: ${amount(count)}.\n${whose(config, count.people)}`;
  }, 'nothing');

async function verify(path: string): Promise<string> {
  const stopped = stopSignal().wait.then(() => {
    throw new CommandError('Stopped before the file was checked.');
  });
  const look = async (sql: Sql) => void requireNoDrift(await sql.begin(SNAPSHOT, readDrift));
  const count = await verifyBackup(path, look, stopped);
  return `${path} is whole: ${amount(count)}, ${persons(count.people)}. Counts, points and boards are as they were written.`;
}
