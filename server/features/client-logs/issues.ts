import type { Fragment, Sql } from 'postgres';
import type { IgnoreUntil, Issue, IssueList, IssuesQuery } from '../../contract/ops-logs.ts';
import { pageSize } from './entries.ts';
import { cursorOf, type Range, rangeOf, readCursor, slugOf } from './filters.ts';

const TREND_STEPS = 24;
/** Longer ranges are counted by days, shorter ones by hours. */
const BY_DAYS_FROM_MS = 3 * 86_400_000;

type IssueRow = {
  id: string;
  title: string;
  type: string;
  culprit: string | null;
  state: Issue['state'];
  regression: boolean;
  resolvedIn: string | null;
  ignoredUntil: IgnoreUntil | null;
  firstSeen: Date;
  lastSeen: Date;
  firstRelease: string | null;
  lastRelease: string | null;
  isOther: boolean;
};
type States = IssueList['states'];
/** A row of the list; `at` is what it is sorted by, as text. */
type Found = IssueRow & { n: number; at: string };
const issueColumns = (sql: Sql): Fragment => sql`
  i.id, i.title, i.type, i.culprit, i.state, i.regression, i.resolved_in as "resolvedIn", i.ignored_until as "ignoredUntil",
  i.first_at as "firstSeen", i.last_at as "lastSeen", i.first_release as "firstRelease", i.last_release as "lastRelease",
  i.is_other as "isOther"`;

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
/** Occurrences by group in a range, from the rollups. */
const volumeIn = (sql: Sql, { from, to }: Range): Fragment =>
  to.getTime() - from.getTime() > BY_DAYS_FROM_MS
    ? sql`select group_id, sum(count)::float8 as n from client_log_days
        where day between ${dayOf(from)}::date and ${dayOf(new Date(to.getTime() - 1))}::date group by 1`
    : sql`select group_id, sum(count)::float8 as n from client_log_hours
        where hour > ${new Date(from.getTime() - 3_600_000)} and hour < ${to} group by 1`;

const DIMENSIONS = [
  'release',
  'engine',
  'browser',
  'os',
  'display',
  'connection',
  'route',
  'source',
  'offline',
] as const;
const likeOf = (text: string): string => `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`;

/** Conditions on a group `g` from the filters on facets and people. */
async function groupCondition(sql: Sql, query: IssuesQuery, { from }: Range): Promise<{ where: Fragment }> {
  let where: Fragment = query.kind === 'debug' ? sql`false` : sql`true`;
  const facet = (dimension: string, value: string) =>
    sql`${where} and g.id in (select group_id from client_log_facets
      where dimension = ${dimension} and value = ${value} and last_at >= ${from})`;
  for (const dimension of DIMENSIONS) {
    const value = query[dimension];
    if (value !== undefined) where = facet(dimension, value);
  }
  if (query.community !== undefined) where = facet('community', await slugOf(sql, query.community));
  const person = query.user?.toLowerCase() ?? (query.device === undefined ? undefined : `device ${query.device}`);
  if (person !== undefined)
    where = sql`${where} and exists (select from client_log_people p where p.group_id = g.id and p.person = ${person})`;
  if (query.issue !== undefined) where = sql`${where} and g.issue_id = ${query.issue}`;
  return { where };
}

const SORTS = {
  last: { column: 'last_at', type: 'timestamptz', descending: true },
  first: { column: 'first_at', type: 'timestamptz', descending: true },
  count: { column: 'n', type: 'float8', descending: true },
  people: { column: 'people', type: 'float8', descending: true },
} as const;

/** One page of issues in the range. It covers at most `LOG_GROUPS_MAX` groups. */
export async function readIssues(sql: Sql, query: IssuesQuery, now: Date): Promise<IssueList> {
  const range = rangeOf(query, now);
  const size = pageSize(query.limit);
  const { column, type } = SORTS[query.sort ?? 'last'];
  const state = query.state ?? 'open';
  const after = readCursor(query.cursor);
  const words = query.q?.trim() ? likeOf(query.q) : null;
  const { where } = await groupCondition(sql, query, range);
  const key = sql(`i.${column}`);
  const found = await sql<(States & (Found | { [K in keyof Found]: null }))[]>`
    with volume as (${volumeIn(sql, range)}), found as (
      select g.issue_id, sum(v.n) as n, sum(g.people)::float8 as people from volume v join client_log_groups g on g.id = v.group_id
      where ${where} group by 1
    ), matched as materialized (
      select i.*, found.n, found.people from found join client_log_issues i on i.id = found.issue_id
      ${words === null ? sql`` : sql`where i.title ilike ${words} or i.culprit ilike ${words} or i.type ilike ${words}`}
    ), states as (
      select count(*) filter (where state = 'open')::int as open, count(*) filter (where state = 'resolved')::int as resolved,
        count(*) filter (where state = 'ignored')::int as ignored from matched
    ), page as (
      select ${issueColumns(sql)}, i.n, ${type === 'float8' ? sql`${key}::text` : sql`to_json(${key}) #>> '{}'`} as at,
        row_number() over (order by ${key} desc, i.id desc) as place
      from matched i
      where ${state === 'any' ? sql`true` : sql`i.state = ${state}`}
        ${after ? sql`and (${key}, i.id) < (${after[0]}::${sql.unsafe(type)}, ${after[1]}::uuid)` : sql``}
      order by ${key} desc, i.id desc limit ${size + 1}
    )
    select states.open, states.resolved, states.ignored, page.* from states left join page on true order by page.place`;
  // Counts come with every row, and with one row of nothing where there is no issue.
  const [{ open, resolved, ignored } = { open: 0, resolved: 0, ignored: 0 }] = found;
  const states = { open, resolved, ignored };
  const rows = found.filter((row): row is States & Found => row.id !== null);
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  return {
    asOf: now.toISOString(),
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    issues: await complete(sql, shown, range),
    states,
    next: rows.length > size && last ? cursorOf([last.at, last.id]) : null,
  };
}

/** One issue with its counts, or null. */
export async function readIssue(sql: Sql, issueId: string, range: Range): Promise<Issue | null> {
  const [row] = await sql<(IssueRow & { n: number })[]>`
    with volume as (${volumeIn(sql, range)})
    select ${issueColumns(sql)}, (select coalesce(sum(v.n), 0) from volume v join client_log_groups g on g.id = v.group_id
      where g.issue_id = i.id) as n
    from client_log_issues i where i.id = ${issueId}`;
  const [issue] = row ? await complete(sql, [row], range) : [];
  return issue ?? null;
}

/** Adds what is only worth counting for the issues of a page: totals, people, the trend. */
async function complete(sql: Sql, rows: readonly (IssueRow & { n: number })[], range: Range): Promise<Issue[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const step = (range.to.getTime() - range.from.getTime()) / TREND_STEPS / 1000;
  const [totals, steps] = await Promise.all([
    // People of several groups may be the same ones; of one group they are counted already.
    sql<{ id: string; countAll: number; people: number }[]>`
      select g.issue_id as id, sum(g.count)::float8 as "countAll", (case when count(*) = 1 then sum(g.people)
        else (select count(distinct person) from client_log_people p where p.group_id = any(array_agg(g.id))) end)::float8 as people
      from client_log_groups g where g.issue_id = any(${ids}::uuid[]) group by 1`,
    sql<{ id: string; step: number; n: number }[]>`
      select g.issue_id as id, least(${TREND_STEPS - 1}, greatest(0,
          floor(extract(epoch from h.hour - ${range.from}::timestamptz) / ${step}::float8)))::int as step, sum(h.count)::float8 as n
      from client_log_groups g join client_log_hours h on h.group_id = g.id
      where g.issue_id = any(${ids}::uuid[]) and h.hour > ${new Date(range.from.getTime() - 3_600_000)} and h.hour < ${range.to}
      group by 1, 2`,
  ]);
  const totalsOf = new Map(totals.map((total) => [total.id, total]));
  const trendOf = new Map(ids.map((id) => [id, Array<number>(TREND_STEPS).fill(0)]));
  for (const { id, step: at, n } of steps) {
    const trend = trendOf.get(id);
    if (trend) trend[at] = n;
  }
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    type: row.type,
    culprit: row.culprit,
    state: row.state,
    regression: row.regression,
    resolvedIn: row.resolvedIn,
    ignoredUntil: row.ignoredUntil,
    count: row.n,
    countAll: totalsOf.get(row.id)?.countAll ?? 0,
    people: totalsOf.get(row.id)?.people ?? 0,
    firstSeen: row.firstSeen.toISOString(),
    lastSeen: row.lastSeen.toISOString(),
    firstRelease: row.firstRelease,
    lastRelease: row.lastRelease,
    trend: trendOf.get(row.id) ?? [],
    isOther: row.isOther,
  }));
}
