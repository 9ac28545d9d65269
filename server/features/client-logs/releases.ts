import type { Sql, TransactionSql } from 'postgres';

/** Position of each build in the order in which this instance first ran them; higher is newer. */
export type Releases = ReadonlyMap<string, number>;

/**
 * The builds that this instance knows, including its own. A device's release is believed only if it is one of these: a
 * stranger's invention is none. Read each time from a short table, because during a deploy another process serves the
 * next build.
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
