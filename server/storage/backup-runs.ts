import type { Sql } from 'postgres';

const ERROR_MAX = 300;

/**
 * Writes down that a backup was made, or why it was not, for whoever looks after the instance. Never throws: a backup that is written
 * is one, also where the database takes nothing more.
 */
export async function noteBackup(sql: Sql, { rows, error }: { rows: number | null; error: unknown }): Promise<void> {
  const words = error === null ? null : (error instanceof Error ? error.message : String(error)).slice(0, ERROR_MAX);
  await sql`insert into backups (at, rows, error) values (now(), ${rows}, ${words})`.catch(() => undefined);
}
