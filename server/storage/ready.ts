import { statfsSync } from 'node:fs';
import type { Sql } from 'postgres';
import type { Config } from '../config.ts';
import { isStorageAway, outOf } from './away.ts';

/**
 * More than `work_mem`, so the server writes it to a temporary file: on a full disk that fails as any write does, and
 * otherwise it leaves nothing behind. Several statements in one message are one transaction.
 */
const NEEDS_DISK = `set local work_mem = '64kB'; select count(*) from generate_series(1, 20000) offset 0`;
const ANSWER_WITHIN_MS = 1_500;
/** What a database server needs to start again after it ran out of disk. */
const NEEDED_BYTES = 16 * 2 ** 20;

export type Readiness = 'ready' | 'away' | 'disk' | 'memory';
/** The built-in server stores on the disk of `home`; one with a `databaseUrl` stores elsewhere. */
type Target = { sql: Sql; config: Pick<Config, 'databaseUrl' | 'home'> };

/** Whether storage answers and accepts writes, within 1.5 s. Throws other errors. */
export async function readiness({ sql, config }: Target): Promise<Readiness> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, ANSWER_WITHIN_MS, 'late');
  });
  const disk = sql.unsafe(NEEDS_DISK).then(
    () => 'ready' as const,
    (error: unknown) => error,
  );
  const answer = await Promise.race([disk, late]);
  clearTimeout(timer);
  if (answer === 'ready') return 'ready';
  if (answer !== 'late' && !isStorageAway(answer)) {
    const lacking = outOf(answer);
    if (lacking === null) throw answer;
    return lacking;
  }
  // A server that ran out of disk may have stopped, and then cannot say so itself.
  return config.databaseUrl === null && freeBytes(config.home) < NEEDED_BYTES ? 'disk' : 'away';
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
