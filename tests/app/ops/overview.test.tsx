import { act, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { OverviewScreen } from '../../../app/features/ops/overview/overview-screen.tsx';
import type { AdminOverview, CheckName, Checks, JobRun } from '../../../server/contract/overview.ts';
import { aUser, draw, json, refusal, serverOfEach } from '../support.tsx';

vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const AT = '2026-11-20T08:40:00.000Z';
const FACTS: { [N in CheckName]: NonNullable<Checks[N]['facts']> } = {
  disk: { holdsDatabase: true, totalBytes: 100_000_000_000, freeBytes: 59_000_000_000, fullOn: null },
  database: {
    kind: 'embedded',
    version: '18.4',
    schema: 15,
    bytes: 14_200_000_000,
    answeredMs: 4,
    waitingLocks: 0,
    connections: 9,
    maxConnections: 100,
  },
  size: { bytes: 14_200_000_000, limitBytes: null, fullOn: null, isBeside: true },
  backups: {
    goodAt: AT,
    failedAt: null,
    failure: null,
    nextAt: AT,
    bytes: 24_000_000,
    places: ['/srv/backups', 's3:muster'],
    triedAt: AT,
  },
  jobs: { all: 17, lastAt: AT, behind: [] },
  telegram: {
    configured: true,
    botUsername: 'walks_bot',
    requiredChannel: '-1001',
    error: null,
    webhook: { isOurs: true, pending: 0, errorAt: null, error: null },
  },
  push: {
    subscriptions: 40,
    sent: 993,
    gone: 0,
    failed: 7,
    services: [{ service: 'fcm.googleapis.com', sent: 993, failed: 7 }],
    resting: [],
  },
  intake: { waiting: 0, oldestS: 0, today: 1_204, refusedToday: 0, deafRules: [] },
  webhooks: { active: 2, waiting: 0, failed: 0, troubled: [] },
  ledger: { differences: 0, checkedAt: AT },
  clock: { databaseS: 0, upstreamS: null, upstream: null },
  certificate: {
    host: 'muster.example',
    validTo: '2027-01-20T00:00:00.000Z',
    daysLeft: 60,
    refused: null,
    upstreams: [],
  },
};
const WAY_OUT = 'Free some room on that disk.';
const DAYS = ['2026-11-19', '2026-11-20'].map((day) => ({ day, state: 'fine' as const, figure: 3 }));

function overview(troubles: { [N in CheckName]?: Partial<Checks[N]> } = {}): AdminOverview {
  const checks = Object.fromEntries(
    Object.entries(FACTS).map(([name, facts]) => [
      name,
      { state: 'fine', since: AT, error: null, facts, wayOut: WAY_OUT, days: DAYS, ...troubles[name as CheckName] },
    ]),
  ) as Checks;
  const none = { count: 0, oldestAt: null };
  return {
    asOf: AT,
    checks,
    waiting: { applications: { count: 2, oldestAt: AT }, partnerships: none, reviews: none, appeals: none },
    alerts: { channels: [], rules: 0, heartbeat: false },
    counts: { people: 812, verified: 640, communities: 14, activeToday: 204 },
    versions: { build: '2026.11.4', startedAt: AT, node: 'v20.20.2' },
  };
}

const aRun = (name: string, share: number, isOver: boolean): JobRun => ({
  name,
  everyMs: 600_000,
  ranAt: AT,
  runs: 1,
  longestMs: 1_250,
  statements: 12,
  rows: 3_400,
  share,
  isOver,
});

let me: object | null;
let answer: () => Response;
const server = serverOfEach(({ url }) => {
  if (url === '/api/auth/user') return me === null ? refusal(401, 'NOT_SIGNED_IN') : json(me);
  if (url === '/api/admin/switches')
    return json([
      { name: 'X_ACTION_POINTS', isOn: false, value: 'off' },
      { name: 'TELEGRAM_BOT_TOKEN', isOn: true, value: null },
    ]);
  if (url === '/api/admin/jobs') return json([aRun('streaks', 0.4, true), aRun('sweep', 0.001, false)]);
  if (url === '/api/admin/recent-acts')
    return json([{ id: '1', at: AT, action: 'person.suspended', by: null, subject: 'Jens Osterloh', reason: null }]);
  return answer();
});
beforeEach(() => {
  me = { ...aUser, role: 'admin' };
  answer = () => json(overview());
});
const open = () => draw(<OverviewScreen />, '/admin');

test('a calm page says that all is well, and when it last was not', async () => {
  const before = [{ day: '2026-11-12', state: 'attention' as const, figure: 3 }, ...DAYS];
  answer = () => json(overview({ telegram: { days: before } }));
  await open();
  await screen.findByText('All is well');
  screen.getByText(/^All 12 checks passed\. The last problem was on .*12.*: Telegram bot\.$/);
  expect(screen.queryByRole('heading', { name: 'Needs attention' })).toBeNull();
  screen.getByRole('img', { name: '12 checks: 12 fine, 0 to look at, 0 failed, 0 not known' });
  screen.getByText('PostgreSQL 18.4, answered in 4 ms');
  screen.getByText(
    /^The last one succeeded\. Next .*, to \/srv\/backups.* and s3:muster\. Restored as a trial .*\. Size 24 MB$/,
  );
  screen.getByText('fcm.googleapis.com accepted 99 %');
  expect(screen.getByRole('link', { name: /2 leader applications/ }).getAttribute('href')).toBe(
    '/admin/account-management?view=applications',
  );
  screen.getByText('204 people active today');
  await screen.findByText('Suspended: Jens Osterloh');
});

test('a job that is over its share stands before the others, each with what it read and how long it took', async () => {
  await open();
  const over = await screen.findByText('Over its share');
  expect(over.closest('li')?.textContent).toMatch(
    /^streaksOver its share1 run, .*: 1,250 ms, 12 statements, 3,400 rows, 40 % of its time$/,
  );
  expect(screen.getByText('1 job within its share').closest('details')?.textContent).toContain('sweep');
});

test('what needs somebody comes first, the worst at the top: what, since when, and where it is mended', async () => {
  answer = () =>
    json(
      overview({
        disk: { state: 'attention', facts: { ...FACTS.disk, freeBytes: 9_000_000_000, fullOn: '2026-12-04' } },
        backups: { state: 'failed', facts: { ...FACTS.backups, goodAt: null, failedAt: AT, failure: 'no space left' } },
        intake: { state: 'attention', facts: { ...FACTS.intake, deafRules: ['Night watch'] } },
        push: { state: 'unknown', facts: null, since: null, error: 'no answer within 3 s' },
      }),
    );
  await open();
  const needs = within(await screen.findByRole('region', { name: 'Needs attention' }));
  expect(needs.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'The last backup failed',
    expect.stringMatching(/^The disk will be full around .*4/),
    'Alerts don’t reach anyone',
    'Push could not be checked',
  ]);
  needs.getByText('npm run muster -- backup <file>');
  needs.getByText('no space left');
  needs.getByText('no answer within 3 s');
  expect(needs.getAllByText(/^Since /)).toHaveLength(3);
  expect(needs.getAllByText(/Free some room on that disk/)).toHaveLength(4);
  needs.getByText(/what-to-do-when\.md, section “backups”/);
  expect(needs.getByRole('link', { name: 'Open alert rules' }).getAttribute('href')).toBe(
    '/admin/client-logs?view=rules',
  );
  screen.getByText('4 of 12 checks');
  screen.getByRole('heading', { name: 'Everything else is fine' });
});

test('a queue or a count that could not be read says so and leaves the others', async () => {
  answer = () => json({ ...overview(), counts: null, waiting: { ...overview().waiting, reviews: null } });
  await open();
  await screen.findByText('All is well');
  screen.getByText('Answers for review');
  screen.getByText('could not be read');
  screen.getByText('Couldn’t be counted');
  screen.getByText('Release 2026.11.4');
});

test('it says who is told when a check fails: nobody, or each channel, and which takes nothing', async () => {
  const { unmount } = await open();
  await screen.findByText('Alerts aren’t set up');
  screen.getByText(/Set ALERTS_TELEGRAM_CHAT or ALERTS_WEBHOOK/);
  screen.getByText(/Not set up. With HEARTBEAT_URL/);
  unmount();
  const channels = [
    { kind: 'telegram' as const, failingSince: AT, error: 'chat not found' },
    { kind: 'webhook' as const, failingSince: null, error: null },
  ];
  answer = () => json({ ...overview(), alerts: { channels, rules: 2, heartbeat: true } });
  await open();
  await screen.findByText(/^Nothing was delivered since .*: chat not found$/);
  screen.getByText('Told once when a check fails, and once when it recovers');
  expect(screen.getByRole('link', { name: '2 alert rules report checks' }).getAttribute('href')).toBe(
    '/admin/client-logs?view=rules',
  );
  screen.getByText('Sent every minute while the database answers');
  expect(screen.queryByText('Alerts aren’t set up')).toBeNull();
});

test('a switch says what it means, with the policy that stands behind it, and how it is changed', async () => {
  await open();
  const summary = await screen.findByText('Points for X actions');
  await act(async () => summary.click());
  screen.getByText(/X’s developer policy does not let an app/);
  expect(screen.getByRole('link', { name: 'X’s developer policy' }).getAttribute('href')).toMatch(
    /^https:\/\/developer\.x\.com\//,
  );
  screen.getByText('To change it: X_ACTION_POINTS=on');
});

test('who may not is told who lets them in, and nothing is asked for; who is signed out may sign in', async () => {
  me = aUser;
  const { unmount } = await open();
  await screen.findByText(/An administrator of this instance can let you in/);
  expect(server.asked.filter(({ url }) => url === '/api/admin/overview')).toEqual([]);
  unmount();
  me = null;
  await open();
  await screen.findByRole('link', { name: 'Sign in with Telegram' });
});

test('a role that was taken meanwhile is told as such, and a server that fails with its code', async () => {
  answer = () => refusal(403, 'NOT_STAFF');
  const { unmount } = await open();
  await screen.findByText(/An administrator of this instance can let you in/);
  unmount();
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    answer = () => refusal(500, 'INTERNAL', 'It broke');
    await open();
    await vi.advanceTimersByTimeAsync(20_000);
    await screen.findByText('It broke');
    screen.getByRole('button', { name: 'Try again' });
  } finally {
    vi.useRealTimers();
  }
});
