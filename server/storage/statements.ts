import type { PendingQuery, Row, Sql } from 'postgres';

/** What the driver (3.4.9) gives for a statement, with what its types leave out. */
export type Statement = PendingQuery<Row[]> & {
  /** Passes it to a connection, or to the queue of those that wait for one. */
  handler: (statement: Statement) => unknown;
  /** Cancels it in the database, on a separate connection. */
  canceller: ((statement: Statement) => Promise<unknown>) | null;
  /** The connection's, once it was sent. */
  state: unknown;
  cancelled: unknown;
  strings: readonly string[];
  args: readonly unknown[];
  reject(error: unknown): void;
};

/**
 * Has `sent` called for the statement as it is sent. Fragments and helpers are no statements and are never sent alone: what
 * is made is given back as it came.
 */
export function whenSent(made: unknown, sent: (statement: Statement) => void): unknown {
  const statement = made as Statement;
  const { handler } = statement;
  if (typeof handler !== 'function') return made;
  statement.handler = (one) => {
    handler(one);
    sent(one);
  };
  return statement;
}

/** The same pool, which shows each statement as it is sent, those of its transactions too. */
export function showing(sql: Sql, sent: (statement: Statement) => void): Sql {
  const own = (target: object): object =>
    new Proxy(target, {
      apply: (called, self, args) => whenSent(Reflect.apply(called as () => unknown, self, args), sent),
      get(holder, name) {
        const value: unknown = Reflect.get(holder, name);
        if (name !== 'unsafe' && name !== 'begin' && name !== 'savepoint') return value;
        const call = (args: unknown[]): unknown => Reflect.apply(value as () => unknown, holder, args);
        if (name === 'unsafe') return (...args: unknown[]) => whenSent(call(args), sent);
        return (...args: unknown[]) => {
          const work = args.pop() as (tx: object) => unknown;
          return call([...args, (tx: object) => work(own(tx))]);
        };
      },
    });
  return own(sql) as Sql;
}
