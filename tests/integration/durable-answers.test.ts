import { randomUUID } from 'node:crypto';
import type { ISql } from 'postgres';
import { afterAll, expect, test } from 'vitest';
import { HttpError } from '../../server/base/http-error.ts';
import { readConfig } from '../../server/config.ts';
import { createIntake } from '../../server/features/client-logs/intake.ts';
import { type Budget, budgetOf, createUsage } from '../../server/features/client-logs/usage.ts';
import { findLastingAnswer, once } from '../../server/http/idempotency.ts';
import { connectTo } from '../../server/storage/connect.ts';
import { createTestDatabase } from '../support/database.ts';
import { ofFile } from '../support/of-file.ts';

const db = await ofFile(createTestDatabase());
// The server of tests waits for no disk by itself.
const sql = connectTo(db.url, { connection: { synchronous_commit: 'on' } });
const [user] = await sql`insert into users (telegram_user_id, display_name) values (1, 'Somebody') returning id`;
const userId = String(user?.['id']);
afterAll(async () => {
  await sql?.end();
});

const command = (key: string = randomUUID()) => ({ userId, key, route: 'POST /test', hash: Buffer.from('same') });
const keep = (json: unknown) => json;
const answer = { status: 200, json: 'done' };
const WRITE = `update users set display_name = 'Written ' || random() where id = $1`;

/** The end of the database's log as it is written now; what comes to an end later ends behind it. */
const logEnd = async (sql: ISql) => String((await sql`select pg_current_wal_insert_lsn() as at`)[0]?.['at']);
const isOnDisk = async (at: string) => {
  const [row] = await sql`select pg_current_wal_flush_lsn() > ${at}::pg_lsn as yes`;
  return row?.['yes'];
};
/** A change that is committed and not on disk yet; the end of the log right after it. */
const writeAhead = () =>
  sql.begin(async (tx) => {
    await tx`set local synchronous_commit = off`;
    await tx.unsafe(WRITE, [userId]);
    return logEnd(tx);
  });

test('a command holds what it holds for no disk, and is answered when it is on disk', async () => {
  for (let turn = 0; turn < 5; turn += 1) {
    let written = '';
    const run = async (tx: ISql) => {
      const [row] = await tx`select current_setting('synchronous_commit') as now`;
      expect(row?.['now']).toBe('off');
      await tx.unsafe(WRITE, [userId]);
      written = await logEnd(tx);
      return answer;
    };
    await once(sql, command(), new Date(), { run, toStore: keep });
    expect(await isOnDisk(written)).toBe(true);
  }
});

test('what a refusal, a repeat or a kept answer stands on is on disk too', async () => {
  const known = command();
  const run = async () => answer;
  await once(sql, known, new Date(), { run, toStore: keep });
  const refuse = () => Promise.reject(new HttpError(409, 'ALREADY_CLAIMED', 'It counts once.'));
  const answers = [
    () => expect(once(sql, command(), new Date(), { run: refuse, toStore: keep })).rejects.toThrow('It counts once.'),
    async () => expect(await once(sql, known, new Date(), { run, toStore: keep })).toMatchObject({ replayed: true }),
    async () => expect(await findLastingAnswer(sql, known)).toEqual(answer),
  ];
  for (const answered of answers) {
    const met = await writeAhead();
    await answered();
    expect(await isOnDisk(met)).toBe(true);
  }
});

test('many who wait for the disk at once all wait for their own', async () => {
  const ends = await Promise.all(
    Array.from({ length: 30 }, async () => {
      let written = '';
      const run = async (tx: ISql) => {
        await tx.unsafe(`select pg_logical_emit_message(true, 'test', 'one')`);
        written = await logEnd(tx);
        return answer;
      };
      await once(sql, command(), new Date(), { run, toStore: keep });
      return isOnDisk(written);
    }),
  );
  expect(new Set(ends)).toEqual(new Set([true]));
});

const entry = (id: string) => ({ id, type: 'error', data: { message: 'broken' } });
const NOBODY = { userId: null, address: null, userAgent: null, sentAt: null };

test('what is said to be kept of client logs is on disk: new, taken before, and beside others', async () => {
  const budget = budgetOf(readConfig({}));
  const intakeOf = (of: Budget) => createIntake(sql, { usage: createUsage(sql, of) });
  const intake = intakeOf(budget);
  const store = async (ids: readonly string[], by = intake) => {
    const met = await writeAhead();
    const results = await by.store(ids.map(entry), NOBODY, new Date());
    return { statuses: results.map(({ status }) => status), isOnDisk: await isOnDisk(met) };
  };
  const id = randomUUID();
  expect(await store([id])).toEqual({ statuses: ['stored'], isOnDisk: true });
  // Nothing is written of what was there, nor over the cap of a day: a commit of intake is seen when it is on disk.
  expect((await store([id])).statuses).toEqual(['duplicate']);
  const full = await store([id, randomUUID()], intakeOf({ ...budget, day: { ...budget.day, rows: 0 } }));
  expect(full.statuses).toEqual(['duplicate', 'rejected']);
  // More than one commit takes.
  const flood = await Promise.all(
    Array.from({ length: 60 }, () => store(Array.from({ length: 25 }, () => randomUUID()))),
  );
  expect(new Set(flood.map((one) => one.isOnDisk))).toEqual(new Set([true]));
  expect(new Set(flood.flatMap(({ statuses }) => statuses))).toEqual(new Set(['stored']));
});

test('one alone, right after several that shared a commit, waits for nobody else', async () => {
  const intake = createIntake(sql, { usage: createUsage(sql, budgetOf(readConfig({}))) });
  const store = () => intake.store([entry(randomUUID())], NOBODY, new Date());
  for (let turn = 0; turn < 30; turn += 1) {
    await Promise.all([store(), store()]);
    // A timer that is set late in a turn of the event loop comes early.
    for (const end = performance.now() + 2; performance.now() < end; );
    await store();
  }
});
