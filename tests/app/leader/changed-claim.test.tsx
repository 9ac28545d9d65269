/** Whoever decides too late sees what changed, and decides about what is there now. */
import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Review } from '../../../app/features/leader/review/review.tsx';
import { dashboardOf, entryOf, reviewItemOf } from '../member/support.ts';
import { besideReview } from '../review-reads.ts';
import { draw, fakeServer, json, press } from '../support.tsx';

const device = vi.hoisted(() => ({
  entries: [] as unknown[],
  kept: [] as { body: unknown }[],
  discarded: [] as string[],
}));
vi.mock('../../../app/lib/device.ts', async () => ({
  ...(await import('../quiet-device.ts')),
  enqueue: async (entry: (typeof device.kept)[number]) => {
    device.kept.push(entry);
    return 'entry-new';
  },
  discardEntry: async (id: string) => void device.discarded.push(id),
  useOutbox: () => device.entries,
}));
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const community = { ...dashboardOf([]).community, role: 'leader' as const };
const item = reviewItemOf('one', '2026-11-21T09:00:00.000Z');
const rewritten = {
  ...item,
  claim: { ...item.claim, version: 3, evidence: { kind: 'submit_text', text: 'Something else altogether' } },
};
const message = 'The member sent another answer after you looked. Read it, then decide.';
const late = entryOf('decision:one', {
  id: 'entry-late',
  label: 'Approved: Tomás Kral',
  body: { decision: 'approve', version: 1 },
  state: 'refused',
  error: { status: 409, reason: 'CLAIM_CHANGED', message, requestId: 'r1' },
});

beforeEach(() => {
  device.entries = [];
  device.kept = [];
  device.discarded = [];
  fakeServer().answer(({ url }) => besideReview(url) ?? json({ items: [rewritten], next: null, waiting: 1 }));
});

test('a decision names the version that is on the screen', async () => {
  await draw(<Review community={community} />);
  await screen.findByRole('article');
  await press('Approve');
  expect(device.kept).toMatchObject([{ body: { decision: 'approve', version: 3 } }]);
});

test('one that came too late leaves its claim in the queue, with what changed and the new text', async () => {
  device.entries = [late];
  await draw(<Review community={community} />);
  const card = await screen.findByRole('article');
  expect(card.textContent).toContain('Changed since you looked.');
  expect(card.textContent).toContain(message);
  expect(card.textContent).toContain('“Approved: Tomás Kral” was not used.');
  expect(card.textContent).toContain('Something else altogether');
});

test('the next decision takes the place of the one that came too late', async () => {
  device.entries = [late];
  await draw(<Review community={community} />);
  await screen.findByRole('article');
  await press('Approve');
  expect(device.kept).toMatchObject([{ body: { decision: 'approve', version: 3 } }]);
  await vi.waitFor(() => expect(device.discarded).toEqual(['entry-late']));
});
