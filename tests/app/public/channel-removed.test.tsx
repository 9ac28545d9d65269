/** Where a member stands in the required channel, asked afresh, and what a check makes of it. */
import { cleanup, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ChannelRemovedScreen } from '../../../app/features/onboarding/channel-removed-screen.tsx';
import type { MembershipStatus } from '../../../server/contract/user.ts';
import { click, draw, json, refusal, serverOfEach } from '../support.tsx';

const NONE = vi.hoisted(() => []);
vi.mock('../../../app/lib/device.ts', () => ({ useOutbox: () => NONE, onDeviceEvent: () => () => undefined }));

let status: MembershipStatus;
const server = serverOfEach(() => json(status));
beforeEach(() => {
  status = {
    ...{ required: true, channelTitle: 'Muster Square', rejoinUrl: 'https://t.me/muster_square' },
    ...{ state: 'kicked', checkedAt: '2026-11-21T12:00:00.000Z', asked: true },
  };
});
const check = () => click(screen.getByRole('button', { name: 'Check again' }));

test('who was removed reads so, and goes on once a check says that they are back', async () => {
  await draw(<ChannelRemovedScreen />, '/channel-removed');
  await screen.findByRole('heading', { name: 'You were removed from Muster Square' });
  expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull();
  expect(screen.getByRole('link', { name: /Muster Square/ }).getAttribute('href')).toBe(status.rejoinUrl);
  await check();
  await screen.findByText('Checked just now: you’re still not in the channel.');
  // A look of its own, and a check: a member that is shut out asks for nothing else.
  expect(server.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /api/auth/membership',
    'POST /api/auth/membership/check',
  ]);
  status = { ...status, state: 'member' };
  await check();
  await screen.findByRole('heading', { name: 'You are in' });
  expect(screen.getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe('/');
});

test('Telegram that was not asked gave no verdict; who is signed out is told to sign in', async () => {
  status = { ...status, asked: false };
  await draw(<ChannelRemovedScreen />, '/channel-removed');
  await screen.findByRole('heading', { name: 'You were removed from Muster Square' });
  await check();
  await screen.findByText(/^Telegram didn’t answer just now\. This doesn’t affect you/);
  cleanup();
  server.answer(() => refusal(401, 'NOT_SIGNED_IN'));
  await draw(<ChannelRemovedScreen />, '/channel-removed');
  await screen.findByRole('link', { name: 'Get Started' });
});
