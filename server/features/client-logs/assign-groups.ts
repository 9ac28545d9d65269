import type { JSONValue, TransactionSql } from 'postgres';
import { LOG_GROUPS_MAX } from '../../contract/limits.ts';
import type { Grouped, Grouping } from './group.ts';
import type { ReadEntry } from './read-entry.ts';

/** A group that was made for an entry, or the one that takes what comes after the cap. */
export type NewGroup = { groupId: number; issueId: string; entry: ReadEntry; isNewIssue: boolean };
type Known = { id: number; issueId: string };

const OTHER = Buffer.from('other than all groups');

/**
 * Gives each error of a batch its group, making those that are not there yet, up to the cap. Callers hold the
 * lock of ingestion: groups are made by one at a time.
 */
export async function assignGroups(
  sql: TransactionSql,
  entries: readonly ReadEntry[],
  options: { groupsMax?: number } = {},
): Promise<NewGroup[]> {
  const known = await findGroups(sql, entries);
  const missing = new Map<string, { entry: ReadEntry; by: Grouping }>();
  for (const entry of entries) {
    const { by } = entry;
    if (by && !known.has(by[0].key) && !missing.has(by[0].key)) missing.set(by[0].key, { entry, by });
  }
  const made: NewGroup[] = [];
  if (missing.size > 0) {
    const [{ count }] = await sql<
      [{ count: number }]
    >`select count(*)::int as count from client_log_groups where fingerprint <> ${OTHER}`;
    let other: Known | null = null;
    let room = (options.groupsMax ?? LOG_GROUPS_MAX) - count;
    for (const [key, { entry, by }] of missing) {
      // A newer rule carries on the issue that an older one has made; nothing is regrouped in silence.
      const before = by
        .slice(1)
        .map((older) => known.get(older.key))
        .find(Boolean);
      const group: Known =
        room > 0 ? await makeGroup(sql, entry, by[0], before?.issueId) : (other ?? (await otherGroup(sql, entry)));
      if (room <= 0) other = group;
      if (room > 0) made.push({ groupId: group.id, issueId: group.issueId, entry, isNewIssue: !before });
      room -= 1;
      known.set(key, group);
    }
  }
  for (const entry of entries) entry.groupId = entry.by ? (known.get(entry.by[0].key)?.id ?? null) : null;
  return made;
}

async function findGroups(sql: TransactionSql, entries: readonly ReadEntry[]): Promise<Map<string, Known>> {
  const prints = new Set<string>();
  for (const { by } of entries) for (const one of by ?? []) prints.add(one.key);
  if (prints.size === 0) return new Map();
  const rows = await sql<(Known & { fingerprint: Buffer })[]>`
    select id, issue_id as "issueId", fingerprint from client_log_groups
    where fingerprint in (select decode(print, 'base64') from unnest(${[...prints]}::text[]) as print)`;
  return new Map(rows.map(({ fingerprint, ...group }) => [fingerprint.toString('base64'), group]));
}

async function makeGroup(sql: TransactionSql, entry: ReadEntry, by: Grouped, issueId?: string): Promise<Known> {
  const issue = issueId ?? (await makeIssue(sql, entry, { type: by.type, culprit: by.culprit, title: titleOf(entry) }));
  const [row] = await sql<[Known]>`
    insert into client_log_groups (fingerprint, version, issue_id, why, first_at, last_at)
    values (${by.fingerprint}, ${by.version}, ${issue}, ${sql.json(by.why as JSONValue)}, ${entry.happenedAt}, ${entry.happenedAt})
    returning id, issue_id as "issueId"`;
  return row;
}

const titleOf = (entry: ReadEntry): string => entry.message.slice(0, 300).toWellFormed() || 'An error without words';

async function makeIssue(
  sql: TransactionSql,
  { happenedAt, release }: ReadEntry,
  { type, culprit, title }: { type: string; culprit: string | null; title: string },
  isOther = false,
): Promise<string> {
  const [row] = await sql<[{ id: string }]>`
    insert into client_log_issues (title, type, culprit, first_at, last_at, first_release, last_release, is_other)
    values (${title}, ${type.slice(0, 100)}, ${culprit}, ${happenedAt}, ${happenedAt}, ${release}, ${release}, ${isOther})
    returning id`;
  if (!isOther)
    await sql`insert into client_log_issue_events (issue_id, at, what, detail) values (${row.id}, ${happenedAt}, 'first_seen', ${release})`;
  return row.id;
}

/** The one group of everything that is alike to no group once there are as many as may be. */
async function otherGroup(sql: TransactionSql, entry: ReadEntry): Promise<Known> {
  const [kept] = await sql<
    Known[]
  >`select id, issue_id as "issueId" from client_log_groups where fingerprint = ${OTHER}`;
  if (kept) return kept;
  const title = 'Other errors, beyond the cap of groups';
  const issue = await makeIssue(sql, entry, { type: 'Other', culprit: null, title }, true);
  const why = { type: 'Other', message: 'The cap of groups was reached', frames: [] };
  const [row] = await sql<[Known]>`
    insert into client_log_groups (fingerprint, version, issue_id, why, first_at, last_at)
    values (${OTHER}, 0, ${issue}, ${sql.json(why)}, ${entry.happenedAt}, ${entry.happenedAt})
    returning id, issue_id as "issueId"`;
  return row;
}
