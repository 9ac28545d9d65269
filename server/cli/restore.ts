import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Sql } from 'postgres';
import { type Config, readConfig } from '../config.ts';
import { SNAPSHOT } from '../domain/snapshot.ts';
import { countSince } from '../features/backups/loss.ts';
import { backupsIn, backupsInBucket, fetchBackup } from '../features/backups/places.ts';
import { readDrift } from '../features/ledger/drift.ts';
import { eraseDue } from '../features/person/erase.ts';
import { createS3 } from '../integrations/s3/s3.ts';
import { stopSignal } from '../stop-signal.ts';
import type { Count } from '../storage/backup-format.ts';
import { StorageError } from '../storage/error.ts';
import { openStorage } from '../storage/open.ts';
import { momentOfBackup, restore } from '../storage/restore.ts';
import { verifyBackup } from '../storage/verify-backup.ts';
import { CommandError, readArgs, usageError } from './command-error.ts';
import { persons, whose, withStorage } from './database.ts';
import { shown } from './progress.ts';
import { requireNoDrift } from './require-no-drift.ts';

export const RESTORE_USAGE = `  restore [<file>|s3:[<name>]]   put a backup into an instance that has nobody yet, and erase again who was erased since;
                                 without a name the newest one, of BACKUP_DIR or of the bucket
    --damaged <place>            say what is lost since then: MUSTER_HOME or DATABASE_URL of the damaged instance
    --yes                        ask nothing on a terminal
    --erasures <list>            a newer list of erasures than those beside the backup
    --without-erasures           although there is no list: whoever was erased after this backup is back
    --rehearse                   into a throwaway database: say how long it took, and leave nothing
`;

const OPTIONS = {
  identity: { type: 'string' },
  damaged: { type: 'string' },
  yes: { type: 'boolean' },
  erasures: { type: 'string' },
  'without-erasures': { type: 'boolean' },
  rehearse: { type: 'boolean' },
} as const;
type Values = { [N in keyof typeof OPTIONS]?: (typeof OPTIONS)[N]['type'] extends 'string' ? string : boolean };
/** What a rehearsal has no use for. */
const IN_EARNEST = ['damaged', 'yes', 'erasures', 'without-erasures'] as const;

export function readRestoreCommand(args: string[], usage: string): () => Promise<string> {
  const { positionals, values } = readArgs({ args, options: OPTIONS, allowPositionals: true }, usage);
  const [from = '', ...more] = positionals;
  const isContradiction =
    (values.erasures !== undefined && values['without-erasures']) ||
    (values.rehearse && IN_EARNEST.some((name) => values[name] !== undefined));
  if (more.length > 0 || isContradiction) throw usageError(usage);
  const identity = values.identity ?? null;
  return () =>
    withBackup(from, readConfig(process.env), (path) =>
      values.rehearse ? rehearsal(path, identity) : bring(path, values),
    );
}

export const amount = ({ rows, tables }: Count): string => `${rows} rows of ${tables} tables`;

/** Finds a backup, and has it on this machine while `work` works. */
async function withBackup<T>(from: string, config: Config, work: (path: string) => Promise<T>): Promise<T> {
  const { productSlug: slug, backup, s3: settings } = config;
  if (!from.startsWith('s3:')) {
    const [newest] = from === '' && backup.dir !== null ? backupsIn(backup.dir, slug) : [];
    if (from !== '') return work(from);
    if (newest && backup.dir !== null) return work(join(backup.dir, newest.name));
    throw new CommandError(
      `There is no backup in ${backup.dir ?? 'BACKUP_DIR, which is not set'}. Name a file, or s3: for the newest of the bucket.`,
    );
  }
  if (settings === null) throw new CommandError('S3_ENDPOINT and what belongs to it are not set.');
  const s3 = createS3(settings);
  const kept = await backupsInBucket(s3, slug);
  const asked = from.slice('s3:'.length);
  const found = asked === '' ? kept[0] : kept.find(({ name }) => name === asked);
  if (!found)
    throw new CommandError(
      `The bucket ${settings.bucket} holds no ${asked || `backup of ${slug}`}. It holds: ${kept.map(({ name }) => name).join(', ') || 'none'}`,
    );
  const folder = mkdtempSync(join(tmpdir(), 'muster-restore-'));
  try {
    return await work(await fetchBackup(s3, slug, found.name, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Restores a backup into a throwaway database and compares all of it. */
export async function rehearse(path: string, identity: string | null): Promise<Count> {
  const stopped = stopSignal().wait.then(() => {
    throw new CommandError('Stopped before the file was checked.');
  });
  const look = async (sql: Sql) => void requireNoDrift(await sql.begin(SNAPSHOT, readDrift));
  return shown((progress) => verifyBackup(path, look, stopped, { progress, identity }));
}

async function rehearsal(path: string, identity: string | null): Promise<string> {
  const moment = await momentOfBackup(path, identity);
  const begun = performance.now();
  const count = await rehearse(path, identity);
  const seconds = Math.ceil((performance.now() - begun) / 1_000);
  return `${path} can be restored: ${amount(count)}, ${persons(count.people)}, in ${seconds} s. It is ${ageOf(moment)}, and nothing of the trial is left.`;
}

const utc = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function ageOf(moment: Date): string {
  const hours = Math.floor((Date.now() - moment.getTime()) / 3_600_000);
  const age = hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
  return `of ${utc(moment)}, ${age} old`;
}

/** What the damaged instance has that the backup lacks. */
async function lossOf(damaged: string, moment: Date): Promise<string> {
  const isUrl = /^postgres(ql)?:/.test(damaged);
  const place = isUrl ? { databaseUrl: damaged, home: '' } : { databaseUrl: null, home: damaged };
  const storage = await openStorage(place, { info() {}, warn() {} }, 'instance');
  try {
    const { people, claims, decisions, points } = await countSince(storage.sql, moment);
    return `Lost since then: ${persons(people)}, ${claims} claims, ${decisions} decisions, ${points} points.`;
  } finally {
    await storage.close();
  }
}

async function bring(path: string, values: Values): Promise<string> {
  const identity = values.identity ?? null;
  const moment = await momentOfBackup(path, identity);
  const loss =
    values.damaged === undefined
      ? `Whatever was done after ${utc(moment)} is lost.`
      : await lossOf(values.damaged, moment);
  const said = `${path} is ${ageOf(moment)}. ${loss}`;
  if (process.stdin.isTTY && !values.yes && !(await agrees(`${said}\nRestore it? Write yes: `)))
    throw new CommandError('Nothing was restored.');
  return withStorage((sql, config) => put(sql, config, path, values, said), 'nothing');
}

async function put(sql: Sql, config: Config, path: string, values: Values, said: string): Promise<string> {
  const { identity = null, erasures: named = null } = values;
  const filled = (mayLack: boolean) =>
    shown((progress) => restore(sql, config.home, path, { named, mayLack, identity, progress }));
  const restored = await filled(values['without-erasures'] === true).catch(async (error: unknown) => {
    if (!(error instanceof StorageError) || error.code !== 'no-erasures') throw error;
    if (!process.stdin.isTTY)
      throw new CommandError(
        `${error.message}\nPut the newest list beside it or name it (--erasures <list>). Where there is none, and you know what that means: --without-erasures.`,
      );
    if (!(await agrees(`${error.message}\nRestore it all the same? Write yes: `)))
      throw new CommandError('Nothing was restored.');
    return filled(true);
  });
  await eraseDue({ sql, now: () => new Date(), config });
  const { until, again } = restored.erasures;
  const explained = until === null ? 'No erasures are known' : `Erasures are known up to ${utc(new Date(until))}`;
  const erased = `${explained}, ${persons(again)} erased again. Whoever was erased later is back: erase them (person erase).`;
  return `${path} is restored: ${amount(restored)}.\n${said}\n${erased}\n${whose(config, restored.people)}`;
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
