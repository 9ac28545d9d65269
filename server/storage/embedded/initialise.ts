import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError } from '../error.ts';
import { explain } from './explain.ts';
import { type Account, chownTree, errorCode, statOrNull } from './files.ts';
import type { ClusterPaths } from './paths.ts';

const NEEDED_BYTES = 128 * 2 ** 20;
const ABANDONED_AFTER_MS = 600_000;

/**
 * Creates the cluster in a private draft folder and renames it into its final path: two processes may do this without a
 * lock, and a crash leaves no partial cluster. Throws `disk-full` and whatever initdb reports.
 */
export async function initialise(paths: ClusterPaths): Promise<void> {
  const { bavail, bsize } = statfsSync(paths.home);
  if (bavail * bsize < NEEDED_BYTES)
    throw new StorageError(
      'disk-full',
      `${paths.home} has ${Math.round((bavail * bsize) / 2 ** 20)} MB free and the first start needs ${NEEDED_BYTES / 2 ** 20} MB. Free some space or choose another folder: MUSTER_HOME=/some/folder`,
    );
  removeAbandonedDrafts(paths.home);
  const draft = mkdtempSync(join(paths.home, '.init-'));
  const cluster = join(draft, 'db');
  const { initialise: account, server } = paths.identity;
  try {
    if (account.uid !== undefined) chownSync(draft, account.uid, account.gid);
    const { code, output } = await run(
      join(paths.binaries.directory, 'initdb'),
      [
        ...['-D', cluster, '-U', paths.user, '-A', 'trust', '-E', 'UTF8', '--no-instructions'],
        ...['--locale-provider=builtin', '--builtin-locale=PG_UNICODE_FAST', '--locale=C'],
      ],
      { ...account, cwd: draft, env: paths.environment },
    );
    if (code !== 0) throw explain(`The database in ${paths.home} cannot be created`, output);
    // The socket's folder has mode 0700, so its owner alone can connect; nothing listens on TCP.
    writeFileSync(join(cluster, 'pg_hba.conf'), 'local all all trust\n');
    chownTree(cluster, server);
    try {
      renameSync(cluster, paths.data);
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error; // theirs was first and wins
    }
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function removeAbandonedDrafts(home: string): void {
  for (const entry of readdirSync(home)) {
    const path = join(home, entry);
    const made = statOrNull(path)?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (entry.startsWith('.init-') && Date.now() - made > ABANDONED_AFTER_MS)
      rmSync(path, { recursive: true, force: true });
  }
}

type RunOptions = Account & { cwd: string; env: Record<string, string> };

function run(command: string, args: string[], options: RunOptions): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
