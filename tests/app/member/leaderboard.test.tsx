import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { LeaderboardScreen } from '../../../app/features/leaderboard/leaderboard-screen.tsx';
import { draw, fakeServer, json } from '../support.tsx';

vi.mock('../../../app/lib/device.ts', () => import('../quiet-device.ts'));
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const season = { id: 's1', name: 'Winter waymarks', state: 'live', startsAt: null, endsAt: '2030-01-01T00:00:00.000Z' };
const board = {
  top: [],
  around: [],
  me: null,
  members: 3,
  leaders: [],
  pendingPoints: 0,
  state: 'open',
  asOf: '2026-11-24T12:00:00.000Z',
  season,
};

test('what stands below a season comes with it, and is not pushed away when its rewards are read', async () => {
  let tell = () => {};
  const told = new Promise<void>((done) => {
    tell = done;
  });
  fakeServer().answer(async ({ url }) => {
    if (url === '/api/user/communities') return json([{ id: 'c1', slug: 'ridge', name: 'Ridge', role: 'member' }]);
    if (!url.includes('/seasons/')) return json(board);
    await told;
    return json({ ...season, rules: '', taskIds: [], rewards: [] });
  });
  await draw(<LeaderboardScreen />, '/leaderboard?community=ridge&period=season');
  await screen.findByText('First on the board');
  expect(screen.queryByText('How ties are settled')).toBeNull();
  await act(async () => tell());
  await screen.findByText('How ties are settled');
  screen.getByRole('heading', { name: 'Winter waymarks' });
});
