/** An account that lacks something: what it may do already, and what it is never locked out of. */

import { cleanup, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { CommunitySelectorScreen } from '../../../app/features/communities/community-selector-screen.tsx';
import { rememberCommunity } from '../../../app/lib/hints.ts';
import { m } from '../../../app/paraglide/messages.js';
import { aUser, draw, fakeServer, json } from '../support.tsx';

vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const walkers = { id: 'c1', slug: 'walkers', name: 'Walkers', role: 'member', points: 5, todo: 1, rank: 1, unread: 0 };
async function openAs(user: Partial<typeof aUser>, communities: unknown[]): Promise<void> {
  fakeServer().answer(({ url }) =>
    url.includes('/user/communities') ? json(communities) : json({ ...aUser, ...user }),
  );
  await draw(<CommunitySelectorScreen />, '/community-selector');
}

test('says what counts already where it has joined something, and only then', async () => {
  await openAs({ isVerified: false }, [walkers]);
  await screen.findByText(/What you do in communities you have joined already counts/);
  cleanup();
  await openAs({ isVerified: false }, []);
  await screen.findByText('Finish these to join communities and be counted.');
});

test('that lacks only a Telegram username is told that it may join, as the server lets it', async () => {
  await openAs({ telegramUsername: null }, []);
  await screen.findByText(/You can already join communities and be counted/);
  await screen.findByText('Find one you like and join it.');
  // How to choose one, and that it is seen at the next sign-in.
  await screen.findByText(/^You have none yet\. .* Then sign in again/);
});

test('can sign out, choose a theme and read how it works; a complete account does that elsewhere', async () => {
  await openAs({ isVerified: false }, []);
  await screen.findByText('Signed in as Mira Okafor, @mira');
  expect(screen.getByRole('link', { name: 'Sign out' }).getAttribute('href')).toBe('/logout');
  expect(screen.getByRole('link', { name: 'How to use' }).getAttribute('href')).toBe('/how-to-use');
  screen.getByRole('radiogroup', { name: 'Theme' });
  cleanup();
  await openAs({}, [walkers]);
  await screen.findByRole('heading', { name: 'Choose a community' });
  expect(screen.queryByRole('link', { name: 'Sign out' })).toBeNull();
});

test('says at once what each community needs, and opens Today first', async () => {
  const fernmap = { ...walkers, id: 'c2', slug: 'fernmap', name: 'Fernmap', waiting: 0, toReview: 0 };
  const ridge = { ...fernmap, id: 'c1', slug: 'walkers', name: 'Walkers', todo: 2 };
  const mine = [
    { ...fernmap, streakDays: 2, countedToday: true },
    { ...ridge, streakDays: 14, countedToday: false },
  ];
  await openAs({}, mine);
  await screen.findByText('2 to do · streak 14 days, open until midnight');
  screen.getByText('1 to do · streak 2 days, counted today');
  const links = within(screen.getByRole('main')).getAllByRole('link');
  expect(links[0]?.textContent).toBe(m.member_open_today({ today: m.shell_today() }));
  // Nothing was opened here yet: where a streak is still open comes first.
  expect(links[0]?.getAttribute('href')).toBe('/community/walkers/dashboard');
  cleanup();
  rememberCommunity('fernmap');
  await openAs({}, mine);
  expect(
    (await screen.findByRole('link', { name: m.member_open_today({ today: m.shell_today() }) })).getAttribute('href'),
  ).toBe('/community/fernmap/dashboard');
  rememberCommunity(null);
});
