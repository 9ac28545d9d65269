import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { PartnershipsScreen } from '../../app/features/partnerships/partnerships-screen.tsx';
import { sendWaiting } from '../../app/features/partnerships/queue.ts';
import { forgetHints } from '../../app/lib/hints.ts';
import { m } from '../../app/paraglide/messages.js';
import { referenceOf } from '../../server/contract/partnership-reference.ts';
import type { NewOutboxEntry } from '../../worker/schema.ts';
import { aUser, click, draw, type FakeRequest, json, press, refusal, serverOfEach } from './support.tsx';

const device = vi.hoisted(() => ({ queued: [] as Omit<NewOutboxEntry, 'userId'>[] }));
vi.mock('../../app/lib/device.ts', async () => ({
  ...(await import('./quiet-device.ts')),
  enqueue: async (entry: Omit<NewOutboxEntry, 'userId'>) => {
    device.queued.push(entry);
    return 'entry-1';
  },
}));
vi.mock('../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

let isAway: boolean;
let me: object | null;
/** What the server has by id, and how often each came. */
let held: Map<string, { body: unknown; times: number; state: string }>;
const server = serverOfEach((asked) => {
  if (asked.url === '/api/auth/user') return me ? json(me) : refusal(401, 'NOT_SIGNED_IN');
  if (isAway) throw new TypeError('Failed to fetch');
  return answer(asked);
});
beforeEach(() => {
  Object.assign(device, { queued: [] });
  [isAway, me, held] = [false, null, new Map()];
});

const statusOf = (id: string) => ({
  id,
  reference: referenceOf(id),
  kind: 'community',
  state: held.get(id)?.state,
  answer: held.get(id)?.state === 'new' ? null : 'Come by on Friday.',
  sentAt: '2026-11-20T10:00:00.000Z',
  changedAt: '2026-11-20T10:00:00.000Z',
});
function answer({ url, method, init }: FakeRequest): Response {
  if (url === '/api/user/partnership-requests') return json([...held.keys()].map(statusOf));
  const id = url.split('/').at(-1) ?? '';
  if (method === 'PUT') {
    const known = held.get(id);
    held.set(id, { body: JSON.parse(String(init.body)), times: (known?.times ?? 0) + 1, state: 'new' });
  }
  return held.has(id) ? json(statusOf(id)) : refusal(404, 'NOT_FOUND');
}

const write = (label: string, value: string) =>
  act(async () => void fireEvent.change(screen.getByLabelText(label), { target: { value } }));
async function fill() {
  await write('Your name', 'Ada Nwosu');
  await write('How we can reach you', 'ada@fernmap.example');
  await write('Message', 'We would like to bring our walkers here.');
}
const puts = () => server.asked.filter(({ method }) => method === 'PUT');

test('says what is offered, what is not, and how long a request is kept', async () => {
  await draw(<PartnershipsScreen />, '/partnerships');
  screen.getByRole('heading', { level: 1, name: m.shell_partnerships() });
  for (const name of ['Bring a community', 'Give a reward', 'Connect software', 'Run your own'])
    screen.getByRole('heading', { name });
  screen.getByText('Not on offer:');
  screen.getByText(/stored for 365 days after the last decision/);
});

test('nothing is sent while something is missing, and each field says what', async () => {
  await draw(<PartnershipsScreen />, '/partnerships');
  await press('Send request');
  screen.getByText('Enter your name.');
  screen.getByText('Tell us how to reach you.');
  screen.getByText('Write at least 20 characters.');
  expect(puts()).toEqual([]);
  expect(document.activeElement).toBe(screen.getByLabelText('Your name'));
});

test('a visitor’s request goes out at once, without a session, and its status is shown with its reference', async () => {
  await draw(<PartnershipsScreen />, '/partnerships');
  await fill();
  await press('Send request');
  await screen.findByRole('heading', { name: 'Received' });
  expect(puts()).toHaveLength(1);
  expect(puts()[0]?.init.credentials).toBe('omit');
  const [[id = '', kept] = []] = held;
  expect(kept?.body).toEqual({
    name: 'Ada Nwosu',
    organisation: '',
    contact: 'ada@fernmap.example',
    kind: 'community',
    message: 'We would like to bring our walkers here.',
  });
  screen.getByText(referenceOf(id));
  // Its words are the server's now: the device remembers the number alone.
  expect(JSON.stringify(localStorage)).not.toContain('fernmap');
  expect((screen.getByLabelText('Message') as HTMLTextAreaElement).value).toBe('');
});

test('without a connection it is kept, shown, and sent once when there is one, under the same number', async () => {
  isAway = true;
  const { unmount } = await draw(<PartnershipsScreen />, '/partnerships');
  await fill();
  await press('Send request');
  await screen.findByRole('heading', { name: 'Not sent yet' });
  screen.getByText(/It’s sent once, when there is a connection\./);
  unmount();
  // Somebody signs in and out meanwhile: what visitors wrote stays.
  forgetHints();
  await draw(<PartnershipsScreen />, '/partnerships');
  await screen.findByRole('heading', { name: 'Not sent yet' });
  const [first] = puts();
  isAway = false;
  await act(async () => void window.dispatchEvent(new Event('online')));
  await screen.findByRole('heading', { name: 'Received' });
  await act(() => sendWaiting(true));
  expect([...held.values()].map(({ times }) => times)).toEqual([1]);
  expect(puts().at(-1)?.url).toBe(first?.url);
});

test('an answer that was lost on the way makes no second request', async () => {
  server.answer((asked) => {
    if (asked.url === '/api/auth/user') return refusal(401, 'NOT_SIGNED_IN');
    const reply = answer(asked);
    if (isAway && asked.method === 'PUT') throw new TypeError('cut');
    return reply;
  });
  isAway = true;
  await draw(<PartnershipsScreen />, '/partnerships');
  await fill();
  await press('Send request');
  await screen.findByRole('heading', { name: 'Not sent yet' });
  isAway = false;
  await press('Send now');
  await screen.findByRole('heading', { name: 'Received' });
  expect(held.size).toBe(1);
  expect(puts().length).toBeGreaterThan(1);
});

test('what the server refuses stays with its words; what it is too busy for waits', async () => {
  let refused = refusal(429, 'PARTNERSHIP_LIMIT', 'Send this one tomorrow.');
  server.answer(({ url }) => (url === '/api/auth/user' ? refusal(401, 'NOT_SIGNED_IN') : refused.clone()));
  await draw(<PartnershipsScreen />, '/partnerships');
  await fill();
  await press('Send request');
  await screen.findByRole('heading', { name: 'Not sent yet' });
  refused = refusal(400, 'INVALID_INPUT', 'name: contains characters that cannot be shown');
  await press('Send now');
  await screen.findByRole('heading', { name: 'Not accepted' });
  screen.getByText(/contains characters that cannot be shown/);
  screen.getByText('We would like to bring our walkers here.');
  await press('Discard');
  expect(screen.queryByRole('heading', { name: 'Not accepted' })).toBeNull();
});

test('the answer is shown where the request was sent, until it is removed there', async () => {
  const view = await draw(<PartnershipsScreen />, '/partnerships');
  await fill();
  await press('Send request');
  await screen.findByRole('heading', { name: 'Received' });
  for (const one of held.values()) one.state = 'accepted';
  view.unmount();
  await draw(<PartnershipsScreen />, '/partnerships');
  await screen.findByRole('heading', { name: 'Accepted' });
  screen.getByText('Come by on Friday.');
  await click(screen.getByRole('button', { name: /^Remove P-/ }));
  expect(screen.queryByRole('heading', { name: 'Accepted' })).toBeNull();
});

test('a member’s request goes through their outbox, and their list is the server’s', async () => {
  me = aUser;
  held.set('00000000-0000-4000-8000-000000000001', { body: null, times: 1, state: 'declined' });
  await draw(<PartnershipsScreen />, '/partnerships');
  const mine = (await screen.findByRole('heading', { name: 'Your requests' })).closest('section') as HTMLElement;
  await within(mine).findByRole('heading', { name: 'Declined' });
  await fill();
  await press('Send request');
  expect(puts()).toEqual([]);
  expect(device.queued).toMatchObject([
    { method: 'PUT', lane: 'own', path: expect.stringMatching(/^\/api\/partnership-requests\/[\w-]{36}$/) },
  ]);
});
