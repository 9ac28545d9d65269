import type { Sql } from 'postgres';
import { type Statement, showing } from './statements.ts';

/**
 * PostgreSQL cancels whatever the connection runs when the request arrives. After this time, in ms, it is still the
 * same statement.
 */
const CANCELLED_FROM_MS = 1_000;

/**
 * The same pool for callers who wait until `over`: then their statements are cancelled, so the database does no useless
 * work.
 */
export const until = (over: AbortSignal, sql: Sql): Sql => showing(sql, (statement) => cancelWhen(over, statement));

function cancelWhen(over: AbortSignal, statement: Statement): void {
  const begun = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const cancel = () => {
    const { canceller } = statement;
    statement.canceller = null;
    // A database that cannot be reached runs nothing for us.
    canceller?.(statement).catch(() => undefined);
  };
  const onOver = () => {
    timer = setTimeout(cancel, Math.max(0, begun + CANCELLED_FROM_MS - performance.now())).unref();
  };
  if (over.aborted) onOver();
  else over.addEventListener('abort', onOver, { once: true });
  const end = () => {
    clearTimeout(timer);
    over.removeEventListener('abort', onOver);
  };
  statement.then(end, end);
}
