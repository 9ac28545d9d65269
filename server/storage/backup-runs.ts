import type { Sql } from 'postgres';

const ERROR_MAX = 300;

/**
 * Records a backup or why it failed, for operators. Never throws: a written backup is valid even when the database is
 * full.
 */
export async function noteBackup(sql: Sql, { rows, error }: { rows: number | null; error: unknown }): Promise<void> {
  const words = error === null ? null : (error instanceof Error ? error.message : String(error)).slice(0, ERROR_MAX);
  await sql`insert into backups (at, rows, error) values (now(), ${rows}, ${words})`.catch(() => undefined);
}
