import { useMemo, useRef } from 'react';
import type { IssueSort, LogFilters } from '../../../../server/contract/ops-logs.ts';
import { useSearch } from '../../../lib/use-search.ts';

/** Pages of the reader, by the names they have in the address (`?view=`). */
export const VIEWS = ['issues', 'entries', 'tail', 'fleet', 'rules'] as const;
export type View = (typeof VIEWS)[number];
/** Spans that end now, by the names they have in the address (`?last=`). */
export const SPANS = { '1h': 3_600_000, '24h': 86_400_000, '7d': 7 * 86_400_000, '30d': 30 * 86_400_000 } as const;
export type Span = keyof typeof SPANS;
export const SPAN_NAMES = Object.keys(SPANS) as Span[];
const USUAL_SPAN: Span = '24h';
const MINUTE_MS = 60_000;

/** Filters that name a value; the rest of `LogFilters` has controls of its own. */
export const VALUE_FILTERS = [
  'kind',
  'release',
  'engine',
  'browser',
  'os',
  'display',
  'connection',
  'community',
  'route',
  'source',
  'offline',
  'user',
  'device',
  'issue',
] as const;
export type ValueFilter = (typeof VALUE_FILTERS)[number];

export type Search = Record<string, string>;
export type Change = (next: Record<string, string | null>) => void;

/** What the address asks for: its plain words, and a way to change some of them in place. */
export const useLogSearch = (): [Search, Change] => useSearch();

export const viewOf = (search: Search): View => VIEWS.find((view) => view === search['view']) ?? 'issues';
export const spanOf = (search: Search): Span | null =>
  isTime(search['from']) || isTime(search['to'])
    ? null
    : (SPAN_NAMES.find((span) => span === search['last']) ?? USUAL_SPAN);

const isTime = (text: string | undefined): text is string => text !== undefined && !Number.isNaN(Date.parse(text));

/** From and to of what the address asks for. A span ends now, told anew with each `turn` and not with each drawing. */
export function useRange(search: Search, turn: number): { from: string; to?: string } {
  const span = spanOf(search);
  const { from, to } = search;
  const asked = useRef({ turn: -1, now: 0 });
  if (asked.current.turn !== turn) asked.current = { turn, now: Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS };
  const { now } = asked.current;
  return useMemo(() => {
    if (span !== null) return { from: new Date(now - SPANS[span]).toISOString() };
    const end = isTime(to) ? new Date(to) : null;
    const begin = isTime(from) ? new Date(from) : new Date((end?.getTime() ?? now) - SPANS[USUAL_SPAN]);
    return { from: begin.toISOString(), ...(end && { to: end.toISOString() }) };
  }, [span, from, to, now]);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isId = (text: string | undefined): text is string => text !== undefined && UUID.test(text);

/** The filters of the address that the server would take; what an address garbles is left out. */
export function filtersOf(search: Search): LogFilters {
  const filters: Record<string, string> = {};
  const words = search['q']?.trim().slice(0, 200);
  if (words) filters['q'] = words;
  for (const name of VALUE_FILTERS) {
    const value = search[name]?.slice(0, 200);
    if (!value) continue;
    if ((name === 'user' || name === 'issue') && !isId(value)) continue;
    if (name === 'kind' && value !== 'error' && value !== 'debug') continue;
    if (name === 'offline' && value !== 'yes' && value !== 'no') continue;
    filters[name] = value;
  }
  return filters as LogFilters;
}

export const STATES = ['open', 'resolved', 'ignored', 'any'] as const;
export type StateFilter = (typeof STATES)[number];
export const stateOf = (search: Search): StateFilter => STATES.find((state) => state === search['state']) ?? 'open';
export const SORTS: readonly IssueSort[] = ['last', 'first', 'count', 'people'];
export const sortOf = (search: Search) => SORTS.find((sort) => sort === search['sort']) ?? 'last';

/** An address of the reader. */
export function logsPath(search: Record<string, string | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value !== undefined) query.set(name, value);
  return `/admin/client-logs${query.size > 0 ? `?${query}` : ''}`;
}
