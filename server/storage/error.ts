/** Stable names of what can go wrong with storage; tests and operators rely on them, never on the prose. */
export type StorageErrorCode =
  | 'unsupported-platform'
  | 'owner'
  | 'user'
  | 'unreachable'
  | 'copy'
  | 'disk-full'
  | 'version'
  | 'libraries'
  | 'permission'
  | 'locked'
  | 'socket'
  | 'orphans'
  | 'start'
  | 'timeout'
  | 'connect'
  | 'pooler'
  | 'no-data'
  | 'schema-newer'
  | 'schema-changed'
  | 'schema-before-release'
  | 'schema-locked'
  | 'migration'
  | 'kept-file'
  | 'backup'
  | 'backup-empty'
  | 'no-erasures';

/** A typed storage error whose message says what to do. `log` is PostgreSQL's own output. */
export class StorageError extends Error {
  readonly code: StorageErrorCode;
  readonly log: string | undefined;

  constructor(code: StorageErrorCode, message: string, extra: { log?: string; cause?: unknown } = {}) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.name = 'StorageError';
    this.code = code;
    this.log = extra.log;
  }
}

/**
 * Explains a file system error in the data folder; returns other errors unchanged. Node itself says no more than a code
 * and a path.
 */
export function explainFolder(folder: string, error: unknown): unknown {
  if (error instanceof StorageError || !(error instanceof Error) || !('code' in error)) return error;
  const explained = (code: StorageErrorCode, what: string) =>
    new StorageError(code, `${what} (${error.message}) Or choose another folder: MUSTER_HOME=/some/folder`, {
      cause: error,
    });
  switch (error.code) {
    case 'EROFS':
      return explained('permission', `The disk of ${folder} is read-only: nothing can be kept there.`);
    case 'ENOENT':
      // Node's own `mkdir` with parents answers a read-only disk so (libuv looks for what it could not make).
      return 'syscall' in error && error.syscall === 'mkdir'
        ? explained('permission', `${folder} cannot be made: its disk is read-only, or what is above it went away.`)
        : error;
    case 'EACCES':
    case 'EPERM':
      return explained(
        'permission',
        `This account cannot write in ${folder}: look at the owner and mode of the folder and those above it.`,
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return explained('disk-full', `The disk of ${folder} is full: free some space.`);
    case 'EEXIST':
    case 'ENOTDIR':
      return explained(
        'owner',
        `${folder} is for folders and files of this program, and something else stands in the way.`,
      );
    default:
      return error;
  }
}

/** The way out of everything that concerns the embedded server only. */
export const USE_DATABASE_URL =
  'Or use any PostgreSQL 15 or newer instead: DATABASE_URL=postgres://user:password@host:5432/muster';
