/** What came of an act that another device, or somebody else, was first with: said once, and let be with one press. */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { TaskRow } from '../../../app/features/dashboard/task-row.tsx';
import { viewQueue } from '../../../app/features/leader/review/review-queue.ts';
import { waitingStill } from '../../../app/shared/commands/decided-here.ts';
import { RefusedCommand } from '../../../app/shared/commands/refused-command.tsx';
import { viewToday } from '../../../app/shared/tasks/task-view.ts';
import type { Evidence } from '../../../server/contract/claims.ts';
import type { OutboxEntry } from '../../../worker/schema.ts';
import { draw } from '../support.tsx';
import { claimOf, dashboardOf, entryOf, reviewItemOf, taskOf } from './support.ts';

const { discardEntry } = vi.hoisted(() => ({ discardEntry: vi.fn(async (_id: string) => undefined) }));
vi.mock('../../../app/lib/device.ts', async (actual) => ({ ...(await actual<object>()), discardEntry }));
afterEach(() => {
  discardEntry.mockClear();
});

const five: Evidence = { kind: 'number', value: 5 };
const nine: Evidence = { kind: 'number', value: 9 };
const refusedWith = (reason: string, details: unknown, over: Partial<OutboxEntry> = {}): OutboxEntry =>
  entryOf('claim:c1:task-1', {
    state: 'refused',
    body: { evidence: nine },
    error: { status: 409, reason, message: 'The server’s own words.', requestId: 'r1', details },
    ...over,
  });

test('another answer from this device is shown beside the one that counts, once, with one press to let it be', async () => {
  const claim = claimOf({ taskId: 'task-1', state: 'approved', evidence: five });
  const entry = refusedWith('ALREADY_CLAIMED', { claim, differs: true });
  const today = viewToday(dashboardOf([taskOf('task-1', { claim })]), [entry]);
  const [view] = today.done;
  expect(view).toMatchObject({ state: 'counted', entry: null, settled: { id: entry.id } });
  if (!view) throw new Error('the task is not in Done');
  await draw(<TaskRow community={dashboardOf([]).community} view={view} reviewers={[]} onWrite={() => undefined} />);
  expect(screen.getByText('Counted from your other device: “5”')).toBeTruthy();
  expect(screen.getByText(/On this device: “9”/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Got it' }));
  await waitFor(() => expect(discardEntry).toHaveBeenCalledExactlyOnceWith(entry.id));
});

test.each([
  ['ALREADY_DECIDED', 'claim:c1:task-1', { claim: claimOf({ state: 'submitted', evidence: five }), differs: true }],
  ['APPEAL_USED', 'appeal:claim-1', { claim: claimOf({ state: 'rejected' }), differs: true }],
  ['APPEAL_TOO_LATE', 'appeal:claim-1', {}],
  ['ANSWERED_AGAIN', 'appeal:claim-1', { claim: claimOf({ state: 'submitted' }) }],
  ['ALREADY_DECIDED', 'decision:claim-1', { claim: claimOf({ state: 'approved' }) }],
  ['CLAIM_CHANGED', 'decision:claim-1', {}],
])('%s to %s offers nothing that cannot succeed', async (reason, subject, details) => {
  await draw(<RefusedCommand entry={refusedWith(reason, details, { subject })} />);
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Got it']);
});

test('a refused decision leaves its claim in the queue, and list, heading and badge say the same number', () => {
  const items = ['one', 'two', 'three', 'four', 'five'].map((id, nth) =>
    reviewItemOf(id, `2026-11-21T0${nth}:00:00.000Z`),
  );
  const error = (reason: string) => ({ status: 409, reason, message: '', requestId: 'r1', details: {} });
  const outbox = [
    entryOf('decision:one'),
    entryOf('decision:two', { state: 'refused', error: error('CAP_REACHED') }),
    entryOf('decision:three', { state: 'refused', error: error('CLAIM_CHANGED') }),
    // Of a claim that has left the queue.
    entryOf('decision:gone', { state: 'refused', error: error('ALREADY_DECIDED') }),
  ];
  const { open } = viewQueue('c1', items, outbox);
  expect(open.map(({ claim }) => claim.id)).toEqual(['two', 'three', 'four', 'five']);
  expect(waitingStill('c1', items.length, outbox, { items, next: null })).toBe(open.length);
  // Where not all of it is here, what is on its way counts.
  const sent = outbox.map((entry) => ({ ...entry, path: '/api/communities/c1/claims/one/decision' }));
  expect(waitingStill('c1', items.length, sent, { items, next: 'b.more' })).toBe(open.length);
  expect(waitingStill('c1', items.length, sent)).toBe(open.length);
});
