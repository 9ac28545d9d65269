import type { AlertCondition, IgnoreUntil, Issue, IssueState } from '../../../../server/contract/ops-logs.ts';
import { day, number, timeOfDay } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import type { Span, StateFilter, ValueFilter, View } from './search.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `3 h 12 min`, `51 min`, `2.4 s`: two units at most. */
export function spanWord(ms: number): string {
  const abs = Math.abs(ms);
  if (abs < 10 * SECOND) return m.logs_seconds({ n: number(Math.round(abs / 100) / 10) });
  if (abs < 2 * MINUTE) return m.logs_seconds({ n: number(Math.round(abs / SECOND)) });
  if (abs < HOUR) return m.logs_minutes({ n: number(Math.round(abs / MINUTE)) });
  if (abs < DAY) {
    const hours = Math.floor(abs / HOUR);
    const minutes = Math.round((abs - hours * HOUR) / MINUTE);
    return minutes === 0
      ? m.logs_hours({ n: number(hours) })
      : m.logs_hours_minutes({ h: number(hours), min: number(minutes) });
  }
  return m.logs_days({ n: number(Math.round(abs / (DAY / 10)) / 10) });
}

/** `2 min ago` for lists; it does not tick, since a screen is read, not watched. */
export const agoWord = (at: string, now: number): string =>
  now - Date.parse(at) < MINUTE ? m.logs_just_now() : m.logs_ago({ span: spanWord(now - Date.parse(at)) });

/** `21 Nov 14:28:51`: to the second, as breadcrumbs need. */
export const momentWord = (at: string): string =>
  `${day(at)} ${timeOfDay(at)}:${String(new Date(at).getSeconds()).padStart(2, '0')}`;
/** `14:28:51.204`. */
export const clockWord = (at: string): string => {
  const moment = new Date(at);
  return `${timeOfDay(at)}:${String(moment.getSeconds()).padStart(2, '0')}.${String(moment.getMilliseconds()).padStart(3, '0')}`;
};

const VIEW_WORDS: Record<View, () => string> = {
  issues: m.logs_view_issues,
  entries: m.logs_view_entries,
  tail: m.logs_view_tail,
  fleet: m.logs_view_fleet,
  rules: m.logs_view_rules,
};
export const viewWord = (view: View): string => VIEW_WORDS[view]();

const SPAN_WORDS: Record<Span, () => string> = {
  '1h': m.logs_span_1h,
  '24h': m.logs_span_24h,
  '7d': m.logs_span_7d,
  '30d': m.logs_span_30d,
};
export const spanName = (span: Span): string => SPAN_WORDS[span]();

const FILTER_WORDS: Record<ValueFilter, () => string> = {
  kind: m.logs_filter_kind,
  release: m.logs_filter_release,
  engine: m.logs_filter_engine,
  browser: m.logs_filter_browser,
  os: m.logs_filter_os,
  display: m.logs_filter_display,
  connection: m.logs_filter_connection,
  community: m.logs_filter_community,
  route: m.logs_filter_route,
  source: m.logs_filter_source,
  offline: m.logs_filter_offline,
  user: m.logs_filter_user,
  device: m.logs_filter_device,
  issue: m.logs_filter_issue,
};
export const filterWord = (filter: ValueFilter): string => FILTER_WORDS[filter]();

/** A filter value for people; most are the device's own text. */
export function valueWord(filter: ValueFilter, value: string): string {
  if (filter === 'kind') return value === 'error' ? m.logs_kind_error() : m.logs_kind_debug();
  if (filter === 'offline') return value === 'yes' ? m.logs_offline_yes() : m.logs_offline_no();
  return value;
}

const STATE_WORDS: Record<StateFilter, () => string> = {
  open: m.logs_state_open,
  resolved: m.logs_state_resolved,
  ignored: m.logs_state_ignored,
  any: m.logs_state_any,
};
export const stateFilterWord = (state: StateFilter): string => STATE_WORDS[state]();

/** An issue's state: `Regressed`, `Resolved in 9c41e`, `Ignored until 3 more people`. */
export function stateWord(issue: Pick<Issue, 'state' | 'regression' | 'resolvedIn' | 'ignoredUntil'>): string {
  if (issue.regression) return m.logs_regressed();
  const words: Record<IssueState, () => string> = {
    open: m.logs_state_open,
    resolved: () =>
      issue.resolvedIn === null ? m.logs_resolved_next() : m.logs_resolved_in({ release: issue.resolvedIn }),
    ignored: () => ignoredWord(issue.ignoredUntil),
  };
  return words[issue.state]();
}

function ignoredWord(until: IgnoreUntil | null): string {
  switch (until?.kind) {
    case 'time':
      return m.logs_ignored_time({ time: momentWord(until.at) });
    case 'count':
      return m.logs_ignored_count({ n: number(until.count) });
    case 'people':
      return m.logs_ignored_people({ n: number(until.people) });
    case 'release':
      return m.logs_ignored_release();
    default:
      return m.logs_ignored_forever();
  }
}

/** A rule's condition, in a sentence. */
export function conditionWord(when: AlertCondition): string {
  switch (when.kind) {
    case 'new_issue':
      return m.logs_when_new_issue();
    case 'regression':
      return m.logs_when_regression();
    case 'rate':
      return m.logs_when_rate({ n: number(when.minimum), min: number(when.minutes), times: number(when.times) });
    case 'replay_delay':
      return m.logs_when_delay({ min: number(when.minutes) });
    case 'drops':
      return m.logs_when_drops({ n: number(when.minimum) });
    case 'weekly_digest':
      return m.logs_when_digest();
    case 'check':
      return m.logs_when_check();
  }
}

export const countWord = (n: number): string => m.logs_count_entries({ count: n, n: number(n) });
export const peopleWord = (n: number): string => m.logs_count_people({ count: n, n: number(n) });
export const percentWord = (share: number): string => m.logs_percent({ n: number(Math.round(share * 1_000) / 10) });
