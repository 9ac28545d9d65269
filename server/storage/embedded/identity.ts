import { StorageError } from '../error.ts';
import { type Account, effectiveUid, readOrEmpty, shortHash, statOrNull } from './files.ts';

/** Accounts of the server and of `initdb`. Both empty for an ordinary user: this process's own. */
export type Identity = { server: Account; initialise: Account };

/** Numbers that no system gives to accounts (systemd's "UIDS-GIDS" lists them as unused); each home has one of them. */
const PRIVATE_UIDS = { first: 60_578, count: 606 };

/**
 * PostgreSQL refuses to run as root. `initdb` needs a uid with a name in /etc/passwd (it borrows `nobody`); the server
 * does not, and gets a uid derived from its home, so no other service or instance shares its files. An existing cluster
 * keeps its owner. `accounts` is the text of /etc/passwd. Throws `owner` or `user`.
 */
export function identityFor(home: string, accounts = readOrEmpty('/etc/passwd')): Identity {
  const userNamed = (name: string) => idsOf(accounts, name);
  const hasName = (uid: number) => accounts.split('\n').some((line) => line.split(':')[2] === String(uid));
  const found = statOrNull(home);
  if (effectiveUid() !== 0) {
    if (found && found.uid !== effectiveUid())
      throw new StorageError(
        'owner',
        `${home} belongs to uid ${found.uid}, and this process runs as uid ${effectiveUid()}. Start it as that user, or choose another folder: MUSTER_HOME=/some/folder`,
      );
    return { server: {}, initialise: {} };
  }
  const own = found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : userNamed('muster');
  if (own && hasName(own.uid)) return { server: own, initialise: own };
  const initialise = userNamed('nobody') ?? userNamed('daemon');
  if (!initialise)
    throw new StorageError(
      'user',
      'This process runs as root and /etc/passwd has no unprivileged user (nobody or daemon) to create the database as. Start it as an ordinary user.',
    );
  if (own) return { server: own, initialise };
  let uid = PRIVATE_UIDS.first + (Number.parseInt(shortHash(home), 16) % PRIVATE_UIDS.count);
  while (hasName(uid)) uid += 1;
  return { server: { uid, gid: uid }, initialise };
}

function idsOf(accounts: string, name: string): { uid: number; gid: number } | null {
  for (const line of accounts.split('\n')) {
    const [user, , uid, gid] = line.split(':');
    if (user === name) return { uid: Number(uid), gid: Number(gid) };
  }
  return null;
}
