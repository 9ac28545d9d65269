import type { Sql } from 'postgres';
import type { LastAnswer } from './deadline.ts';
import { type Statement, showing } from './statements.ts';

/** Error code for a statement without an answer: it is unknown whether it was done. */
export const SILENT = 'CONNECTION_SILENT';

/** Closes a pool's connections; it opens new ones when used again. The driver's types lack it. */
export const rest = (sql: Sql): Promise<void> => (sql as Sql & { close(): Promise<void> }).close();

/**
 * A pool that is recreated once a statement has had no answer within `silentMs`, which is more than the database lets
 * one take. Then the database hangs, or is gone without a word, and the system would wait a quarter of an hour for it.
 * The statement and its transaction fail, and later ones use new connections. `heard` is set at each answer.
 */
export function renewedWhenSilent(make: () => Sql, silentMs: number, heard: LastAnswer): Sql {
  let current = make();
  const all = [current];
  const renew = (silent: Sql) => {
    if (silent !== current) return;
    current = make();
    all.push(current);
    // What is open there ends when the database speaks again. Who listens goes on: the driver looks after that connection.
    void rest(silent).catch(() => undefined);
  };
  const watch = (pool: Sql, statement: Statement, failed: (error: unknown) => void) => {
    const timer = setTimeout(() => {
      const error = Object.assign(new Error(`the database said nothing for ${silentMs} ms`), { code: SILENT });
      renew(pool);
      statement.reject(error);
      failed(error);
    }, silentMs).unref();
    const end = () => clearTimeout(timer);
    statement.then(() => {
      heard.at = performance.now();
      end();
    }, end);
  };
  const plain = (pool: Sql) => showing(pool, (statement) => watch(pool, statement, () => undefined));
  const own: Record<string, unknown> = {
    unsafe: (...args: Parameters<Sql['unsafe']>) => plain(current).unsafe(...args),
    // The driver undoes a transaction that failed on its own connection, and waits for that.
    begin: (...args: unknown[]) =>
      new Promise((resolve, reject) => {
        const pool = current;
        const watched = showing(pool, (statement) => watch(pool, statement, reject));
        (watched.begin as (...given: unknown[]) => Promise<unknown>)(...args).then(resolve, reject);
      }),
    end: async (options?: { timeout?: number }) => {
      await Promise.all(all.map((pool) => pool.end(pool === current ? options : { timeout: 0 })));
    },
  };
  return new Proxy(current, {
    apply: (_, self, args) => Reflect.apply(plain(current) as unknown as () => unknown, self, args),
    get: (_, name) => (typeof name === 'string' && Object.hasOwn(own, name) ? own[name] : Reflect.get(current, name)),
    set(_, name, value) {
      own[String(name)] = value;
      return true;
    },
  });
}
