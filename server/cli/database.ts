import type { Sql } from 'postgres';
import { type Config, readConfig } from '../config.ts';
import { openStorage } from '../storage/open.ts';
import { bringUp } from '../storage/upgrade.ts';

type Expected = Parameters<typeof openStorage>[2];

/** Opens the database beside the running app, or alone, as it is. Only who restores may make one. */
export async function withStorage<T>(work: (sql: Sql, config: Config) => Promise<T>, expected: Expected): Promise<T> {
  const quiet = { info() {}, warn() {} };
  const config = readConfig(process.env);
  const storage = await openStorage(config, quiet, expected);
  try {
    return await work(storage.sql, config);
  } finally {
    await storage.close();
  }
}

/** The same of an instance that is there, with the schema of this release. */
export const withInstance = (work: (sql: Sql, config: Config) => Promise<string>): Promise<string> =>
  withStorage(async (sql, config) => {
    await bringUp(sql, config);
    return work(sql, config);
  }, 'instance');

/** Whose data a command used, without the secrets of a URL, so an operator notices a wrong one. */
export function whose({ home, databaseUrl }: Pick<Config, 'home' | 'databaseUrl'>, people: number): string {
  const url = databaseUrl === null ? null : new URL(databaseUrl);
  const host = url?.searchParams.get('host') ?? url?.host;
  const where = url ? `the database ${url.pathname.slice(1)} of ${host} (DATABASE_URL)` : `${home} (MUSTER_HOME)`;
  return `Instance: ${where}, ${persons(people)}`;
}

export const persons = (count: number): string => `${count} ${count === 1 ? 'person' : 'people'}`;

export async function countPeople(sql: Sql): Promise<number> {
  const [row] = await sql<{ people: number }[]>`select count(*)::int as people from users`;
  return row?.people ?? 0;
}
