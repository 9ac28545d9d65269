import type { Sql } from 'postgres';
import { LOG_EXPORT_ROWS_MAX } from '../../contract/limits.ts';
import type { LogFilters } from '../../contract/ops-logs.ts';
import { inertJson, inertLine } from '../../rules/inert.ts';
import { csvCell } from '../exports/table.ts';
import { type EntryRow, entryColumns, entryJoins, entryOf } from './entries.ts';
import { conditionOf, rangeOf } from './filters.ts';

const BATCH = 500;
type Row = EntryRow & {
  at: string;
  data: unknown;
  address: string | null;
  userAgent: string | null;
  url: string | null;
};

/** Entries of a filter, newest first, read in pages, so a large export needs neither memory nor a long transaction. */
export async function* exportRows(sql: Sql, filters: LogFilters, now: Date): AsyncGenerator<Row> {
  const { where } = await conditionOf(sql, filters, rangeOf(filters, now));
  let after: Row | undefined;
  for (let left = LOG_EXPORT_ROWS_MAX; left > 0; left -= BATCH) {
    const rows: Row[] = await sql<Row[]>`
      select ${entryColumns(sql)}, e.happened_at::text as at, e.data, e.address, e.user_agent as "userAgent", e.url
      from client_log_entries e ${entryJoins(sql)}
      where ${where} ${after ? sql`and (e.happened_at, e.id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}
      order by e.happened_at desc, e.id desc limit ${Math.min(BATCH, left)}`;
    yield* rows;
    after = rows.at(-1);
    if (rows.length < BATCH) return;
  }
}

/** One JSON object per line, every unusual character escaped; it parses back to the stored entry. */
export async function* asNdjson(rows: AsyncIterable<Row>): AsyncGenerator<string> {
  for await (const row of rows) yield `${inertJson(recordOf(row))}\n`;
}

const recordOf = ({ at: _, ...row }: Row) => ({
  ...entryOf(row),
  community: row.community,
  url: row.url,
  address: row.address,
  userAgent: row.userAgent,
  data: row.data,
});

const COLUMNS = [
  ...[
    'id',
    'kind',
    'happenedAt',
    'receivedAt',
    'message',
    'source',
    'issueId',
    'repeats',
    'release',
    'route',
    'community',
  ],
  ...['url', 'userId', 'user', 'device', 'sequence', 'offlineMs', 'delayMs', 'engine', 'browser', 'os', 'display'],
  ...['connection', 'address', 'userAgent', 'stack', 'data'],
] as const;

/** RFC 4180 with a byte order mark, so spreadsheets read UTF-8; no cell is a formula. */
export async function* asCsv(rows: AsyncIterable<Row>): AsyncGenerator<string> {
  yield `\ufeff${COLUMNS.join(',')}\r\n`;
  for await (const row of rows) {
    const record = recordOf(row);
    const data = record.data as Record<string, unknown>;
    const cells: Record<string, unknown> = {
      ...record,
      userId: record.user?.id,
      user: record.user?.name,
      stack: data['stack'],
      data: inertJson(data),
    };
    yield `${COLUMNS.map((name) => cell(cells[name])).join(',')}\r\n`;
  }
}

/** One cell on one line; possible formulas become text. Our own numbers stay numbers. */
export const cell = (value: unknown): string =>
  csvCell(
    value === null || value === undefined || typeof value === 'number' ? (value ?? null) : inertLine(String(value)),
  );
