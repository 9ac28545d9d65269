import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Appeal } from '../../app/features/claims/appeal.tsx';
import { ClaimCard } from '../../app/features/claims/claim-card.tsx';
import { InviteCard } from '../../app/features/communities/invite-card.tsx';
import { PendingList } from '../../app/features/leader/parts/pending.tsx';
import type { OutboxEntry } from '../../app/lib/device.ts';
import { JoinButton } from '../../app/shared/communities/join-button.tsx';
import { dashboardOf, entryOf, taskOf } from './member/support.ts';
import { click, draw, fakeServer } from './support.tsx';

const device = vi.hoisted(() => ({
  entries: [] as OutboxEntry[],
  retried: vi.fn(async (_id: string) => undefined),
  discarded: vi.fn(async (_id: string) => undefined),
  logged: vi.fn(),
}));
vi.mock('../../app/lib/device.ts', async () => ({
  ...(await import('./quiet-device.ts')),
  useOutbox: () => device.entries,
  retryEntry: device.retried,
  discardEntry: device.discarded,
  enqueue: async () => 'entry-2',
}));
vi.mock('../../app/lib/logs.ts', () => ({ log: device.logged, logError: vi.fn() }));

const refused = (subject: string, reason = 'TASK_ARCHIVED') =>
  entryOf(subject, {
    id: 'entry-1',
    state: 'refused',
    error: { status: 409, reason, message: 'This is closed.', requestId: 'req-7f3a' },
  });
const { community } = dashboardOf([]);
const task = taskOf('task-1', { kind: 'submit_text' });

beforeEach(() => {
  fakeServer().answer(() => {
    throw new TypeError('Failed to fetch');
  });
  device.entries = [];
  for (const spy of [device.retried, device.discarded, device.logged]) spy.mockClear();
});

const press = async (name: string) => click(await screen.findByRole('button', { name }));

test.each([
  [
    'claim',
    () => {
      const entry = refused('claim:c1:task-1');
      const view = { task, state: 'unsent', claim: null, entry, settled: null, appeal: null } as const;
      return <ClaimCard community={community} view={view} reviewers={[]} competes onWrite={() => undefined} />;
    },
  ],
  [
    'appeal',
    () => (
      <Appeal
        communityId="c1"
        task={task}
        claim={{ id: 'claim-1', state: 'rejected', appeal: null }}
        mayAppeal
        entry={refused('appeal:claim-1')}
      />
    ),
  ],
  [
    'way into a community',
    () => {
      device.entries = [refused('join:c1')];
      return <JoinButton community={{ ...community, role: null }} />;
    },
  ],
  [
    'invite',
    () => {
      device.entries = [refused('invite:abcd')];
      return <InviteCard code="abcd" />;
    },
  ],
  ['leader’s act', () => <PendingList entries={[refused('announcement:1')]} />],
])('a refused %s says why, is tried again, and discarded only by who is asked once more', async (_what, draws) => {
  await draw(draws());
  expect(await screen.findByText('This is closed.')).toBeDefined();
  expect(screen.getByText('TASK_ARCHIVED')).toBeDefined();
  await press('Retry');
  expect(device.retried).toHaveBeenCalledWith('entry-1');
  await press('Discard');
  expect(screen.getByRole('alert').textContent).toContain('cannot be undone');
  await press('Keep it');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(device.discarded).not.toHaveBeenCalled();
  await press('Discard');
  await press('Discard');
  expect(device.discarded).toHaveBeenCalledWith('entry-1');
  expect(device.logged).toHaveBeenCalledWith('outbox.discard', expect.objectContaining({ reason: 'TASK_ARCHIVED' }));
});

test('who was not the first has nothing to lose: the note is put away at once', async () => {
  await draw(<PendingList entries={[refused('decision:1', 'ALREADY_DECIDED')]} />);
  await press('Got it');
  expect(device.discarded).toHaveBeenCalledWith('entry-1');
});

test('an answer that is only mistyped is no refusal: it is to be changed, and not sent again as it is', async () => {
  const entry = refused('claim:c1:task-1', 'CODE_WRONG');
  const view = { task, state: 'unsent', claim: null, entry, settled: null, appeal: null } as const;
  await draw(<ClaimCard community={community} view={view} reviewers={[]} competes onWrite={() => undefined} />);
  screen.getByText('Check your answer.');
  screen.getByText('This is closed.');
  screen.getByRole('button', { name: 'Change it' });
  screen.getByRole('button', { name: 'Discard' });
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  expect(screen.queryByText(/Refused|CODE_WRONG/)).toBeNull();
});
