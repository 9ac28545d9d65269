import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { RecentActivity } from '../../../app/features/activity/recent-activity.tsx';
import { Settings } from '../../../app/features/leader/settings/settings.tsx';
import { LeaderboardScreen } from '../../../app/features/leaderboard/leaderboard-screen.tsx';
import { LeagueCard } from '../../../app/features/leagues/league-card.tsx';
import type { Activity } from '../../../server/contract/activity.ts';
import type { League, LeagueGroup, LeagueRow } from '../../../server/contract/leagues.ts';
import { click, draw, fakeServer, json, refusal } from '../support.tsx';
import { dashboardOf, rowOf } from './support.ts';

vi.mock('../../../app/lib/device.ts', () => import('../quiet-device.ts'));
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const row = (rank: number, move: LeagueRow['move'], over: Partial<LeagueRow> = {}): LeagueRow => ({
  ...rowOf(rank),
  move,
  ...over,
});
const group = (over: Partial<LeagueGroup> = {}): LeagueGroup => ({
  week: '2026-11-23',
  endsAt: inHours(73),
  settlesAt: inHours(121),
  division: 2,
  isNew: false,
  members: 9,
  moves: 1,
  rows: [row(1, 'rise', { me: true }), row(2, 'stay'), row(3, 'fall')],
  idle: 6,
  move: 'rise',
  next: null,
  ...over,
});
const league = (over: Partial<League> = {}): League => ({
  state: 'playing',
  asOf: new Date().toISOString(),
  startsAt: null,
  group: group(),
  last: { week: '2026-11-16', move: 'fall', division: 2, rank: 9, of: 9 },
  ...over,
});
const ridge = { ...dashboardOf([]).community, leagues: true };
const board = {
  top: [],
  around: [],
  me: null,
  members: 3,
  leaders: [],
  pendingPoints: 0,
  state: 'open',
  asOf: '',
  season: null,
};

async function drawBoard(said: League, community: object = ridge) {
  fakeServer().answer(({ url }) => {
    if (url === '/api/user/communities') return json([community]);
    return json(url.endsWith('/league') ? said : board);
  });
  await draw(<LeaderboardScreen />, '/leaderboard?community=walkers&period=league');
}

test('the group of the week says who moves up and down, until when, and what the week before came to', async () => {
  await drawBoard(league());
  await screen.findByRole('heading', { name: 'Division 2 of 5' });
  const up = screen.getByRole('list', { name: 'Moving up' });
  expect(within(up).getAllByRole('listitem')).toHaveLength(1);
  within(up).getByText('You');
  within(screen.getByRole('list', { name: 'Moving down' })).getByText('Person 3');
  screen.getByText(
    /Ends in 3 days\. What you do offline counts if it arrives by .+ Last week: moved down to division 2\./,
  );
  screen.getByText('6 members have no points this week yet.');
  screen.getByRole('heading', { name: 'How leagues work' });
});

test('a copy goes on by the clock: a week that is over says so, and nobody is told of a place that is settled', async () => {
  await drawBoard(league({ group: group({ endsAt: inHours(-3), next: 40 }) }));
  await screen.findByText(/This week has ended\. What was done offline still counts until/);
  screen.getByText('New week: 40 points so far');
  cleanup();
  await drawBoard(league({ group: group({ endsAt: inHours(-50), settlesAt: inHours(-2) }) }));
  await screen.findByText(/This week is over\./);
});

test('whoever stands apart or waits reads why, in words', async () => {
  const said: [Partial<League>, string][] = [
    [{ state: 'leader' }, 'Leaders aren’t in leagues'],
    [{ state: 'hidden' }, 'Hidden members aren’t in leagues'],
    [{ state: 'closed' }, 'The league is hidden'],
    [{ state: 'off' }, 'No leagues here'],
  ];
  for (const [over, words] of said) {
    await drawBoard(league({ group: null, last: null, ...over }));
    await screen.findByRole('heading', { name: words });
    cleanup();
  }
  await drawBoard(league({ state: 'waiting', group: null, last: null, startsAt: inHours(30) }));
  await screen.findByRole('heading', { name: /^Your first group starts / });
});

test('the board of a community without leagues has none', async () => {
  await drawBoard(league(), { ...ridge, leagues: false });
  await screen.findByText('First on the board');
  expect(screen.queryByRole('button', { name: 'League' })).toBeNull();
});

test('the card on Today says my place calmly, and is not there for who is in no league', async () => {
  let said = json(league());
  const server = fakeServer();
  server.answer(() => said.clone());
  await draw(<LeagueCard community={ridge} />);
  const card = await screen.findByRole('link', { name: /League, division 2/ });
  expect(card.getAttribute('href')).toBe('/leaderboard?community=walkers&period=league');
  within(card).getByText('Rank 1 of 9 · Moving up · Ends in 3 days');
  cleanup();
  for (const none of [json(league({ state: 'hidden', group: null })), refusal(404, 'NOT_FOUND')]) {
    said = none;
    const { container } = await draw(<LeagueCard community={ridge} />);
    await vi.waitFor(() => expect(container.querySelector('.league-card')).toBeNull());
    cleanup();
  }
  server.asked.length = 0;
  await draw(<LeagueCard community={{ ...ridge, leagues: false }} />);
  await draw(<LeagueCard community={{ ...ridge, role: 'leader' }} />);
  expect(server.asked).toEqual([]);
});

test('lately names the last five, and a sheet has all of it, page by page', async () => {
  const item = (id: number, over: Partial<Activity> = {}): Activity => ({
    id: `a${id}`,
    kind: 'joined',
    at: '2026-11-20T10:00:00.000Z',
    userId: `u${id}`,
    displayName: `Person ${id}`,
    me: false,
    task: null,
    level: null,
    badge: null,
    ...over,
  });
  const first = [
    item(1, { kind: 'counted', task: 'Morning check-in', level: 3 }),
    item(2, { kind: 'badge', badge: 'week_streak', me: true }),
    ...[3, 4, 5, 6].map((id) => item(id)),
  ];
  fakeServer().answer(({ url }) =>
    json(url.includes('after=') ? { items: [item(7)], next: null } : { items: first, next: 'more' }),
  );
  await draw(<RecentActivity communityId="c1" />);
  await screen.findByText('Person 1 completed Morning check-in and reached level 3');
  screen.getByText(/^You earned the badge /);
  screen.getByText('Person 5 joined');
  expect(screen.queryByText('Person 6 joined')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'All activity' }));
  await screen.findByText('Person 6 joined');
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  await screen.findByText('Person 7 joined');
});

test('leagues are turned on by a press: the settings say so at once, and why not where the server refused', async () => {
  const server = fakeServer();
  const { community } = dashboardOf([]);
  const press = (name: string) => click(screen.getByRole('button', { name }));
  let isOn = false;
  let refused = true;
  server.answer(({ method, init }) => {
    if (method === 'GET') return json({ ...community, rules: '', inviteThreshold: 20, leagues: isOn });
    if (refused) return refusal(403, 'NOT_ALLOWED');
    isOn = (JSON.parse(String(init.body)) as { leagues: boolean }).leagues;
    return json({ ...community, leagues: isOn });
  });
  await draw(<Settings community={{ ...community, role: 'leader' }} />);
  await screen.findByText('Leagues are off');
  await press('Turn on leagues');
  await screen.findByText('Not done.');
  screen.getByText('Leagues are off');
  refused = false;
  await press('Turn on leagues');
  await screen.findByText('Leagues are on');
  await press('Turn off leagues');
  await screen.findByText('Leagues are off');
  const saved = server.asked
    .filter(({ method }) => method === 'PATCH')
    .map(({ init }) => JSON.parse(String(init.body)));
  expect(saved).toEqual([{ leagues: true }, { leagues: true }, { leagues: false }]);
});
