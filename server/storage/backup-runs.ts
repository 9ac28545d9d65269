import type { Sql } from 'postgres';

const ERROR_MAX = 300;

/** `file`: its name, where the product's own job made it. `triedAt`: when it was restored as a trial. */
type Run = { rows: number | null; error: unknown; file?: string; bytes?: number; triedAt?: Date | null; at?: Date };

/**
 * Records a backup or why it failed, for operators. Never throws: a written backup is valid even when the database is
 * full.
 */
export async function noteBackup(sql: Sql, run: Run): Promise<void> {
  const { rows, error, file = null, bytes = null, triedAt = null, at = new Date() } = run;
  const words = error === null ? null : (error instanceof Error ? error.message : String(error)).slice(0, ERROR_MAX);
  await sql`insert into backups (at, rows, error, file, bytes, tried_at)
    values (${at}, ${rows}, ${words}, ${file}, ${bytes}, ${triedAt})`.catch(() => undefined);
}
