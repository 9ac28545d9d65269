import type { Sql } from 'postgres';
import { type Statement, showing } from './statements.ts';

/**
 * PostgreSQL cancels whatever a connection does when the word of it arrives. A statement that has run for so long, in ms, is
 * still that one.
 */
const CANCELLED_FROM_MS = 1_000;

/**
 * The same pool for who waits until `over`: then their statements are cancelled, so that the database does nothing more for
 * nobody.
 */
export const until = (over: AbortSignal, sql: Sql): Sql => showing(sql, (statement) => cancelWhen(over, statement));

function cancelWhen(over: AbortSignal, statement: Statement): void {
  const begun = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const cancel = () => {
    const { canceller } = statement;
    statement.canceller = null;
    // Who cannot be told is away: then nothing runs there for us.
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
