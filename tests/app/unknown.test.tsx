import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { GateScreen } from '../../app/features/gate/gate-screen.tsx';
import { ShareScreen } from '../../app/features/share/share-screen.tsx';
import { frameOf } from '../../app/features/shell/root-frame.tsx';
import { aUser, click, draw, json, refusal, serverOfEach } from './support.tsx';

vi.mock('../../server/contract/limits.ts', async (original) => ({
  ...(await original<typeof import('../../server/contract/limits.ts')>()),
  USER_QUERY_FIRST_DELAY_MS: 1,
}));

const Landing = () => <h1>Landing</h1>;
const gate = <GateScreen screens={{ profile: () => <h1>Profile</h1> }} landing={Landing} restricted={Landing} />;
let fails: boolean;
const server = serverOfEach(() => (fails ? refusal(500, 'INTERNAL') : json(aUser)));
beforeEach(() => {
  fails = true;
});
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

test('whom the server cannot name and this device does not know reads so, and comes in by Retry', async () => {
  await draw(gate, '/profile');
  await heading('We cannot tell right now');
  expect(screen.queryByText('Landing')).toBeNull();
  screen.getByText(/INTERNAL/);
  fails = false;
  await click(screen.getByRole('button', { name: 'Retry' }));
  await heading('Profile');
});

test('a Retry that fails as well says so still', async () => {
  await draw(gate, '/');
  await heading('We cannot tell right now');
  const users = () => server.asked.filter(({ url }) => url === '/api/auth/user').length;
  const before = users();
  // Whoever reads it is not asked about again and again.
  await new Promise((done) => setTimeout(done, 50));
  expect(users()).toBe(before);
  await click(screen.getByRole('button', { name: 'Retry' }));
  await vi.waitFor(() => expect(users()).toBeGreaterThan(before));
  await heading('We cannot tell right now');
});

test('nor is what was shared offered to sign in with', async () => {
  await draw(<ShareScreen />, '/share');
  await heading('We cannot tell right now');
});

test('pages that anybody may read keep the frame that this device last saw', () => {
  expect(frameOf('unknown', '/communities', false, true, () => true)).toBe('member');
  expect(frameOf('unknown', '/communities', false, false, () => true)).toBe('public');
  expect(frameOf('unknown', '/profile', true, true, () => true)).toBe('none');
});
