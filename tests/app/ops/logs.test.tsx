/** The reader of client logs as an operator uses it: what they press, what is asked of the server, where the address stands. */
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { EntryDetail, Issue, LogEntry } from '../../../server/contract/ops-logs.ts';
import { aUser, click, drawAt, fill, json, refusal, serverOfEach } from '../support.tsx';

vi.mock('../../../app/lib/device.ts', () => ({ onDeviceEvent: () => () => undefined }));

const NOON = '2026-11-21T12:00:00.000Z';
const idOf = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const issueOf = (n: number, title: string, more: Partial<Issue> = {}): Issue => ({
  ...{ id: idOf(n), title, type: title.split(':')[0] ?? '', culprit: null, state: 'open', regression: false },
  ...{ resolvedIn: null, ignoredUntil: null, count: 40, countAll: 40, people: 6, firstSeen: NOON, lastSeen: NOON },
  ...{ firstRelease: null, lastRelease: null, trend: [0, 3], isOther: false, ...more },
});
const entryOf = (n: number, message: string): LogEntry => ({
  ...{ id: idOf(n), kind: 'error', message, source: 'window.error', issueId: idOf(1), happenedAt: NOON },
  ...{ receivedAt: NOON, repeats: 1, release: null, route: null, user: null, device: 'phone-1', sequence: 4 },
  ...{ offlineMs: null, delayMs: 60_000, engine: null, browser: null, os: null, display: null, connection: null },
});
const detailOf = (entry: LogEntry): EntryDetail => ({
  ...{ entry, userAgent: null, address: null, community: null, url: null, sentAt: null, skewMs: 420_000, stack: null },
  ...{ rawStack: null, breadcrumbs: [], gap: { missingBefore: 0, dropped: 31 }, data: {}, asText: '# photo draft' },
});
const groupOf = (id: string) => ({
  id,
  version: 1,
  count: 3,
  lastSeen: NOON,
  why: { type: id, message: id, frames: [] },
});
const BARS = Array.from({ length: 10 }, (_, hour) => ({ at: `2026-11-21T0${hour}:00:00.000Z`, error: hour, debug: 0 }));

let issues: Issue[];
let groups: ReturnType<typeof groupOf>[];
let role: 'ops' | 'member' | null;
/** Answers of what the reader only shows, by the end of the path. */
let shown: Record<string, unknown>;

function answer(path: string, method: string, body: string): Response {
  if (path === '/api/auth/user') return role === null ? refusal(401, 'UNAUTHENTICATED') : json({ ...aUser, role });
  const [name = '', id, act] = path.slice('/api/admin/client-logs/'.length).split('/');
  if (method === 'GET' && id === undefined) return json(shown[name]);
  if (name === 'entries') return json(detailOf(entryOf(7, 'Breadcrumb: tap')));
  if (name !== 'issues') return json(act === 'test' ? { sent: true, error: null } : {});
  const change: { state?: Issue['state']; until?: Issue['ignoredUntil']; issueIds?: string[] } = JSON.parse(
    body || '{}',
  );
  if (act === 'state')
    issues = issues.map((one) =>
      one.id === id ? { ...one, state: change.state ?? 'open', ignoredUntil: change.until ?? null } : one,
    );
  if (act === 'merge') groups = [groupOf('own'), groupOf('theirs')];
  const issue = issues.find((one) => one.id === (act === 'split' ? idOf(2) : id));
  const none = { release: [], engine: [], browser: [], os: [], display: [], connection: [], community: [], route: [] };
  return json({
    ...{ issue, sample: detailOf(entryOf(7, 'photo draft not saved')), newer: null, older: null, affected: none },
    ...{ offlineShare: 0.5, delay: { p50Ms: 1, p95Ms: 2 }, groups, history: [] },
  });
}

const server = serverOfEach(({ url, method, init }) => {
  shown['issues'] = {
    ...{ asOf: NOON, from: NOON, to: NOON, issues, next: null },
    states: { open: 2, resolved: 0, ignored: 0 },
  };
  return answer(url.split('?')[0] ?? '', method, String(init.body ?? ''));
});
beforeEach(() => {
  role = 'ops';
  issues = ['QuotaExceededError: photo draft not saved', 'AbortError: push subscription', 'TypeError: rank'].map(
    (title, at) => issueOf(at + 1, title),
  );
  groups = [groupOf('own')];
  const choices = { release: [], engine: [{ value: 'firefox', count: 3 }], browser: [], os: [], display: [] };
  shown = {
    histogram: { from: BARS[0]?.at, to: '2026-11-21T10:00:00.000Z', stepMs: 3_600_000, bars: BARS },
    choices: { ...choices, connection: [], community: [], route: [], source: [] },
    entries: { asOf: NOON, from: NOON, to: NOON, entries: [entryOf(7, 'Breadcrumb: tap')], next: null },
    rules: [],
    alerts: [],
  };
});

const open = async (search = '') => (await drawAt(`/admin/client-logs${search}`)).router;
const press = async (name: RegExp | string, within_: Pick<typeof screen, 'findByRole'> = screen) => {
  const button = await within_.findByRole('button', { name });
  await click(button);
};
const write = (field: HTMLElement, value: string) => fill(field, value);
const key = (name: string) => act(async () => void fireEvent.keyDown(document.body, { key: name }));
const sent = () =>
  server.asked.flatMap(({ url, method, init }) =>
    method === 'GET' ? [] : [[method, url, JSON.parse(String(init.body))]],
  );
const askedFor = (part: string) => server.asked.filter(({ url }) => url.includes(part)).map(({ url }) => url);

test('the list is narrowed by words, filters, a drag and two lists, and all of it stands in the address', async () => {
  const router = await open();
  const search = () => router.state.location.search as Record<string, string>;
  await screen.findByRole('link', { name: /photo draft not saved/ });
  await write(screen.getByRole('searchbox', { name: 'Search' }), 'rank');
  await vi.waitFor(() => expect(search()).toMatchObject({ q: 'rank' }));
  await press('Filters');
  await write(await screen.findByLabelText('Engine'), 'firefox');
  await press('Show');
  await vi.waitFor(() => expect(askedFor('/issues?').at(-1)).toMatch(/q=rank.*engine=firefox|engine=firefox.*q=rank/));
  await press(/^Engine: firefox/);
  await vi.waitFor(() => expect(search()).not.toHaveProperty('engine'));

  const bars = await screen.findByRole('img', { name: /errors/i });
  Object.assign(bars, { setPointerCapture: () => undefined, getBoundingClientRect: () => ({ left: 0, width: 100 }) });
  const drag = (type: 'pointerDown' | 'pointerMove' | 'pointerUp', clientX: number) =>
    act(async () => void fireEvent[type](bars, { button: 0, pointerId: 1, clientX }));
  await drag('pointerDown', 25);
  await drag('pointerMove', 60);
  await drag('pointerUp', 75);
  const drawn = { from: '2026-11-21T02:00:00.000Z', to: '2026-11-21T08:00:00.000Z' };
  await vi.waitFor(() => expect(search()).toMatchObject({ q: 'rank', ...drawn }));
  // By the keyboard alone, from the lists of moments.
  await write(await screen.findByLabelText('From'), '5');
  await press('Look closer');
  await vi.waitFor(() => expect(search()).toMatchObject({ from: '2026-11-21T05:00:00.000Z' }));
  const words = router.state.location.href.slice('/admin/client-logs'.length);
  cleanup();
  await open(words);
  expect((await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search' })).value).toBe('rank');

  cleanup();
  issues = [];
  await open('?q=nothinglikethis');
  await screen.findByRole('heading', { name: 'Nothing here' });
});

test('J and K go from issue to issue, O opens the one in focus', async () => {
  await open();
  const [first, second] = await screen.findAllByRole('link', { name: /not saved|subscription|rank/ });
  await key('j');
  expect(document.activeElement).toBe(first);
  await key('j');
  expect(document.activeElement).toBe(second);
  await key('k');
  await key('j');
  await key('o');
  await screen.findByRole('heading', { level: 2, name: 'AbortError: push subscription' });
});

test('an issue is ignored until so many people more have it, by a whole number, and opened again by hand', async () => {
  await open(`?issue=${idOf(1)}`);
  await press('Ignore');
  const sheet = within(await screen.findByRole('dialog', { name: 'Ignore this issue' }));
  await write(sheet.getByLabelText('Until'), 'people');
  await write(sheet.getByLabelText('How many'), '0');
  expect(sheet.getAllByText(/Enter a whole number from/).length).toBeGreaterThan(0);
  await press(/^Ignore/, sheet);
  expect(sent()).toEqual([]);
  await write(sheet.getByLabelText('How many'), '5');
  await press('Ignore', sheet);
  await screen.findByText('Ignored until 5 more people');
  await press('Open again');
  await screen.findByText('Open', { selector: '.chip' });
  const path = `/api/admin/client-logs/issues/${idOf(1)}/state`;
  expect(sent()).toEqual([
    ['POST', path, { state: 'ignored', until: { kind: 'people', people: 5 } }],
    ['POST', path, { state: 'open' }],
  ]);
});

test('others become part of an issue, and a part of it an issue of its own, which is shown then', async () => {
  const router = await open(`?issue=${idOf(1)}`);
  await press('Merge');
  const sheet = within(await screen.findByRole('dialog', { name: 'Merge others into this one' }));
  await write(sheet.getByRole('searchbox'), 'push subscription');
  await vi.waitFor(() => expect(askedFor('/issues?q=push').length).toBeGreaterThan(0));
  fireEvent.click(await sheet.findByLabelText(/AbortError: push subscription/));
  await press('Merge 1 into this one', sheet);
  await screen.findAllByLabelText('Take out');
  fireEvent.click(screen.getAllByLabelText('Take out')[1] as HTMLElement);
  await press('Split into a new issue');
  await vi.waitFor(() => expect(router.state.location.search).toEqual({ issue: idOf(2) }));
  const path = `/api/admin/client-logs/issues/${idOf(1)}`;
  expect(sent()).toEqual([
    ['POST', `${path}/merge`, { issueIds: [idOf(2)] }],
    ['POST', `${path}/split`, { groupIds: ['theirs'] }],
  ]);
});

test('an entry is copied as text for an issue tracker, and says how late and what is missing; a filter is exported', async () => {
  const copied = vi.fn(async () => undefined);
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText: copied } as never);
  await open('?q=photo');
  const csv = await screen.findByRole('link', { name: 'Export these entries as CSV' });
  expect(csv.getAttribute('href')).toMatch(/\/export\?.*q=photo.*format=csv/);
  cleanup();
  await open(`?issue=${idOf(1)}`);
  await press('Copy as issue');
  await screen.findByText('Copied as text for an issue tracker.');
  expect(copied).toHaveBeenCalledWith('# photo draft');
  const facts = screen.getByRole('heading', { name: 'This entry' }).parentElement?.textContent;
  expect(facts).toContain('7 min');
  expect(facts).toContain('31');
});

test('entries lead to a page each, and on to what happened on that phone, with its holes', async () => {
  shown['timeline'] = {
    ...{ asOf: NOON, person: null, next: null },
    items: [
      { kind: 'entry', at: NOON, entry: entryOf(7, 'Breadcrumb: tap'), data: null },
      { kind: 'gap', at: NOON, missing: 2 },
    ],
  };
  await open('?view=entries&kind=debug');
  const entry = await screen.findByRole('link', { name: /Breadcrumb: tap/ });
  expect(askedFor('/entries?')[0]).toContain('kind=debug');
  await click(entry);
  await screen.findByRole('heading', { name: 'What led up to it' });
  const phone = screen.getByRole('link', { name: 'This phone’s timeline' });
  expect(phone.getAttribute('href')).toBe('/admin/client-logs?view=timeline&device=phone-1');
  cleanup();
  await open('?view=timeline&device=phone-1');
  await screen.findByText('2 entries never arrived');
});

test('the fleet is said in figures, and each build day by day as a table too', async () => {
  shown['fleet'] = {
    ...{ asOf: NOON, days: 14, devices: 6, offlineShare: 0.5, replayDelay: { p50Ms: 1_000, p95Ms: 60_000 } },
    adoption: [
      { day: '2026-11-20', value: 'b1', devices: 4 },
      { day: '2026-11-21', value: 'b2', devices: 2 },
    ],
    ...{ engine: [{ value: 'firefox', count: 3 }], browser: [], os: [], display: [], push: [], storage: [] },
    dropped: { onDevices: 32, overDailyCap: 0 },
    kept: { entries: 140, oldestDay: '2026-11-20', today: 9, dailyCap: 100, groups: 5, groupCap: 50, waiting: 0 },
  };
  await open('?view=fleet');
  await screen.findByRole('heading', { name: 'Devices on each build, day by day' });
  const rows = screen.getAllByRole('row').map((row) => row.textContent);
  expect(rows).toEqual([
    expect.stringContaining('b1'),
    expect.stringMatching(/21.*02$/),
    expect.stringMatching(/20.*40$/),
  ]);
});

describe('a rule of whom to tell', () => {
  test('says what is missing, is saved as it is written, and a test of it says how it went', async () => {
    await open('?view=rules');
    await screen.findByRole('heading', { name: 'No one is alerted' });
    await press('Add a rule');
    const sheet = within(await screen.findByRole('dialog', { name: 'Add a rule' }));
    await press('Save the rule', sheet);
    sheet.getByText('Give it a name.');
    expect(sent()).toEqual([]);
    await write(sheet.getByLabelText('Name'), 'New at night');
    await write(sheet.getByLabelText('When'), 'rate');
    await write(sheet.getByLabelText('Chat'), '-1001');
    fireEvent.click(sheet.getByLabelText('Quiet hours'));
    const quiet = { from: '22:00', to: '07:00', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
    const rule = {
      ...{ name: 'New at night', enabled: true, cooldownMinutes: 60, quiet },
      when: { kind: 'rate', minutes: 60, times: 3, minimum: 20 },
      to: { kind: 'telegram', chatId: '-1001' },
    };
    shown['rules'] = [{ ...rule, id: 'r1', createdAt: NOON, lastAlertAt: null, failing: null }];
    await press('Save the rule', sheet);
    await screen.findByText(/20 errors in 60 minutes, 3 times as many as usual/);
    screen.getByText(/quiet 22:00 to 07:00/);
    expect(sent()).toEqual([['POST', '/api/admin/client-logs/rules', rule]]);
    await press('Send a test');
    await screen.findByText('The test was delivered.');
  });
});

test.each([
  [null, /This page is for the people who run this instance/],
  ['member', 'This page is for operators'],
] as const)('to who is %s it says whom it is for, and asks for nothing', async (who, words) => {
  role = who;
  await open('?view=fleet');
  await screen.findByText(words);
  expect(askedFor('/client-logs')).toEqual([]);
});
