import type { Sql, TransactionSql } from 'postgres';

/** Position of each build in the order in which this instance first ran them; higher is newer. */
export type Releases = ReadonlyMap<string, number>;

/**
 * The builds this instance knows, its own among them. A device's word for its release is believed only where it names
 * one of these: what a stranger makes up is never a release. Asked anew each time, a short table: during a deploy
 * another process begins to serve the next one.
 */
export function createReleases(build: string, now: () => Date): (sql: Sql | TransactionSql) => Promise<Releases> {
  return async (sql) => {
    // Looked for first: even an insert that does nothing uses up a position.
    await sql`insert into client_log_releases (name, first_run_at) select ${build}, ${now()}
      where not exists (select from client_log_releases where name = ${build}) on conflict do nothing`;
    const rows = await sql<{ name: string; position: number }[]>`
      select name, position::float8 as position from client_log_releases order by position desc limit 1000`;
    return new Map(rows.map(({ name, position }) => [name, position]));
  };
}
