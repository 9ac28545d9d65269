import { useMemo, useRef } from 'react';
import type { IssueSort, LogFilters } from '../../../../server/contract/ops-logs.ts';
import { isId, LOG_VIEWS } from '../../../lib/rooms.ts';
import { useSearch } from '../../../lib/search.ts';
import type { Target } from '../../../lib/target.ts';

export { isId, LOG_VIEWS as VIEWS };
export type View = (typeof LOG_VIEWS)[number];
/** Spans up to now, by their name in the address (`?last=`). */
export const SPANS = { '1h': 3_600_000, '24h': 86_400_000, '7d': 7 * 86_400_000, '30d': 30 * 86_400_000 } as const;
export type Span = keyof typeof SPANS;
export const SPAN_NAMES = Object.keys(SPANS) as Span[];
const USUAL_SPAN: Span = '24h';
const MINUTE_MS = 60_000;

/** Filters with a value; the others in `LogFilters` have their own controls. */
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

/** The reader's parameters in its address. */
export type LogSearch = {
  [Name in ValueFilter | 'entry' | 'q' | 'from' | 'to' | 'last' | 'state' | 'sort' | 'days']?: string;
};
export type Search = LogSearch;
export type Change = (next: { [Name in keyof LogSearch]?: string | null }) => void;

/** The address's query, and a setter for parts of it. */
export const useLogSearch = () => useSearch('/admin/client-logs');

export const spanOf = (search: Search): Span | null =>
  isTime(search.from) || isTime(search.to) ? null : (SPAN_NAMES.find((span) => span === search.last) ?? USUAL_SPAN);

const isTime = (text: string | undefined): text is string => text !== undefined && !Number.isNaN(Date.parse(text));

/** The address's range. A span ends now, which advances with each `turn`, not with each render. */
export function useRange(search: Search, turn: number): { from: string; to?: string } {
  const span = spanOf(search);
  const { from, to } = search;
  const lastRead = useRef({ turn: -1, now: 0 });
  if (lastRead.current.turn !== turn) lastRead.current = { turn, now: Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS };
  const { now } = lastRead.current;
  return useMemo(() => {
    if (span !== null) return { from: new Date(now - SPANS[span]).toISOString() };
    const end = isTime(to) ? new Date(to) : null;
    const begin = isTime(from) ? new Date(from) : new Date((end?.getTime() ?? now) - SPANS[USUAL_SPAN]);
    return { from: begin.toISOString(), ...(end && { to: end.toISOString() }) };
  }, [span, from, to, now]);
}

/** The address's valid filters; malformed ones are left out. */
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
/** An entry's page: its issue's, if it has one. */
export const entryAt = ({ id, issueId }: { id: string; issueId: string | null }): Target =>
  issueId === null ? logsAt('entry', { entry: id }) : logsAt('issue', { issue: issueId, entry: id });
/** A page of the reader, keeping the filters. */
export const logsAt = (page: LogPage, search: LogSearch = {}): Target => ({ to: `/admin/client-logs/${page}`, search });
