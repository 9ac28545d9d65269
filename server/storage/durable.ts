import type { Sql } from 'postgres';
import { beside } from './connect.ts';

/**
 * Makes a transaction's commit return before it is durable, which shortens its locks. Callers wait for `onDisk` before
 * they answer. Statement text, to be selected.
 */
export const COMMIT_AHEAD = `set_config('synchronous_commit', 'off', true)`;

/**
 * Writes a record to the WAL with a durable commit (also on a standby where there is one). The WAL is durable in order,
 * so every earlier commit is durable too.
 */
const MARK = `select pg_logical_emit_message(true, 'muster', '')`;
const IDLE_SECONDS = 60;

const marksOf = new WeakMap<Sql, () => Promise<void>>();

/** Resolves once all earlier commits are durable. Concurrent callers share the next flush. */
export function onDisk(sql: Sql): Promise<void> {
  const mark = marksOf.get(sql) ?? marker(sql);
  marksOf.set(sql, mark);
  return mark();
}

function marker(sql: Sql): () => Promise<void> {
  // A separate connection: in the pool's queue it would come late.
  const own = beside(sql, 1, { idleSeconds: IDLE_SECONDS });
  let present: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | null = null;
  return () => {
    next ??= present.then(async () => {
      next = null;
      const marked = own.unsafe(MARK, [], { prepare: true }).execute();
      present = marked.catch(() => undefined);
      await marked;
    });
    return next;
  };
}
