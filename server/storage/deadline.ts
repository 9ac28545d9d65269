import type { Sql } from 'postgres';
import { type Statement, whenSent } from './statements.ts';

/** How long a statement or a transaction of a request may wait for a connection, in ms. */
const WAIT_MS = 3_000;
/** Codes of errors after waiting too long: nothing was sent. Busy: the database answered others in that time. */
export const WAITED_TOO_LONG = 'CONNECTION_WAIT';
export const BUSY = 'CONNECTION_BUSY';

/** When a pool's database answered something last (`performance.now()`). */
export type LastAnswer = { at: number };

/** `open`: statements and transactions that are not over; without a `state` they wait for a connection. */
type Wait = { heard: LastAnswer; waitMs: number; open: Set<{ state: unknown }> };
const opens = new WeakMap<Sql, Wait['open']>();

/** Statements and transactions of a pool that run, and that wait for a connection. */
export function loadOf(sql: Sql): { running: number; waiting: number } {
  const open = [...(opens.get(sql) ?? [])];
  const waiting = open.filter(({ state }) => state === null).length;
  return { running: open.length - waiting, waiting };
}

const tooLate = ({ heard, waitMs }: Pick<Wait, 'heard' | 'waitMs'>) =>
  Object.assign(new Error(`no connection to the database was free within ${waitMs} ms`), {
    code: performance.now() - heard.at < waitMs ? BUSY : WAITED_TOO_LONG,
  });

const NOTHING = ['select'];

/**
 * The same pool, in which nothing waits longer than `waitMs` (3 s) for a connection: a caller gets the error while they
 * still listen, and their statement is not run later. The driver's own queue has no end.
 */
export function withDeadline(sql: Sql, heard: LastAnswer, waitMs = WAIT_MS): Sql {
  const wait = { heard, waitMs, open: new Set<{ state: unknown }>() };
  const watched = (made: unknown): unknown =>
    whenSent(made, (statement) => {
      wait.open.add(statement);
      const end = () => void wait.open.delete(statement);
      statement.then(end, end);
      if (statement.state === null) giveUpLater(statement, wait);
    });
  const pool = ((...args: unknown[]) => watched(Reflect.apply(sql, undefined, args))) as unknown as Sql;
  const { begin, unsafe } = sql as unknown as Record<'begin' | 'unsafe', (...args: unknown[]) => unknown>;
  const whole = Object.assign(pool, sql, {
    unsafe: (...args: unknown[]) => watched(unsafe(...args)),
    begin: (...args: unknown[]) => beginInTime(begin as Begin, args, wait),
  });
  opens.set(whole, wait.open);
  return whole;
}

function giveUpLater(statement: Statement, wait: Wait): void {
  const timer = setTimeout(() => {
    if (statement.state !== null) return;
    statement.reject(tooLate(wait));
    // Takes it out of the queue. If a connection is being made for it, it is sent: then as one that does nothing.
    statement.cancel();
    statement.cancelled = null;
    statement.strings = NOTHING;
    statement.args = [];
  }, wait.waitMs);
  const end = () => clearTimeout(timer);
  statement.then(end, end);
}

type Work = (tx: unknown) => unknown;
type Begin = (...args: unknown[]) => Promise<unknown>;

/** A transaction that gets its connection too late begins, does nothing and is undone. */
function beginInTime(begin: Begin, args: unknown[], wait: Wait): Promise<unknown> {
  const work = args.pop() as Work;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isOver = true;
      reject(tooLate(wait));
    }, wait.waitMs);
  });
  const transaction = { state: null as unknown };
  wait.open.add(transaction);
  const begun = begin(...args, (tx: unknown) => {
    clearTimeout(timer);
    transaction.state = tx;
    if (isOver) throw tooLate(wait);
    return work(tx);
  });
  const end = () => {
    clearTimeout(timer);
    wait.open.delete(transaction);
  };
  begun.then(end, end);
  return Promise.race([begun, late]);
}
