import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import type { TestProject } from 'vitest/node';
import { connectTo } from '../../server/storage/connect.ts';
import { startEmbedded } from '../../server/storage/embedded/embedded.ts';
import { migrate } from '../../server/storage/migrate.ts';
import { urlOfDatabase } from './database-url.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Administrator's URL of the run's PostgreSQL. */
    postgresUrl: string;
    /** Name of the migrated database that test databases are copied from. */
    postgresTemplate: string;
  }
}

/** One PostgreSQL for the whole run: `TEST_DATABASE_URL` when given, else an embedded one in a fresh folder. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL'];
  const home = mkdtempSync(join(tmpdir(), 'muster-test-'));
  chmodSync(home, 0o711);
  const server = given
    ? null
    : await startEmbedded({
        home: join(home, 'postgres'),
        database: 'postgres',
        // Nothing here outlives the run, so durability only costs time.
        settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '200' },
      });
  let stopped = false;
  // An interrupted run skips the teardown below.
  process.once('exit', () => {
    if (server && !stopped) process.kill(server.pid, 'SIGINT');
  });
  const url = given ?? server?.url() ?? '';
  const template = `template_${randomBytes(6).toString('hex')}`;
  await withDatabase(url, (admin) => admin`create database ${admin(template)}`);
  await withDatabase(urlOfDatabase(url, template), (sql) => migrate(sql));
  project.provide('postgresUrl', url);
  project.provide('postgresTemplate', template);
  return async () => {
    if (given) await withDatabase(url, (admin) => admin`drop database ${admin(template)}`);
    await server?.stop();
    stopped = true;
    rmSync(home, { recursive: true, force: true });
  };
}

async function withDatabase(url: string, work: (sql: Sql) => PromiseLike<unknown>): Promise<void> {
  const sql = connectTo(url, { max: 1 });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}
