import { cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { GateScreen } from '../../app/features/gate/gate-screen.tsx';
import { RestrictedScreen } from '../../app/features/gate/restricted-screen.tsx';
import { createQueryClient, read, userQuery } from '../../app/lib/query.ts';
import { bindToMember } from '../../app/lib/session.ts';
import { aUser, click, draw, json, refusal, serverOfEach } from './support.tsx';

const purged = vi.hoisted(() => ({ count: 0 }));
vi.mock('../../app/lib/service-worker.ts', () => ({
  purgePrivate: async () => {
    purged.count += 1;
  },
}));

const Landing = () => <h1>Landing</h1>;
const Selector = () => <h1>Selector</h1>;
const gateScreen = (
  <GateScreen screens={{ 'community-selector': Selector }} landing={Landing} restricted={RestrictedScreen} />
);
const status = {
  required: true,
  channelTitle: 'Ridge & Valley Channel',
  rejoinUrl: 'https://t.me/ridge',
  state: 'kicked',
  checkedAt: new Date().toISOString(),
  asked: true,
};
let isBack: boolean;
let check: () => Response;

const server = serverOfEach(({ url, method }) => {
  if (url === '/api/auth/user')
    return isBack ? json(aUser) : refusal(403, 'TELEGRAM_MEMBERSHIP_REVOKED', 'TELEGRAM_MEMBERSHIP_REVOKED');
  if (url === '/api/auth/membership/check' && method === 'POST') return check();
  return json(status);
});
beforeEach(() => {
  purged.count = 0;
  isBack = false;
  check = () => json(status);
});
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const tryAgain = () => click(screen.getByRole('button', { name: 'Try Login Again' }));

test('says what the specification says, which channel, who said so and when', async () => {
  await draw(gateScreen, '/profile');
  await heading('Access Restricted');
  screen.getByText('You have been removed from the required Telegram channel and can no longer access this platform.');
  expect(screen.getByText(/refresh the page or click/).textContent).toContain('Get Started');
  await screen.findByText(/Ridge & Valley Channel · checked with Telegram at \d\d:\d\d/);
  screen.getByRole('button', { name: 'Refresh Page' });
  expect(screen.getByRole('link', { name: 'Get Started' }).getAttribute('href')).toContain('/api/auth/telegram/start');
});

test('has a way out: another account, the theme, help', async () => {
  await draw(gateScreen, '/profile');
  await heading('Access Restricted');
  expect(screen.getByRole('link', { name: 'Sign out' }).getAttribute('href')).toBe('/logout');
  expect(screen.getByRole('link', { name: 'How to use' }).getAttribute('href')).toBe('/how-to-use');
  screen.getByRole('radiogroup', { name: 'Theme' });
});

test('a suspended account reads why and until when, and is asked about again', async () => {
  const until = '2026-12-02T10:00:00.000Z';
  server.answer(({ url }) => {
    if (url !== '/api/auth/user') throw new Error(`asked for ${url}`);
    if (isBack) return json(aUser);
    const details = { until, reason: 'Four photos were somebody else’s.' };
    return json(
      { status: 403, reason: 'SUSPENDED', message: 'This account is suspended.', requestId: 'r', details },
      403,
    );
  });
  await draw(gateScreen, '/community-selector');
  await heading('Your account is suspended');
  screen.getByText(/Until .*2.* you can't use this instance\./);
  screen.getByText(/Four photos were somebody else’s\./);
  // What is stored of them is theirs still.
  const download = screen.getByRole('link', { name: 'Download your data' });
  expect(download.getAttribute('href')).toBe('/api/user/data/archive');
  expect(screen.getByRole('link', { name: 'Sign out' }).getAttribute('href')).toBe('/logout');
  expect(screen.getByRole('link', { name: 'How to use' }).getAttribute('href')).toBe('/how-to-use');
  screen.getByRole('radiogroup', { name: 'Theme' });
  isBack = true;
  await click(screen.getByRole('button', { name: 'Check again' }));
  await heading('Selector');
});

test("'Try Login Again' asks Telegram, clears cached data and fetches the user again", async () => {
  const { client } = await draw(gateScreen, '/community-selector');
  await heading('Access Restricted');
  client.setQueryData(['/api/user/communities'], ['kept from before']);
  server.asked.length = 0;
  isBack = true;
  await tryAgain();
  await heading('Selector');
  const asked = server.asked.map(({ method, url }) => `${method} ${url}`);
  expect(asked.indexOf('POST /api/auth/membership/check')).toBe(0);
  expect(asked).toContain('GET /api/auth/user');
  expect(client.getQueryData(['/api/user/communities'])).toBeUndefined();
  expect(purged.count).toBe(1);
});

test('still outside: it says so, and the screen stays', async () => {
  await draw(gateScreen, '/');
  await heading('Access Restricted');
  await tryAgain();
  await screen.findByText('Telegram still says that you are not in the channel.');
  await heading('Access Restricted');
});

test('a check that could not be made is no verdict', async () => {
  check = () => json({ ...status, asked: false });
  await draw(gateScreen, '/');
  await heading('Access Restricted');
  await tryAgain();
  await screen.findByText(/did not answer just now/);
});

test('Refresh Page reloads', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  await draw(gateScreen, '/');
  await heading('Access Restricted');
  fireEvent.click(screen.getByRole('button', { name: 'Refresh Page' }));
  expect(reload).toHaveBeenCalledTimes(1);
});

test('signed out: the landing; verified at "/": the selector; verified elsewhere: not found', async () => {
  server.answer(() => refusal(401, 'UNAUTHENTICATED'));
  await draw(gateScreen, '/profile');
  await heading('Landing');
  cleanup();
  server.answer(() => json(aUser));
  const { router } = await draw(gateScreen, '/');
  await heading('Selector');
  expect(router.state.location.pathname).toBe('/community-selector');
  cleanup();
  await draw(gateScreen, '/no/such/page');
  await heading('Page not found');
});

test('of who is shut out meanwhile the page keeps nothing that it showed', async () => {
  const client = createQueryClient();
  bindToMember(client);
  isBack = true;
  await client.fetchQuery(userQuery);
  const mine = read('GET /api/user/communities').queryKey;
  client.setQueryData(mine, []);
  isBack = false;
  await expect(client.fetchQuery({ ...userQuery, staleTime: 0, retry: false })).rejects.toThrow('REVOKED');
  expect(client.getQueryData(mine)).toBeUndefined();
});
