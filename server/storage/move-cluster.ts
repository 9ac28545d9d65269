import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectTo } from './connect.ts';
import { madeBy, startEmbedded } from './embedded/embedded.ts';
import { holderOf } from './embedded/launch.ts';
import { StorageError } from './error.ts';
import { type Restored, restore } from './restore.ts';

export type Moved = Restored & { from: string; old: string; backup: string };

/**
 * Moves the built-in database of a home to the PostgreSQL of this release: the release that made it writes a backup, which
 * is restored into a new cluster beside the old one, and then the two change places. The old one stays. Killed at any
 * moment, it leaves the old one in use, or a start that says how to go on. Null: it is of this PostgreSQL already. Throws
 * `StorageError` (`no-data`, `locked`, `backup`), and then nothing has changed.
 */
export async function moveCluster(home: string, release: string): Promise<Moved | null> {
  const cluster = join(home, 'postgres');
  const { made, own } = madeBy(cluster);
  if (made === '') throw new StorageError('no-data', `There is no built-in database in ${home}.`);
  if (made === own) return null;
  if (holderOf(join(cluster, 'db'))?.ours)
    throw new StorageError('locked', `The database in ${home} is in use. Stop the service, then run this again.`);
  const at = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const backup = join(home, 'backups', `before-postgresql-${own}-${at}.backup`);
  await backUpBy(release, home, backup);
  const next = makeNext(home, cluster);
  const restored = await restoreInto(next, home, backup);
  const old = join(cluster, `db-${made}`);
  renameSync(join(cluster, 'db'), old);
  renameSync(join(next, 'db'), join(cluster, 'db'));
  rmSync(next, { recursive: true, force: true });
  return { ...restored, from: made, old, backup };
}

async function backUpBy(release: string, home: string, backup: string): Promise<void> {
  const program = ['muster.js', 'dist/server/muster.js'].map((name) => join(release, name)).find(existsSync);
  if (!program) throw new StorageError('backup', `${release} is no release: it has no muster.js.`);
  mkdirSync(join(home, 'backups'), { recursive: true, mode: 0o700 });
  const command = [program, 'backup', backup, '--allow-empty'];
  const env = { ...process.env, MUSTER_HOME: home };
  await promisify(execFile)(process.execPath, command, { cwd: release, env }).catch((error: { stderr?: string }) => {
    throw new StorageError('backup', `The release in ${release} wrote no backup: ${error.stderr?.trim() ?? error}`);
  });
}

/** An empty folder for the new cluster, of the owner that the old one has. */
function makeNext(home: string, cluster: string): string {
  const next = join(home, 'postgres-next');
  rmSync(next, { recursive: true, force: true });
  mkdirSync(next);
  const { uid, gid } = statSync(cluster);
  chownSync(next, uid, gid);
  return next;
}

async function restoreInto(next: string, home: string, backup: string): Promise<Restored> {
  const server = await startEmbedded({ home: next });
  try {
    const sql = connectTo(server.url());
    try {
      return await restore(sql, home, backup);
    } finally {
      await sql.end({ timeout: 5 });
    }
  } finally {
    await server.stop();
  }
}
