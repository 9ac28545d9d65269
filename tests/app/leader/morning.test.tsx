/** Today for who leads: what waits and how old it is, with a way to each of it; the leader tools stand in both bars. */
import { cleanup, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { DashboardScreen } from '../../../app/features/dashboard/dashboard-screen.tsx';
import { MemberFrame } from '../../../app/features/shell/member-frame.tsx';
import { rememberSignedIn } from '../../../app/lib/hints.ts';
import type { Morning } from '../../../server/contract/morning.ts';
import { dashboardOf, entryOf, taskOf } from '../member/support.ts';
import { aUser, draw, json, refusal, serverOfEach } from '../support.tsx';

const device = vi.hoisted(() => ({ entries: [] as unknown[] }));
vi.mock('../../../app/lib/device.ts', async () => ({
  ...(await import('../quiet-device.ts')),
  useOutbox: () => device.entries,
  settleAcknowledged: async () => undefined,
}));
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));
vi.mock('../../../app/features/outbox/outbox.tsx', () => ({ OutboxChip: () => null, OutboxSheet: () => null }));
vi.mock('../../../app/features/shell/storage-note.tsx', () => ({ StorageNote: () => null }));
vi.mock('../../../app/shared/commands/command-results.ts', () => ({ CommandResults: () => null }));

const HOUR = 60 * 60_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR - 60_000).toISOString();
const morning = (over: Partial<Morning> = {}): Morning => ({
  asOf: new Date().toISOString(),
  waiting: 7,
  oldestAt: ago(13),
  appeals: {
    count: 1,
    oldestAt: ago(13),
    items: [{ claimId: 'k1', task: 'Ready for the ridge?', displayName: 'Noor', text: '112 works.', at: ago(13) }],
  },
  tasks: [
    {
      taskId: 't1',
      title: 'Repaint spotted',
      kind: 'submit_image',
      count: 6,
      oldestAt: ago(11),
      names: ['Tomás', 'Piet'],
    },
  ],
  activity: { members: 46, active: 38, before: 33, days: [{ day: '2026-11-21', people: 9 }] },
  streaks: {
    count: 2,
    items: [
      { userId: 'u1', displayName: 'Mira', days: 41, keptBy: null },
      { userId: 'u2', displayName: 'Sanne', days: 9, keptBy: 'Litter walk' },
    ],
  },
  ...over,
});

const community = { ...dashboardOf([]).community, role: 'leader' as const };
const server = serverOfEach();
beforeEach(() => {
  device.entries = [];
});
const come = async (read: Response, tasks = [taskOf('a')]) => {
  server.answer(({ url }) => (url.endsWith('/morning') ? read : json({ ...dashboardOf(tasks), community })));
  await draw(<DashboardScreen community="walkers" />);
};

test('it says what waits and since when, and each line leads to what it is about', async () => {
  await come(json(morning()));
  const board = await screen.findByRole('region', { name: 'Waiting for review' });
  expect(board.textContent).toContain('7 answers');
  expect(board.textContent).toContain('The oldest has waited 13 h.');
  expect(board.textContent).toContain('38 of 46');
  expect(board.textContent).toContain('5 more than last week');
  const leadsTo = (name: RegExp) => screen.getByRole('link', { name }).getAttribute('href');
  expect(leadsTo(/^Review 7 answers/)).toBe('/community/walkers/admin');
  expect(leadsTo(/^Appeals.*oldest 13 h/)).toBe('/community/walkers/admin?only=appeals');
  expect(leadsTo(/Ready for the ridge\?.*Noor: “112 works\.”/)).toBe('/community/walkers/admin?only=appeals');
  expect(leadsTo(/Repaint spotted, 6 answers.*11 h/)).toBe('/community/walkers/admin?task=t1');
  expect(leadsTo(/Sanne.*Kept once you approve Litter walk/)).toBe('/community/walkers/admin?search=Sanne');
  screen.getByText('Nothing counted yet today');
  // What members can do is nothing that leaders could.
  expect(screen.queryByText('Task a')).toBeNull();
});

test('with nothing waiting it says so, and offers nothing to review', async () => {
  const none = { count: 0, oldestAt: null, items: [] };
  await come(json(morning({ waiting: 0, oldestAt: null, appeals: none, tasks: [], streaks: { count: 0, items: [] } })));
  await screen.findByText('All reviewed');
  expect(screen.queryByText('What is waiting')).toBeNull();
  expect(screen.queryByRole('link', { name: /^Review \d/ })).toBeNull();
});

test('a community without tasks leads to adding one', async () => {
  await come(json(morning()), []);
  const add = await screen.findByRole('link', { name: /first task/i });
  expect(add.getAttribute('href')).toBe('/community/walkers/admin?room=tasks');
});

test('where it cannot be read, that is said and can be tried again', async () => {
  await come(refusal(500, 'INTERNAL'));
  await screen.findByRole('button', { name: /again/i });
});

/** Of a community nothing of mine. */
const NOTHING = { points: 0, rank: null, todo: 0, waiting: 0, toReview: 0 };

test('the leader tools stand in both bars with what waits, of the community of Today first', async () => {
  server.answer(() =>
    json([
      { ...community, ...NOTHING, id: 'c2', slug: 'fernmap', role: 'moderator', toReview: 2 },
      { ...community, ...NOTHING, toReview: 11 },
    ]),
  );
  localStorage.setItem('muster-last-community', 'walkers');
  await draw(<MemberFrame user={aUser}>page</MemberFrame>);
  const bars = await vi.waitFor(() => {
    const found = screen.getAllByRole('navigation');
    for (const bar of found) within(bar).getByRole('link', { name: /^Leader tools/ });
    return found;
  });
  expect(bars).toHaveLength(2);
  for (const bar of bars) {
    const link = within(bar).getByRole('link', { name: /^Leader tools/ });
    expect([link.getAttribute('href'), link.textContent]).toEqual(['/community/walkers/admin', 'Leader tools11']);
  }
});

test('the next page has the leader tools in both bars before anything is read, until somebody else signs in', async () => {
  rememberSignedIn(aUser.id);
  server.answer(() => json([{ ...community, ...NOTHING }]));
  await draw(<MemberFrame user={aUser}>page</MemberFrame>);
  await screen.findAllByRole('link', { name: 'Leader tools' });
  const drawnUnread = async () => {
    cleanup();
    server.answer(() => new Promise(() => undefined));
    await draw(<MemberFrame user={null}>page</MemberFrame>);
    return screen.queryAllByRole('link', { name: 'Leader tools' }).map((link) => link.getAttribute('href'));
  };
  const tools = '/community/walkers/admin';
  expect(await drawnUnread()).toEqual([tools, tools]);
  rememberSignedIn('u2');
  expect(await drawnUnread()).toEqual([]);
});

test('what is decided here and not sent yet is not counted in the bars', async () => {
  const decision = { path: '/api/communities/c1/claims/one/decision' };
  device.entries = [
    entryOf('decision:one', decision),
    entryOf('decision:two', { ...decision, state: 'refused' }),
    // Of what was decided before: it waits for nobody.
    entryOf('decision:three', { path: '/api/communities/c1/claims/three/reversal' }),
    entryOf('claim:c1:t1'),
  ];
  server.answer(() => json([{ ...community, ...NOTHING, toReview: 11 }]));
  await draw(<MemberFrame user={aUser}>page</MemberFrame>);
  const [link] = await screen.findAllByRole('link', { name: /^Leader tools/ });
  expect(link?.textContent).toBe('Leader tools10');
});

test('members have no leader tools', async () => {
  server.answer(() => json([{ ...community, ...NOTHING, role: 'member' }]));
  await draw(<MemberFrame user={aUser}>page</MemberFrame>);
  await screen.findAllByText('Ridge & Valley Walkers');
  expect(screen.queryByRole('link', { name: /Leader tools/ })).toBeNull();
});
