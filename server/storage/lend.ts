import type { Sql } from 'postgres';

/** A connection of the driver and the queue that it waits in, as far as they are used here. */
type Connection = { queue?: Partial<Resting> };
type Resting = {
  readonly length: number;
  push(one: Connection): Connection;
  shift(): Connection | undefined;
  remove(one: Connection): Connection | null;
};

/**
 * Has a pool lend the connection that was given back last. The driver (3.4.9) lends the one that rested longest, in turn, so
 * that what each process of PostgreSQL has learnt is never in the processor's caches when it is needed: a board takes half as
 * long again. The queue of those that rest is the driver's own and is reached through a connection that has just come to rest:
 * call it before anybody else uses the pool. Rejects where no connection comes, and where the driver keeps no such queue.
 */
export async function lendLastUsed(sql: Sql): Promise<void> {
  const seen: { connection?: Connection } = {};
  const onexecute = (connection: Connection) => {
    seen.connection = connection;
    return true;
  };
  await sql.unsafe('select', [], { onexecute } as object).execute();
  const resting = seen.connection?.queue;
  if (!resting?.shift || !resting.push || !resting.remove)
    throw new Error('the driver keeps its connections elsewhere');
  lastInFirstOut(resting as Resting);
}

function lastInFirstOut(queue: Resting): void {
  const held: Connection[] = [];
  while (queue.length > 0) {
    const one = queue.shift();
    if (one) held.push(one);
  }
  Object.defineProperty(queue, 'length', { get: () => held.length });
  queue.shift = () => held.pop();
  queue.push = (one) => {
    held.push(one);
    return one;
  };
  queue.remove = (one) => {
    const at = held.indexOf(one);
    if (at < 0) return null;
    held.splice(at, 1);
    return one;
  };
}
