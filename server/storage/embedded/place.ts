import { join } from 'node:path';
import { type Binaries, findBinaries } from './binaries.ts';
import { privateDirectory, shortHash } from './files.ts';
import { type Identity, identityFor } from './identity.ts';

/** Port in the socket's name; nothing listens on TCP. */
export const SOCKET_PORT = 5432;
/** Longest `sun_path` without its closing zero: Linux 107, macOS 103 bytes. */
const LONGEST_SOCKET = process.platform === 'linux' ? 107 : 103;

/** Everything one embedded cluster stands on. */
export type Place = {
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
export function preparePlace(home: string, settings: Record<string, string> = {}): Place {
  const identity = identityFor(home);
  const { server } = identity;
  // As root, initdb's uid must pass through to its draft; db/ and run/ inside stay 0700.
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
