import { createInterface } from 'node:readline/promises';
import type { Sql } from 'postgres';
import { SNAPSHOT } from '../domain/snapshot.ts';
import { readDrift } from '../features/ledger/drift.ts';
import { eraseDue } from '../features/person/erase.ts';
import { stopSignal } from '../stop-signal.ts';
import { backUp } from '../storage/backup.ts';
import type { Count, Progress } from '../storage/backup-format.ts';
import { noteBackup } from '../storage/backup-runs.ts';
import { StorageError } from '../storage/error.ts';
import { type Lists, restore } from '../storage/restore.ts';
import { verifyBackup } from '../storage/verify-backup.ts';
import { CommandError, EXIT_USAGE, readArgs, usageError } from './command-error.ts';
import { persons, whose, withStorage } from './database.ts';
import { requireNoDrift } from './require-no-drift.ts';

export const BACKUP_USAGE = `  backup <file>                  write everything that the instance holds into a new file, also while it runs
    --allow-empty                also where nobody has ever signed in
  backup --verify <file>         restore a backup into a throwaway database and compare counts, points and boards
  restore <file>                 put a backup into an instance that has nobody yet, and erase again who was erased since
    --erasures <list>            a newer list of erasures than those beside the backup
    --without-erasures           although there is no list: whoever was erased after this backup is back
`;

const OPTIONS = {
  'allow-empty': { type: 'boolean' },
  verify: { type: 'boolean' },
  erasures: { type: 'string' },
  'without-erasures': { type: 'boolean' },
} as const;
const OF: Record<string, readonly string[]> = {
  backup: ['allow-empty', 'verify'],
  restore: ['erasures', 'without-erasures'],
};

/** The verbs `backup` and `restore`; null for other arguments than theirs. */
export function readBackupCommand(args: readonly string[]): (() => Promise<string>) | null {
  const [verb = '', ...rest] = args;
  const allowed = OF[verb];
  if (!allowed) return null;
  const { positionals, values } = readArgs({ args: rest, options: OPTIONS, allowPositionals: true }, BACKUP_USAGE);
  const [path = '', ...more] = positionals;
  const given = Object.keys(values);
  if (more.length > 0 || given.length > 1 || given.some((name) => !allowed.includes(name)))
    throw usageError(BACKUP_USAGE);
  if (path === '') throw new CommandError(`Name the file, as in: npm run muster -- ${verb} muster.backup`, EXIT_USAGE);
  if (values.verify) return () => verify(path);
  const named = values.erasures ?? null;
  return () =>
    verb === 'backup'
      ? write(path, values['allow-empty'] === true)
      : bring(path, { named, mayLack: values['without-erasures'] === true });
}

const amount = ({ rows, tables }: Count): string => `${rows} rows of ${tables} tables`;

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

const bring = (path: string, lists: Lists): Promise<string> =>
  withStorage(async (sql, config) => {
    const put = (given: Lists) => shown((progress) => restore(sql, config.home, path, { ...given, progress }));
    const restored = await put(lists).catch(async (error: unknown) => {
      if (!(error instanceof StorageError) || error.code !== 'no-erasures') throw error;
      if (!process.stdin.isTTY)
        throw new CommandError(
          `${error.message}\nPut the newest list beside it or name it (--erasures <list>). Where there is none, and you know what that means: --without-erasures.`,
        );
      if (!(await agrees(`${error.message}\nRestore it all the same? Write yes: `)))
        throw new CommandError('Nothing was restored.');
      return put({ ...lists, mayLack: true });
    });
    await eraseDue({ sql, now: () => new Date(), config });
    const { until, again } = restored.erasures;
    const explained =
      until === null ? 'No erasures are known' : `Erasures are known up to ${until.slice(0, 16).replace('T', ' ')} UTC`;
    const erased = `${explained}, ${persons(again)} erased again. Whoever was erased later is back: erase them (person erase).`;
    return `${path} is restored: ${amount(restored)}.\n${erased}\n${whose(config, restored.people)}`;
  }, 'nothing');

/** Shows on a terminal how far the work is, in one line that goes with it. */
async function shown<T>(work: (progress: Progress) => Promise<T>): Promise<T> {
  const { stderr } = process;
  if (!stderr.isTTY) return work(() => {});
  let last = '';
  try {
    return await work((words) => {
      if (words !== last) stderr.write(`\r\u001b[K${words}`);
      last = words;
    });
  } finally {
    stderr.write('\r\u001b[K');
  }
}

/** Asks on the terminal. */
async function agrees(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await terminal.question(question)).trim().toLowerCase() === 'yes';
  } finally {
    terminal.close();
  }
}

async function verify(path: string): Promise<string> {
  const stopped = stopSignal().wait.then(() => {
    throw new CommandError('Stopped before the file was checked.');
  });
  const look = async (sql: Sql) => void requireNoDrift(await sql.begin(SNAPSHOT, readDrift));
  const count = await shown((progress) => verifyBackup(path, look, stopped, progress));
  return `${path} is whole: ${amount(count)}, ${persons(count.people)}. Counts, points and boards are as they were written.`;
}
