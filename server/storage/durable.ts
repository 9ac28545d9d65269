import type { Sql } from 'postgres';
import { beside } from './connect.ts';

/**
 * As a part of a transaction: its commit answers before it is on disk, so that what it holds is held no longer than its
 * statements take. Whoever uses it waits for `onDisk` before telling anybody. Statement text, to be selected.
 */
export const COMMIT_AHEAD = `set_config('synchronous_commit', 'off', true)`;

/**
 * Writes a word to the log of the database and commits it as the database is told to (on disk, and on a standby where
 * there is one). A log is durable from its beginning, so everything that was committed before is then, too.
 */
const MARK = `select pg_logical_emit_message(true, 'muster', '')`;
const IDLE_SECONDS = 60;

const marksOf = new WeakMap<Sql, () => Promise<void>>();

/** Resolves once everything that was committed until now is on disk. Those who ask meanwhile share the next time. */
export function onDisk(sql: Sql): Promise<void> {
  const mark = marksOf.get(sql) ?? marker(sql);
  marksOf.set(sql, mark);
  return mark();
}

function marker(sql: Sql): () => Promise<void> {
  // A connection of its own: behind those who wait in the pool's queue it would come late.
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
