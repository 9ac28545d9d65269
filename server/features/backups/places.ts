import { createReadStream, createWriteStream, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { backupName, momentIn } from '../../domain/backup-plan.ts';
import type { S3 } from '../../integrations/s3/s3.ts';
import { SEALED } from '../../storage/age.ts';
import { erasureCopy, isErasureCopy } from '../../storage/erasure-list.ts';

export type StoredBackup = { name: string; at: Date };

/** Where backups are in a bucket, which may hold other things as well. */
const PREFIX = 'backups/';
const inOrder = (names: readonly string[], slug: string): StoredBackup[] =>
  names
    .flatMap((name) => {
      const at = momentIn(name, slug);
      return at ? [{ name: basename(name), at }] : [];
    })
    .sort((a, b) => b.at.getTime() - a.at.getTime());

/** Backups of an instance in a folder, the newest first; none where there is no such folder. */
export function backupsIn(folder: string, slug: string): StoredBackup[] {
  try {
    return inOrder(readdirSync(folder), slug);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** The same of a bucket. */
export const backupsInBucket = async (s3: S3, slug: string): Promise<StoredBackup[]> =>
  inOrder(await s3.list(`${PREFIX}${slug}-`), slug);

export const nameOf = (slug: string, at: Date, recipient: string | null): string =>
  `${backupName(slug, at)}${recipient === null ? '' : SEALED}`;

export const copyToBucket = (s3: S3, path: string): Promise<void> =>
  s3.put(`${PREFIX}${basename(path)}`, createReadStream(path));

export const removeFromBucket = (s3: S3, name: string): Promise<void> => s3.remove(`${PREFIX}${name}`);

/**
 * Puts this home's list of erasures into the bucket. Each home has its own key there, so one that is new and knows of nobody takes
 * no other's place.
 */
export async function copyErasuresToBucket(s3: S3, slug: string, home: string, now: Date): Promise<void> {
  const { id, text } = erasureCopy(home, now);
  await s3.put(
    `${PREFIX}${slug}.${id}.erasures`,
    (async function* () {
      yield Buffer.from(text);
    })(),
  );
}

/** Brings a backup and each list of erasures of its instance into a folder; where the backup is then. */
export async function fetchBackup(s3: S3, slug: string, name: string, folder: string): Promise<string> {
  const lists = (await s3.list(`${PREFIX}${slug}.`)).filter(isErasureCopy);
  for (const key of [...lists, `${PREFIX}${name}`])
    await pipeline(await s3.get(key), createWriteStream(join(folder, basename(key)), { flags: 'wx', mode: 0o600 }));
  return join(folder, name);
}
