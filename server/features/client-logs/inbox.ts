import type { Sql, TransactionSql } from 'postgres';
import { type ReadEntry, type ReadPorts, readEntry } from './read-entry.ts';
import type { Releases } from './releases.ts';

/** Entries that are sorted in one transaction; a packet is taken whole, so it may be some more. */
export const BATCH = 1_000;

/** What a commit of intake kept: a line for each entry in every text. */
type Packet = { position: string; id: string; receivedAt: string; sender: string; entry: string };
/** Some of what waits, oldest first, and the builds that were known when it was read. */
export type Batch = { positions: readonly string[]; entries: readonly ReadEntry[]; releases: Releases };
/** What reading the inbox asks; `releases`: the builds known now. */
export type InboxPorts = Pick<ReadPorts, 'group'> & {
  releases: (sql: Sql | TransactionSql) => Promise<Releases>;
};

/** The oldest of what waits, other than at these positions. */
export async function readInbox(
  sql: Sql | TransactionSql,
  besides: readonly string[],
  ports: InboxPorts,
): Promise<Batch> {
  const packets = await sql<Packet[]>`
    select position::text, id, received_at as "receivedAt", sender, entry from client_log_inbox where position in (
      select position from (
        select position, sum(entries) over (order by position) - entries as before
        from (select position, entries from client_log_inbox where position <> all(${besides}::bigint[])
          order by position limit ${BATCH}) as first) as waiting
      where before < ${BATCH})
    order by client_log_inbox.position`;
  // After them: a build that had served one of their devices is known by now.
  const releases = packets.length === 0 ? new Map() : await ports.releases(sql);
  const reading: ReadPorts = { isRelease: (name) => releases.has(name), group: ports.group };
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
        reading,
      ),
    );
  });
  return { positions: packets.map(({ position }) => position), entries, releases };
}
