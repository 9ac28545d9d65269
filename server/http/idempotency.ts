import { createHash } from 'node:crypto';
import type { JSONValue, Sql, TransactionSql } from 'postgres';
import { HttpError } from '../base/http-error.ts';
import { idsIn } from '../domain/ids.ts';
import { COMMIT_AHEAD, onDisk } from '../storage/durable.ts';

export type StoredAnswer = { status: number; json: unknown };
/** Who sends a command: the person, the caller's key and the route. */
export type Sender = { userId: string; key: string; route: string };
/** What a command is known by: its sender, and a digest of what exactly was asked. */
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

/** Digest of the address and a JSON body; the order of its fields does not matter. Of bytes their digest stands for them. */
export function requestHash(path: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([path, ordered(body)]))
    .digest();
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value ?? null;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // In a holder of its own, so that an object never reads like a list of pairs.
  return { fields: fields.map(([name, inner]) => [name, ordered(inner)]) };
}

/** Whether an answer is stored under the sender's key: asked before anything of the body is read. */
export async function mayBeRepeat(sql: Sql, { userId, key, route }: Sender): Promise<boolean> {
  const kept = await sql`select from idempotency_keys where user_id = ${userId} and key = ${key} and route = ${route}`;
  return kept.length > 0;
}

/** The stored answer to this very command, or null; it is on disk by then. Throws as `findAnswer`. */
export async function findLastingAnswer(sql: Sql, command: Command): Promise<StoredAnswer | null> {
  const kept = await findAnswer(sql, command);
  if (kept) await onDisk(sql);
  return kept;
}

/** The stored answer to this very command, or null. Throws 422 when its key was used for something else. */
async function findAnswer(sql: Sql | TransactionSql, command: Command): Promise<StoredAnswer | null> {
  const [kept] = await sql<{ route: string; hash: Buffer; status: number; answer: unknown }[]>`
    select route, request_hash as hash, status, answer from idempotency_keys
    where user_id = ${command.userId} and key = ${command.key}`;
  if (!kept) return null;
  if (kept.route !== command.route || !kept.hash.equals(command.hash)) {
    throw new HttpError(422, 'IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was already used for another request.');
  }
  return { status: kept.status, json: kept.answer };
}

type Work = { run(transaction: TransactionSql): Promise<StoredAnswer>; keep(json: unknown): unknown };

/**
 * Runs a command at most once. Its effect and its answer are written in one transaction; a repeat, also one that
 * comes while the first still runs (in any server process), waits for the first and gets its stored answer.
 * What `run` throws undoes everything, so that a refused command may be sent again. `keep` gives what of the answer is
 * stored. Whatever is answered, what it stands on is on disk by then: of this command, or of the one that it met.
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
  { run, keep }: Work,
): Promise<StoredAnswer & { replayed: boolean }> {
  let kept: Promise<unknown> = Promise.resolve();
  const answered = await sql.begin(async (transaction) => {
    const [, earlier] = await Promise.all([takeTurn(transaction, command), findAnswer(transaction, command)]);
    if (earlier) return { ...earlier, replayed: true };
    const answer = await run(transaction);
    // Sent along with the commit, so that what the command holds is held one answer less; the commit of a transaction in
    // which this failed undoes it.
    const json = keep(answer.json) as JSONValue;
    kept = transaction`
      insert into idempotency_keys (user_id, key, route, request_hash, status, answer, ids, created_at)
      values (${command.userId}, ${command.key}, ${command.route}, ${command.hash}, ${answer.status},
        ${transaction.json(json)}, ${idsIn(json)}::uuid[], ${now})`.execute();
    return { ...answer, replayed: false };
  });
  await kept.catch(refuseSecond);
  return answered as StoredAnswer & { replayed: boolean };
}

/** The key was kept meanwhile by who took no turn for it: a server of an older version. */
function refuseSecond(error: unknown): never {
  if (!(error instanceof Error && 'constraint_name' in error && error.constraint_name === 'idempotency_keys_pkey')) {
    throw error;
  }
  throw new HttpError(503, 'TRY_AGAIN', 'This was sent twice at the same moment. Send it again.', {
    retryAfterSeconds: 1,
  });
}

/**
 * Commands of one key take turns, and wait for it 10 s at most; the person stays as long. What is asked next is as it is
 * once it is this one's turn.
 */
const takeTurn = (transaction: TransactionSql, { userId, key }: Command): Promise<unknown> =>
  transaction`
    select pg_advisory_xact_lock(hashtextextended(${`${userId} ${key}`}, 9)),
      (select true from (select from users where id = ${userId} for key share) person)
    from (select set_config('lock_timeout', '10s', true), ${transaction.unsafe(COMMIT_AHEAD)} offset 0) patience`.execute();
