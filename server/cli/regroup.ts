import type { Sql } from 'postgres';
import type { RegroupReport } from '../contract/ops-logs.ts';
import { audit } from '../features/audit/audit.ts';
import { createGrouper, type GroupRule } from '../features/client-logs/group.ts';
import { mapsUnder } from '../features/client-logs/maps.ts';
import { regroup } from '../features/client-logs/regroup.ts';
import { inertLine } from '../rules/inert.ts';
import { BY_HAND } from './by-hand.ts';

export const REGROUP_USAGE = `  logs regroup [--apply]         what the current rules make of groups from older rules; changes them only with --apply
`;

/** Shows or applies the regrouping of what an older rule grouped. Tests pass their own `rules`. */
export async function runRegroup(
  sql: Sql,
  input: { apply: boolean; home: string; at: Date; rules?: readonly GroupRule[] },
): Promise<string> {
  const { apply, home, at, rules } = input;
  const group = createGrouper(mapsUnder(home));
  const report = await regroup(sql, { apply, group, by: null, at, ...(rules ? { rules } : {}) });
  if (report.applied) await sql.begin((tx) => audit(tx, { ...BY_HAND, action: 'client_logs.regrouped', at }));
  return reportLines(report);
}

/** Lines without terminal control characters: titles come from strangers. */
function reportLines({ applied, version, groups, entries, joins, parts, unchanged }: RegroupReport): string {
  if (groups === 0) return `Every group uses the current rules (version ${version}): there is nothing to change.`;
  const lines = [
    `${groups} groups use rules older than version ${version}; ${entries} of their entries were checked.`,
    ...joins.map(({ titles }) => `  ${applied ? 'became' : 'would become'} one: ${titles.map(named).join(', ')}`),
    ...parts.map(({ title, into }) => `  ${applied ? 'came' : 'would come'} apart into ${into}: ${named(title)}`),
    `  unchanged: ${unchanged} issues`,
  ];
  if (!applied) lines.push('Nothing was changed. To apply this: npm run muster -- logs regroup --apply');
  return lines.join('\n');
}

const named = (title: string): string => `“${inertLine(title).slice(0, 120)}”`;
