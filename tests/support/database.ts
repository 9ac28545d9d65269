import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import { inject } from 'vitest';
import { connectTo } from '../../server/storage/connect.ts';
import { urlOfDatabase } from './database-url.ts';

/** More than the product opens: tests let callers meet, hold some of them, and look on from one more. */
const CONNECTIONS = 10;

export type TestDatabase = {
  sql: Sql;
  /** Usable as `DATABASE_URL` of another process. */
  url: string;
  drop(): Promise<void>;
};

/** A database of its own with all migrations applied, copied from a template in milliseconds. Drop it in `afterAll`. */
export const createTestDatabase = (): Promise<TestDatabase> => create(inject('postgresTemplate'));

/** A database without any table, for tests of the migrations themselves. */
export const createEmptyDatabase = (): Promise<TestDatabase> => create('template1');

async function create(template: string): Promise<TestDatabase> {
  const server = inject('postgresUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await once(server, (admin) => admin`create database ${admin(name)} template ${admin(template)}`);
  const url = urlOfDatabase(server, name);
  const sql = connectTo(url, { max: CONNECTIONS });
  return {
    sql,
    url,
    async drop() {
      await sql.end({ timeout: 2 });
      await once(server, (admin) => admin`drop database if exists ${admin(name)} with (force)`);
    },
  };
}

async function once(url: string, work: (sql: Sql) => PromiseLike<unknown>): Promise<void> {
  const sql = connectTo(url, { max: 1 });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}
