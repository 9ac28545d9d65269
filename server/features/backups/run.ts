import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Sql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { around, surplus } from '../../domain/backup-plan.ts';
import { SNAPSHOT } from '../../domain/snapshot.ts';
import { createS3 } from '../../integrations/s3/s3.ts';
import { backUp, sealBackup } from '../../storage/backup.ts';
import { noteBackup } from '../../storage/backup-runs.ts';
import { copyOf, noteErasures, sizeOfErasures } from '../../storage/erasure-list.ts';
import { verifyBackup } from '../../storage/verify-backup.ts';
import { readDrift } from '../ledger/drift.ts';
import { backupsIn, backupsInBucket, copyErasuresToBucket, copyToBucket, nameOf, removeFromBucket } from './places.ts';

/** One that failed is tried again so much later. */
const RETRY_MS = 60 * 60_000;
/** A week, less some hours: nights differ in how long they take. */
const TRIAL_EVERY_MS = 6.5 * 86_400_000;
const DRAFT = /\.[0-9a-f]{12}\.part$/;

type Backing = Pick<Runtime, 'sql' | 'config' | 'now'>;

/**
 * Backs the instance up once a day, at its hour or as soon after it as a process runs, and deletes what the rule no longer keeps. Each
 * week the new one is restored as a trial. How it went is written down for operators; a process that ends gives up in between,
 * and the next one begins from the start.
 */
export async function backUpDaily(runtime: Runtime, stopping: AbortSignal): Promise<void> {
  const { config, sql, now, log } = runtime;
  const { at, dir } = config.backup;
  if (at === null || dir === null || !(await isDue(sql, around(at, now()).last, now()))) return;
  try {
    const written = await backUpInto(dir, runtime, stopping);
    await noteBackup(sql, { ...written, error: null, at: now() });
    log.info({ file: written.file, bytes: written.bytes }, 'a backup was written');
  } catch (error) {
    if (stopping.aborted) return;
    log.error({ err: error }, 'the backup failed');
    await noteBackup(sql, { rows: null, error, at: now() });
  }
}

async function isDue(sql: Sql, moment: Date, now: Date): Promise<boolean> {
  const [row] = await sql<[{ goodAt: Date | null; failedAt: Date | null }]>`
    select coalesce(
        (select max(at) from backups where error is null and file is not null),
        -- Before the first person there is nothing to lose.
        (select min(created_at) from users)) as "goodAt",
      (select max(at) from backups where error is not null) as "failedAt"`;
  const { goodAt, failedAt } = row;
  if (goodAt === null || goodAt > moment) return false;
  return failedAt === null || failedAt < moment || now.getTime() - failedAt.getTime() > RETRY_MS;
}

type Written = { rows: number; file: string; bytes: number; triedAt: Date | null };

async function backUpInto(dir: string, runtime: Backing, stopping: AbortSignal): Promise<Written> {
  const { config, sql, now } = runtime;
  const { home, productSlug: slug, backup, s3: settings } = config;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  // Their process is dead: one at a time comes here.
  for (const name of readdirSync(dir).filter((one) => one.startsWith(`${slug}-`) && DRAFT.test(one)))
    rmSync(join(dir, name));
  const path = join(dir, nameOf(slug, now(), backup.recipient));
  const isTrial = await isTrialDue(sql, now());
  const { rows } = isTrial
    ? await writeTried(path, runtime, stopping)
    : await backUp(sql, home, path, { recipient: backup.recipient, signal: stopping });
  for (const at of surplus(momentsOf(backupsIn(dir, slug)), backup.keep))
    for (const { name } of backupsIn(dir, slug).filter((one) => one.at.getTime() === at.getTime()))
      for (const file of [join(dir, name), copyOf(join(dir, name))]) rmSync(file, { force: true });
  if (settings) {
    const s3 = createS3(settings);
    await copyToBucket(s3, path);
    await copyErasuresToBucket(s3, slug, home, now());
    const kept = await backupsInBucket(s3, slug);
    for (const at of surplus(momentsOf(kept), backup.keep))
      for (const { name } of kept.filter((one) => one.at.getTime() === at.getTime())) await removeFromBucket(s3, name);
  }
  return { rows, file: basename(path), bytes: statSync(path).size, triedAt: isTrial ? now() : null };
}

const momentsOf = (kept: readonly { at: Date }[]): Date[] => kept.map(({ at }) => at);

async function isTrialDue(sql: Sql, now: Date): Promise<boolean> {
  const [row] = await sql<[{ at: Date | null }]>`select max(tried_at) as at from backups`;
  return row.at === null || now.getTime() - row.at.getTime() > TRIAL_EVERY_MS;
}

/** Writes a backup that has been restored. It is encrypted after that: this machine cannot read it then. */
async function writeTried(path: string, { sql, config }: Backing, stopping: AbortSignal): Promise<{ rows: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-trial-'));
  try {
    const { recipient } = config.backup;
    const plain = recipient === null ? path : join(folder, 'plain');
    const count = await backUp(sql, config.home, plain, { signal: stopping });
    try {
      await verifyBackup(plain, requireAgreement, rejectedBy(stopping));
    } catch (error) {
      for (const file of [plain, copyOf(plain)]) rmSync(file, { force: true });
      if (stopping.aborted) throw error;
      throw new Error(`A trial did not restore it: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
    if (recipient !== null) await sealBackup(plain, path, { home: config.home, recipient, signal: stopping });
    return count;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Throws where points and boards of what was restored differ. */
async function requireAgreement(sql: Sql): Promise<void> {
  const [first, ...more] = await sql.begin(SNAPSHOT, (tx) => readDrift(tx));
  if (first)
    throw new Error(`${1 + more.length} boards differ from the ledger, ${first.board} of ${first.communityId}`);
}

const rejectedBy = (stopping: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (stopping.aborted) reject(stopping.reason);
    stopping.addEventListener('abort', () => reject(stopping.reason), { once: true });
  });

/** Length of the list that this process copied last. */
const copied = () => ({ bytes: 0 });

/**
 * Keeps who was erased beside the backups of the bucket, soon after each erasure: a machine that burns takes its own list with it.
 */
export async function copyErasures(runtime: Runtime): Promise<void> {
  const { config, sql, now } = runtime;
  const bytes = sizeOfErasures(config.home);
  const last = runtime.own(copied);
  if (config.s3 === null || bytes === 0 || bytes === last.bytes) return;
  // The list of a machine is whole once it has written one.
  await noteErasures(sql, config.home);
  await copyErasuresToBucket(createS3(config.s3), config.productSlug, config.home, now());
  last.bytes = bytes;
}
