import { afterAll, expect, test } from 'vitest';
import { readChoices, readHistogram } from '../../server/features/client-logs/bars.ts';
import { readEntries } from '../../server/features/client-logs/entries.ts';
import { readEntry } from '../../server/features/client-logs/entry-detail.ts';
import { exportRows } from '../../server/features/client-logs/export.ts';
import { readIssueDetail } from '../../server/features/client-logs/issue-detail.ts';
import { readIssues } from '../../server/features/client-logs/issues.ts';
import { readTimeline } from '../../server/features/client-logs/timeline.ts';
import { connectTo } from '../../server/storage/connect.ts';
import { createTestDatabase } from '../support/database.ts';
import { seedLogs } from '../support/log-seed.mjs';
import { ofFile } from '../support/of-file.ts';

const DAY_MS = 86_400_000;
// At noon, whatever the clock says: late in the evening the oldest day would hold a handful, which is read whole, and rightly.
const now = new Date(new Date().setUTCHours(12, 0, 0, 0));
const ago = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
const resolve = () => ({
  original: false,
  inApp: false,
  function: null,
  file: null,
  line: null,
  column: null,
  code: null,
});
const ports = { resolve, origin: 'https://muster.example', now };

const plans: string[] = [];
let issue = '';
let entry = '';
let user = '';

const database = await ofFile(createTestDatabase());
await seedLogs(database.sql, { entries: 60_000, groups: 500, days: 5, now });
const [loud] = await database.sql<
  [{ id: string }]
>`select issue_id as id from client_log_groups order by count desc limit 1`;
const [one] = await database.sql<[{ id: string; user: string }]>`
  select id, user_id as user from client_log_entries where kind = 'error' order by happened_at desc limit 1`;
[issue, entry, user] = [loud.id, one.id, one.user];
/** One connection whose every statement leaves its plan behind. */
const watched = connectTo(database.url, {
  max: 1,
  onnotice: ({ message }) => void (message?.includes('Query Text') && plans.push(message)),
});
// `auto_explain` reports the plans of the statements that really run, with their parameters.
await watched
  .unsafe(`load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_level = notice;
  set auto_explain.log_nested_statements = on; set client_min_messages = notice; set max_parallel_workers_per_gather = 0`)
  .simple();
afterAll(async () => {
  await watched?.end();
});

async function plansOf(act: () => Promise<unknown>): Promise<string> {
  plans.length = 0;
  await act();
  return plans.join('\n');
}
const partitions = (plan: string) => new Set(plan.match(/client_log_entries_\d{8}/g));
/** Tables of entries that were read from end to end. */
const wholeScans = (plan: string) =>
  plan.match(/Seq Scan on client_log_(?:entries_\d{8}|ids|people|facets|series|hours|messages)\b[^\n]*/g) ?? [];

test.each<[string, () => Promise<unknown>, { reads: RegExp; days?: number }]>([
  [
    'entries of a day',
    () => readEntries(watched, {}, now),
    { reads: /Index (?:Only )?Scan using client_log_entries_\d{8}_happened_at/, days: 3 },
  ],
  [
    'entries by two filters',
    () => readEntries(watched, { from: ago(30), release: 'r1', engine: 'firefox' }, now),
    { reads: /Index Only Scan using client_log_entries_\d{8}_happened_at/ },
  ],
  [
    'entries of an issue',
    () => readEntries(watched, { from: ago(30), issue }, now),
    { reads: /client_log_entries_\d{8}_(?:group_id|happened_at)/ },
  ],
  [
    'entries of a member',
    () => readEntries(watched, { from: ago(30), user }, now),
    { reads: /client_log_entries_\d{8}_user_id/ },
  ],
  [
    'entries of a device',
    () => readEntries(watched, { from: ago(30), device: 'device-7' }, now),
    { reads: /client_log_entries_\d{8}_device/ },
  ],
  [
    'entries by rare words',
    () => readEntries(watched, { from: ago(30), q: 'c4ca4238a0b923820dcc509a6f75849b' }, now),
    { reads: /client_log_entries_\d{8}_(?:message_key|happened_at)/ },
  ],
  ['one entry', () => readEntry(watched, ports, entry), { reads: /Index Scan using client_log_entries_\d{8}_id_idx/ }],
  [
    'bars of 30 days',
    () => readHistogram(watched, { from: ago(30) }, now),
    { reads: /client_log_series_pkey/, days: 0 },
  ],
  [
    'bars of a release',
    () => readHistogram(watched, { from: ago(30), release: 'r3' }, now),
    { reads: /client_log_series_pkey/, days: 0 },
  ],
  [
    'bars of an issue',
    () => readHistogram(watched, { from: ago(30), issue }, now),
    { reads: /client_log_hours_group/, days: 0 },
  ],
  [
    'bars by two filters',
    () => readHistogram(watched, { from: ago(7), release: 'r3', engine: 'webkit' }, now),
    { reads: /Index Only Scan using client_log_entries_\d{8}_happened_at/, days: 9 },
  ],
  ['the list of a day', () => readIssues(watched, {}, now), { reads: /client_log_hours/, days: 0 }],
  [
    'the list by a member',
    () => readIssues(watched, { from: ago(30), user }, now),
    { reads: /client_log_people_person/, days: 0 },
  ],
  [
    'an issue page',
    () => readIssueDetail(watched, ports, issue, { from: ago(30) }),
    { reads: /client_log_entries_\d{8}_(?:group_id|happened_at)/ },
  ],
  ['what filters can take', () => readChoices(watched, {}, now), { reads: /client_log_series/, days: 0 }],
  ['a timeline', () => readTimeline(watched, { user }, now), { reads: /client_log_entries_\d{8}_user_id/ }],
  [
    'an export of a day',
    () => exportRows(watched, {}, now).next(),
    { reads: /client_log_entries_\d{8}_happened_at/, days: 3 },
  ],
])('%s reads an index of its own, and no table of entries from end to end', async (_, act, { reads, days }) => {
  const plan = await plansOf(act);
  expect(plan).not.toBe('');
  expect(plan).toMatch(reads);
  // A day without a single entry yet is read for nothing.
  expect(wholeScans(plan).filter((line) => !line.includes('cost=0.00..0.0'))).toEqual([]);
  if (days !== undefined) expect(partitions(plan).size, plan).toBeLessThanOrEqual(days);
});
