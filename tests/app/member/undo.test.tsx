/** What is pressed on a card or in a sheet is held, and can be undone until it is sent; a tap that only looks claims nothing. */
import { act, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ClaimCard } from '../../../app/features/claims/claim-card.tsx';
import { TaskSheet } from '../../../app/features/claims/task-sheet.tsx';
import type { OutboxEntry } from '../../../app/lib/device.ts';
import { CommandResults } from '../../../app/shared/commands/command-results.ts';
import { readDraft } from '../../../app/shared/tasks/draft.ts';
import { type TaskView, viewTask } from '../../../app/shared/tasks/task-view.ts';
import { Toaster } from '../../../app/ui/toaster.tsx';
import { UNDO_MS } from '../../../server/contract/limits.ts';
import type { TaskWithClaim } from '../../../server/contract/tasks.ts';
import type { NewOutboxEntry } from '../../../worker/schema.ts';
import { draw, fakeServer, json } from '../support.tsx';
import { dashboardOf, entryOf, taskOf } from './support.ts';

const device = vi.hoisted(() => ({
  entries: [] as OutboxEntry[],
  kept: [] as NewOutboxEntry[],
  undone: [] as string[][],
  released: [] as string[][],
  delivered: [] as ((delivery: { entry: OutboxEntry }) => void)[],
  views: new Set<() => void>(),
  /** Ids that a sender has taken. */
  sent: new Set<string>(),
}));
vi.mock('../../../app/lib/device.ts', async () => {
  const { useSyncExternalStore } = await import('react');
  const subscribe = (view: () => void) => {
    device.views.add(view);
    return () => device.views.delete(view);
  };
  const become = (entries: OutboxEntry[]) => {
    device.entries = entries;
    for (const view of device.views) view();
  };
  return {
    device: { release: async (ids: string[]) => void device.released.push(ids), acknowledged: async () => [] },
    undoEntries: async (ids: string[]) => {
      device.undone.push(ids);
      const gone = device.entries.filter(({ id }) => ids.includes(id) && !device.sent.has(id));
      become(device.entries.filter((entry) => !gone.includes(entry)));
      return gone;
    },
    holdsCommands: () => true,
    unsentOf: async () => device.entries,
    useOutbox: () => useSyncExternalStore(subscribe, () => device.entries),
    enqueue: async (entry: NewOutboxEntry) => {
      const id = `entry-${device.kept.push(entry)}`;
      const nextTryAt = entry.holdMs ? Date.now() + entry.holdMs : null;
      become([...device.entries, { ...entryOf(entry.subject), ...entry, id, nextTryAt }]);
      return id;
    },
    discardEntry: async () => undefined,
    onDelivered: (listener: (typeof device.delivered)[number]) => {
      device.delivered.push(listener);
      return () => undefined;
    },
    onDeliveries: () => () => undefined,
    onDeviceEvent: () => () => undefined,
  };
});
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const { community } = dashboardOf([]);
const walk = taskOf('walk', { title: 'Out for a walk' });
const climb = taskOf('climb', { title: 'Up the ridge', instructions: 'To the cairn.' });

/** The cards of tasks with their sheet, as Today has them. */
function Today({ tasks, competes = true }: { tasks: (typeof walk)[]; competes?: boolean }) {
  const [writing, setWriting] = useState<TaskView | null>(null);
  const outbox = useEntries();
  return (
    <>
      <CommandResults userId="u1" />
      {tasks.map((task) => (
        <div key={task.id} data-card={task.id} data-testid={task.id}>
          <ClaimCard
            community={community}
            view={viewTask('c1', task, outbox)}
            reviewers={['Ilse']}
            competes={competes}
            onWrite={setWriting}
          />
        </div>
      ))}
      <TaskSheet
        communityId="c1"
        view={writing}
        reviewers={['Ilse']}
        competes={competes}
        onClose={() => setWriting(null)}
      />
      <Toaster />
    </>
  );
}

import { useOutbox as useEntries } from '../../../app/lib/device.ts';

beforeEach(() => {
  fakeServer().answer(() => json({}));
  Object.assign(device, { entries: [], kept: [], undone: [], released: [], delivered: [], sent: new Set() });
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
});
afterEach(() => {
  // What is held still is let go of, so that no test presses Undo for the one before.
  window.dispatchEvent(new Event('pagehide'));
});

const click = (element: HTMLElement) => act(async () => void fireEvent.click(element));
const key = (letter: string) => act(async () => void fireEvent.keyDown(document.body, { key: letter }));
const card = (id: string) => within(screen.getByTestId(id));
const checkIn = (id: string) => click(card(id).getByRole('button', { name: 'Check in' }));

test('a plain check-in counts by its button alone, and is held until it is undone there', async () => {
  await draw(<Today tasks={[walk]} />);
  await click(card('walk').getByRole('button', { name: 'Out for a walk' }));
  expect(screen.getByRole('dialog', { name: 'Out for a walk' })).toBeTruthy();
  expect(device.kept).toEqual([]);
  await click(screen.getByRole('button', { name: 'Close' }));
  await checkIn('walk');
  expect(device.kept).toMatchObject([{ label: 'Out for a walk', holdMs: UNDO_MS }]);
  expect(card('walk').getByText(/only\. Sends in \d s\./)).toBeTruthy();
  const undo = card('walk').getByRole('button', { name: 'Undo: Out for a walk' });
  // It has come under a finger that taps twice.
  await act(async () => void fireEvent.click(undo, { detail: 2 }));
  expect(device.undone).toEqual([]);
  await click(undo);
  expect(device.undone).toEqual([['entry-1']]);
  expect(card('walk').getByRole('button', { name: 'Check in' })).toBeTruthy();
  expect(screen.getAllByText('Undone').length).toBeGreaterThan(0);
});

test('a check-in with something to read opens its sheet', async () => {
  await draw(<Today tasks={[climb]} />);
  await click(card('climb').getByRole('button'));
  const sheet = within(screen.getByRole('dialog', { name: 'Up the ridge' }));
  expect(sheet.getByText('To the cairn.')).toBeTruthy();
  expect(device.kept).toEqual([]);
  await click(sheet.getByRole('button', { name: 'Check in' }));
  expect(device.kept).toMatchObject([{ holdMs: UNDO_MS }]);
});

test('the key Z undoes the last press, then the one before', async () => {
  await draw(<Today tasks={[walk, { ...walk, id: 'two' }]} />);
  await checkIn('walk');
  await checkIn('two');
  await key('z');
  await key('Z');
  await key('z');
  expect(device.undone).toEqual([['entry-2'], ['entry-1']]);
});

test('what was sent in the same moment is not called undone', async () => {
  await draw(<Today tasks={[walk]} />);
  await checkIn('walk');
  device.sent.add('entry-1');
  await key('z');
  expect(screen.getAllByText('Too late to undo: it was sent already.').length).toBeGreaterThan(0);
});

test('a page that is left lets go of what it holds', async () => {
  await draw(<Today tasks={[walk]} />);
  await checkIn('walk');
  window.dispatchEvent(new Event('pagehide'));
  expect(device.released).toEqual([['entry-1']]);
  await key('z');
  expect(device.undone).toEqual([]);
});

test('an undone answer stands in its form again', async () => {
  await draw(<Today tasks={[taskOf('text', { kind: 'submit_text', ask: { kind: 'submit_text', minLength: 1 } })]} />);
  await click(card('text').getByRole('button'));
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Seen it at dawn' } });
  await click(screen.getByRole('button', { name: 'Send' }));
  expect(readDraft('text')).toBe('');
  await key('z');
  expect(readDraft('text')).toBe('Seen it at dawn');
});

test('a sheet says what the task gives, how often, until when and who looks at it', async () => {
  const schedule = { opensAt: null, closesAt: '2099-11-30T17:00:00.000Z', window: null };
  const ask = { kind: 'submit_text', minLength: 1 } as const;
  await draw(<Today tasks={[taskOf('t', { kind: 'submit_text', ask, schedule, points: 25, recurrence: 'weekly' })]} />);
  await click(card('t').getByRole('button'));
  expect(screen.getByRole('dialog').textContent).toMatch(/\+25 · weekly · until .*30.* · Ilse reviews\./);
});

const shut = (reason: TaskWithClaim['gate']['reason']) => ({ open: false, reason, opensAt: null, path: [] });
const looked: [string, Partial<TaskWithClaim>, boolean][] = [
  ['locked', { gate: shut('closed') }, true],
  ['given by a leader', { kind: 'manual', ask: { kind: 'manual' }, gate: shut('granted') }, true],
  ['looked at by a leader', {}, false],
];
test.each(looked)('a task that is %s is read, and takes no answer', async (_, over, competes) => {
  await draw(<Today tasks={[taskOf('t', { instructions: 'Bring a rope.', ...over })]} competes={competes} />);
  await click(card('t').getByRole('button'));
  const sheet = within(screen.getByRole('dialog'));
  expect(sheet.getByText('Bring a rope.')).toBeTruthy();
  expect(sheet.getAllByRole('button').map((one) => one.getAttribute('aria-label'))).toEqual(['Close']);
});

test('a vote is followed by its bars where it was given, or by the question where it was undone', async () => {
  const choices = [
    { id: 'n', text: 'North' },
    { id: 's', text: 'South' },
  ];
  const ask = { kind: 'poll', choices, multiple: false } as const;
  const counts = [
    { optionId: 'n', votes: 3 },
    { optionId: 's', votes: 1 },
  ];
  fakeServer().answer(() => json({ votes: 4, counts }));
  await draw(<Today tasks={[taskOf('poll', { kind: 'poll', ask })]} />);
  await click(card('poll').getByRole('button'));
  const vote = async () => {
    await click(screen.getByRole('radio', { name: 'North' }));
    await click(screen.getByRole('button', { name: 'Vote' }));
  };
  await vote();
  const sheet = within(screen.getByRole('dialog'));
  expect(sheet.getByText('Your vote: North')).toBeTruthy();
  await click(sheet.getByRole('button', { name: /^Undo/ }));
  await vote();
  const [entry] = device.entries;
  await act(async () => {
    for (const listener of device.delivered) if (entry) listener({ entry });
  });
  expect(await sheet.findByText('4 votes so far')).toBeTruthy();
  expect(sheet.queryByRole('button', { name: /^Undo/ })).toBeNull();
});
