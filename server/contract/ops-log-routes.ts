import * as z from 'zod/mini';
import { Done } from './fields.ts';
import { ANSWER_LONG_MS, ANSWER_UPSTREAM_MS } from './limits.ts';
import {
  Alert,
  AlertRule,
  AlertTest,
  ChoicesQuery,
  EntriesQuery,
  EntryDetail,
  EntryPage,
  ExportQuery,
  Fleet,
  FleetQuery,
  Histogram,
  HistogramQuery,
  IssueDetail,
  IssueList,
  IssueMerge,
  IssueQuery,
  IssueSplit,
  IssuesQuery,
  LogChoices,
  LogFilters,
  NewAlertRule,
  NewIssueState,
  RegroupReport,
  RegroupRequest,
  Timeline,
  TimelineQuery,
} from './ops-logs.ts';
import { type Declaration, type RouteKey, route } from './route.ts';

/** What the people who run an instance read of client logs, and what they decide on them. */
export const opsLogRoutes = {
  'GET /api/admin/client-logs/issues': route('ops', 'Issues: entries that are alike, with counts in the range', {
    query: IssuesQuery,
    output: IssueList,
    cache: 'no-store',
    perMinute: 240,
  }),
  'GET /api/admin/client-logs/issues/:issueId': route('ops', 'One issue with its latest entry, or the one named', {
    query: IssueQuery,
    output: IssueDetail,
    cache: 'no-store',
    perMinute: 240,
  }),
  'POST /api/admin/client-logs/issues/:issueId/state': route(
    'ops',
    'Resolve in a release, ignore until a condition, reopen',
    { body: NewIssueState, output: IssueDetail, cache: 'no-store', perMinute: 120 },
  ),
  'POST /api/admin/client-logs/issues/:issueId/merge': route('ops', 'Make other issues part of this one', {
    body: IssueMerge,
    output: IssueDetail,
    cache: 'no-store',
    perMinute: 60,
  }),
  'POST /api/admin/client-logs/issues/:issueId/split': route(
    'ops',
    'Take groups out into an issue of their own, which is answered',
    { body: IssueSplit, output: IssueDetail, cache: 'no-store', perMinute: 60 },
  ),
  'POST /api/admin/client-logs/regroup': route(
    'ops',
    'What the present grouping rule would change on older groups; applies it when told',
    { body: RegroupRequest, output: RegroupReport, cache: 'no-store', perMinute: 20, answerMs: ANSWER_LONG_MS },
  ),
  'GET /api/admin/client-logs/entries': route('ops', 'Entries, newest first', {
    query: EntriesQuery,
    output: EntryPage,
    cache: 'no-store',
    perMinute: 240,
  }),
  'GET /api/admin/client-logs/entries/:entryId': route('ops', 'One entry with its stack, breadcrumbs and gaps', {
    output: EntryDetail,
    cache: 'no-store',
    perMinute: 240,
  }),
  'GET /api/admin/client-logs/histogram': route('ops', 'Occurrences over the range in even steps', {
    query: HistogramQuery,
    output: Histogram,
    cache: 'no-store',
    perMinute: 240,
  }),
  'GET /api/admin/client-logs/choices': route('ops', 'Values that filters can take, with their occurrences', {
    query: ChoicesQuery,
    output: LogChoices,
    cache: 'no-store',
    perMinute: 240,
  }),
  'GET /api/admin/client-logs/timeline': route('ops', 'What happened on this phone, newest first', {
    query: TimelineQuery,
    output: Timeline,
    cache: 'no-store',
    perMinute: 240,
  }),
  'GET /api/admin/client-logs/tail': route('ops', 'Entries as they arrive (server-sent events)', {
    query: LogFilters,
    stream: ['text/event-stream'],
    cache: 'no-store',
    perMinute: 60,
  }),
  'GET /api/admin/client-logs/export': route('ops', 'Entries of a filter as NDJSON or CSV', {
    query: ExportQuery,
    fileTypes: ['application/x-ndjson', 'text/csv'],
    cache: 'no-store',
    perMinute: 20,
  }),
  'GET /api/admin/client-logs/fleet': route('ops', 'What the phones are really like', {
    query: FleetQuery,
    output: Fleet,
    cache: 'no-store',
    perMinute: 60,
  }),
  'GET /api/admin/client-logs/rules': route('ops', 'Alert rules', {
    output: z.array(AlertRule),
    cache: 'no-store',
    perMinute: 120,
  }),
  'POST /api/admin/client-logs/rules': route('ops', 'Make an alert rule', {
    body: NewAlertRule,
    output: AlertRule,
    status: 201,
    cache: 'no-store',
    perMinute: 60,
  }),
  'PUT /api/admin/client-logs/rules/:ruleId': route('ops', 'Replace an alert rule', {
    body: NewAlertRule,
    output: AlertRule,
    cache: 'no-store',
    perMinute: 60,
  }),
  'DELETE /api/admin/client-logs/rules/:ruleId': route('ops', 'Delete an alert rule', {
    output: Done,
    cache: 'no-store',
    perMinute: 60,
  }),
  'POST /api/admin/client-logs/rules/:ruleId/test': route('ops', 'Send a test message by this rule, now', {
    output: AlertTest,
    cache: 'no-store',
    perMinute: 10,
    answerMs: ANSWER_UPSTREAM_MS,
  }),
  'GET /api/admin/client-logs/alerts': route('ops', 'What was told lately, and what could not be', {
    output: z.array(Alert),
    cache: 'no-store',
    perMinute: 120,
  }),
} as const satisfies Record<RouteKey, Declaration>;
