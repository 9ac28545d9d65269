import type { EntryDetail } from '../../contract/ops-logs.ts';
import { inert } from '../../rules/inert.ts';

/** Longer than any run of backticks inside, so the content cannot end it. */
const fenceFor = (text: string): string =>
  '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));

const fenced = (text: string): string => {
  const clean = inert(text);
  const fence = fenceFor(clean);
  return `${fence}\n${clean}\n${fence}`;
};

const duration = (ms: number): string => {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  return minutes < 1
    ? `${Math.round(Math.abs(ms) / 1000)} s`
    : minutes < 120
      ? `${minutes} min`
      : `${Math.round(minutes / 60)} h`;
};

const BESIDE_MAX = 200;
/** What a device noted beside a breadcrumb. */
const beside = (data: unknown): string =>
  data === null || data === undefined ? '' : (JSON.stringify(data) ?? '').slice(0, BESIDE_MAX);

/** An entry as Markdown for an issue tracker. Strangers' text is fenced and cannot leave the fence. */
export function asText(detail: Omit<EntryDetail, 'asText'>, origin: string): string {
  const { entry, stack, rawStack, breadcrumbs } = detail;
  const facts: [string, string | null][] = [
    ['Happened', `${entry.happenedAt}${entry.repeats > 1 ? ` (${entry.repeats} times in a row)` : ''}`],
    ['Received', `${entry.receivedAt} (${duration(entry.delayMs)} later)`],
    ['Release', entry.release],
    ['Page', entry.route],
    ['Device', [entry.browser, entry.os, entry.display].filter(Boolean).join(', ') || null],
    ['Connection', entry.offlineMs === null ? entry.connection : `offline for ${duration(entry.offlineMs)}`],
    [
      'Clock',
      detail.skewMs === null || Math.abs(detail.skewMs) < 60_000 ? null : `wrong by ${duration(detail.skewMs)}`,
    ],
    [
      'Missing',
      detail.gap.missingBefore + detail.gap.dropped > 0
        ? `${detail.gap.missingBefore} entries before it, ${detail.gap.dropped} dropped`
        : null,
    ],
  ];
  const lines = stack
    ? stack.map(({ function: name, file, line, column, code }) => {
        const location = `at ${name ?? '?'} (${file ?? '?'}:${line ?? '?'}:${column ?? '?'})`;
        const source = code && line !== null ? code.lines[line - code.start]?.trim() : undefined;
        return source ? `${location}\n    ${source}` : location;
      })
    : [rawStack ?? ''];
  const crumbs = breadcrumbs.map(({ offsetMs, message, data }) =>
    `${(offsetMs / 1000).toFixed(1)} s  ${message.replace(/\s+/g, ' ')}  ${beside(data)}`.trimEnd(),
  );
  const parts = [
    fenced(entry.message),
    facts.flatMap(([name, value]) => (value === null ? [] : `- ${name}: ${value}`)).join('\n'),
    ...(lines.join('') === '' ? [] : [fenced(lines.join('\n'))]),
    ...(crumbs.length === 0 ? [] : [`Before it:\n${fenced(crumbs.join('\n'))}`]),
    `${origin}/admin/client-logs${entry.issueId === null ? '?' : `?issue=${entry.issueId}&`}entry=${entry.id}`,
  ];
  return parts.join('\n\n');
}
