import type { AnalyticsQuery, AnalyticsTable } from '../../../../server/contract/analytics.ts';
import { useSearch } from '../../../lib/search.ts';

export const SPANS = ['7', '30', '90', '365'] as const;
const USUAL = '30';
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export type AnalyticsRange = AnalyticsQuery;

/** The address's query for the server: a preset or two dates, and a community. */
export function rangeOf(search: Record<string, string>): AnalyticsRange {
  const community = search['community'] ? { community: search['community'] } : {};
  const { from, to } = search;
  if (from && to && DAY.test(from) && DAY.test(to)) return { ...community, from, to };
  const days = SPANS.find((one) => one === search['days']) ?? USUAL;
  return { ...community, days };
}

/** The query, with functions to change it. */
export function useAnalyticsRange() {
  const [search, setSearch] = useSearch('/admin/analytics');
  const range = rangeOf(search);
  return {
    range,
    setDays: (days: string) => setSearch({ days: days === USUAL ? null : days, from: null, to: null }, true),
    setDates: (from: string, to: string) => setSearch({ days: null, from, to }, true),
    setCommunity: (community: string) => setSearch({ community: community || null }, true),
  };
}

/** The file address of one table. */
export function exportPath(table: AnalyticsTable, range: AnalyticsRange): string {
  const query = new URLSearchParams({ table });
  for (const [name, value] of Object.entries(range)) if (value !== undefined) query.set(name, value);
  return `/api/admin/analytics/export?${query}`;
}
