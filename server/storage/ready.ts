import { statfsSync } from 'node:fs';
import type { Sql } from 'postgres';
import { isStorageAway, outOf } from './away.ts';

/**
 * More than `work_mem`, so the server writes it to a temporary file: on a full disk that fails as any write does, and
 * otherwise it leaves nothing behind. Several statements in one message are one transaction.
 */
const NEEDS_DISK = `set local work_mem = '64kB'; select count(*) from generate_series(1, 20000) offset 0`;
const ANSWER_WITHIN_MS = 1_500;
/** Concurrent callers share an answer: probes come from several sides. */
const SHARED_MS = 250;
/** What a database server needs to start again after it ran out of disk. */
const NEEDED_BYTES = 16 * 2 ** 20;

export type Readiness = 'ready' | 'away' | 'disk' | 'memory';
/** `embeddedHome`: the folder on whose disk the built-in server is; null for a server that is elsewhere. */
type Target = { sql: Sql; embeddedHome: string | null };

const answers = new WeakMap<Sql, { until: number; answer: Promise<Readiness> }>();

/** Whether storage answers and accepts writes, within 1.5 s. Throws other errors. */
export function readiness(target: Target): Promise<Readiness> {
  const held = answers.get(target.sql);
  if (held && held.until > performance.now()) return held.answer;
  const answer = probe(target);
  answers.set(target.sql, { until: performance.now() + SHARED_MS, answer });
  return answer;
}

async function probe({ sql, embeddedHome }: Target): Promise<Readiness> {
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
  return embeddedHome !== null && freeBytes(embeddedHome) < NEEDED_BYTES ? 'disk' : 'away';
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
