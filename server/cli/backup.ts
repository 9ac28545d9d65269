import { backUp } from '../storage/backup.ts';
import { noteBackup } from '../storage/backup-runs.ts';
import { StorageError } from '../storage/error.ts';
import { CommandError, EXIT_USAGE, readArgs, usageError } from './command-error.ts';
import { persons, whose, withStorage } from './database.ts';
import { shown } from './progress.ts';
import { amount, RESTORE_USAGE, readRestoreCommand, rehearse } from './restore.ts';

export const BACKUP_USAGE = `  backup <file>                  write everything that the instance holds into a new file, also while it runs
    --allow-empty                also where nobody has ever signed in
  backup --verify <file>         restore a backup into a throwaway database and compare counts, points and boards
    --identity <file>            of a backup that is encrypted (age); restore takes it, too
${RESTORE_USAGE}`;

/** The verbs `backup` and `restore`; null for other arguments than theirs. */
export function readBackupCommand(args: readonly string[]): (() => Promise<string>) | null {
  const [verb = '', ...rest] = args;
  if (verb === 'restore') return readRestoreCommand(rest, BACKUP_USAGE);
  if (verb !== 'backup') return null;
  const options = {
    'allow-empty': { type: 'boolean' },
    verify: { type: 'boolean' },
    identity: { type: 'string' },
  } as const;
  const { positionals, values } = readArgs({ args: rest, options, allowPositionals: true }, BACKUP_USAGE);
  const [path = '', ...more] = positionals;
  const { verify: isVerified = false, 'allow-empty': allowEmpty = false, identity = null } = values;
  if (more.length > 0 || (isVerified && allowEmpty) || (identity !== null && !isVerified))
    throw usageError(BACKUP_USAGE);
  if (path === '') throw new CommandError('Name the file, as in: npm run muster -- backup muster.backup', EXIT_USAGE);
  return () => (isVerified ? verify(path, identity) : write(path, allowEmpty));
}

const write = (path: string, allowEmpty: boolean): Promise<string> =>
  withStorage(async (sql, config) => {
    const count = await shown((progress) => backUp(sql, config.home, path, { allowEmpty, progress })).catch(
      async (error: unknown) => {
        // Another release's database is left as it is.
        if (error instanceof StorageError && error.code.startsWith('schema-')) throw error;
        await noteBackup(sql, { rows: null, error });
        // Most often a sign of another folder than the service's: whose it was belongs to the message.
        if (!(error instanceof StorageError) || error.code !== 'backup-empty') throw error;
        throw new CommandError(`${error.message} If it is the right one, add --allow-empty.\n${whose(config, 0)}`);
      },
    );
    await noteBackup(sql, { rows: count.rows, error: null });
    return `${path} holds ${amount(count)}.\n${whose(config, count.people)}`;
  }, 'instance');

async function verify(path: string, identity: string | null): Promise<string> {
  const count = await rehearse(path, identity);
  return `${path} is whole: ${amount(count)}, ${persons(count.people)}. Counts, points and boards are as they were written.`;
}
