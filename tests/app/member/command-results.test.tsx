import { act } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Delivery } from '../../../app/lib/device.ts';
import { read } from '../../../app/lib/query.ts';
import { useAcknowledged } from '../../../app/shared/commands/acknowledged.ts';
import { CommandResults } from '../../../app/shared/commands/command-results.ts';
import { type Overlay, overlayTask } from '../../../app/shared/commands/overlay.ts';
import { dismissToast, useToasts } from '../../../app/ui/toast.tsx';
import type { Claim } from '../../../server/contract/claims.ts';
import type { Dashboard } from '../../../server/contract/communities.ts';
import type { ReviewItem } from '../../../server/contract/review.ts';
import type { Acknowledgement, DeviceEvent } from '../../../worker/schema.ts';
import { draw, fakeServer, json } from '../support.tsx';
import { acknowledgedOf, claimOf, dashboardOf, entryOf, reviewItemOf, taskOf } from './support.ts';

const device = vi.hoisted(() => ({
  tell: (_deliveries: readonly Delivery[]) => undefined as unknown,
  stored: [] as Acknowledgement[],
  event: (_event: DeviceEvent) => undefined as unknown,
  settled: vi.fn(async (..._given: unknown[]) => undefined),
  refetched: vi.fn(),
}));
vi.mock('../../../app/lib/device.ts', () => ({
  device: {
    acknowledged: async (userId: string) => device.stored.filter((row) => row.userId === userId),
    settleAcknowledged: device.settled,
  },
  onDeviceEvent: (listener: typeof device.event) => {
    device.event = listener;
    return () => undefined;
  },
  onDeliveries: (listener: typeof device.tell) => {
    device.tell = listener;
    return () => undefined;
  },
}));
vi.mock('../../../app/lib/refetch.ts', () => ({ refetchChangedSoon: device.refetched }));

const { queryKey } = read('GET /api/communities/:communityId/dashboard', { communityId: 'walkers' });
type Queue = { items: ReviewItem[]; waiting: number };
let toasts: ReturnType<typeof useToasts> = [];
let overlay: Overlay = [];
let drawFor: (userId: string | null) => void = () => undefined;
function Probe() {
  const [{ userId }, show] = useState<{ userId: string | null }>({ userId: 'u1' });
  drawFor = (next) => act(() => show({ userId: next }));
  toasts = useToasts();
  overlay = useAcknowledged();
  return <CommandResults userId={userId} />;
}
const deliver = (...claims: [taskId: string, over: Partial<Claim>][]) =>
  act(() =>
    device.tell(
      claims.map(([taskId, over]) => {
        const answer = claimOf({ id: `claim-${taskId}`, taskId, ...over });
        const entry = entryOf(`claim:c1:${taskId}`, { label: `Task ${taskId}` });
        return { entry, status: 201, answer, acknowledged: acknowledgedOf(answer) };
      }),
    ),
  );
const delivery = (taskId: string) => ({
  entry: entryOf(`claim:c1:${taskId}`),
  status: 201,
  answer: claimOf({ id: `claim-${taskId}`, taskId }),
});
const said = () => toasts.map(({ title, line }) => [title, line]);
/** The member swipes away what is shown. */
const putAway = () => act(() => toasts.forEach(({ id }) => void dismissToast(id)));

afterEach(() => {
  putAway();
  device.stored = [];
  device.settled.mockClear();
  device.refetched.mockClear();
});

test('what comes in together is one toast: one act by its name, several with all that they gave', async () => {
  await draw(<Probe />);
  deliver(['a', { state: 'approved', points: 10 }]);
  expect(said()).toEqual([['Counted: +10', 'Task a']]);
  putAway();
  deliver(['a', { state: 'approved', points: 10 }], ['b', { state: 'approved', points: 25 }], ['c', {}]);
  expect(said()).toEqual([['Received', 'A reviewer will look at it next.']]);
  putAway();
  deliver(['c', {}], ['a', { state: 'approved', points: 10 }], ['b', { state: 'approved', points: 25 }]);
  expect(said()).toEqual([['Counted: +35', '2 tasks']]);
});

test('what comes while a toast is still to be seen is added to it, each act once; nothing is said over a refusal', async () => {
  await draw(<Probe />);
  deliver(['a', { state: 'approved', points: 5 }]);
  deliver(['b', { state: 'approved', points: 20 }]);
  deliver(['b', { state: 'approved', points: 20 }]);
  expect(said()).toEqual([['Counted: +25', '2 tasks']]);
  deliver(['c', { state: 'rejected', reason: 'Too late' }]);
  deliver(['d', { state: 'approved', points: 1 }]);
  expect(said()).toEqual([['Not passed', 'Task c: Too late']]);
  putAway();
  deliver(['e', { state: 'approved', points: 7 }]);
  expect(said()).toEqual([['Counted: +7', 'Task e']]);
});

test('what was not counted is said before what was, whichever came first', async () => {
  await draw(<Probe />);
  deliver(['a', { state: 'rejected', reason: 'Too late' }], ['b', { state: 'approved' }], ['c', { state: 'approved' }]);
  expect(said()).toEqual([['Not passed', 'Task a: Too late']]);
});

test('points that a leader gave by hand are said to be counted, and never added to what the leader did as a member', async () => {
  await draw(<Probe />);
  const given = entryOf('points:noor', { id: 'given', label: '+5 for Noor' });
  act(() => device.tell([{ entry: given, status: 201, answer: { points: 5 } }]));
  expect(said()).toEqual([['Points counted', '+5 for Noor']]);
  putAway();
  const task = entryOf('points:noor', { id: 'task', label: 'Give “Swept” to Noor' });
  const answer = claimOf({ id: 'theirs', taskId: 'swept', state: 'approved', points: 40 });
  deliver(['a', { state: 'approved', points: 10 }], ['b', { state: 'approved', points: 25 }]);
  act(() => device.tell([{ entry: task, status: 201, answer }]));
  expect(said()[0]).toEqual(['Points counted', 'Give “Swept” to Noor']);
  deliver(['c', { state: 'approved', points: 5 }]);
  expect(said()[0]).toEqual(['Counted: +40', '3 tasks']);
});

test('every answer comes to its card, and the cards beside it stay the objects that they were', async () => {
  const { client } = await draw(<Probe />);
  const before = dashboardOf([taskOf('a'), taskOf('b'), taskOf('c')]);
  client.setQueryData(queryKey, before);
  deliver(['a', { state: 'approved' }], ['c', { state: 'submitted' }]);
  const after = client.getQueryData<Dashboard>(queryKey)?.tasks ?? [];
  expect(after.map(({ claim }) => claim?.state ?? 'open')).toEqual(['approved', 'open', 'submitted']);
  expect(after[1]).toBe(before.tasks[1]);
});

test('a decision that was delivered takes its claim out of the queue before anything is read again', async () => {
  const { client } = await draw(<Probe />);
  const queue = read('GET /api/communities/:communityId/review', { communityId: 'c1' }).queryKey;
  const items = ['one', 'two'].map((id) => reviewItemOf(id, '2026-11-21T09:00:00.000Z'));
  client.setQueryData<unknown>(queue, { items, next: null, waiting: 7 });
  const decided = read(
    'GET /api/communities/:communityId/review',
    { communityId: 'c1' },
    { state: 'approved' },
  ).queryKey;
  client.setQueryData<unknown>(decided, { items, next: null, waiting: 7 });
  const answer = claimOf({ id: 'one', state: 'approved' });
  act(() => device.tell([{ entry: entryOf('decision:one'), status: 200, answer }]));
  const idsIn = (key: typeof queue) => client.getQueryData<Queue>(key as never)?.items.map(({ claim }) => claim.id);
  expect(idsIn(queue)).toEqual(['two']);
  expect(client.getQueryData<Queue>(queue as never)?.waiting).toBe(6);
  expect(idsIn(decided)).toEqual(['one', 'two']);
});

test('what a reviewer decided about somebody else is laid over no task of their own, as their own claims are', async () => {
  await draw(<Probe />);
  const answer = claimOf({ id: 'theirs', taskId: 'a', state: 'approved' });
  const acknowledged = acknowledgedOf(answer, { own: false });
  act(() => device.tell([{ entry: entryOf('decision:theirs'), status: 200, answer, acknowledged }]));
  expect(overlayTask(taskOf('a'), overlay, 1).claim).toBeNull();
  deliver(['b', { state: 'submitted' }]);
  expect(overlayTask(taskOf('b'), overlay, 1).claim?.state).toBe('submitted');
});

const wordsIn = (rows: Overlay) => rows.map(({ claim, at }) => `${claim.taskId} ${claim.state} ${at}`);
const stored = (taskId: string, over: Partial<Acknowledgement> = {}) =>
  acknowledgedOf(claimOf({ id: `claim-${taskId}`, taskId }), over);

test('a page that begins shows what the device has stored of its member, with what is delivered meanwhile', async () => {
  device.stored = [stored('a'), stored('b'), stored('x', { userId: 'u2', key: 'u2:claim-x' })];
  await draw(<Probe />);
  act(() => device.tell([{ ...delivery('a'), acknowledged: stored('a', { at: 3_000 }) }]));
  await vi.waitFor(() => expect(wordsIn(overlay)).toEqual(['b submitted 2000', 'a submitted 3000']));
});

test('nothing of one member is shown to the next, and nothing once nobody is signed in', async () => {
  device.stored = [stored('a'), stored('x', { userId: 'u2', key: 'u2:claim-x' })];
  await draw(<Probe />);
  await vi.waitFor(() => expect(wordsIn(overlay)).toEqual(['a submitted 2000']));
  drawFor('u2');
  expect(wordsIn(overlay)).toEqual([]);
  await vi.waitFor(() => expect(wordsIn(overlay)).toEqual(['x submitted 2000']));
  drawFor(null);
  expect(overlay).toEqual([]);
  act(() => device.tell([{ ...delivery('a'), acknowledged: stored('a') }]));
  expect(overlay).toEqual([]);
});

test('a read from after an answer shows it: the overlay gives it up there, and the store hears of it', async () => {
  device.stored = [stored('a', { at: Date.now() - 60_000 }), stored('b', { at: Date.now() + 60_000 })];
  const { client } = await draw(<Probe />);
  await vi.waitFor(() => expect(overlay).toHaveLength(2));
  const server = fakeServer();
  const reading = read('GET /api/communities/:communityId/dashboard', { communityId: 'walkers' });
  server.answer(() => json(dashboardOf([taskOf('a'), taskOf('b')])));
  await act(() => client.fetchQuery(reading));
  expect(device.settled).toHaveBeenCalledExactlyOnceWith('dashboard', ['u1:claim-a'], expect.any(Number));
  expect(overlay.map(({ pendingIn }) => pendingIn)).toEqual([['task'], ['dashboard', 'task']]);
  const task = read('GET /api/communities/:communityId/tasks/:taskId', { communityId: 'walkers', taskId: 'a' });
  server.answer(() => json(taskOf('a')));
  await act(() => client.fetchQuery(task));
  expect(overlay.map(({ claim }) => claim.taskId)).toEqual(['b']);
});

test('a refused command refetches what its community shows; not one of another member, nor of another feature', async () => {
  await draw(<Probe />);
  const refuse = (over: Parameters<typeof entryOf>[1]) =>
    device.event({ type: 'REFUSED', entry: entryOf('claim:c1:a', { state: 'refused', userId: 'u1', ...over }) });
  refuse({ userId: 'u2', lane: 'community:c1/a' });
  refuse({ lane: 'push' });
  expect(device.refetched).not.toHaveBeenCalled();
  refuse({ lane: 'community:c1/a' });
  expect(device.refetched).toHaveBeenCalledTimes(1);
});

test.each(['zone:own', 'visibility:own'])(
  'what a member set about themselves is read again once it is received: %s',
  async (subject) => {
    await draw(<Probe />);
    act(() => device.tell([{ entry: entryOf(subject), status: 200, answer: null }]));
    expect(device.refetched).toHaveBeenCalledTimes(1);
  },
);
