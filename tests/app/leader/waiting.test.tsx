/** How many claims wait is one number, in the rooms' links and under the list, also while decisions are only in pencil. */

import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { OutboxEntry } from '../../../app/lib/device.ts';
import { m } from '../../../app/paraglide/messages.js';
import { dashboardOf, entryOf, reviewItemOf } from '../member/support.ts';
import { besideReview } from '../review-reads.ts';
import { drawAt, fakeServer, json } from '../support.tsx';

const device = vi.hoisted(() => ({ entries: [] as unknown[] }));
vi.mock('../../../app/lib/device.ts', async () => ({
  ...(await import('../quiet-device.ts')),
  useOutbox: () => device.entries,
}));
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const community = { ...dashboardOf([]).community, role: 'leader' as const };
const items = ['one', 'two'].map((id, hour) => reviewItemOf(id, `2026-11-21T0${hour}:00:00.000Z`));
async function rooms(entries: OutboxEntry[]): Promise<void> {
  device.entries = entries;
  fakeServer().answer(({ url }) => {
    if (url.endsWith('/admin')) return json({ community, waiting: 2, tasks: [] });
    return besideReview(url) ?? json(url.endsWith('/review') ? { items, next: null, waiting: 2 } : []);
  });
  await drawAt('/community/walkers/admin');
}
const link = (words: string) =>
  vi.waitFor(() => expect(screen.getByRole('link', { name: /^Review/ }).textContent).toBe(words));
const lost = { status: 409, reason: 'ALREADY_DECIDED', message: 'Jon decided this already.', requestId: 'r1' };

test('what is decided here and waits to be sent waits for nobody else', async () => {
  await rooms([entryOf('decision:one'), entryOf('decision:elsewhere')]);
  await screen.findByText('Oldest first. 1 waiting.');
  await link('Review1');
});

test('with all of them decided there is none left to count, and the empty queue tells of the pencil', async () => {
  await rooms([entryOf('decision:one'), entryOf('decision:two')]);
  await screen.findByText(/What is in pencil is sent automatically/);
  await link(m.leader_tab_review());
});

test('a claim that somebody else decided first is counted nowhere, also while a copy has it', async () => {
  const refused = { state: 'refused', error: lost } as const;
  await rooms([entryOf('decision:one', refused), entryOf('decision:two', refused)]);
  await screen.findByText('All decided. New claims show up here, oldest first.');
  await link(m.leader_tab_review());
});

test('a decision that was refused for another reason leaves its claim waiting, and is not in pencil', async () => {
  const full = { ...lost, reason: 'CAP_REACHED', message: 'Its place was taken since.' };
  await rooms([entryOf('decision:one', { state: 'refused', error: full }), entryOf('decision:two')]);
  await screen.findByText('Oldest first. 1 waiting.');
  await link('Review1');
});
