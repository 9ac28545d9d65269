import { act, cleanup } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useDeliveries } from '../../../app/features/engagement/command-results.ts';
import { knowingTask } from '../../../app/features/engagement/told.ts';
import type { Delivery } from '../../../app/lib/device.ts';
import { read } from '../../../app/lib/query.ts';
import { dismissToast, useToasts } from '../../../app/ui/toast.tsx';
import type { Claim } from '../../../server/contract/claims.ts';
import type { Dashboard } from '../../../server/contract/communities.ts';
import type { ReviewItem } from '../../../server/contract/review.ts';
import { draw } from '../support.tsx';
import { claimOf, dashboardOf, entryOf, reviewItemOf, taskOf } from './support.ts';

const device = vi.hoisted(() => ({ tell: (_deliveries: readonly Delivery[]) => undefined as unknown }));
vi.mock('../../../app/lib/device.ts', () => ({
  onDeliveries: (listener: typeof device.tell) => {
    device.tell = listener;
    return () => undefined;
  },
}));
vi.mock('../../../app/features/engagement/refetch.ts', () => ({ refetchChangedSoon: () => undefined }));

const { queryKey } = read('GET /api/communities/:communityId/dashboard', { communityId: 'walkers' });
type Queue = { items: ReviewItem[]; waiting: number };
let toasts: ReturnType<typeof useToasts> = [];
function Probe() {
  useDeliveries();
  toasts = useToasts();
  return null;
}
const deliver = (...claims: [taskId: string, over: Partial<Claim>][]) =>
  act(() =>
    device.tell(
      claims.map(([taskId, over]) => ({
        entry: entryOf(`claim:c1:${taskId}`, { label: `Task ${taskId}` }),
        status: 201,
        answer: claimOf({ id: `claim-${taskId}`, taskId, ...over }),
      })),
    ),
  );
const said = () => toasts.map(({ title, line }) => [title, line]);
/** The member swipes away what is shown. */
const putAway = () => act(() => toasts.forEach(({ id }) => void dismissToast(id)));

afterEach(() => {
  putAway();
  cleanup();
  localStorage.clear();
});

test('what comes in together is one toast: one act by its name, several with all that they gave', async () => {
  await draw(<Probe />);
  deliver(['a', { state: 'approved', points: 10 }]);
  expect(said()).toEqual([['Counted: +10', 'Task a']]);
  putAway();
  deliver(['a', { state: 'approved', points: 10 }], ['b', { state: 'approved', points: 25 }], ['c', {}]);
  expect(said()).toEqual([['Received', 'A reviewer looks at it next.']]);
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
  expect(said()).toEqual([['Not counted', 'Task c: Too late']]);
  putAway();
  deliver(['e', { state: 'approved', points: 7 }]);
  expect(said()).toEqual([['Counted: +7', 'Task e']]);
});

test('what was not counted is said before what was, whichever came first', async () => {
  await draw(<Probe />);
  deliver(['a', { state: 'rejected', reason: 'Too late' }], ['b', { state: 'approved' }], ['c', { state: 'approved' }]);
  expect(said()).toEqual([['Not counted', 'Task a: Too late']]);
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
  act(() => device.tell([{ entry: entryOf('decision:theirs'), status: 200, answer }]));
  expect(knowingTask(taskOf('a'), 1).claim).toBeNull();
  deliver(['b', { state: 'submitted' }]);
  expect(knowingTask(taskOf('b'), 1).claim?.state).toBe('submitted');
});
