import { parseArgs } from 'node:util';
import type { Sql } from 'postgres';
import { LOG_EXPORT_ROWS_MAX, LOG_PAGE_MAX } from '../contract/limits.ts';
import type { EntryPage, LogEntry, LogFilters } from '../contract/ops-logs.ts';
import { entriesByIds, readEntries } from '../features/client-logs/entries.ts';
import { matches } from '../features/client-logs/filters.ts';
import { TAIL_CHANNEL } from '../features/client-logs/ingest.ts';
import { inertJson, inertLine } from '../rules/inert.ts';

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

export const LOGS_USAGE = `  logs                           client log entries, oldest first
    --since 30m | 24h | 7d       how far back (24h)
    --kind error | debug   --release <name>   --issue <id>   --user <id>   --search <words>
    --follow                     go on with what arrives
    --json                       one JSON object a line
`;

export type LogsOptions = { filters: LogFilters; follow: boolean; json: boolean };

/** The options of `muster logs`, or what is wrong with them. */
export function readLogsOptions(args: readonly string[], now: Date): LogsOptions | { problem: string } {
  const read = () =>
    parseArgs({
      args: [...args],
      options: {
        ...{
          since: { type: 'string' },
          kind: { type: 'string' },
          release: { type: 'string' },
          issue: { type: 'string' },
        },
        ...{
          user: { type: 'string' },
          search: { type: 'string' },
          follow: { type: 'boolean' },
          json: { type: 'boolean' },
        },
      } as const,
    });
  let values: ReturnType<typeof read>['values'];
  try {
    ({ values } = read());
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  const { since = '24h', kind, release, issue, user, search } = values;
  const [, count, unit = ''] = /^([1-9]\d{0,3})([mhd])$/.exec(since) ?? [];
  if (count === undefined) return { problem: `--since ${inertLine(since)}: use 30m, 24h or 7d` };
  if (kind !== undefined && kind !== 'error' && kind !== 'debug') return { problem: '--kind is error or debug' };
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
  for (const [name, value] of Object.entries({ issue, user }))
    if (value !== undefined && !uuid.test(value))
      return { problem: `--${name} must be an id, as in the address of the log viewer` };
  const filters: LogFilters = {
    from: new Date(now.getTime() - Number(count) * (UNITS[unit] ?? 0)).toISOString(),
    ...(kind === undefined ? {} : { kind }),
    ...(release === undefined ? {} : { release }),
    ...(issue === undefined ? {} : { issue }),
    ...(user === undefined ? {} : { user }),
    ...(search === undefined ? {} : { q: search }),
  };
  return { filters, follow: values.follow ?? false, json: values.json ?? false };
}

/** One entry on one line, without terminal control characters. */
export function lineOf(entry: LogEntry, json: boolean): string {
  if (json) return inertJson(entry);
  const who = entry.user?.name ?? entry.device ?? '-';
  const context = [entry.release, entry.browser, entry.route].filter(Boolean).join(' ');
  const times = entry.repeats > 1 ? ` ×${entry.repeats}` : '';
  const late = entry.delayMs > 60_000 ? ` (${Math.round(entry.delayMs / 60_000)} min late)` : '';
  return inertLine(`${entry.happenedAt} ${entry.kind.padEnd(5)} ${entry.message}${times}  [${who}; ${context}]${late}`);
}

/**
 * Prints entries; with `follow` until `stop` resolves. `note` takes what is no entry: how many are left out, and where
 * there are more of them.
 */
export async function printLogs(
  sql: Sql,
  { filters, follow, json }: LogsOptions,
  ports: { print: (line: string) => void; note: (line: string) => void; now: Date; stop: Promise<unknown> },
): Promise<void> {
  const printed = new Set<string>();
  let begin = () => {};
  const begun = new Promise<void>((done) => {
    begin = done;
  });
  const follower = follow
    ? await sql.listen(TAIL_CHANNEL, async (payload) => {
        const { ids, skipped } = JSON.parse(payload) as { ids: string[]; skipped: number };
        const entries = await entriesByIds(sql, ids);
        await begun;
        if (skipped > 0) ports.note(`${skipped} more arrived at once and are not shown: run again without --follow`);
        // What arrived while the past was read may be part of it.
        for (const entry of entries)
          if (!printed.has(entry.id) && matches(entry, filters)) ports.print(lineOf(entry, json));
      })
    : null;
  const lines: string[] = [];
  let cursor: string | null = null;
  do {
    const page: EntryPage = await readEntries(
      sql,
      { ...filters, limit: String(LOG_PAGE_MAX), ...(cursor !== null && { cursor }) },
      ports.now,
    );
    for (const entry of page.entries) {
      if (follow) printed.add(entry.id);
      lines.push(lineOf(entry, json));
    }
    cursor = page.next;
  } while (cursor !== null && lines.length < LOG_EXPORT_ROWS_MAX);
  if (cursor !== null)
    ports.note(`the latest ${lines.length}; there are older ones: choose a shorter time or a filter`);
  for (const line of lines.reverse()) ports.print(line);
  begin();
  if (!follower) return;
  await ports.stop;
  await follower.unlisten();
}
