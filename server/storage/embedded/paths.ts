import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StorageError, USE_DATABASE_URL } from '../error.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { closedToOthers, privateDirectory, shortHash } from './files.ts';
import { type Identity, identityFor } from './identity.ts';

/** Port in the socket's name; nothing listens on TCP. */
export const SOCKET_PORT = 5432;
/** Longest `sun_path` without its closing zero: Linux 107, macOS 103 bytes. */
const LONGEST_SOCKET = process.platform === 'linux' ? 107 : 103;

/** What a home contains of ours: the cluster, the secrets with their drafts, and the files of builds. */
const OURS = /^(postgres(-next)?$|secrets\.json|ledger-key\.pem|maps$|assets$|backups$)/;

/** Paths and accounts of one embedded cluster. */
export type ClusterPaths = {
  home: string;
  /** The cluster itself (`PGDATA`). */
  data: string;
  /** Folder of the Unix socket, mode 0700. */
  socket: string;
  user: string;
  identity: Identity;
  binaries: Binaries;
  environment: Record<string, string>;
  /** Server settings on top of the defaults, as `fsync: 'off'` for tests. */
  settings: Record<string, string>;
};

/** Prepares the folders and programs of the cluster at `home`. Throws `StorageError`. */
export function prepareCluster(home: string, settings: Record<string, string> = {}): ClusterPaths {
  const identity = identityFor(home);
  const { server } = identity;
  if (server.uid !== undefined) openTheWay(home, server.uid);
  // As root, initdb's uid must reach its draft; db/ and run/ inside stay 0700.
  privateDirectory(home, server, server.uid === undefined ? 0o700 : 0o711);
  const data = join(home, 'db');
  const socket = join(home, 'run');
  const fits = Buffer.byteLength(`${socket}/.s.PGSQL.${SOCKET_PORT}`) <= LONGEST_SOCKET;
  const binaries = findBinaries(home, server);
  return {
    home,
    data,
    socket: privateDirectory(fits ? socket : `/tmp/muster-${shortHash(data)}`, server),
    user: 'muster',
    identity,
    binaries,
    environment: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...binaries.environment },
    settings,
  };
}

/**
 * As root the server runs as another uid, which must reach the cluster through every parent folder. A folder that
 * contains only our files is opened (search only, no listing); others are left alone. Throws `unreachable`.
 */
function openTheWay(home: string, uid: number): void {
  const parent = dirname(home);
  makePassable(parent);
  if (closedToOthers(parent) === parent && readdirSync(parent).every((entry) => OURS.test(entry)))
    chmodSync(parent, (statSync(parent).mode & 0o777) | 0o011);
  const closed = closedToOthers(parent);
  if (closed !== null)
    throw new StorageError(
      'unreachable',
      `The database may not run as root and runs as uid ${uid}, which cannot pass through ${closed}. Choose a folder outside of it: MUSTER_HOME=/var/lib/muster/main, or let others pass: chmod o+x ${closed}. ${USE_DATABASE_URL}`,
    );
}

/** Creates missing folders so others can pass, whatever the umask. */
function makePassable(path: string): void {
  const first = mkdirSync(path, { recursive: true });
  for (let at = path; first !== undefined && at.startsWith(first); at = dirname(at)) chmodSync(at, 0o711);
}
