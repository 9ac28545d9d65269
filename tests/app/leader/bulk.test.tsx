/** Decisions are held, one or many; many are asked about, and appeals are never among them. */
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Review } from '../../../app/features/leader/review/review.tsx';
import type { OutboxEntry } from '../../../app/lib/device.ts';
import { CommandResults } from '../../../app/shared/commands/command-results.ts';
import { UNDO_MS } from '../../../server/contract/limits.ts';
import type { ReviewItem } from '../../../server/contract/review.ts';
import type { NewOutboxEntry } from '../../../worker/schema.ts';
import { dashboardOf, entryOf, reviewItemOf } from '../member/support.ts';
import { besideReview } from '../review-reads.ts';
import { click, draw, fakeServer, json, press } from '../support.tsx';

const device = vi.hoisted(() => ({
  entries: [] as OutboxEntry[],
  undone: [] as string[][],
  views: new Set<() => void>(),
}));
vi.mock('../../../app/lib/device.ts', async () => {
  const { useSyncExternalStore } = await import('react');
  const become = (entries: OutboxEntry[]) => {
    device.entries = entries;
    for (const view of device.views) view();
  };
  const subscribe = (view: () => void) => {
    device.views.add(view);
    return () => device.views.delete(view);
  };
  return {
    device: { release: async () => undefined, acknowledged: async () => [] },
    undoEntries: async (ids: string[]) => {
      device.undone.push(ids);
      const gone = device.entries.filter(({ id }) => ids.includes(id));
      become(device.entries.filter((entry) => !gone.includes(entry)));
      return gone;
    },
    holdsCommands: () => true,
    unsentOf: async () => device.entries,
    useOutbox: () => useSyncExternalStore(subscribe, () => device.entries),
    enqueue: async (entry: NewOutboxEntry) => {
      const id = `decision-${device.entries.length + 1}`;
      const nextTryAt = Date.now() + (entry.holdMs ?? 0);
      become([...device.entries, { ...entryOf(entry.subject), ...entry, id, nextTryAt }]);
      return id;
    },
    discardEntry: async () => undefined,
    onDelivered: () => () => undefined,
    onDeliveries: () => () => undefined,
    onDeviceEvent: () => () => undefined,
  };
});
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const minute = (at: number) => `2026-11-21T09:${String(at).padStart(2, '0')}:00.000Z`;
const claims = (count: number): ReviewItem[] =>
  Array.from({ length: count }, (_, at) => reviewItemOf(`claim-${at}`, minute(at)));
const appealed = (): ReviewItem => {
  const item = reviewItemOf('appealed', minute(30));
  const appeal = { text: 'I was there', at: minute(40), outcome: 'open', reason: null } as never;
  return { ...item, claim: { ...item.claim, state: 'rejected', appeal } };
};
async function review(items: ReviewItem[]): Promise<void> {
  fakeServer().answer(({ url }) => besideReview(url) ?? json({ items, next: null, waiting: items.length }));
  await draw(
    <>
      <CommandResults userId="u1" />
      <Review community={{ ...dashboardOf([]).community, role: 'leader' }} />
    </>,
  );
  await screen.findAllByRole('button', { name: 'Approve' });
}
const key = (letter: string) => act(async () => void fireEvent.keyDown(document.body, { key: letter }));
const kept = () => device.entries.map(({ body }) => (body as { decision: string }).decision);

beforeEach(() => {
  Object.assign(device, { entries: [], undone: [] });
});
afterEach(() => {
  window.dispatchEvent(new Event('pagehide'));
});

test('a decision is held, undone from its row or by Z, and decided anew', async () => {
  await review(claims(2));
  await key('a');
  expect(device.entries).toMatchObject([{ holdMs: UNDO_MS }]);
  expect(screen.getByText(/^Sends in \d s\.$/)).toBeTruthy();
  await press('Undo: Approved: Tomás Kral');
  expect(device.undone).toEqual([['decision-1']]);
  await screen.findByText('2 of 2');
  await key('a');
  await key('a');
  expect(kept()).toEqual(['approve', 'approve']);
  await key('z');
  await key('z');
  expect(kept()).toEqual([]);
});

test('an appeal is in no bulk: Mark all leaves it out, and it has no box', async () => {
  await review([...claims(2), appealed()]);
  expect(screen.getAllByRole('checkbox')).toHaveLength(2);
  await press('Select all');
  await press('Approve 2');
  expect(device.entries.map(({ subject }) => subject).sort()).toEqual(['decision:claim-0', 'decision:claim-1']);
  await key('z');
  expect(device.undone).toEqual([['decision-1', 'decision-2']]);
});

test('ten are approved at once, more only after a question that names how many', async () => {
  await review(claims(11));
  await press('Select all');
  await press('Approve 11');
  const dialog = within(await screen.findByRole('dialog', { name: 'Approve 11 claims?' }));
  await click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(kept()).toEqual([]);
  await act(async () => void fireEvent.keyDown(document.body, { key: 'A', shiftKey: true }));
  await click(dialog.getByRole('button', { name: 'Approve 11' }));
  expect(kept()).toHaveLength(11);
});

test('ten need no question', async () => {
  await review(claims(10));
  await press('Select all');
  await press('Approve 10');
  expect(kept()).toHaveLength(10);
});
