import type { Sql } from 'postgres';
import { expect, test } from 'vitest';
import { connectTo } from '../../server/storage/connect.ts';
import { createTestDatabase } from '../support/database.ts';
import { ofFile } from '../support/of-file.ts';
import { signal } from '../support/signal.ts';

let sql: Sql;
const db = await ofFile(createTestDatabase());
await db.sql`create table written (what text not null)`;

/** One connection only, so that whatever goes wrong with it meets whoever uses it next. */
async function withOne(work: (one: Sql) => Promise<void>): Promise<void> {
  await db.sql`delete from written`;
  sql = connectTo(db.url, { max: 1 });
  try {
    await work(sql);
    // The driver may tell the next one of the loss as well; the pool serves again after that.
    await sql`select 1`.catch(() => undefined);
    expect((await sql<{ one: number }[]>`select 1 as one`)[0]?.one).toBe(1);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
const pidOf = async (some: Pick<Sql, 'unsafe'>) =>
  Number((await some.unsafe('select pg_backend_pid() as pid'))[0]?.['pid']);
const kill = (pid: number) => db.sql`select pg_terminate_backend(${pid})`;
const written = async () => (await db.sql<{ what: string }[]>`select what from written`).map(({ what }) => what);
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

test('a transaction whose connection is lost between two statements writes neither', () =>
  withOne(async (one) => {
    const goOn = signal();
    const refused = signal<unknown>();
    const lost = one.begin(async (tx) => {
      await tx`insert into written values ('first')`;
      await kill(await pidOf(tx));
      await goOn.promise;
      try {
        await tx`insert into written values ('second')`;
        refused.resolve(null);
      } catch (error) {
        refused.resolve(error);
        throw error;
      }
    });
    await expect(lost).rejects.toMatchObject({
      code: expect.stringMatching(/^(CONNECTION_CLOSED|ECONNRESET|EPIPE|57P01)$/),
    });
    goOn.resolve();
    expect(await refused.promise).toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect(await written()).toEqual([]);
  }));

test('work that goes on after its connection was lost stays out of the transaction that came next', () =>
  withOne(async (one) => {
    const goOn = signal();
    const lost = one.begin(async (tx) => {
      await tx`insert into written values ('lost')`;
      await kill(await pidOf(tx));
      await goOn.promise;
      await tx`insert into written values ('too late')`;
    });
    await expect(lost).rejects.toThrow();
    await one.begin(async (tx) => {
      await tx`insert into written values ('next')`;
      goOn.resolve();
      await pause(50);
      await tx`insert into written values ('next too')`;
    });
    expect(await written()).toEqual(['next', 'next too']);
  }));

test.each([
  ['ends well', async () => 'fine'],
  ['refuses', async () => Promise.reject(new Error('no'))],
])('work that %s after its connection was lost ends nobody else’s transaction', (_, end) =>
  withOne(async (one) => {
    const goOn = signal();
    const lost = one.begin(async (tx) => {
      await kill(await pidOf(tx));
      await goOn.promise;
      return end();
    });
    await expect(lost).rejects.toMatchObject({ code: expect.any(String) });
    const refused = one.begin(async (tx) => {
      await tx`insert into written values ('undone')`;
      goOn.resolve();
      await pause(50);
      throw new Error('undo');
    });
    await expect(refused).rejects.toThrow('undo');
    expect(await written()).toEqual([]);
  }),
);

test('a nested transaction whose connection is lost fails with the one around it', () =>
  withOne(async (one) => {
    const lost = one.begin(async (tx) => {
      const pid = await pidOf(tx);
      await tx.savepoint(async (nested) => {
        await nested`insert into written values ('nested')`;
        await Promise.all([nested`select pg_sleep(5)`, kill(pid)]);
      });
    });
    await expect(lost).rejects.toThrow();
    expect(await written()).toEqual([]);
  }));

test('an error of another connection inside a transaction is an error like any: the transaction is undone', () =>
  withOne(async (one) => {
    const away = Object.assign(new Error('elsewhere'), { code: 'CONNECTION_CLOSED' });
    const failed = one.begin(async (tx) => {
      await tx`insert into written values ('undone')`;
      throw away;
    });
    await expect(failed).rejects.toBe(away);
    expect(await written()).toEqual([]);
  }));
