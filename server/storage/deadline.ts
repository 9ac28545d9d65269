import type { Sql } from 'postgres';
import { type Statement, whenSent } from './statements.ts';

/** How long a statement or a transaction may wait for a connection, in ms. */
const WAIT_MS = 3_000;
/** Code of the error of what waited too long: nothing of it was sent. */
export const WAITED_TOO_LONG = 'CONNECTION_WAIT';

const NOTHING = ['select'];

const tooLate = () =>
  Object.assign(new Error(`no connection to the database was free within ${WAIT_MS} ms`), { code: WAITED_TOO_LONG });

/**
 * The same pool, in which nothing waits longer than 3 s for a connection: whoever asked is told while they still listen, and
 * what they asked is not done later. The driver's own queue has no end.
 */
export function withDeadline(sql: Sql): Sql {
  const pool = ((...args: unknown[]) => watched(Reflect.apply(sql, undefined, args))) as unknown as Sql;
  const { begin, unsafe } = sql as unknown as Record<'begin' | 'unsafe', (...args: unknown[]) => unknown>;
  return Object.assign(pool, sql, {
    unsafe: (...args: unknown[]) => watched(unsafe(...args)),
    begin: (...args: unknown[]) => beginInTime(begin as Begin, args),
  });
}

const watched = (made: unknown): unknown =>
  whenSent(made, (statement) => {
    if (statement.state === null) giveUpLater(statement);
  });

function giveUpLater(statement: Statement): void {
  const timer = setTimeout(() => {
    if (statement.state !== null) return;
    statement.reject(tooLate());
    // Takes it out of the queue. If a connection is being made for it, it is sent: then as one that does nothing.
    statement.cancel();
    statement.cancelled = null;
    statement.strings = NOTHING;
    statement.args = [];
  }, WAIT_MS);
  const end = () => clearTimeout(timer);
  statement.then(end, end);
}

type Work = (tx: unknown) => unknown;
type Begin = (...args: unknown[]) => Promise<unknown>;

/** A transaction that gets its connection too late begins, does nothing and is undone. */
function beginInTime(begin: Begin, args: unknown[]): Promise<unknown> {
  const work = args.pop() as Work;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isOver = true;
      reject(tooLate());
    }, WAIT_MS);
  });
  const begun = begin(...args, (tx: unknown) => {
    clearTimeout(timer);
    if (isOver) throw tooLate();
    return work(tx);
  });
  const end = () => clearTimeout(timer);
  begun.then(end, end);
  return Promise.race([begun, late]);
}
