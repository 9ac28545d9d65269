import type { Sql, TransactionSql } from 'postgres';
import { type ReadEntry, type ReadPorts, readEntry } from './read-entry.ts';

/** Entries that are sorted in one transaction; a packet is taken whole, so it may be some more. */
export const BATCH = 1_000;

/** What a commit of intake kept: a line for each entry in every text. */
type Packet = { position: string; id: string; receivedAt: string; sender: string; entry: string };
/** Some of what waits, oldest first. */
export type Batch = { positions: readonly string[]; entries: readonly ReadEntry[] };

/** The oldest of what waits, other than at these positions. */
export async function readInbox(
  sql: Sql | TransactionSql,
  besides: readonly string[],
  ports: ReadPorts,
): Promise<Batch> {
  const packets = await sql<Packet[]>`
    select position::text, id, received_at as "receivedAt", sender, entry from client_log_inbox where position in (
      select position from (
        select position, sum(entries) over (order by position) - entries as before
        from (select position, entries from client_log_inbox where position <> all(${besides}::bigint[])
          order by position limit ${BATCH}) as first) as waiting
      where before < ${BATCH})
    order by client_log_inbox.position`;
  const entries = packets.flatMap(({ id, receivedAt, sender, entry }) => {
    const times = receivedAt.split('\n');
    const senders = sender.split('\n');
    const texts = entry.split('\n');
    return id.split('\n').map((one, at) =>
      readEntry(
        {
          id: one,
          receivedAt: new Date(times[at] ?? ''),
          sender: senders[at] ?? '',
          entry: texts[at] ?? '',
        },
        ports,
      ),
    );
  });
  return { positions: packets.map(({ position }) => position), entries };
}
