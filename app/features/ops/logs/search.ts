import { useMemo, useRef } from 'react';
import type { IssueSort, LogFilters } from '../../../../server/contract/ops-logs.ts';
import { isId, LOG_VIEWS } from '../../../lib/rooms.ts';
import { useSearch } from '../../../lib/search.ts';
import type { Target } from '../../../lib/target.ts';

export { isId, LOG_VIEWS as VIEWS };
export type View = (typeof LOG_VIEWS)[number];
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

/** What the reader may be asked by its address. */
export type LogSearch = {
  [Name in ValueFilter | 'entry' | 'q' | 'from' | 'to' | 'last' | 'state' | 'sort' | 'days']?: string;
};
export type Search = LogSearch;
export type Change = (next: { [Name in keyof LogSearch]?: string | null }) => void;

/** What the address asks for, and a way to change some of it in place. */
export const useLogSearch = () => useSearch('/admin/client-logs');

export const spanOf = (search: Search): Span | null =>
  isTime(search.from) || isTime(search.to) ? null : (SPAN_NAMES.find((span) => span === search.last) ?? USUAL_SPAN);

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

/** The filters of the address that the server would take; what an address garbles is left out. */
export function filtersOf(search: Search): LogFilters {
  const filters: Record<string, string> = {};
  const words = search.q?.trim().slice(0, 200);
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
export const stateOf = (search: Search): StateFilter => STATES.find((state) => state === search.state) ?? 'open';
export const SORTS: readonly IssueSort[] = ['last', 'first', 'count', 'people'];
export const sortOf = (search: Search) => SORTS.find((sort) => sort === search.sort) ?? 'last';

type LogPage = View | 'timeline' | 'issue' | 'entry';
/** The page of an entry: its issue's, where it belongs to one. */
export const entryAt = ({ id, issueId }: { id: string; issueId: string | null }): Target =>
  issueId === null ? logsAt('entry', { entry: id }) : logsAt('issue', { issue: issueId, entry: id });
/** A page of the reader, with the filters that go along. */
export const logsAt = (page: LogPage, search: LogSearch = {}): Target => ({ to: `/admin/client-logs/${page}`, search });
