import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { TwitterReturnScreen } from '../../../app/features/profile/twitter-return-screen.tsx';
import { dropXIntent, storeXIntent } from '../../../app/lib/x-intent.ts';
import { aUser, draw, fakeServer, json, refusal } from '../support.tsx';

afterEach(() => {
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

test('who comes back from X with a task begun in this tab goes on with it', async () => {
  fakeServer();
  storeXIntent({ communityId: 'c1', taskId: 't1', title: 'Reply to us' });
  try {
    history.replaceState(null, '', '/twitter-return');
    await draw(<TwitterReturnScreen />, '/twitter-return');
    await screen.findByText(/Go on with “Reply to us”/);
    const link = screen.getByRole('link', { name: 'Go on with the task' });
    expect(link.getAttribute('href')).toBe('/engagement-complete?community=c1&task=t1');
  } finally {
    dropXIntent();
  }
});

test.each([
  ['error=access_denied&state=s2', 0, '', 'You said no'],
  ['code=abc&state=s3', 400, 'X_STATE_UNKNOWN', 'This link is not valid'],
  ['code=abc&state=s4', 409, 'X_ACCOUNT_TAKEN', 'Taken by another member'],
])('%s %i %s: what stopped it is said', async (search, status, reason, words) => {
  fakeServer().answer(() => refusal(status, reason));
  history.replaceState(null, '', `/twitter-return?${search}`);
  await draw(<TwitterReturnScreen />, '/twitter-return');
  await screen.findByRole('heading', { name: words });
});
