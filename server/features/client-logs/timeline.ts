import type { Sql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { Timeline, TimelineQuery } from '../../contract/ops-logs.ts';
import { type EntryRow, entryColumns, entryJoins, entryOf, pageSize } from './entries.ts';
import { cursorOf, readCursor } from './filters.ts';

type Item = Timeline['items'][number];
type Row = EntryRow & { userAgent: string | null; data: Record<string, unknown> };

/** What happened on a person's phones, or on one device, newest first, with the holes in between. */
export async function readTimeline(sql: Sql, query: TimelineQuery, now: Date): Promise<Timeline> {
  const { user, device } = query;
  if ((user === undefined) === (device === undefined))
    throw new HttpError(400, 'INVALID_INPUT', 'user: name either a user or a device');
  const after = readCursor(query.cursor);
  const size = pageSize(query.limit);
  const whose = user === undefined ? sql`e.device = ${device ?? ''}` : sql`e.user_id = ${user}`;
  const rows = await sql<Row[]>`
    select ${entryColumns(sql)}, e.user_agent as "userAgent", e.data from client_log_entries e ${entryJoins(sql)}
    where ${whose} ${after ? sql`and (e.happened_at, e.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``}
    order by e.happened_at desc, e.id desc limit ${size + 1}`;
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  const next = rows.length > size && last ? cursorOf([last.happenedAt.toISOString(), last.id]) : null;
  const [person] =
    user === undefined
      ? []
      : await sql<{ id: string; name: string }[]>`select id, display_name as name from users where id = ${user}`;
  const drops = await dropsBetween(
    sql,
    query,
    next === null ? null : (last?.happenedAt ?? null),
    after ? new Date(after[0]) : null,
  );
  const items = [...withGaps(rows, shown.length), ...drops].sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? 1 : -1));
  return { asOf: now.toISOString(), person: person ?? null, items, next };
}

/** The last row may belong to the next page: it only shows whether something is missing before it. */
function withGaps(rows: readonly Row[], shown: number): Item[] {
  const items: Item[] = [];
  rows.slice(0, shown).forEach((row, at) => {
    const { data } = row;
    items.push({
      kind: 'entry',
      at: row.happenedAt.toISOString(),
      entry: entryOf(row),
      data: row.kind === 'debug' ? (data['data'] ?? null) : (data['additionalData'] ?? null),
    });
    // A person may have several phones: each counts for itself.
    const before = rows.slice(at + 1).find((other) => other.device === row.device && other.userAgent === row.userAgent);
    const missing =
      before && row.sequence !== null && before.sequence !== null ? row.sequence - before.sequence - 1 : 0;
    if (missing > 0) items.push({ kind: 'gap', at: row.happenedAt.toISOString(), missing });
  });
  return items;
}

async function dropsBetween(
  sql: Sql,
  { user, device }: TimelineQuery,
  from: Date | null,
  to: Date | null,
): Promise<Item[]> {
  const rows = await sql<{ at: Date; errors: number; debugs: number }[]>`
    select received_at as at, errors, debugs from client_log_drops
    where ${user === undefined ? sql`device = ${device ?? ''}` : sql`user_id = ${user}`}
      ${from ? sql`and received_at >= ${from}` : sql``} ${to ? sql`and received_at < ${to}` : sql``}
    order by received_at desc limit 100`;
  return rows.map(({ at, errors, debugs }) => ({
    kind: 'dropped',
    at: at.toISOString(),
    error: errors,
    debug: debugs,
  }));
}
