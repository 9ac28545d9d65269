import type { Sql, TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import type { NewIssueState } from '../../contract/ops-logs.ts';
import type { Releases } from './releases.ts';
import { reopen } from './transitions.ts';

type Who = { by: string; at: Date };

async function lock(sql: TransactionSql, ids: readonly string[]): Promise<{ id: string; isOther: boolean }[]> {
  const rows = await sql<{ id: string; isOther: boolean }[]>`
    select id, is_other as "isOther" from client_log_issues where id = any(${ids}::uuid[]) order by id for update`;
  if (rows.length < new Set(ids.map((id) => id.toLowerCase())).size) throw notFound('issue');
  return rows;
}

const note = (sql: TransactionSql, issueId: string, { by, at }: Who, what: string, detail: string | null) =>
  sql`insert into client_log_issue_events (issue_id, at, what, by_user, detail) values (${issueId}, ${at}, ${what}, ${by}, ${detail})`;

/** Resolves, ignores or reopens an issue. Throws 404, or 400 for a release that this instance never ran. */
export async function changeState(
  sql: Sql,
  input: Who & { issueId: string; change: NewIssueState; releases: Releases; build: string },
): Promise<void> {
  const { issueId, change, releases } = input;
  const newest = Math.max(0, ...releases.values());
  await sql.begin(async (tx) => {
    await lock(tx, [issueId]);
    if (change.state === 'open')
      return reopen(tx, issueId, { what: 'reopened', detail: null, at: input.at, by: input.by });
    if (change.state === 'resolved') {
      const release = change.release ?? input.build;
      const position = release === 'next' ? newest + 1 : releases.get(release);
      if (position === undefined) throw new HttpError(400, 'INVALID_INPUT', 'release: this instance never ran it');
      await tx`update client_log_issues set state = 'resolved', regression = false, resolved_at = ${input.at},
          resolved_in = ${release === 'next' ? null : release}, resolved_position = ${position}, ignored_until = null, ignored_from = null
        where id = ${issueId}`;
      await note(tx, issueId, input, 'resolved', release);
      return;
    }
    const [now] = await tx<[{ count: number; people: number }]>`
      select coalesce(sum(count), 0)::float8 as count, coalesce(sum(people), 0)::float8 as people
      from client_log_groups where issue_id = ${issueId}`;
    await tx`update client_log_issues set state = 'ignored', regression = false, ignored_until = ${tx.json(change.until)},
        ignored_from = ${tx.json({ ...now, position: newest })}, resolved_in = null, resolved_position = null, resolved_at = null
      where id = ${issueId}`;
    await note(tx, issueId, input, 'ignored', change.until.kind);
  });
}

/** Makes other issues part of one: their groups, and with them every entry, are its own from now on. */
export async function mergeIssues(
  sql: Sql,
  input: Who & { issueId: string; others: readonly string[] },
): Promise<void> {
  const others = input.others.filter((id) => id.toLowerCase() !== input.issueId.toLowerCase());
  if (others.length === 0) throw new HttpError(400, 'INVALID_INPUT', 'issueIds: an issue cannot be merged with itself');
  await sql.begin(async (tx) => {
    const rows = await lock(tx, [input.issueId, ...others]);
    if (rows.some(({ isOther }) => isOther))
      throw new HttpError(409, 'OTHER_ISSUE', 'What is beyond the cap of groups stays apart.');
    await joinIssues(tx, input.issueId, others);
    await note(tx, input.issueId, input, 'merged', `${others.length}`);
  });
}

/** The moving itself; the caller has locked the issues. */
export async function joinIssues(tx: TransactionSql, issueId: string, others: readonly string[]): Promise<void> {
  await tx`update client_log_groups set issue_id = ${issueId} where issue_id = any(${others}::uuid[])`;
  await tx`update client_log_issue_events set issue_id = ${issueId} where issue_id = any(${others}::uuid[]) and what <> 'first_seen'`;
  await tx`update client_log_issues kept set first_at = least(kept.first_at, o.first_at), last_at = greatest(kept.last_at, o.last_at),
      first_release = case when o.first_at < kept.first_at then o.first_release else kept.first_release end,
      last_release = case when o.last_at > kept.last_at then o.last_release else kept.last_release end
    from (select min(first_at) as first_at, max(last_at) as last_at,
        (array_agg(first_release order by first_at))[1] as first_release, (array_agg(last_release order by last_at desc))[1] as last_release
      from client_log_issues where id = any(${others}::uuid[])) o
    where kept.id = ${issueId}`;
  await tx`delete from client_log_issues where id = any(${others}::uuid[])`;
}

/** Moves groups of an issue into a new one and returns its id. At least one group must stay. */
export async function splitIssue(
  sql: Sql,
  input: Who & { issueId: string; groupIds: readonly string[] },
): Promise<string> {
  const wanted = [...new Set(input.groupIds)].filter((id) => /^[1-9]\d{0,8}$/.test(id)).map(Number);
  return sql.begin(async (tx) => {
    const rows = await lock(tx, [input.issueId]);
    if (rows[0]?.isOther) throw new HttpError(409, 'OTHER_ISSUE', 'What is beyond the cap of groups stays together.');
    const groups = await tx<{ id: number }[]>`select id from client_log_groups where issue_id = ${input.issueId}`;
    const own = groups.filter(({ id }) => wanted.includes(id)).map(({ id }) => id);
    if (own.length === 0 || own.length < wanted.length)
      throw new HttpError(400, 'INVALID_INPUT', 'groupIds: not of this issue');
    if (own.length === groups.length) throw new HttpError(400, 'INVALID_INPUT', 'groupIds: one group must stay');
    const made = await issueOf(tx, own, input.issueId);
    await note(tx, made, input, 'split', `${own.length}`);
    await note(tx, input.issueId, input, 'split', `${own.length}`);
    return made;
  });
}

/** A new open issue of these groups, named after their latest entry. */
export async function issueOf(tx: TransactionSql, groupIds: readonly number[], from: string): Promise<string> {
  const [made] = await tx<[{ id: string }]>`
    insert into client_log_issues (title, type, culprit, first_at, last_at, first_release, last_release)
    select coalesce((select left(message, 300) from client_log_entries e where e.group_id = any(${groupIds}::int[])
        order by happened_at desc, id desc limit 1), i.title),
      (select why->>'type' from client_log_groups where id = ${groupIds[0] ?? 0}), i.culprit,
      (select min(first_at) from client_log_groups where id = any(${groupIds}::int[])),
      (select max(last_at) from client_log_groups where id = any(${groupIds}::int[])), i.first_release, i.last_release
    from client_log_issues i where i.id = ${from} returning id`;
  await tx`update client_log_groups set issue_id = ${made.id} where id = any(${groupIds}::int[])`;
  return made.id;
}
