import type { JSONValue, Sql, TransactionSql } from 'postgres';
import { enqueueAlerts } from './alerts.ts';
import { assignGroups } from './assign-groups.ts';
import type { Grouper, GroupRule } from './group.ts';
import { isAboutData } from './intake.ts';
import { type InboxRow, type ReadEntry, readEntry } from './read-entry.ts';
import type { Releases } from './releases.ts';
import { addToRollups } from './rollups.ts';
import { moveIssues } from './transitions.ts';

/** One process ingests at a time; the others continue to receive. */
const INGEST_LOCK = 7_186_010;
/** Entries of one transaction: enough that its own cost hardly counts, few enough that requests wait for milliseconds. */
const BATCH = 1_000;
/** Entries that a batch names to those who follow; the rest is counted, for a notice holds 8,000 bytes. */
const NAMED_IDS = 150;
export const TAIL_CHANNEL = 'client_log_entries';

export type IngestPorts = {
  sql: Sql;
  group: Grouper;
  /** The currently known builds. */
  releases: (sql: Sql | TransactionSql) => Promise<Releases>;
  now: () => Date;
  /** The build that runs. */
  build: string;
  /** Called before each batch with the number of waiting entries. */
  onWaiting?: (entries: number) => void;
  rules?: readonly GroupRule[];
  groupsMax?: number;
};

/**
 * Moves what waits in the inbox into entries, groups, issues and rollups, oldest first, a batch in a transaction.
 * Answers how many were ingested; 0 as well while another process is at it.
 */
export async function ingestInbox(ports: IngestPorts): Promise<number> {
  // The running build is registered on the first pass, even when nothing waits.
  await ports.releases(ports.sql);
  let ingested = 0;
  for (;;) {
    const count = await ports.sql.begin(async (sql) => {
      // Positions are consecutive, so the first and the last give the number of entries.
      const [inbox] = await sql<[{ isOurs: boolean; waiting: number }]>`
        select pg_try_advisory_xact_lock(${INGEST_LOCK}) as "isOurs",
          coalesce((select max(position) - min(position) + 1 from client_log_inbox), 0)::float8 as waiting`;
      ports.onWaiting?.(inbox.waiting);
      return inbox.isOurs ? ingestBatch(sql, ports) : 0;
    });
    ingested += count;
    if (count < BATCH) return ingested;
  }
}

/** The oldest of what waits. Answers how many there were. */
async function ingestBatch(sql: TransactionSql, ports: IngestPorts): Promise<number> {
  const rows = await sql<InboxRow[]>`
    select position::text, id, received_at as "receivedAt", sender, kind, data from client_log_inbox
    order by position limit ${BATCH}`;
  if (rows.length === 0) return 0;
  // Read after the rows: a build that served one of their devices is registered by then.
  const releases = await ports.releases(sql);
  const reading = {
    isRelease: (name: string) => releases.has(name),
    group: (entry: Parameters<Grouper>[0]) => ports.group(entry, ports.rules),
  };
  const read = rows.map((row) => readEntry(row, reading));
  const entries = await withValidCommunities(sql, await withValidSources(sql, read));
  for (const day of new Set(entries.map(({ receivedAt }) => dayOf(receivedAt)))) await ensurePartition(sql, day);
  const made = await assignGroups(sql, entries, ports);
  await insertEntries(sql, entries);
  await sql`delete from client_log_inbox where position = any(${entries.map(({ position }) => position)}::bigint[])`;
  await addToRollups(sql, entries);
  const newIssues = new Map(
    made.filter(({ isNewIssue }) => isNewIssue).map(({ issueId, entry }) => [issueId, entry.release]),
  );
  const happenings = await moveIssues(sql, entries, newIssues, { releases, running: ports.build, now: ports.now() });
  await enqueueAlerts(sql, happenings, ports.now());
  const ids = entries.slice(-NAMED_IDS).map(({ id }) => id);
  await sql`select pg_notify(${TAIL_CHANNEL}, ${JSON.stringify({ ids, skipped: entries.length - ids.length })})`;
  return entries.length;
}

/** The table for a day of entries, made when it is missing. */
export async function ensurePartition(sql: Sql | TransactionSql, day: string): Promise<void> {
  const name = `client_log_entries_${day.replaceAll('-', '')}`;
  // Asking first spares the lock that making it would take on all days.
  const [there] = await sql`select from pg_class where relname = ${name}`;
  if (!there) await sql`select client_log_partition(${day}::date)`;
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

const SOURCES_MAX = 100;

/** Source names come from strangers: after the first hundred, new ones are not distinguished. */
async function withValidSources(sql: TransactionSql, entries: readonly ReadEntry[]): Promise<readonly ReadEntry[]> {
  const rows = await sql<{ value: string }[]>`select value from client_log_values where dimension = 'source'`;
  const sources = new Set(rows.map(({ value }) => value));
  const fresh = new Set<string>();
  const mended = entries.map((entry) => {
    if (entry.source === null || sources.has(entry.source)) return entry;
    if (sources.size >= SOURCES_MAX) return { ...entry, source: 'other' };
    sources.add(entry.source);
    fresh.add(entry.source);
    return entry;
  });
  if (fresh.size > 0)
    await sql`insert into client_log_values (dimension, value) select 'source', unnest(${[...fresh]}::text[]) on conflict do nothing`;
  return mended;
}

/** A community in a path counts only when there is one; its id and its slug are the same. */
async function withValidCommunities(sql: TransactionSql, entries: readonly ReadEntry[]): Promise<readonly ReadEntry[]> {
  const named = [...new Set(entries.flatMap(({ community }) => community ?? []))];
  if (named.length === 0) return entries;
  const rows = await sql<{ id: string; slug: string }[]>`
    select id::text, slug from communities where slug = any(${named}::text[]) or id::text = any(${named}::text[])`;
  const slugs = new Map(rows.flatMap(({ id, slug }) => [[id, slug] as const, [slug, slug] as const]));
  return entries.map((entry) => ({ ...entry, community: slugs.get(entry.community ?? '') ?? null }));
}

/** A row that storage rejects becomes a note of that, and does not block the others: it was acknowledged. */
async function insertEntries(sql: TransactionSql, entries: readonly ReadEntry[]): Promise<void> {
  try {
    await sql.savepoint((inner) => insert(inner, entries));
  } catch (error) {
    if (!isAboutData(error)) throw error;
    for (const entry of entries)
      await sql
        .savepoint((inner) => insert(inner, [entry]))
        .catch((alone: unknown) => {
          if (!isAboutData(alone)) throw alone;
          return insertNote(sql, entry);
        });
  }
}

async function insertNote(sql: TransactionSql, entry: ReadEntry): Promise<void> {
  const message = 'This entry could not be kept as it was sent.';
  await sql`update client_log_inbox set data = json_build_object('message', ${message}::text,
    'base64', encode(convert_to(data::text, 'UTF8'), 'base64')) where position = ${entry.position}`;
  await insert(sql, [{ ...entry, message, url: null, source: null, device: null }]);
}

/** The content is not transferred: it is moved within the database. */
async function insert(sql: TransactionSql, entries: readonly ReadEntry[]): Promise<void> {
  const columns = entries.map(({ by, push, storage, sender, ...written }) => written) as unknown as JSONValue;
  await sql`
    with entry as materialized (
      select * from jsonb_to_recordset(${sql.json(columns)}) as r (position bigint, id uuid, "receivedAt" timestamptz,
        "happenedAt" timestamptz, "sentAt" timestamptz, kind text, "groupId" integer, message text, source text, route text,
        community text, url text, release text, "userId" uuid, person text, device text, sequence bigint, repeats integer,
        "offlineMs" bigint, engine text, browser text, os text, display text, connection text, address text, "userAgent" text)
    ), messages as (
      insert into client_log_messages (day, key, message)
      select distinct "receivedAt"::date, hashtextextended(message, 0), message from entry on conflict do nothing
    )
    insert into client_log_entries (id, received_at, happened_at, sent_at, kind, group_id, message, source, route, community,
      url, release, user_id, person, device, sequence, repeats, offline_ms, engine, browser, os, display, connection, address,
      user_agent, data)
    select e.id, "receivedAt", "happenedAt", "sentAt", e.kind, "groupId", message, source, route, community,
      url, release, "userId", person, device, sequence, repeats, "offlineMs", engine, browser, os, display, connection, address,
      "userAgent", i.data
    from entry e join client_log_inbox i using (position)`;
}
