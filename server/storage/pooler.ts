import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { connectTo } from './connect.ts';
import { errorCode } from './embedded/files.ts';
import { StorageError } from './error.ts';

type Seen = { pid: number; mark: string };

/** One message, so a pooler without prepared statements answers it too. */
const SEEN = `select pg_backend_pid() as pid, current_setting('muster.session', true) as mark`;
/** With a pooler of one connection, the other's transaction blocks it for ever. */
const ANSWER_WITHIN_MS = 2_000;
const ROUNDS = 3;

/** No such prepared statement, it is there already, and a mode in which there are no transactions (PgBouncer). */
const POOLER_ERRORS = new Set(['26000', '42P05', '08P01']);

/**
 * Throws `pooler` where statements of one connection reach several sessions, as behind PgBouncer in transaction or
 * statement mode: advisory locks, `listen`, settings and prepared statements would belong to others. Two connections
 * check that a session setting stays visible to its own session only, while the other is in a transaction.
 */
export async function requireOwnSessions(databaseUrl: string): Promise<void> {
  const one = connectTo(databaseUrl, { max: 1, fetch_types: false });
  const other = connectTo(databaseUrl, { max: 1, fetch_types: false });
  try {
    for (let round = 0; round < ROUNDS; round += 1) await compare(one, other);
  } catch (error) {
    if (POOLER_ERRORS.has(errorCode(error) ?? '')) throw refused(error);
    throw error;
  } finally {
    await Promise.all([one.end({ timeout: 0 }), other.end({ timeout: 0 })]);
  }
}

async function compare(one: Sql, other: Sql): Promise<void> {
  const mark = randomUUID();
  const [begun] = await one.unsafe<Seen[]>(
    `select pg_backend_pid() as pid, set_config('muster.session', '${mark}', false) as mark`,
  );
  const isKept = await other.begin(async (tx) => {
    const [there] = await tx.unsafe<Seen[]>(SEEN);
    if (!there || !begun || there.pid === begun.pid || there.mark === mark) return false;
    const here = await inTime(one.unsafe<Seen[]>(SEEN).then(([seen]) => seen ?? null));
    return here?.pid === begun.pid && here.mark === mark;
  });
  if (!isKept) throw refused();
}

/** What is answered in time, else null. */
async function inTime<T>(answer: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ANSWER_WITHIN_MS, null);
  });
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

const refused = (cause?: unknown): StorageError =>
  new StorageError(
    'pooler',
    'DATABASE_URL leads through a pooler that gives each transaction another session of the database (PgBouncer calls it pool_mode = transaction). Muster needs sessions of its own for its locks. Give it the address of PostgreSQL itself, or pool_mode = session.',
    { cause },
  );
