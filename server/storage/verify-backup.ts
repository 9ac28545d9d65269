import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import type { Count, Progress } from './backup-format.ts';
import { connectTo } from './connect.ts';
import { startEmbedded } from './embedded/embedded.ts';
import { explainFolder } from './error.ts';
import { restore } from './restore.ts';

/** What is restored here is thrown away: nothing needs to outlive the machine. */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

/**
 * Restores a backup into a built-in database made for that in the system's folder for temporary files, has `look` look at
 * it, and throws it away. The instance that the backup is of is not touched and need not be there. Throws `StorageError`,
 * whatever `look` throws, and what `stopped` is rejected with, as soon as it is.
 */
export async function verifyBackup(
  path: string,
  look: (sql: Sql) => Promise<void>,
  stopped: Promise<never>,
  { progress = () => {}, identity = null }: { progress?: Progress; identity?: string | null } = {},
): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-verify-'));
  // It may reject before the code below awaits it.
  stopped.catch(() => undefined);
  try {
    // The database's own account passes through, as root.
    chmodSync(folder, 0o711);
    const server = await startEmbedded({ home: join(folder, 'postgres'), settings: SETTINGS });
    const sql = connectTo(server.url());
    try {
      const looked = async () => {
        const count = await restore(sql, join(folder, 'home'), path, { mayLack: true, identity, progress });
        progress('points and boards');
        await look(sql);
        return count;
      };
      return await Promise.race([looked(), stopped]);
    } finally {
      await sql.end({ timeout: 1 });
      await server.stop();
    }
  } catch (error) {
    throw explainFolder(folder, error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
