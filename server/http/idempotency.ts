import { createHash } from 'node:crypto';
import type { JSONValue, Sql, TransactionSql } from 'postgres';
import { HttpError } from '../base/http-error.ts';
import { IDEMPOTENCY_RETENTION_DAYS } from '../contract/limits.ts';
import { idsIn } from '../domain/ids.ts';
import { COMMIT_AHEAD, onDisk } from '../storage/durable.ts';

export type StoredAnswer = { status: number; json: unknown };
/** Sender of a command: the person, the caller's key and the route. */
export type Sender = { userId: string; key: string; route: string };
/** Identity of a command: its sender and a digest of the request. */
export type Command = Sender & { hash: Buffer };

const KEY = /^[\x21-\x7e]{1,128}$/;

/** The request's key. Throws 400 when it is missing or is not 1 to 128 visible ASCII characters. */
export function readKey(header: string | undefined): string {
  if (header === undefined) {
    throw new HttpError(400, 'IDEMPOTENCY_KEY_REQUIRED', 'This command needs the header Idempotency-Key.');
  }
  if (!KEY.test(header)) {
    throw new HttpError(400, 'IDEMPOTENCY_KEY_INVALID', 'Idempotency-Key must be 1 to 128 visible ASCII characters.');
  }
  return header;
}

/**
 * Digest of the address and a JSON body, independent of the order of fields. Bytes are represented by their own digest.
 */
export function requestHash(path: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([path, ordered(body)]))
    .digest();
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value ?? null;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // Wrapped, so an object is never the same as a list of pairs.
  return { fields: fields.map(([name, inner]) => [name, ordered(inner)]) };
}

/** Whether an answer is stored under the sender's key. Called before the body is read. */
export async function mayBeRepeat(sql: Sql, { userId, key, route }: Sender): Promise<boolean> {
  const rows = await sql`select from idempotency_keys where user_id = ${userId} and key = ${key} and route = ${route}`;
  return rows.length > 0;
}

/** The stored answer to this very command, or null; it is on disk by then. Throws as `findAnswer`. */
export async function findLastingAnswer(sql: Sql, command: Command): Promise<StoredAnswer | null> {
  const stored = await findAnswer(sql, command);
  if (stored) await onDisk(sql);
  return stored;
}

/** The stored answer to this very command, or null. Throws 422 when its key was used for something else. */
async function findAnswer(sql: Sql | TransactionSql, command: Command): Promise<StoredAnswer | null> {
  const [row] = await sql<{ route: string; hash: Buffer; status: number; answer: unknown }[]>`
    select route, request_hash as hash, status, answer from idempotency_keys
    where user_id = ${command.userId} and key = ${command.key}`;
  if (!row) return null;
  if (row.route !== command.route || !row.hash.equals(command.hash)) {
    throw new HttpError(422, 'IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was already used for another request.');
  }
  return { status: row.status, json: row.answer };
}

type Work = { run(transaction: TransactionSql): Promise<StoredAnswer>; toStore(json: unknown): unknown };

/**
 * Runs a command at most once. Effect and answer are written in one transaction. A repeat, also one that comes during
 * the first run (in any server process), waits and gets the stored answer. What `run` throws undoes everything, so a
 * rejected command can be sent again. `toStore` picks the part of the answer to store. The answer is sent only when the
 * effect is durable, also the effect of an earlier run.
 */
export async function once(
  sql: Sql,
  command: Command,
  now: Date,
  work: Work,
): Promise<StoredAnswer & { replayed: boolean }> {
  try {
    const answered = await inOneTransaction(sql, command, now, work);
    await onDisk(sql);
    return answered;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    await onDisk(sql);
    throw error;
  }
}

async function inOneTransaction(
  sql: Sql,
  command: Command,
  now: Date,
  { run, toStore }: Work,
): Promise<StoredAnswer & { replayed: boolean }> {
  let storing: Promise<unknown> = Promise.resolve();
  const answered = await sql.begin(async (transaction) => {
    const [, earlier] = await Promise.all([lockSender(transaction, command), findAnswer(transaction, command)]);
    if (earlier) return { ...earlier, replayed: true };
    const answer = await run(transaction);
    // Pipelined with the commit: the locks are held for one round trip less. A failure here undoes the transaction at
    // commit.
    const json = toStore(answer.json) as JSONValue;
    storing = transaction`
      insert into idempotency_keys (user_id, key, route, request_hash, status, answer, ids, created_at)
      values (${command.userId}, ${command.key}, ${command.route}, ${command.hash}, ${answer.status},
        ${transaction.json(json)}, ${idsIn(json)}::uuid[], ${now})`.execute();
    return { ...answer, replayed: false };
  });
  await storing.catch(refuseSecond);
  return answered as StoredAnswer & { replayed: boolean };
}

/** The key was stored in the meantime by a server of an older version, which takes no lock for it. */
function refuseSecond(error: unknown): never {
  if (!(error instanceof Error && 'constraint_name' in error && error.constraint_name === 'idempotency_keys_pkey')) {
    throw error;
  }
  throw new HttpError(503, 'TRY_AGAIN', 'This was sent twice at the same moment. Send it again.', {
    retryAfterSeconds: 1,
  });
}

/**
 * Locks the key and the person for the transaction; waits 10 s at most. Statements after it see the state under the
 * lock.
 */
const lockSender = (transaction: TransactionSql, { userId, key }: Command): Promise<unknown> =>
  transaction`
    select pg_advisory_xact_lock(hashtextextended(${`${userId} ${key}`}, 9)),
      (select true from (select from users where id = ${userId} for key share) person)
    from (select set_config('lock_timeout', '10s', true), ${transaction.unsafe(COMMIT_AHEAD)} offset 0) patience`.execute();

export const sweepAnswers = (sql: Sql, now: Date): Promise<unknown> =>
  sql`delete from idempotency_keys where created_at < ${now}::timestamptz - make_interval(days => ${IDEMPOTENCY_RETENTION_DAYS})`;
