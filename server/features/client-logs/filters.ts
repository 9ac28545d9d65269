import type { Fragment, Sql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { LogEntry, LogFilters } from '../../contract/ops-logs.ts';

export type Range = { from: Date; to: Date };
const DAY_MS = 86_400_000;

/** The requested range; the default is the last 24 hours. Throws 400 when invalid. */
export function rangeOf({ from, to }: { from?: string | undefined; to?: string | undefined }, now: Date): Range {
  // What arrives in this very moment belongs in.
  const end = to === undefined ? new Date(now.getTime() + 1_000) : new Date(to);
  const begin = from === undefined ? new Date(end.getTime() - DAY_MS) : new Date(from);
  if (!(begin < end)) throw new HttpError(400, 'INVALID_INPUT', 'from: must be a time before to');
  return { from: begin, to: end };
}

/** Filters whose value is a column's. */
export const EXACT = [
  'kind',
  'user',
  'device',
  'release',
  'engine',
  'browser',
  'os',
  'display',
  'connection',
  'route',
  'source',
] as const;
const COLUMNS: Readonly<Record<(typeof EXACT)[number], string>> = {
  kind: 'kind',
  user: 'user_id',
  device: 'device',
  release: 'release',
  engine: 'engine',
  browser: 'browser',
  os: 'os',
  display: 'display',
  connection: 'connection',
  route: 'route',
  source: 'source',
};

/**
 * The condition on `client_log_entries e`. Nothing happens after its receipt, so the lower bound leaves out whole
 * partitions as well.
 */
export async function conditionOf(sql: Sql, filters: LogFilters, { from, to }: Range): Promise<{ where: Fragment }> {
  let where: Fragment = sql`e.happened_at >= ${from} and e.happened_at < ${to} and e.received_at >= ${from}`;
  for (const name of EXACT) {
    const value = filters[name];
    if (value !== undefined) where = sql`${where} and e.${sql(COLUMNS[name])} = ${value}`;
  }
  if (filters.community !== undefined) where = sql`${where} and e.community = ${await slugOf(sql, filters.community)}`;
  if (filters.issue !== undefined) {
    const groups = await sql<{ id: number }[]>`select id from client_log_groups where issue_id = ${filters.issue}`;
    where = sql`${where} and e.group_id = any(${groups.map(({ id }) => id)}::int[])`;
  }
  if (filters.offline !== undefined)
    where =
      filters.offline === 'yes' ? sql`${where} and e.offline_ms is not null` : sql`${where} and e.offline_ms is null`;
  if (filters.q !== undefined && filters.q.trim() !== '')
    where = sql`${where} and ${(await wordsCondition(sql, filters.q, from)).where}`;
  // Wrapped, because an async function that returns a fragment would run it as a query.
  return { where };
}

/** Messages that a search may match; a more common word is searched in the entries. */
const MESSAGES_MAX = 20_000;

async function wordsCondition(sql: Sql, words: string, from: Date): Promise<{ where: Fragment }> {
  const found = await sql<{ key: string }[]>`
    select distinct key::text from client_log_messages where day >= ${from.toISOString().slice(0, 10)}::date
      and to_tsvector('simple', message) @@ plainto_tsquery('simple', ${words}) limit ${MESSAGES_MAX + 1}`;
  if (found.length > MESSAGES_MAX)
    return { where: sql`to_tsvector('simple', e.message) @@ plainto_tsquery('simple', ${words})` };
  return { where: sql`e.message_key = any(${found.map(({ key }) => key)}::bigint[])` };
}

/** Slug of a community given by id or slug; an unknown one stays as it is and finds nothing. */
export async function slugOf(sql: Sql, named: string): Promise<string> {
  const [row] = await sql<
    { slug: string }[]
  >`select slug from communities where id::text = ${named} or slug = ${named}`;
  return row?.slug ?? named;
}

/** The same judgement on one entry, for the live tail; `from` and `to` do not matter there. */
export function matches(entry: LogEntry & { community?: string | null }, filters: LogFilters): boolean {
  const { user, issue, offline, q, community } = filters;
  const values: Record<string, unknown> = { ...entry, user: entry.user?.id };
  if (!EXACT.every((name) => name === 'user' || filters[name] === undefined || filters[name] === values[name]))
    return false;
  if (user !== undefined && user.toLowerCase() !== entry.user?.id) return false;
  if (issue !== undefined && issue.toLowerCase() !== entry.issueId) return false;
  if (community !== undefined && community !== entry.community) return false;
  if (offline !== undefined && (offline === 'yes') !== (entry.offlineMs !== null)) return false;
  const text = entry.message.toLowerCase();
  return (q ?? '')
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** A position in a sorted list, for its next page. */
export const cursorOf = (values: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url');

/** What `cursorOf` was given. Throws 400 for anything else. */
export function readCursor(cursor: string | undefined): [value: string, id: string] | null {
  if (cursor === undefined) return null;
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(values) && values.length === 2) {
      const [value, id] = values.map(String);
      if (value !== undefined && id !== undefined && /^[\d.eE+:TZ-]{1,40}$/.test(value) && /^[0-9a-f-]{36}$/.test(id))
        return [value, id];
    }
  } catch {
    // Not ours: reported below.
  }
  throw new HttpError(400, 'INVALID_INPUT', 'cursor: is not one of ours');
}
