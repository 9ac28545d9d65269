import type { Sql, TransactionSql } from 'postgres';

/** Position of each build in the order in which this instance first ran them; higher is newer. */
export type Releases = ReadonlyMap<string, number>;

const LOOK_AGAIN_MS = 30_000;

/**
 * The builds this instance knows. A device's word for its release is believed only where it names one of these: what
 * a stranger makes up is never a release.
 */
export function createReleases(build: string, now: () => Date): (sql: Sql | TransactionSql) => Promise<Releases> {
  let known: Releases = new Map();
  let readAt = Number.NEGATIVE_INFINITY;
  return async (sql) => {
    const time = now().getTime();
    if (Math.abs(time - readAt) < LOOK_AGAIN_MS) return known;
    await sql`insert into client_log_releases (name, first_run_at) values (${build}, ${now()}) on conflict do nothing`;
    const rows = await sql<{ name: string; position: number }[]>`
      select name, position::float8 as position from client_log_releases order by position desc limit 1000`;
    known = new Map(rows.map(({ name, position }) => [name, position]));
    readAt = time;
    return known;
  };
}
