import type { Sql } from 'postgres';
import type { IssueDetail } from '../../contract/ops-logs.ts';
import { readEntry } from './entry-detail.ts';
import { rangeOf } from './filters.ts';
import type { Why } from './group.ts';
import { readIssue } from './issues.ts';
import type { Resolve } from './maps.ts';
import { quantiles } from './quantiles.ts';

const AFFECTED = ['release', 'engine', 'browser', 'os', 'display', 'connection', 'community', 'route'] as const;
const AFFECTED_MAX = 20;
const HISTORY_MAX = 100;

type Ports = { resolve: Resolve; origin: string; now: Date };
type Facet = { dimension: string; value: string; count: number; firstSeen: Date; lastSeen: Date };

/** Everything about one issue, or null when there is none. */
export async function readIssueDetail(
  sql: Sql,
  ports: Ports,
  issueId: string,
  query: { entry?: string | undefined; from?: string | undefined; to?: string | undefined } = {},
): Promise<IssueDetail | null> {
  const issue = await readIssue(sql, issueId, rangeOf(query, ports.now));
  if (!issue) return null;
  const groups = await sql<{ id: number; version: number; count: number; lastSeen: Date; why: Why }[]>`
    select id, version, count::float8 as count, last_at as "lastSeen", why from client_log_groups
    where issue_id = ${issueId} order by count desc, id limit 200`;
  const groupIds = groups.map(({ id }) => id);
  const [sample, facets, history] = await Promise.all([
    sampleOf(sql, groupIds, query.entry),
    sql<Facet[]>`
      select dimension, value, sum(count)::float8 as count, min(first_at) as "firstSeen", max(last_at) as "lastSeen"
      from client_log_facets where group_id = any(${groupIds}::int[]) group by 1, 2 order by 3 desc, 2`,
    sql<{ at: Date; what: IssueDetail['history'][number]['what']; by: string | null; detail: string | null }[]>`
      select h.at, h.what, u.display_name as by, h.detail from client_log_issue_events h left join users u on u.id = h.by_user
      where h.issue_id = ${issueId} order by h.at desc, h.id desc limit ${HISTORY_MAX}`,
  ]);
  const of = (dimension: string) => facets.filter((facet) => facet.dimension === dimension);
  const offline = of('offline');
  const offlineCount = offline.find(({ value }) => value === 'yes')?.count ?? 0;
  const delays = of('delay').map(({ value, count }) => ({ bucket: Number(value), count }));
  return {
    issue,
    sample: sample.id === null ? null : await readEntry(sql, ports, sample.id),
    newer: sample.newer,
    older: sample.older,
    affected: Object.fromEntries(
      AFFECTED.map((dimension) => [
        dimension,
        of(dimension)
          .slice(0, AFFECTED_MAX)
          .map(({ value, count, firstSeen, lastSeen }) => ({
            value,
            count,
            firstSeen: firstSeen.toISOString(),
            lastSeen: lastSeen.toISOString(),
          })),
      ]),
    ) as IssueDetail['affected'],
    offlineShare:
      offlineCount /
      Math.max(
        1,
        offline.reduce((sum, { count }) => sum + count, 0),
      ),
    delay: quantiles(delays),
    groups: groups.map(({ id, version, count, lastSeen, why }) => ({
      id: String(id),
      version,
      count,
      lastSeen: lastSeen.toISOString(),
      why,
    })),
    history: history.map(({ at, ...event }) => ({ at: at.toISOString(), ...event })),
  };
}

type Sample = { id: string | null; newer: string | null; older: string | null };

/** The named entry if it is of these groups, else the latest one; with its neighbours in time. */
async function sampleOf(sql: Sql, groupIds: readonly number[], named: string | undefined): Promise<Sample> {
  type IssuePosition = { id: string; at: string };
  const [chosen] =
    named === undefined
      ? await sql<IssuePosition[]>`
          select id, happened_at::text as at from client_log_entries where group_id = any(${groupIds}::int[])
            and received_at >= (select max(last_at) from client_log_groups where id = any(${groupIds}::int[]))
          order by happened_at desc, id desc limit 1`
      : await sql<IssuePosition[]>`
          select e.id, e.happened_at::text as at from client_log_entries e
          where e.id = ${named} and e.received_at = (select received_at from client_log_ids where id = ${named})
            and e.group_id = any(${groupIds}::int[])`;
  if (!chosen) return { id: null, newer: null, older: null };
  const [older, newer] = await Promise.all([
    sql<{ id: string }[]>`
      select id from client_log_entries where group_id = any(${groupIds}::int[])
        and (happened_at, id) < (${chosen.at}::timestamptz, ${chosen.id}::uuid) order by happened_at desc, id desc limit 1`,
    sql<{ id: string }[]>`
      select id from client_log_entries where group_id = any(${groupIds}::int[])
        and (happened_at, id) > (${chosen.at}::timestamptz, ${chosen.id}::uuid) order by happened_at, id limit 1`,
  ]);
  return { id: chosen.id, newer: newer[0]?.id ?? null, older: older[0]?.id ?? null };
}
