/** You: progress alone, with the way to settings, help and the door. Settings: a page for each, at its own address. */
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ProfileAccountsScreen } from '../../../app/features/profile/profile-accounts-screen.tsx';
import { ProfileScreen } from '../../../app/features/profile/profile-screen.tsx';
import type { User } from '../../../server/contract/user.ts';
import { streakOf } from '../../../server/domain/streak.ts';
import { aUser, draw, drawAt, json, refusal, serverOfEach } from '../support.tsx';

const outbox = vi.hoisted(() => ({ entries: [] as unknown[], enqueue: vi.fn(async (_entry: unknown) => 'e9') }));
vi.mock('../../../app/lib/device.ts', async () => ({
  ...(await import('../quiet-device.ts')),
  useOutbox: () => outbox.entries,
  enqueue: outbox.enqueue,
}));
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const line = (n: number) => ({
  id: `l${n}`,
  at: `2026-11-2${n}T09:00:00.000Z`,
  kind: 'award',
  points: 10 + n,
  community: 'Walkers',
  task: `Task number ${n}`,
  reason: null,
  by: null,
});
const profile = {
  user: aUser,
  joinedAt: '2026-10-14T10:00:00.000Z',
  timeZone: 'Europe/Lisbon',
  timeZoneFrom: null,
  points: 1295,
  timeZoneChangeAt: null,
  streak: streakOf(['2026-11-24', '2026-11-25'], '2026-11-26'),
  badges: [{ code: 'first_step', communityId: 'c1', earnedAt: '2026-11-24T10:00:00.000Z' }],
  hidden: false,
  relinkAllowedAt: null as string | null,
  communities: [{ id: 'c1', slug: 'walkers', name: 'Ridge & Valley Walkers', role: 'member', points: 1240 }],
  ledger: [8, 7, 6, 5, 4, 3].map(line),
};

let user: User | null;
let unlinked: Response;
const server = serverOfEach(({ url, method }) => {
  if (url === '/api/auth/user') return user ? json(user) : refusal(401, 'NOT_SIGNED_IN');
  if (url === '/api/user/profile') return json(profile);
  if (url === '/api/auth/x' && method === 'DELETE') return unlinked;
  if (url === '/api/auth/x') return json({ configured: false, provenBy: 'oauth', checksSince: null });
  if (url === '/api/auth/sessions') return json([]);
  if (url.startsWith('/api/user/ledger')) return json({ items: profile.ledger, next: null });
  if (url === '/api/user/communities') return json([{ ...profile.communities[0], rank: 23, todo: 0, waiting: 0 }]);
  return json({});
});
beforeEach(() => {
  user = aUser;
  unlinked = json({ user: { ...aUser, twitterUsername: null, isVerified: false } });
  outbox.entries = [];
});
afterEach(() => {
  profile.relinkAllowedAt = null;
});
const links = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));

test('You shows progress: the streak, earned badges with their day, points and rank, the last five lines', async () => {
  await draw(<ProfileScreen />, '/profile');
  await screen.findByRole('heading', { level: 1, name: 'Mira Okafor' });
  screen.getByText(/Since 14 Oct|Since Oct 14/);
  expect(screen.getByRole('region', { name: 'Your standing' }).textContent).toContain('2 days');
  screen.getByText('1 of 12');
  const earned = screen.getByText('First step').closest('li');
  expect(earned?.textContent).toMatch(/24 Nov|Nov 24/);
  const folded = screen.getByText('11 more to earn').closest('details');
  expect(folded?.open).toBe(false);
  expect(
    within(folded as HTMLElement)
      .getByText('A week')
      .closest('li')?.textContent,
  ).toContain('5 days to go');
  await screen.findByText(/rank 23/);
  expect(screen.getAllByText(/Task number/)).toHaveLength(5);
  expect(screen.getByRole('link', { name: 'Whole ledger' }).getAttribute('href')).toBe('/settings/ledger');
});

test('You leads to settings, help and the way out, and asks nothing of notifications', async () => {
  await draw(<ProfileScreen />, '/profile');
  await screen.findByRole('heading', { level: 1, name: 'Mira Okafor' });
  expect(links()).toEqual(expect.arrayContaining(['/settings', '/how-to-use', '/logout']));
  expect(screen.queryByRole('radiogroup', { name: 'Theme' })).toBeNull();
  expect(server.asked.some(({ url }) => url === '/api/user/notifications')).toBe(false);
});

test('the list says what is set, has the theme on it, and who is signed in at its foot', async () => {
  outbox.entries = [{ id: 'e1', subject: 'claim:c1:t1', state: 'waiting', error: null, body: {} }];
  await drawAt('/settings');
  await screen.findByText('Europe/Lisbon, days end at midnight');
  screen.getByRole('radiogroup', { name: 'Theme' });
  screen.getByText(/Signed in as Mira Okafor, @mira\. 1 answer isn’t sent yet/);
  expect(links()).toEqual(
    expect.arrayContaining([
      '/settings/device',
      '/settings/time-zone',
      '/settings/notifications',
      '/settings/ledger',
      '/settings/privacy',
      '/profile-accounts',
      '/your-data',
      '/how-to-use',
      '/logout',
    ]),
  );
  expect(links()).not.toContain('/admin');
});

test('who runs the instance finds its pages on the list', async () => {
  user = { ...aUser, role: 'admin' };
  await drawAt('/settings');
  expect((await screen.findByRole('link', { name: /Operations/ })).getAttribute('href')).toBe('/admin');
});

test.each([
  ['time-zone', 'Time zone', () => screen.findByRole('combobox', { name: /Time zone/ })],
  ['ledger', 'Ledger', () => screen.findByText('Task number 3')],
  ['device', 'This computer', () => screen.findByText('Kept when space runs low')],
])('a page opens at its own address: /settings/%s', async (name, title, shown) => {
  await drawAt(`/settings/${name}`);
  await screen.findByRole('heading', { level: 1, name: title });
  await shown();
  expect(screen.getByRole('link', { name: 'Settings' }).getAttribute('href')).toBe('/settings');
});

test('an address without a page says so, and so does nobody’s', async () => {
  await drawAt('/settings/nothing');
  await screen.findByRole('heading', { level: 1, name: /No such page|Page not found/ });
  cleanup();
  user = null;
  await drawAt('/settings/ledger');
  await screen.findByText('Settings belong to an account. Sign in to see yours.');
});

test('an unfinished account sets all that it has, and is not led to pages that are closed to it', async () => {
  user = { ...aUser, isVerified: false };
  await drawAt('/settings');
  await screen.findByText('Europe/Lisbon, days end at midnight');
  expect(links()).not.toContain('/profile-accounts');
  expect(links()).not.toContain('/profile');
});

test('hiding from others is kept on the device, and shown as what waits until the server has it', async () => {
  await drawAt('/settings/privacy');
  const hide = await screen.findByRole('radio', { name: 'Hide my name' });
  expect(hide.getAttribute('aria-checked')).toBe('false');
  fireEvent.click(hide);
  await vi.waitFor(() => expect(outbox.enqueue).toHaveBeenCalledOnce());
  expect(outbox.enqueue.mock.lastCall).toMatchObject([
    { method: 'PUT', path: '/api/user/visibility', body: { hidden: true }, subject: 'visibility:own' },
  ]);
  cleanup();
  outbox.entries = [
    {
      id: 'e9',
      subject: 'visibility:own',
      state: 'waiting',
      label: 'Hide my name from others',
      body: { hidden: true },
    },
  ];
  await drawAt('/settings/privacy');
  expect((await screen.findByRole('radio', { name: 'Hide my name' })).getAttribute('aria-checked')).toBe('true');
  screen.getByText('Hide my name from others');
  screen.getByText(/You keep your points and your place/);
});

const pressUnlink = async () => {
  fireEvent.click(await screen.findByRole('button', { name: 'Unlink X' }));
  const dialog = await screen.findByRole('dialog', { name: 'Unlink @mira_x?' });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Unlink X' }));
  return dialog;
};
const unlinks = () => server.asked.filter(({ method }) => method === 'DELETE').map(({ url }) => url);

test('X is taken off after it was said what ends with it, and for how long another one waits', async () => {
  profile.relinkAllowedAt = '2030-01-05T10:00:00.000Z';
  const { client } = await draw(<ProfileAccountsScreen />, '/profile-accounts');
  fireEvent.click(await screen.findByRole('button', { name: 'Unlink X' }));
  const dialog = await screen.findByRole('dialog');
  within(dialog).getByText(/You keep your communities and points/);
  within(dialog).getByText(/Until .*2030.* only this account again/);
  expect(unlinks()).toEqual([]);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Unlink X' }));
  await vi.waitFor(() => expect(client.getQueryData(['/api/auth/user'])).toMatchObject({ isVerified: false }));
  expect(unlinks()).toEqual(['/api/auth/x']);
});

test('a sign-in that is too old is made again first', async () => {
  unlinked = refusal(403, 'TELEGRAM_SIGN_IN_TOO_OLD');
  await draw(<ProfileAccountsScreen />, '/profile-accounts');
  const dialog = await pressUnlink();
  await within(dialog).findByText(/more than 15 minutes ago/);
  expect(within(dialog).getByRole('link').getAttribute('href')).toContain('/api/auth/telegram/start');
});
