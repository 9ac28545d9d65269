import type { Sql, TransactionSql } from 'postgres';
import { isStorageAway } from './away.ts';

type Work = (tx: TransactionSql) => unknown;
type Nested = TransactionSql['savepoint'];

/** How long the driver may take to notice the loss of a connection whose statement failed for it. */
const NOTICED_WITHIN_MS = 1_000;

/**
 * Stops a transaction whose connection is lost. The driver (3.4.9) would send the rollback or commit, and later
 * statements, to a closed socket, which crashes the process, or to the connection that replaced it, which writes
 * outside the transaction and may commit another one (github.com/porsager/postgres, issues 1208 and 1216). Here such
 * statements are rejected: the transaction has failed with `CONNECTION_CLOSED`.
 */
export function withSafeTransactions(sql: Sql): Sql {
  const begin = sql.begin as (...args: unknown[]) => Promise<unknown>;
  const safely = async (...args: unknown[]): Promise<unknown> => {
    const work = args.pop() as Work;
    const over = { yes: false };
    try {
      return await begin(...args, (tx: TransactionSql) => whileOpen(work, tx, over));
    } finally {
      over.yes = true;
    }
  };
  sql.begin = safely as Sql['begin'];
  return sql;
}

/** What the work comes to, unless its transaction is over by then: then it never settles, and nothing is sent. */
function whileOpen(work: Work, tx: TransactionSql, over: { yes: boolean }): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const refuse = (error: unknown) => {
      if (!over.yes) reject(error);
    };
    run(work, refusingWhen(over, tx)).then(
      (value) => {
        if (!over.yes) resolve(value);
      },
      (error: unknown) => {
        // For this connection the driver ends the transaction itself. For another one it is an ordinary error.
        if (isStorageAway(error)) setTimeout(refuse, NOTICED_WITHIN_MS, error);
        else refuse(error);
      },
    );
  });
}

/** Like the driver: a list is a list of statements. */
async function run(work: Work, tx: TransactionSql): Promise<unknown> {
  const given = work(tx);
  return Array.isArray(given) ? Promise.all(given) : given;
}

/** The same transaction, which takes no statement once it is over. */
function refusingWhen(over: { yes: boolean }, tx: TransactionSql): TransactionSql {
  const check = () => {
    if (over.yes) throw Object.assign(new Error('the transaction is over'), { code: 'CONNECTION_CLOSED' });
  };
  return new Proxy(tx, {
    apply(target, self, args) {
      check();
      return Reflect.apply(target as unknown as (...given: unknown[]) => unknown, self, args);
    },
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name === 'savepoint') return nestedIn(value as Nested, over);
      return (...args: unknown[]) => {
        check();
        return Reflect.apply(value, target, args);
      };
    },
  });
}

const nestedIn = (savepoint: Nested, over: { yes: boolean }) =>
  ((...args: unknown[]) => {
    const work = args.pop() as Work;
    return Reflect.apply(savepoint, undefined, [...args, (tx: TransactionSql) => whileOpen(work, tx, over)]);
  }) as Nested;
