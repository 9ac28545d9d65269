import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { TwitterReturnScreen } from '../../../app/features/profile/twitter-return-screen.tsx';
import { aUser, draw, fakeServer, json } from '../support.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  history.replaceState(null, '', '/');
});

test('the outcome stays when the frame around the screen changes, and is gone for who comes back later', async () => {
  const server = fakeServer();
  server.answer(() => json({ user: aUser, next: '/communities' }));
  history.replaceState(null, '', '/twitter-return?code=abc&state=s1');
  await draw(<TwitterReturnScreen />, '/twitter-return');
  await screen.findByRole('link', { name: 'Continue' });
  // The router of this test keeps its own history; the address of the document is ours to clean.
  history.replaceState(null, '', '/twitter-return');
  cleanup();
  await draw(<TwitterReturnScreen />, '/twitter-return');
  await screen.findByRole('link', { name: 'Continue' });
  expect(server.asked.filter(({ url }) => url.includes('/x/complete'))).toHaveLength(1);

  history.replaceState(null, '', '/communities');
  cleanup();
  history.replaceState(null, '', '/twitter-return');
  await draw(<TwitterReturnScreen />, '/twitter-return');
  await screen.findByText('Nothing came back from X');
});
