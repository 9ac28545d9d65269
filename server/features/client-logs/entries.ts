import type { Fragment, Sql } from 'postgres';
import { LOG_PAGE, LOG_PAGE_MAX } from '../../contract/limits.ts';
import type { EntriesQuery, EntryPage, LogEntry, LogFilters } from '../../contract/ops-logs.ts';
import { conditionOf, cursorOf, type Range, rangeOf, readCursor } from './filters.ts';

export type EntryRow = {
  id: string;
  kind: LogEntry['kind'];
  message: string;
  source: string | null;
  issueId: string | null;
  happenedAt: Date;
  receivedAt: Date;
  repeats: number;
  release: string | null;
  route: string | null;
  userId: string | null;
  userName: string | null;
  device: string | null;
  sequence: number | null;
  offlineMs: number | null;
  engine: string | null;
  browser: string | null;
  os: string | null;
  display: string | null;
  connection: string | null;
  community: string | null;
};

/** Columns of an `EntryRow`; the statement names the entries `e` and joins `ENTRY_JOINS`. */
export const entryColumns = (sql: Sql): Fragment => sql`
  e.id, e.kind, e.message, e.source, g.issue_id as "issueId", e.happened_at as "happenedAt", e.received_at as "receivedAt",
  e.repeats, e.release, e.route, e.user_id as "userId", u.display_name as "userName", e.device,
  e.sequence::float8 as sequence, e.offline_ms::float8 as "offlineMs", e.engine, e.browser, e.os, e.display, e.connection, e.community`;
export const entryJoins = (sql: Sql): Fragment => sql`
  left join client_log_groups g on g.id = e.group_id left join users u on u.id = e.user_id`;

export const entryOf = (row: EntryRow): LogEntry => ({
  id: row.id,
  kind: row.kind,
  message: row.message,
  source: row.source,
  issueId: row.issueId,
  happenedAt: row.happenedAt.toISOString(),
  receivedAt: row.receivedAt.toISOString(),
  repeats: row.repeats,
  release: row.release,
  route: row.route,
  user: row.userId === null ? null : { id: row.userId, name: row.userName },
  device: row.device,
  sequence: row.sequence,
  offlineMs: row.offlineMs,
  delayMs: row.receivedAt.getTime() - row.happenedAt.getTime(),
  engine: row.engine,
  browser: row.browser,
  os: row.os,
  display: row.display,
  connection: row.connection,
});

export const pageSize = (limit: string | undefined): number =>
  Math.min(limit === undefined ? LOG_PAGE : Number(limit), LOG_PAGE_MAX);

/** One page of entries, newest first. */
export async function readEntries(sql: Sql, query: EntriesQuery, now: Date): Promise<EntryPage> {
  const range = rangeOf(query, now);
  const after = readCursor(query.cursor);
  const size = pageSize(query.limit);
  const page = await newestOf(sql, query, range, after, size + 1);
  const rows = await rowsOf(sql, page);
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  return {
    asOf: now.toISOString(),
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    entries: shown.map(entryOf),
    next: rows.length > size && last ? cursorOf([last.happenedAt.toISOString(), last.id]) : null,
  };
}

type EntryPosition = { id: string; receivedAt: Date };

/** Days that are looked at first, from the end of the range: a page is mostly full long before the whole range was read. */
const WINDOWS = [1, 5, 20].map((days) => days * 86_400_000);

/** The newest entries of a filter. What decides is in the index alone; rows are fetched for a page only. */
async function newestOf(
  sql: Sql,
  query: LogFilters,
  range: Range,
  after: [value: string, id: string] | null,
  count: number,
): Promise<EntryPosition[]> {
  const end = after ? new Date(Math.min(Date.parse(after[0]) + 1, range.to.getTime())) : range.to;
  const starts = WINDOWS.map((ms) => new Date(end.getTime() - ms)).filter((start) => start > range.from);
  let page: EntryPosition[] = [];
  for (const from of [...starts, range.from]) {
    const { where } = await conditionOf(sql, query, { from, to: range.to });
    page = await sql<EntryPosition[]>`
      select e.id, e.received_at as "receivedAt" from client_log_entries e where ${where}
        ${after ? sql`and (e.happened_at, e.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``}
      order by e.happened_at desc, e.id desc limit ${count}`;
    if (page.length === count) break;
  }
  return page;
}

async function rowsOf(sql: Sql, page: readonly EntryPosition[]): Promise<EntryRow[]> {
  if (page.length === 0) return [];
  const times = page.map(({ receivedAt }) => receivedAt.getTime());
  return sql<EntryRow[]>`
    select ${entryColumns(sql)} from client_log_entries e ${entryJoins(sql)}
    where e.id = any(${page.map(({ id }) => id)}::uuid[])
      and e.received_at between ${new Date(Math.min(...times))} and ${new Date(Math.max(...times) + 1)}
    order by e.happened_at desc, e.id desc`;
}

/** Entries by their ids, in order of receipt; what retention took is left out. */
export async function entriesByIds(
  sql: Sql,
  ids: readonly string[],
): Promise<(LogEntry & { community: string | null })[]> {
  const [bounds] = await sql<[{ first: Date | null; last: Date | null }]>`
    select min(received_at) as first, max(received_at) as last from client_log_ids where id = any(${ids}::uuid[])`;
  if (!bounds.first || !bounds.last) return [];
  const rows = await sql<EntryRow[]>`
    select ${entryColumns(sql)} from client_log_entries e ${entryJoins(sql)}
    where e.id = any(${ids}::uuid[]) and e.received_at between ${bounds.first} and ${bounds.last}
    order by e.received_at, e.happened_at, e.id`;
  return rows.map((row) => ({ ...entryOf(row), community: row.community }));
}
