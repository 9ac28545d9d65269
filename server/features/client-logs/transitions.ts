import type { TransactionSql } from 'postgres';
import type { IgnoreUntil, IssueState } from '../../contract/ops-logs.ts';
import type { ReadEntry } from './read-entry.ts';
import type { Releases } from './releases.ts';

export type Happening = { kind: 'new_issue' | 'regression'; issueId: string; title: string; culprit: string | null };
type IssueRow = {
  id: string;
  title: string;
  culprit: string | null;
  state: IssueState;
  resolvedPosition: number | null;
  resolvedAt: Date | null;
  ignoredUntil: IgnoreUntil | null;
  ignoredFrom: { count: number; people: number; position: number } | null;
  count: number;
  people: number;
};

/** An entry of an older build than the running one: it says nothing about today. */
const isOfOldRelease = (release: string | null, releases: Releases, running: string): boolean => {
  const position = release === null ? undefined : releases.get(release);
  return position !== undefined && position < (releases.get(running) ?? 0);
};

/**
 * Updates issues for an ingested batch: last seen, regression, end of ignoring. Returns events for alerts. Late
 * entries, from a release before the fix or before the resolution, change no state.
 */
export async function moveIssues(
  sql: TransactionSql,
  ingested: readonly ReadEntry[],
  newIssues: ReadonlyMap<string, ReadEntry['release']>,
  { releases, running, now }: { releases: Releases; running: string; now: Date },
): Promise<Happening[]> {
  const byIssue = await entriesByIssue(sql, ingested);
  if (byIssue.size === 0) return [];
  const seen = [...byIssue].map(([id, entries]) => {
    const last = entries.reduce((a, b) => (b.happenedAt > a.happenedAt ? b : a));
    const first = entries.reduce((a, b) => (b.happenedAt < a.happenedAt ? b : a));
    return { id, first: first.happenedAt.toISOString(), last: last.happenedAt.toISOString(), release: last.release };
  });
  await sql`update client_log_issues kept set first_at = least(kept.first_at, r.first), last_at = greatest(kept.last_at, r.last),
      last_release = case when r.last >= kept.last_at then coalesce(r.release, kept.last_release) else kept.last_release end
    from jsonb_to_recordset(${sql.json(seen)}) as r (id uuid, first timestamptz, last timestamptz, release text)
    where kept.id = r.id`;
  const issues = await sql<IssueRow[]>`
    select id, title, culprit, state, resolved_position::float8 as "resolvedPosition", resolved_at as "resolvedAt",
      ignored_until as "ignoredUntil", ignored_from as "ignoredFrom",
      (select sum(count)::float8 from client_log_groups where issue_id = i.id) as count,
      (select sum(people)::float8 from client_log_groups where issue_id = i.id) as people
    from client_log_issues i where id = any(${[...byIssue.keys()]}::uuid[]) and (state <> 'open' or id = any(${[...newIssues.keys()]}::uuid[]))`;
  const happenings: Happening[] = [];
  for (const issue of issues) {
    const entries = byIssue.get(issue.id) ?? [];
    const { id: issueId, title, culprit } = issue;
    if (newIssues.has(issueId) && entries.some(({ release }) => !isOfOldRelease(release, releases, running)))
      happenings.push({ kind: 'new_issue', issueId, title, culprit });
    const culpritEntry =
      issue.state === 'resolved' ? entries.find((entry) => isRegression(issue, entry, releases)) : undefined;
    if (culpritEntry) {
      await reopen(sql, issueId, { what: 'regressed', detail: culpritEntry.release, at: now });
      happenings.push({ kind: 'regression', issueId, title, culprit });
    } else if (issue.state === 'ignored' && isConditionMet(issue, entries, releases, now)) {
      await reopen(sql, issueId, { what: 'condition_met', detail: issue.ignoredUntil?.kind ?? null, at: now });
    }
  }
  return happenings;
}

async function entriesByIssue(sql: TransactionSql, ingested: readonly ReadEntry[]): Promise<Map<string, ReadEntry[]>> {
  const groupIds = [...new Set(ingested.flatMap(({ groupId }) => groupId ?? []))];
  if (groupIds.length === 0) return new Map();
  const rows = await sql<{ id: number; issueId: string }[]>`
    select id, issue_id as "issueId" from client_log_groups where id = any(${groupIds}::int[])`;
  const issueOf = new Map(rows.map(({ id, issueId }) => [id, issueId]));
  const byIssue = new Map<string, ReadEntry[]>();
  for (const entry of ingested) {
    const issueId = entry.groupId === null ? undefined : issueOf.get(entry.groupId);
    if (issueId !== undefined) byIssue.set(issueId, pushed(byIssue.get(issueId), entry));
  }
  return byIssue;
}

function pushed(list: ReadEntry[] = [], entry: ReadEntry): ReadEntry[] {
  list.push(entry);
  return list;
}

function isRegression(issue: IssueRow, { release, happenedAt }: ReadEntry, releases: Releases): boolean {
  const position = release === null ? undefined : releases.get(release);
  if (position === undefined || issue.resolvedPosition === null || issue.resolvedAt === null) return false;
  return position >= issue.resolvedPosition && happenedAt > issue.resolvedAt;
}

function isConditionMet(issue: IssueRow, entries: readonly ReadEntry[], releases: Releases, now: Date): boolean {
  const { ignoredUntil: until, ignoredFrom: from } = issue;
  switch (until?.kind) {
    case 'time':
      return now >= new Date(until.at);
    case 'count':
      return issue.count - (from?.count ?? 0) >= until.count;
    case 'people':
      return issue.people - (from?.people ?? 0) >= until.people;
    case 'release':
      return entries.some(({ release }) => release !== null && (releases.get(release) ?? 0) > (from?.position ?? 0));
    default:
      return false;
  }
}

/** Opens an issue again, with the reason in its history. */
export async function reopen(
  sql: TransactionSql,
  issueId: string,
  why: { what: 'regressed' | 'condition_met' | 'reopened'; detail: string | null; at: Date; by?: string },
): Promise<void> {
  await sql`update client_log_issues set state = 'open', regression = ${why.what === 'regressed'}, resolved_in = null,
      resolved_position = null, resolved_at = null, ignored_until = null, ignored_from = null
    where id = ${issueId}`;
  await sql`insert into client_log_issue_events (issue_id, at, what, by_user, detail)
    values (${issueId}, ${why.at}, ${why.what}, ${why.by ?? null}, ${why.detail})`;
}
