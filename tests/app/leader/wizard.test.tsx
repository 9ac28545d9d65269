/** The steps in which a community is set up. */
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginning } from '../../../app/features/leader/wizard/wizard-draft.ts';
import { WizardScreen } from '../../../app/features/leader/wizard/wizard-screen.tsx';
import { aUser, draw, type FakeServer, fakeServer, json } from '../support.tsx';

vi.mock('../../../app/lib/device.ts', () => ({
  useOutbox: () => [],
  onDelivered: () => () => undefined,
  onDeviceEvent: () => () => undefined,
}));

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  server.answer(() => json(aUser));
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});
const heading = async () => (await screen.findAllByRole('heading', { level: 2 }))[0]?.textContent;

test('begin with the name, and say who leads', async () => {
  await draw(<WizardScreen />);
  expect(await heading()).toBe('What is it called?');
  screen.getByText(/You lead it as Mira Okafor/);
  expect(screen.getAllByRole('listitem').filter((item) => item.closest('ol'))).toHaveLength(5);
});

test('go on from a draft that was left at a step that is gone', async () => {
  localStorage.setItem('muster-form:wizard', JSON.stringify({ ...beginning(), step: 'you', name: 'Hills' }));
  await draw(<WizardScreen />);
  expect(await heading()).toBe('What is it called?');
  expect((screen.getByLabelText('Name') as HTMLInputElement).value).toBe('Hills');
});

test('send somebody whose account is not complete to what is missing, before anything is written', async () => {
  server.answer(() => json({ ...aUser, isVerified: false }));
  await draw(<WizardScreen />);
  expect((await screen.findByRole('link', { name: 'See what is missing' })).getAttribute('href')).toBe(
    '/community-leader-signup',
  );
  expect(screen.queryByLabelText('Name')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Next' })).toBeNull();
});

test('ask for no more of the chat than a link that may be left out', async () => {
  localStorage.setItem('muster-form:wizard', JSON.stringify({ ...beginning(), step: 'telegram', name: 'Hills' }));
  await draw(<WizardScreen />);
  await screen.findByText(/^Optional\. After the last step/);
  fireEvent.click(screen.getByRole('button', { name: 'Next' }));
  await screen.findByRole('button', { name: 'Start from a template' });
});
