import type { Fragment, Sql } from 'postgres';
import type { Histogram, HistogramQuery, LogChoices } from '../../contract/ops-logs.ts';
import { conditionOf, EXACT, type Range, rangeOf, slugOf } from './filters.ts';
import { DIMENSIONS } from './rollups.ts';

const BARS = 60;
const BARS_MAX = 300;
const HOUR_MS = 3_600_000;
const CHOICES_MAX = 50;

/** Occurrences in even steps. Steps of an hour and more are read from rollups wherever they can answer. */
export async function readHistogram(sql: Sql, query: HistogramQuery, now: Date): Promise<Histogram> {
  const scope = rangeOf(query, now);
  const bars = Math.min(query.bars === undefined ? BARS : Number(query.bars), BARS_MAX);
  const length = scope.to.getTime() - scope.from.getTime();
  const rolled = length / bars >= HOUR_MS / 2 ? await rollupFor(sql, query) : null;
  const stepMs = rolled
    ? Math.max(1, Math.ceil(length / bars / HOUR_MS)) * HOUR_MS
    : Math.max(1_000, Math.ceil(length / bars));
  const start = rolled ? Math.floor(scope.from.getTime() / HOUR_MS) * HOUR_MS : scope.from.getTime();
  const range: Range = { from: new Date(start), to: scope.to };
  const count = Math.min(BARS_MAX + 1, Math.ceil((range.to.getTime() - start) / stepMs));
  type Row = { bar: number; error: number; debug: number };
  const barOf = (time: Fragment) =>
    sql`floor(extract(epoch from ${time} - ${range.from}::timestamptz) / ${stepMs / 1000}::float8)::int as bar`;
  const rows = rolled
    ? await sql<Row[]>`
        select ${barOf(sql`hour`)}, sum(errors)::float8 as error, sum(debugs)::float8 as debug from (${rolled.rows}) r
        where hour >= ${range.from} and hour < ${range.to} group by 1`
    : await sql<Row[]>`
        select ${barOf(sql`e.happened_at`)}, coalesce(sum(e.repeats) filter (where e.kind = 'error'), 0)::float8 as error,
          coalesce(sum(e.repeats) filter (where e.kind = 'debug'), 0)::float8 as debug
        from client_log_entries e where ${(await conditionOf(sql, query, range)).where} group by 1`;
  const byBar = new Map(rows.map((row) => [row.bar, row]));
  return {
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    stepMs,
    bars: Array.from({ length: count }, (_, at) => ({
      at: new Date(start + at * stepMs).toISOString(),
      error: byBar.get(at)?.error ?? 0,
      debug: byBar.get(at)?.debug ?? 0,
    })),
  };
}

/** The rollup for these filters: none, one dimension, or one issue; else null, and the entries are counted. */
async function rollupFor(sql: Sql, query: HistogramQuery): Promise<{ rows: Fragment } | null> {
  const { kind, issue, offline, q, community } = query;
  const given = EXACT.filter((name) => name !== 'kind' && query[name] !== undefined);
  const others = [
    ...given,
    ...(community === undefined ? [] : ['community']),
    ...(offline === undefined ? [] : ['offline']),
  ];
  if (q?.trim() || query.user !== undefined || query.device !== undefined) return null;
  const errors = kind === 'debug' ? sql`0 as errors` : sql`errors`;
  const debugs = kind === 'error' ? sql`0 as debugs` : sql`debugs`;
  if (issue !== undefined && others.length === 0)
    return {
      rows: sql`select hour, ${kind === 'debug' ? sql`0` : sql`count`} as errors, 0 as debugs from client_log_hours
      where group_id in (select id from client_log_groups where issue_id = ${issue})`,
    };
  if (issue !== undefined || others.length > 1) return null;
  const [dimension = 'all'] = others;
  const value =
    dimension === 'all'
      ? ''
      : dimension === 'community'
        ? await slugOf(sql, community ?? '')
        : query[dimension as 'release'];
  return {
    rows: sql`select hour, ${errors}, ${debugs} from client_log_series where dimension = ${dimension} and value = ${value ?? ''}`,
  };
}

/** Values that filters can take, by how often they occur in the range. */
export async function readChoices(
  sql: Sql,
  query: { from?: string | undefined; to?: string | undefined },
  now: Date,
): Promise<LogChoices> {
  const { from, to } = rangeOf(query, now);
  const rows = await sql<{ dimension: string; value: string; count: number }[]>`
    select dimension, value, sum(errors + debugs)::float8 as count from client_log_series
    where hour > ${new Date(from.getTime() - HOUR_MS)} and hour < ${to} and dimension = any(${[...DIMENSIONS]}::text[])
    group by 1, 2 order by 3 desc, 2`;
  return Object.fromEntries(
    DIMENSIONS.map((dimension) => [
      dimension,
      rows
        .filter((row) => row.dimension === dimension)
        .slice(0, CHOICES_MAX)
        .map(({ value, count }) => ({ value, count })),
    ]),
  ) as LogChoices;
}
