import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import {
  aUser,
  click,
  drawAt,
  type FakeRequest,
  type FakeServer,
  fakeServer,
  fill,
  json,
  press,
  refusal,
} from '../support.tsx';

vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const LIST = '/api/admin/leader-applications';
const application = (id: string, displayName: string, more: object = {}) => ({
  id,
  userId: `u-${id}`,
  displayName,
  state: 'submitted',
  about: 'I have walked here for ten years.',
  plan: 'A walk every Saturday.',
  link: 'https://walkers.example/',
  submittedAt: '2026-11-20T10:00:00.000Z',
  decidedAt: null,
  reason: null,
  ...more,
});
const sent = (server: FakeServer) => server.asked.filter(({ method }) => method === 'POST');
const bodyOf = (asked: FakeRequest | undefined) => JSON.parse(String(asked?.init.body)) as unknown;

/** One page of applications; a decision changes the first of them. */
async function opened(decided: (body: { decision: string }) => Response = () => json({})) {
  const server = fakeServer();
  let items = [
    application('a1', 'Ilse Brandt'),
    application('a2', 'Tom Rao', { state: 'rejected', reason: 'Which community is it?', link: null }),
  ];
  server.answer(({ method, init }) => {
    if (method === 'GET') return json({ items, next: null });
    const answer = decided(JSON.parse(String(init.body)));
    if (answer.ok) items = [application('a1', 'Ilse Brandt', { state: 'approved' }), ...items.slice(1)];
    return answer;
  });
  await drawAt('/admin/account-management?view=applications');
  await screen.findByRole('heading', { name: 'Ilse Brandt' });
  return server;
}

test('who asks to lead stands there in their own words; what was decided has its answer and no buttons', async () => {
  await opened();
  expect(screen.getAllByText('I have walked here for ten years.')).toHaveLength(2);
  const link = screen.getByRole('link', { name: 'https://walkers.example/' });
  expect(link.getAttribute('rel')).toContain('noopener');
  screen.getByText('“Which community is it?”');
  expect(
    screen.getAllByRole('button', { name: /^(Approve|Reject) \w/ }).map((one) => one.getAttribute('aria-label')),
  ).toEqual(['Approve Ilse Brandt', 'Reject Ilse Brandt']);
});

test('an approval is one command with a reason, and what it changed is read again', async () => {
  const server = await opened();
  await press('Approve Ilse Brandt');
  await press(/We know this community/);
  await press('Approve');
  await screen.findByText('Approved');
  expect(sent(server)).toHaveLength(1);
  expect(sent(server)[0]?.url).toBe(`${LIST}/a1/decision`);
  expect(bodyOf(sent(server)[0])).toEqual({ decision: 'approve', reason: 'We know this community.' });
  expect(new Headers(sent(server)[0]?.init.headers).get('idempotency-key')).toMatch(/^[\w-]{36}$/);
});

test('nobody is rejected without a reason, which goes along', async () => {
  const server = await opened();
  await press('Reject Ilse Brandt');
  const dialog = within(screen.getByRole('dialog'));
  await click(dialog.getByRole('button', { name: /^Reject/ }));
  expect(sent(server)).toEqual([]);
  await fill(dialog.getByLabelText('Reason'), 'Say who.');
  await click(dialog.getByRole('button', { name: /^Reject/ }));
  expect(bodyOf(sent(server)[0])).toEqual({ decision: 'reject', reason: 'Say who.' });
});

test('what the server refuses is told in its place', async () => {
  await opened(() => refusal(409, 'ALREADY_DECIDED', 'This application was approved already.'));
  await press('Approve Ilse Brandt');
  await press(/We know this community/);
  await press('Approve');
  await screen.findByText(/This application was approved already/);
});

test.each([
  [401, 'Sign in to continue'],
  [403, 'This page is for operators'],
])('%s: never an empty shell', async (status, words) => {
  fakeServer().answer(({ url }) => (url === '/api/auth/user' ? json(aUser) : refusal(status, 'NO')));
  await drawAt('/admin/account-management?view=applications');
  await screen.findByText(words);
  expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
});
