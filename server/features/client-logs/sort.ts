import type { PendingQuery, Row, Sql, TransactionSql } from 'postgres';
import { COMMIT_AHEAD } from '../../storage/durable.ts';
import { enqueueAlerts } from './alerts.ts';
import type { Grouper, GroupRule } from './group.ts';
import { BATCH, type Batch, type InboxPorts, readInbox } from './inbox.ts';
import { isAboutData } from './intake.ts';
import { placeEntries } from './place.ts';
import type { ReadEntry } from './read-entry.ts';
import { addToRollups, type Placed } from './rollups.ts';
import { moveIssues } from './transitions.ts';

/** One process sorts at a time; the others go on taking in. */
const SORT_LOCK = 7_186_010;
const NAMED_IDS = 150;
export const TAIL_CHANNEL = 'client_log_entries';

export type SortPorts = {
  sql: Sql;
  group: Grouper;
  releases: InboxPorts['releases'];
  now: () => Date;
  /** The build that runs. */
  build: string;
  /** Is told how many entries wait, in all, when a batch begins. */
  onWaiting?: (entries: number) => void;
  /** Is told of each batch of `entries`, `tookMs` long. */
  onSorted?: (entries: number, tookMs: number) => void;
  /** Comes between a batch, `tookMs` long, and the next one, which waits for it. */
  rest?: (tookMs: number) => Promise<void>;
  rules?: readonly GroupRule[];
  groupsMax?: number;
};

/**
 * Moves what waits in the inbox into entries, groups, issues and rollups, oldest first, a batch in a transaction.
 * Answers how many were sorted; 0 as well while another process is at it.
 */
export async function sortInbox(ports: SortPorts): Promise<number> {
  // The build that runs is known from a process's first pass on, whether anything waits or not.
  await ports.releases(ports.sql);
  const reading: InboxPorts = { releases: ports.releases, group: (entry) => ports.group(entry, ports.rules) };
  let ahead: Promise<Batch | null> = Promise.resolve(null);
  let sorted = 0;
  for (;;) {
    const begun = performance.now();
    const read = await ahead;
    const count = await ports.sql.begin(async (sql) => {
      if (!(await takeTurn(sql, ports))) return 0;
      const batch = read && (await isThere(sql, read)) ? read : await readInbox(sql, [], reading);
      const readAhead = () => {
        if (batch.entries.length < BATCH) return;
        ahead = readInbox(ports.sql, batch.positions, reading);
        // What fails there fails when it is its turn.
        ahead.catch(() => undefined);
      };
      if (batch.entries.length > 0) await sortBatch(sql, { ...ports, readAhead }, batch);
      return batch.entries.length;
    });
    sorted += count;
    const tookMs = performance.now() - begun;
    ports.onSorted?.(count, tookMs);
    if (count < BATCH) return sorted;
    await ports.rest?.(tookMs);
  }
}

/** Nobody is told of what is sorted: after a crash it waits in the inbox again, so no batch needs to wait for the disk. */
async function takeTurn(sql: TransactionSql, ports: SortPorts): Promise<boolean> {
  const [turn] = await sql<[{ taken: boolean; waiting: number }]>`
    select pg_try_advisory_xact_lock(${SORT_LOCK}) as taken, ${sql.unsafe(COMMIT_AHEAD)},
      (select coalesce(sum(entries), 0)::float8 from client_log_inbox) as waiting`;
  ports.onWaiting?.(turn.waiting);
  return turn.taken;
}

/** Whether another process left what was read ahead, between two batches of this one. Callers hold the turn. */
async function isThere(sql: TransactionSql, { positions }: Batch): Promise<boolean> {
  const [left] = await sql<[{ count: number }]>`
    select count(*)::int as count from client_log_inbox where position = any(${positions}::bigint[])`;
  return left.count === positions.length;
}

async function sortBatch(
  sql: TransactionSql,
  ports: SortPorts & { readAhead: () => void },
  { positions, entries: read, releases }: Batch,
): Promise<void> {
  const placed = await withKnownCommunities(sql, await withKnownSources(sql, read));
  const days = new Set(placed.map(({ receivedAt }) => dayOf(receivedAt)));
  for (const day of days) await ensurePartition(sql, day);
  const made = await placeEntries(sql, placed, ports);
  const inserted = insertEntries(sql, placed, positions);
  // While storage writes this batch, the next one is read.
  ports.readAhead();
  await inserted;
  await sql`delete from client_log_inbox where position = any(${positions}::bigint[])`;
  await addToRollups(sql, placed);
  const newIssues = new Map(
    made.filter(({ isNewIssue }) => isNewIssue).map(({ issueId, entry }) => [issueId, entry.release]),
  );
  const happenings = await moveIssues(sql, placed, newIssues, {
    releases,
    running: ports.build,
    now: ports.now(),
  });
  await enqueueAlerts(sql, happenings, ports.now());
  const ids = placed.slice(-NAMED_IDS).map(({ id }) => id);
  await sql`select pg_notify(${TAIL_CHANNEL}, ${JSON.stringify({ ids, skipped: placed.length - ids.length })})`;
}

/** The table for a day of entries, made when it is missing. */
export async function ensurePartition(sql: Sql | TransactionSql, day: string): Promise<void> {
  const name = `client_log_entries_${day.replaceAll('-', '')}`;
  // Asking first spares the lock that making it would take on all days.
  const [there] = await sql`select from pg_class where relname = ${name}`;
  if (!there) await sql`select client_log_partition(${day}::date)`;
}

const DAY_MS = 86_400_000;
let lastDay = { number: Number.NaN, text: '' };
/** Nearly every entry is of the day of the one before. */
function dayOf(time: Date): string {
  const number = Math.floor(time.getTime() / DAY_MS);
  if (number !== lastDay.number) lastDay = { number, text: time.toISOString().slice(0, 10) };
  return lastDay.text;
}

const SOURCES_MAX = 100;

/** Names of sources come from strangers: after the first hundred, new ones are not told apart. */
async function withKnownSources(sql: TransactionSql, entries: readonly ReadEntry[]): Promise<ReadEntry[]> {
  const rows = await sql<{ value: string }[]>`select value from client_log_values where dimension = 'source'`;
  const known = new Set(rows.map(({ value }) => value));
  const fresh = new Set<string>();
  const mended = entries.map((entry) => {
    if (entry.source === null || known.has(entry.source)) return entry;
    if (known.size >= SOURCES_MAX) return { ...entry, source: 'other' };
    known.add(entry.source);
    fresh.add(entry.source);
    return entry;
  });
  if (fresh.size > 0)
    await sql`insert into client_log_values (dimension, value) select 'source', unnest(${[...fresh]}::text[]) on conflict do nothing`;
  return mended;
}

/** A community in a path counts only when there is one; its id and its slug are the same. */
async function withKnownCommunities(sql: TransactionSql, entries: readonly ReadEntry[]): Promise<readonly ReadEntry[]> {
  const named = [...new Set(entries.flatMap(({ community }) => community ?? []))];
  if (named.length === 0) return entries;
  const rows = await sql<{ id: string; slug: string }[]>`
    select id::text, slug from communities where slug = any(${named}::text[]) or id::text = any(${named}::text[])`;
  const slugs = new Map(rows.flatMap(({ id, slug }) => [[id, slug] as const, [slug, slug] as const]));
  return entries.map((entry) => ({ ...entry, community: slugs.get(entry.community ?? '') ?? null }));
}

/** A row that storage refuses is kept as a note of that, and holds no neighbour: it was acknowledged. */
async function insertEntries(
  sql: TransactionSql,
  placed: readonly Placed[],
  positions: readonly string[],
): Promise<void> {
  try {
    // The bulk of an entry does not travel: it goes from the inbox to its place, in the same order as `placed`.
    await sql.savepoint((inner) => {
      const texts = inner`(select string_agg(entry, E'\n' order by position) from client_log_inbox
        where position = any(${positions}::bigint[]))`;
      return insert(inner, placed, texts);
    });
  } catch (error) {
    if (!isAboutData(error)) throw error;
    const texts = await textsAt(sql, positions);
    for (const [at, entry] of placed.entries()) {
      const text = texts[at] ?? '';
      await sql
        .savepoint((inner) => insert(inner, [entry], inner`${text}::text`))
        .catch((alone: unknown) => {
          if (!isAboutData(alone)) throw alone;
          const base64 = Buffer.from(text).toString('base64');
          const data = { message: 'This entry could not be kept as it was sent.', base64 };
          const noted = { ...entry, message: data.message, url: null, source: null, device: null };
          return insert(sql, [noted], sql`${JSON.stringify({ type: entry.kind, data })}::text`);
        });
    }
  }
}

/** What intake wrote of each entry there. */
async function textsAt(sql: TransactionSql, positions: readonly string[]): Promise<string[]> {
  const packets = await sql<{ entry: string }[]>`
    select entry from client_log_inbox where position = any(${positions}::bigint[]) order by position`;
  return packets.flatMap(({ entry }) => entry.split('\n'));
}

/** `texts`: what intake wrote of each entry, a line each. */
async function insert(sql: TransactionSql, placed: readonly Placed[], texts: PendingQuery<Row[]>): Promise<void> {
  const said = new Map(
    placed.map(({ receivedAt, message }) => [`${dayOf(receivedAt)} ${message}`, { day: dayOf(receivedAt), message }]),
  );
  await sql`
    insert into client_log_messages (day, key, message) select day, hashtextextended(message, 0), message
    from jsonb_to_recordset(${sql.json([...said.values()])}) as r (day date, message text) on conflict do nothing`;
  // "offset 0": a line is read once, not for each column.
  const lines = placed.map(lineOf).join(SEPARATOR);
  await sql`
    insert into client_log_entries (id, received_at, happened_at, sent_at, kind, group_id, message, source, route, community, url,
      release, user_id, person, device, sequence, repeats, offline_ms, engine, browser, os, display, connection, address, user_agent, data)
    select (l).id, (l).received_at, (l).happened_at, (l).sent_at, (l).kind, (l).group_id, (l).message, (l).source, (l).route,
      (l).community, (l).url, (l).release, (l).user_id, (l).person, (l).device, (l).sequence, (l).repeats, (l).offline_ms,
      (l).engine, (l).browser, (l).os, (l).display, (l).connection, (l).address, (l).user_agent, data
    from (
      select line::client_log_line as l, text::json -> 'data' as data
      from unnest(string_to_array(${lines}, ${SEPARATOR}), string_to_array(${texts}, E'\n')) as read (line, text) offset 0
    ) as entry`;
}

/** ASCII's own separator of records. JSON never holds it bare, and `quoted` lets none through. */
const SEPARATOR = '\u001e';

/**
 * A `client_log_line` as PostgreSQL reads a row. Ids, times and numbers hold nothing that would have to be quoted. Joined, and
 * not put together piece by piece: each piece would be a string of its own until the last.
 */
const lineOf = (entry: Placed): string =>
  `(${[
    entry.id,
    entry.receivedAt.toISOString(),
    entry.happenedAt.toISOString(),
    entry.sentAt?.toISOString(),
    entry.kind,
    entry.groupId,
    quoted(entry.message),
    quoted(entry.source),
    quoted(entry.route),
    quoted(entry.community),
    quoted(entry.url),
    quoted(entry.release),
    entry.userId,
    quoted(entry.person),
    quoted(entry.device),
    entry.sequence,
    entry.repeats,
    entry.offlineMs,
    quoted(entry.engine),
    quoted(entry.browser),
    quoted(entry.os),
    quoted(entry.display),
    quoted(entry.connection),
    quoted(entry.address),
    quoted(entry.userAgent),
  ].join(',')})`;

/** What a bare value of a row must not hold, and what must be escaped within quotes. */
const UNBARE = new RegExp(`[",()\\\\\\s${SEPARATOR}]`);
const ESCAPED = new RegExp(`["\\\\${SEPARATOR}]`);

function quoted(value: string | null): string | null {
  if (value === null) return null;
  if (value !== '' && !UNBARE.test(value)) return value;
  if (!ESCAPED.test(value)) return `"${value}"`;
  return `"${value.replace(/["\\]/g, '\\$&').replaceAll(SEPARATOR, '\ufffd')}"`;
}
