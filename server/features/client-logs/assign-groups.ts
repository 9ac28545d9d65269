import type { JSONValue, TransactionSql } from 'postgres';
import { LOG_GROUPS_MAX, LOG_GROUPS_RESERVED, LOG_NEW_GROUPS } from '../../contract/limits.ts';
import { findEvictable, moveGroups } from './evict.ts';
import type { Grouped, Grouping } from './group.ts';
import type { ReadEntry } from './read-entry.ts';

/** A group that was made for an entry, or the one that takes what comes after the cap. */
export type NewGroup = { groupId: number; issueId: string; entry: ReadEntry; isNewIssue: boolean };
type StoredGroup = { id: number; issueId: string; stranger: string | null };
/** `build`: the one that runs. */
type AssignOptions = { build: string; now: () => Date; groupsMax?: number };
type Missing = { entry: ReadEntry; by: Grouping };

const HOUR_MS = 3_600_000;
/** Groups that give way in one batch: it costs more than to count an entry as "other", and strangers decide how many. */
const EVICTED_MAX = 50;
const OTHER = Buffer.from('other than all groups');

/**
 * Gives each error of a batch its group, making those that are not there yet, up to the cap. Callers hold the
 * lock of ingestion: groups are made by one at a time.
 */
export async function assignGroups(
  sql: TransactionSql,
  entries: readonly ReadEntry[],
  options: AssignOptions,
): Promise<NewGroup[]> {
  const existing = await findGroups(sql, entries);
  const missing = new Map<string, Missing>();
  for (const entry of entries) {
    const { by } = entry;
    if (by && !existing.has(by[0].key) && !missing.has(by[0].key)) missing.set(by[0].key, { entry, by });
  }
  const made = missing.size > 0 ? await makeGroups(sql, existing, missing, options) : [];
  const shared = new Set<number>();
  for (const entry of entries) {
    const group = entry.by ? existing.get(entry.by[0].key) : undefined;
    entry.groupId = group?.id ?? null;
    if (group && group.stranger !== null && group.stranger !== entry.sender) shared.add(group.id);
  }
  if (shared.size > 0) await sql`update client_log_groups set stranger = null where id = any(${[...shared]}::int[])`;
  return made;
}

/**
 * Creates missing groups and adds them to `existing`. A sender can open a limited number per hour; strangers leave a
 * share to the running build and to members; when full, a group that only one stranger met is evicted. The rest counts
 * as "other".
 */
async function makeGroups(
  sql: TransactionSql,
  existing: Map<string, StoredGroup>,
  missing: ReadonlyMap<string, Missing>,
  { build, now, groupsMax = LOG_GROUPS_MAX }: AssignOptions,
): Promise<NewGroup[]> {
  const { members, running } = LOG_GROUPS_RESERVED;
  const hour = new Date(Math.floor(now().getTime() / HOUR_MS) * HOUR_MS);
  const opened = await readOpened(sql, hour, missing);
  let groups = await countGroups(sql);
  const isTight = groups + missing.size > groupsMax * (1 - members - running);
  const evictable = isTight ? await findEvictable(sql, [...existing.values()], EVICTED_MAX) : [];
  const evicted: number[] = [];
  const made: NewGroup[] = [];
  let other: StoredGroup | null = null;
  // Members first: what one batch has room for must not be used up by the strangers in it.
  const isStrangers = ({ entry }: Missing) => Number(entry.userId === null);
  for (const [key, { entry, by }] of [...missing].sort(([, a], [, b]) => isStrangers(a) - isStrangers(b))) {
    const { userId, sender, release } = entry;
    const most = groupsMax * (userId !== null ? 1 : 1 - members - (release === build ? 0 : running));
    const ofHour = opened.get(sender) ?? 0;
    const mayOpen = ofHour < LOG_NEW_GROUPS[userId !== null ? 'member' : 'stranger'];
    const gone = mayOpen && groups >= most ? evictable.shift() : undefined;
    if (gone !== undefined) evicted.push(gone);
    else if (mayOpen && groups < most) groups += 1;
    else {
      other ??= await otherGroup(sql, entry);
      existing.set(key, other);
      continue;
    }
    // A newer rule carries on the issue that an older one has made; nothing is regrouped in silence.
    const before = by
      .slice(1)
      .map((older) => existing.get(older.key))
      .find(Boolean);
    const group = await makeGroup(sql, entry, by[0], before?.issueId);
    made.push({ groupId: group.id, issueId: group.issueId, entry, isNewIssue: !before });
    existing.set(key, group);
    opened.set(sender, ofHour + 1);
  }
  const [first] = made;
  if (first && evicted.length > 0) await moveGroups(sql, evicted, (other ?? (await otherGroup(sql, first.entry))).id);
  await writeOpened(sql, hour, opened);
  return made;
}

async function findGroups(sql: TransactionSql, entries: readonly ReadEntry[]): Promise<Map<string, StoredGroup>> {
  const prints = new Set<string>();
  for (const { by } of entries) for (const one of by ?? []) prints.add(one.key);
  if (prints.size === 0) return new Map();
  const rows = await sql<(StoredGroup & { fingerprint: Buffer })[]>`
    select id, issue_id as "issueId", stranger, fingerprint from client_log_groups
    where fingerprint in (select decode(print, 'base64') from unnest(${[...prints]}::text[]) as print)`;
  return new Map(rows.map(({ fingerprint, ...group }) => [fingerprint.toString('base64'), group]));
}

async function countGroups(sql: TransactionSql): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from client_log_groups where fingerprint <> ${OTHER}`;
  return row.count;
}

/** How many groups each sender opened in this hour. */
async function readOpened(
  sql: TransactionSql,
  hour: Date,
  missing: ReadonlyMap<string, Missing>,
): Promise<Map<string, number>> {
  const senders = [...new Set([...missing.values()].map(({ entry }) => entry.sender))];
  const rows = await sql<{ sender: string; groups: number }[]>`
    select sender, groups from client_log_senders where hour = ${hour} and sender = any(${senders}::text[])`;
  return new Map(rows.map(({ sender, groups }) => [sender, groups]));
}

async function writeOpened(sql: TransactionSql, hour: Date, opened: ReadonlyMap<string, number>): Promise<void> {
  // In name order, as in `usage.ts`.
  await sql`insert into client_log_senders (hour, sender, groups)
    select ${hour}::timestamptz, * from unnest(${[...opened.keys()]}::text[], ${[...opened.values()]}::int[]) as r (sender, groups) order by sender
    on conflict (hour, sender) do update set groups = excluded.groups`;
}

async function makeGroup(sql: TransactionSql, entry: ReadEntry, by: Grouped, issueId?: string): Promise<StoredGroup> {
  const issue = issueId ?? (await makeIssue(sql, entry, { type: by.type, culprit: by.culprit, title: titleOf(entry) }));
  const [row] = await sql<[StoredGroup]>`
    insert into client_log_groups (fingerprint, version, issue_id, why, first_at, last_at, stranger)
    values (${by.fingerprint}, ${by.version}, ${issue}, ${sql.json(by.why as JSONValue)}, ${entry.happenedAt}, ${entry.happenedAt},
      ${entry.userId === null ? entry.sender : null})
    returning id, issue_id as "issueId", stranger`;
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
async function otherGroup(sql: TransactionSql, entry: ReadEntry): Promise<StoredGroup> {
  const [stored] = await sql<
    StoredGroup[]
  >`select id, issue_id as "issueId", stranger from client_log_groups where fingerprint = ${OTHER}`;
  if (stored) return stored;
  const title = 'Other errors, beyond the cap of groups';
  const issue = await makeIssue(sql, entry, { type: 'Other', culprit: null, title }, true);
  const why = { type: 'Other', message: 'The cap of groups was reached', frames: [] };
  const [row] = await sql<[StoredGroup]>`
    insert into client_log_groups (fingerprint, version, issue_id, why, first_at, last_at)
    values (${OTHER}, 0, ${issue}, ${sql.json(why)}, ${entry.happenedAt}, ${entry.happenedAt})
    returning id, issue_id as "issueId", stranger`;
  return row;
}
