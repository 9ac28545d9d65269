/** Today as a member opens it: what needs them, what comes next, what has happened, and the way to another community. */

import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DashboardScreen } from '../../../app/features/dashboard/dashboard-screen.tsx';
import { forgetHints, lastCommunity, rememberCommunity } from '../../../app/lib/hints.ts';
import { userQuery } from '../../../app/lib/query.ts';
import { m } from '../../../app/paraglide/messages.js';
import type { Dashboard, MyCommunity } from '../../../server/contract/communities.ts';
import type { LedgerEntry } from '../../../server/contract/ledger.ts';
import { aUser, draw, fakeServer, json, refusal } from '../support.tsx';
import { claimOf, dashboardOf, taskOf } from './support.ts';

const held = vi.hoisted(() => ({ enqueue: vi.fn(async () => 'e1'), outbox: [] as unknown[] }));
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));
vi.mock('../../../app/lib/device.ts', async (original) => ({
  ...(await original<object>()),
  enqueue: held.enqueue,
  useOutbox: () => held.outbox,
}));

const NOW = Date.parse('2026-11-26T14:40:00.000Z');
beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  forgetHints();
});
afterEach(() => {
  forgetHints();
  held.enqueue.mockClear();
});

const at = (time: string) => `2026-11-26T${time}:00.000Z`;
const checkIn = taskOf('walk', { title: 'Out for a walk today', points: 5 });
const text = taskOf('route', {
  title: 'Suggest a route',
  kind: 'submit_text',
  recurrence: 'once',
  ask: { kind: 'submit_text', minLength: 1 },
});
const walkers = { ...dashboardOf([]).community, points: 5, rank: 1, todo: 1, waiting: 0, toReview: 0 };
const mine: MyCommunity[] = [
  { ...walkers, streakDays: 14, countedToday: false },
  { ...walkers, id: 'c2', slug: 'fernmap', name: 'Fernmap', todo: 3, streakDays: 2, countedToday: true },
];

/** What the server answers may change: a later read sees it. */
const given = { dashboard: dashboardOf([]), ledger: [] as LedgerEntry[] };
async function open(
  tasks: Dashboard['tasks'],
  over: Partial<Dashboard> = {},
  ledger: LedgerEntry[] = [],
  address = '/',
) {
  given.dashboard = dashboardOf(tasks, { timeZone: 'UTC', streakDays: 14, asOf: new Date().toISOString(), ...over });
  given.ledger = ledger;
  fakeServer().answer(({ url }) => {
    if (url.endsWith('/dashboard')) return json(given.dashboard);
    if (url.includes('/activity')) return json({ items: [], next: null });
    if (url.startsWith('/api/user/ledger')) return json({ items: given.ledger, next: null });
    return url.startsWith('/api/user/communities') ? json(mine) : json(aUser);
  });
  const drawn = await draw(<DashboardScreen community="walkers" />, address);
  drawn.client.setQueryData(userQuery.queryKey, aUser);
  await screen.findByRole('heading', {
    name: new RegExp(`^${m.shell_today_in({ today: m.shell_today(), community: '' }).trim()}`),
  });
  return drawn;
}
const section = (name: string) => within(screen.getByRole('region', { name }));
const board = () => section('Your streak and what to do next');

test('sections say how soon a thing is needed; those that are empty are not there', async () => {
  const back = claimOf({ taskId: 'back', state: 'changes_requested', decidedBy: 'Inês', reason: 'Which number?' });
  await open([
    checkIn,
    text,
    taskOf('map', { title: 'Mend the map', recurrence: 'weekly' }),
    taskOf('back', { title: 'Picture of a waymark', recurrence: 'once', claim: back }),
    taskOf('fog', {
      title: 'Read: walking in fog',
      claim: claimOf({ taskId: 'fog', state: 'approved', points: 10, decidedAt: at('09:12') }),
    }),
  ]);
  section('Needs you').getByRole('button', { name: 'Update answer' });
  section(m.shell_today()).getByText('9 h left');
  section(m.shell_today()).getByRole('heading', { name: 'Out for a walk today' });
  section('This week').getByRole('heading', { name: 'Mend the map' });
  section('Anytime').getByRole('heading', { name: 'Suggest a route' });
  section('Done').getByText('today, +10');
  cleanup();
  await open([checkIn]);
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'Out for a walk today',
    m.shell_today(),
    'Around you',
  ]);
  expect(document.body.textContent).not.toContain('works offline');
});

test('the board says what keeps the streak and until when, and its one press does it', async () => {
  await open([text, checkIn]);
  board().getByText('9 h 20 min left');
  board().getByText('until midnight');
  board().getByText('Check in · daily. Keeps your streak.');
  fireEvent.click(board().getByRole('button', { name: 'Check in' }));
  expect(held.enqueue).toHaveBeenCalledWith(
    expect.objectContaining({ path: '/api/communities/c1/tasks/walk/claims', subject: 'claim:c1:walk' }),
  );
});

test('what is counted in this visit takes the place of the next action, and names the one after', async () => {
  const { client } = await open([checkIn, text]);
  const claim = claimOf({ taskId: 'walk', state: 'approved', points: 5, decidedAt: at('14:41') });
  given.dashboard = { ...given.dashboard, points: 1245, streakDays: 15, countedToday: true };
  given.dashboard.tasks = [{ ...checkIn, claim }, text];
  await act(() => client.invalidateQueries());
  await board().findByText('15 days in a row. Gate 3 is full.');
  board().getByText(m.today_counted());
  board().getByText('Counted. 15 days in a row. Gate 3 is full.');
  fireEvent.click(board().getByRole('button', { name: 'Next: Suggest a route, +10' }));
  within(screen.getByRole('dialog')).getByRole('heading', { name: 'Suggest a route' });
});

test('what came since the last visit is told once, without what this visit brings', async () => {
  await open([checkIn]);
  expect(screen.queryByText(/since/)).toBeNull();
  cleanup();

  vi.setSystemTime(NOW + 60 * 60_000);
  const no = claimOf({ taskId: 'back', state: 'changes_requested', decidedBy: 'Inês', decidedAt: at('15:05') });
  const returned = taskOf('back', { title: 'Picture of a waymark', recurrence: 'once', claim: no });
  const line = (id: string, time: string, points: number): LedgerEntry => ({
    id,
    at: at(time),
    kind: 'award',
    points,
    community: 'Walkers',
    task: `Task ${id}`,
    reason: null,
    by: null,
  });
  const lines = [line('now', '15:41', 5), line('b', '15:00', 20), line('a', '14:50', 25), line('old', '09:00', 7)];
  const later = () => open([checkIn, returned], { points: 1285, rank: 21 }, lines);
  await later();
  await screen.findByText(/^\+45 since/);
  screen.getByText('2 counted, 1 needs changes');
  screen.getByText('You moved up from rank 23 to 21');
  cleanup();

  // A reload is the same visit; the next one has nothing to tell.
  vi.setSystemTime(NOW + 65 * 60_000);
  await later();
  await screen.findByText(/^\+45 since/);
  cleanup();
  vi.setSystemTime(NOW + 3 * 60 * 60_000);
  await later();
  expect(screen.queryByText(/since/)).toBeNull();
});

test('the season and the newest announcement stand in one paper, each once', async () => {
  const said = { by: 'Inês', body: 'Bring gloves.', pinnedUntil: null };
  await open([checkIn], {
    season: {
      id: 's1',
      name: 'Winter waymarks',
      state: 'live',
      startsAt: '2026-11-19T00:00:00.000Z',
      endsAt: '2026-12-19T00:00:00.000Z',
      graceUntil: '2026-12-21T00:00:00.000Z',
    },
    announcements: [
      { id: 'n2', title: 'Mill lane is closed', at: at('08:30'), ...said },
      { id: 'n1', title: 'We start', at: '2026-11-20T08:30:00.000Z', ...said },
    ],
  });
  expect(screen.getAllByText('Winter waymarks')).toHaveLength(1);
  expect(screen.getByText('Winter waymarks').closest('.card')).toBe(
    screen.getByText('Mill lane is closed').closest('.card'),
  );
  expect(screen.queryByText('We start')).toBeNull();
  fireEvent.click(screen.getByText('1 earlier announcement'));
  await screen.findByText('We start');
});

test('a task that is not open yet says what comes first', async () => {
  const path = [{ condition: { is: 'level' as const, atLeast: 3 }, met: false, title: null }];
  await open([
    checkIn,
    taskOf('lead', { title: 'Lead a short walk', gate: { open: false, reason: 'conditions', opensAt: null, path } }),
  ]);
  fireEvent.click(screen.getByText('1 not open yet'));
  fireEvent.click(await screen.findByRole('button', { name: /Lead a short walk/ }));
  within(screen.getByRole('dialog')).getByText(/evel 3/);
});

test('a link that names a task finds it where it is folded away', async () => {
  const later = taskOf('lead', {
    title: 'Lead a short walk',
    gate: { open: false, reason: 'granted', opensAt: null, path: [] },
  });
  await open([checkIn, later], {}, [], '/community/walkers/dashboard?task=lead');
  await vi.waitFor(() => expect(document.activeElement?.textContent).toContain('Lead a short walk'));
});

test('the name in the bar opens my communities, with what each needs and whether its streak is open', async () => {
  const { router } = await open([checkIn]);
  fireEvent.click(screen.getByRole('button', { name: /Ridge & Valley Walkers/ }));
  const sheet = within(screen.getByRole('dialog'));
  const here = await sheet.findByRole('link', { name: /Ridge & Valley Walkers/ });
  expect(here.getAttribute('aria-current')).toBe('true');
  within(here).getByText('1 to do · streak 14 days, open until midnight');
  within(sheet.getByRole('link', { name: /Fernmap/ })).getByText('3 to do · streak 2 days, counted today');
  fireEvent.click(sheet.getByRole('link', { name: /Fernmap/ }));
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/community/fernmap/dashboard'));
});

test('the app starts here next time, until this is not theirs any more', async () => {
  await open([checkIn]);
  await vi.waitFor(() => expect(lastCommunity()).toBe('walkers'));
  cleanup();
  rememberCommunity('walkers');
  fakeServer().answer(({ url }) => (url.startsWith('/api/communities') ? refusal(403, 'NOT_A_MEMBER') : json(aUser)));
  await draw(<DashboardScreen community="walkers" />);
  await vi.waitFor(() => expect(lastCommunity()).toBeNull());
});
