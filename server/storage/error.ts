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
  | 'schema-newer'
  | 'schema-changed'
  | 'migration';

/** A typed failure of storage whose message ends with the way out. `log` holds what PostgreSQL itself said. */
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

/** The way out of everything that concerns the embedded server only. */
export const USE_DATABASE_URL =
  'Or use any PostgreSQL 15 or newer instead: DATABASE_URL=postgres://user:password@host:5432/muster';
