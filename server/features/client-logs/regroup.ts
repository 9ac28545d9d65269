import type { JSONValue, Sql, TransactionSql } from 'postgres';
import type { RegroupReport } from '../../contract/ops-logs.ts';
import { issueOf, joinIssues } from './change.ts';
import { GROUP_RULES, type Grouped, type Grouper, type GroupRule } from './group.ts';

/** Entries of an old group that are looked at: its latest ones. */
const SAMPLES = 20;

type Old = { id: number; issueId: string; title: string; version: number };
type Looked = Old & { found: Map<string, { by: Grouped; count: number }>; entries: number };

/**
 * Applies the newest rule to groups of an older one: which issues would be merged or split. Only `apply` changes
 * anything. `by` is null on the command line.
 */
export async function regroup(
  sql: Sql,
  input: { apply: boolean; group: Grouper; rules?: readonly GroupRule[]; by: string | null; at: Date },
): Promise<RegroupReport> {
  const rules = input.rules ?? GROUP_RULES;
  const [newest] = rules;
  const version = newest?.version ?? 0;
  return sql.begin(async (tx) => {
    const old = await tx<Old[]>`
      select g.id, g.issue_id as "issueId", i.title, g.version from client_log_groups g join client_log_issues i on i.id = g.issue_id
      where g.version < ${version} and not i.is_other order by g.id`;
    const looked: Looked[] = [];
    for (const one of old) looked.push(await look(tx, one, input.group, rules));
    const joins = joinsOf(looked);
    const parts = partsOf(looked);
    if (input.apply) await apply(tx, looked, joins, parts, version, input);
    const touched = new Set([...joins.flat(), ...parts.map(({ issueId }) => issueId)]);
    const titleOf = new Map(looked.map(({ issueId, title }) => [issueId, title]));
    return {
      applied: input.apply,
      version,
      groups: looked.length,
      entries: looked.reduce((sum, { entries }) => sum + entries, 0),
      joins: joins.map((issueIds) => ({ issueIds, titles: issueIds.map((id) => titleOf.get(id) ?? '') })),
      parts: parts.map(({ issueId, prints }) => ({ issueId, title: titleOf.get(issueId) ?? '', into: prints.length })),
      unchanged: new Set(looked.map(({ issueId }) => issueId).filter((id) => !touched.has(id))).size,
    };
  });
}

async function look(tx: TransactionSql, old: Old, group: Grouper, rules: readonly GroupRule[]): Promise<Looked> {
  const entries = await tx<{ message: string; stack: unknown; release: string | null }[]>`
    select message, data->'stack' as stack, release from client_log_entries where group_id = ${old.id}
    order by happened_at desc, id desc limit ${SAMPLES}`;
  const found: Looked['found'] = new Map();
  for (const entry of entries) {
    const [by] = group(entry, rules.slice(0, 1));
    const key = by.fingerprint.toString('hex');
    found.set(key, { by, count: (found.get(key)?.count ?? 0) + 1 });
  }
  return { ...old, found, entries: entries.length };
}

/** The print that most of a group's entries get: what the group itself becomes. */
const mainPrint = ({ found }: Looked): string | undefined =>
  [...found].sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1))[0]?.[0];

/** Issues whose groups become the same one. */
function joinsOf(looked: readonly Looked[]): string[][] {
  const byPrint = new Map<string, Set<string>>();
  for (const one of looked) {
    const print = mainPrint(one);
    if (print !== undefined) byPrint.set(print, (byPrint.get(print) ?? new Set()).add(one.issueId));
  }
  const sets: Set<string>[] = [];
  for (const issues of byPrint.values()) {
    const joined = sets.filter((set) => [...issues].some((id) => set.has(id)));
    for (const set of joined) {
      for (const id of set) issues.add(id);
      sets.splice(sets.indexOf(set), 1);
    }
    sets.push(issues);
  }
  return sets.filter((set) => set.size > 1).map((set) => [...set].sort());
}

/** Issues whose entries get several prints. */
function partsOf(looked: readonly Looked[]): { issueId: string; prints: string[] }[] {
  const byIssue = new Map<string, Set<string>>();
  for (const { issueId, found } of looked)
    for (const print of found.keys()) byIssue.set(issueId, (byIssue.get(issueId) ?? new Set()).add(print));
  return [...byIssue]
    .filter(([, prints]) => prints.size > 1)
    .map(([issueId, prints]) => ({ issueId, prints: [...prints] }));
}

/** Old groups keep their entries and history; what the new rule separates gets new groups and issues. */
async function apply(
  tx: TransactionSql,
  looked: readonly Looked[],
  joins: readonly string[][],
  parts: readonly { issueId: string; prints: string[] }[],
  version: number,
  { by, at }: { by: string | null; at: Date },
): Promise<void> {
  const note = (issueId: string, detail: string) => tx`
    insert into client_log_issue_events (issue_id, at, what, by_user, detail) values (${issueId}, ${at}, 'regrouped', ${by}, ${detail})`;
  for (const one of looked) {
    const main = mainPrint(one);
    for (const [print, { by: grouped }] of one.found) {
      const [made] = await tx<{ id: number }[]>`
        insert into client_log_groups (fingerprint, version, issue_id, why, first_at, last_at)
        select ${grouped.fingerprint}, ${version}, g.issue_id, ${tx.json(grouped.why as JSONValue)}, g.first_at, g.last_at
        from client_log_groups g where g.id = ${one.id}
        on conflict (fingerprint) do nothing returning id`;
      const comesApart = parts.some(({ issueId }) => issueId === one.issueId) && print !== main;
      if (made && comesApart)
        await note(await issueOf(tx, [made.id], one.issueId), `apart from ${one.title}`.slice(0, 200));
    }
    await tx`update client_log_groups set version = ${version} where id = ${one.id}`;
  }
  for (const [target, ...others] of joins) {
    if (target === undefined) continue;
    await joinIssues(tx, target, others);
    await note(target, `${others.length + 1} issues became one`);
  }
}
