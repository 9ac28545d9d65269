import { cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { CommunitiesScreen } from '../../../app/features/communities/communities-screen.tsx';
import { NoCommunitiesScreen } from '../../../app/features/onboarding/no-communities-screen.tsx';
import type { Offer } from '../../../server/contract/imports.ts';
import { aUser, draw, json, press, refusal, serverOfEach } from '../support.tsx';

const OFFERS: Offer[] = [
  { communityId: 'c1', slug: 'ridge', name: 'Ridge Walkers', points: 1240 },
  { communityId: 'c2', slug: 'bay', name: 'Bay Swimmers', points: 0 },
];
let offers: Offer[] = [];
let answered: () => Response = () => json({ ok: true });
let isVerified = true;
const server = serverOfEach(({ url, method }) => {
  if (url === '/api/auth/user') return json({ ...aUser, isVerified });
  if (url === '/api/user/offers') return json(offers);
  if (url.startsWith('/api/user/offers/')) {
    const answer = answered();
    if (answer.ok) offers = offers.filter(({ communityId }) => !url.endsWith(communityId));
    return answer;
  }
  return method === 'GET' ? json([]) : json({ ok: true });
});
beforeEach(() => {
  offers = OFFERS;
  answered = () => json({ ok: true });
  isVerified = true;
});
const sent = () => server.asked.filter(({ method }) => method !== 'GET').map(({ url, method }) => `${method} ${url}`);

test('a community that moved me in is offered with my points, and I join it with one press, or say no', async () => {
  await draw(<CommunitiesScreen />, '/communities');
  await screen.findByRole('heading', { name: 'Waiting for you' });
  screen.getByText('Ridge Walkers brought 1,240 points for you. They’re yours once you join.');
  screen.getByText('Bay Swimmers named you as a member elsewhere.');
  answered = () => refusal(404, 'NOT_FOUND', 'There is no such community.');
  await press('Join Ridge Walkers');
  await screen.findByText(/There is no such community|It isn’t here/);
  answered = () => json({ ok: true });
  await press('Join Ridge Walkers');
  await waitFor(() => expect(screen.queryByText(/^Ridge Walkers brought/)).toBeNull());
  await press('No, thanks');
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Waiting for you' })).toBeNull());
  expect(sent()).toEqual(['POST /api/user/offers/c1', 'POST /api/user/offers/c1', 'DELETE /api/user/offers/c2']);
});

test('who belongs nowhere yet sees it too', async () => {
  await draw(<NoCommunitiesScreen />, '/no-communities');
  await screen.findByRole('button', { name: 'Join Ridge Walkers' });
});

test('who has no complete account is led to completing it; where nothing is offered, nothing is said', async () => {
  isVerified = false;
  await draw(<CommunitiesScreen />, '/communities');
  await screen.findByRole('heading', { name: 'Waiting for you' });
  expect(screen.queryByRole('button', { name: 'Join Ridge Walkers' })).toBeNull();
  expect(screen.getAllByRole('link', { name: 'Complete your account to join' })).toHaveLength(2);
  cleanup();
  offers = [];
  await draw(<CommunitiesScreen />, '/communities');
  await screen.findByRole('heading', { name: 'Mine' });
  expect(screen.queryByText(/Waiting for you/)).toBeNull();
});
