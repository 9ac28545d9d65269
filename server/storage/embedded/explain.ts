import { StorageError, type StorageErrorCode, USE_DATABASE_URL } from '../error.ts';

const CAUSES: readonly [RegExp, StorageErrorCode, string][] = [
  [/No space left on device/, 'disk-full', 'The disk is full. Free some space and start again.'],
  [
    /initialized by PostgreSQL version/,
    'version',
    'It was made by another major version of PostgreSQL: back it up with the release that made it and restore that here.',
  ],
  [/lock file "postmaster\.pid" (already exists|is empty)/, 'locked', 'Another server runs in this folder.'],
  [/lock file ".*\.s\.PGSQL.*" already exists|another (postmaster|process) .*\.lock/, 'socket', 'Its socket is taken.'],
  [/shared memory block .* still in use/, 'orphans', 'Processes of a killed server are still running.'],
  [
    /could not (load|open) shared|error while loading shared libraries/,
    'libraries',
    `A system library is missing. ${USE_DATABASE_URL}`,
  ],
  [
    /Permission denied/,
    'permission',
    'Permission denied: look at the owner and mode of the folder and those above it.',
  ],
  [
    /could not look up effective user ID/,
    'user',
    `This account has no name in /etc/passwd, which initdb needs: give it one. ${USE_DATABASE_URL}`,
  ],
];

/** Turns what PostgreSQL's programs printed into a typed error with the way out. */
export function explain(what: string, output: string): StorageError {
  for (const [pattern, code, message] of CAUSES)
    if (pattern.test(output)) return new StorageError(code, `${what}: ${message}`, { log: output.slice(-2000) });
  const last = output.trim().split('\n').at(-1) ?? '';
  return new StorageError('start', `${what}: the database did not start (${last}). ${USE_DATABASE_URL}`, {
    log: output.slice(-2000),
  });
}
