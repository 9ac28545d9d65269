import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { StorageError } from '../error.ts';

/** A uid and gid to run as; nothing set means: as this process. */
export type Account = { uid: number; gid: number } | { uid?: never; gid?: never };

/** 12 hex digits that name a path. */
export const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

export function statOrNull(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

/** The file's text, or nothing when it is missing or unreadable. */
export function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export const effectiveUid = () => process.geteuid?.() ?? 0;

/** Creates the directory, or takes the existing one when it is ours; narrows its mode whatever the umask. Throws `owner`. */
export function privateDirectory(path: string, account: Account, mode = 0o700): string {
  mkdirSync(path, { recursive: true, mode });
  const found = lstatSync(path);
  const wanted = account.uid ?? effectiveUid();
  if (!found.isDirectory() || (found.uid !== wanted && found.uid !== effectiveUid()))
    throw new StorageError(
      'owner',
      `${path} exists and belongs to uid ${found.uid}, not to uid ${wanted}. Move it away or choose another folder: MUSTER_HOME=/some/folder`,
    );
  if (account.uid !== undefined && found.uid !== account.uid) chownSync(path, account.uid, account.gid);
  if ((found.mode & 0o777) !== mode) chmodSync(path, mode);
  return path;
}

export function chownTree(directory: string, account: Account): void {
  if (account.uid === undefined) return;
  for (const entry of readdirSync(directory, { recursive: true, encoding: 'utf8' }))
    chownSync(join(directory, entry), account.uid, account.gid);
  chownSync(directory, account.uid, account.gid);
}

/** The lowest folder on the way (or the path itself) that a uid without any group of ours cannot pass, or null. */
export function closedToOthers(path: string): string | null {
  for (let at = realpathSync(path); ; at = dirname(at)) {
    if (!(statSync(at).mode & 0o001)) return at;
    if (at === dirname(at)) return null;
  }
}
