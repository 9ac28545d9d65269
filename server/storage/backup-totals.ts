import type { TransactionSql } from 'postgres';

/**
 * What the database holds by its own count, written at the end of a backup: rows of each table, and lines and points of
 * each community's ledger. Sums are texts, since they may be larger than a number of JavaScript's holds exactly.
 */
export type Totals = {
  rows: Record<string, number>;
  ledger: Record<string, { lines: number; points: string }>;
};

/** Counts all of the named tables. Within one snapshot the counts belong together. */
export async function readTotals(tx: TransactionSql, tables: readonly string[]): Promise<Totals> {
  const counts = tables.map((name) => `select '${name}' as name, count(*)::float8 as rows from "${name}"`);
  const rows = await tx.unsafe<{ name: string; rows: number }[]>(counts.join(' union all '));
  const ledger = tables.includes('point_events')
    ? await tx<{ community: string; lines: number; points: string }[]>`
        select community_id as community, count(*)::float8 as lines, sum(points)::text as points
        from point_events group by 1`
    : [];
  return {
    rows: Object.fromEntries(rows.map((row) => [row.name, row.rows])),
    ledger: Object.fromEntries(ledger.map(({ community, lines, points }) => [community, { lines, points }])),
  };
}

/** Differences between two counts, in words; empty when they agree. */
export function differences(written: Totals, found: Totals): string[] {
  const both = (a: object, b: object) => [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  const rows = both(written.rows, found.rows).flatMap((table) => {
    const [was, is] = [written.rows[table] ?? 0, found.rows[table] ?? 0];
    return was === is ? [] : `${table} has ${is} rows, and ${was} were written`;
  });
  const sums = both(written.ledger, found.ledger).flatMap((community) => {
    const [was, is] = [written.ledger[community], found.ledger[community]];
    if (was?.lines === is?.lines && was?.points === is?.points) return [];
    return `the ledger of ${community} sums up to ${is?.points ?? 0} points, and ${was?.points ?? 0} were written`;
  });
  return [...rows, ...sums];
}
