import { afterEach, describe, expect, test, vi } from 'vitest';
import { adjust, announce, decideAll, remove, reverse, setRole } from '../../../app/features/leader/parts/commands.ts';
import { answer, appeal, changeTimeZone, claim, join } from '../../../app/shared/commands/member-commands.ts';
import { taskOf } from './support.ts';

type Entry = { lane: string; method: string; path: string };
const device = vi.hoisted(() => ({ enqueue: vi.fn(async (_entry: Entry) => 'entry-1') }));
vi.mock('../../../app/lib/device.ts', () => ({
  enqueue: device.enqueue,
  discardEntry: vi.fn(),
  holdsCommands: () => false,
}));
afterEach(() => vi.clearAllMocks());

const kept = () => device.enqueue.mock.calls.map(([{ lane, method, path }]) => `${lane} ${method} ${path}`);
const member = { id: 'u1', displayName: 'Noor' };

describe('which acts wait for which', () => {
  test('those for one task go one after another, a picture before the claim that shows it', async () => {
    const task = taskOf('t1', { kind: 'submit_image', title: 'Waymark' });
    const evidence = { kind: 'submit_image', imageId: 'i1' } as const;
    await answer('c1', task, evidence, new Blob(['x']));
    await appeal('c1', 'k1', task, 'It was there');
    await answer('c1', { ...task, claim: { id: 'k1', state: 'changes_requested' } as never }, evidence);
    expect(kept()).toEqual([
      'community:c1/task:t1 PUT /api/communities/c1/images/i1',
      'community:c1/task:t1 POST /api/communities/c1/tasks/t1/claims',
      'community:c1/task:t1 POST /api/communities/c1/claims/k1/appeal',
      'community:c1/task:t1 POST /api/communities/c1/claims/k1/resubmission',
    ]);
  });

  test('different tasks and different claims go beside each other', async () => {
    await claim('c1', taskOf('t1'));
    await claim('c1', taskOf('t2'));
    const claims = ['k1', 'k2'].map((claimId) => ({ claimId, version: 1, who: 'Noor' }));
    await decideAll('c1', claims, { decision: 'approve' });
    await decideAll('c1', [{ claimId: 'k3', version: 2, who: 'Noor' }], { decision: 'approve' });
    await reverse('c1', 'k3', 'Noor', 'A copy');
    expect(device.enqueue.mock.calls.map(([{ lane }]) => lane)).toEqual([
      'community:c1/task:t1',
      'community:c1/task:t2',
      'community:c1/claim:k1',
      'community:c1/claim:k2',
      'community:c1/claim:k3',
      'community:c1/claim:k3',
    ]);
  });

  test('what opens only after other tasks waits for all that was done before in the community', async () => {
    const conditions = { match: 'all', of: [{ kind: 'task', taskId: 't1' }] } as never;
    await claim('c1', taskOf('t2', { conditions }));
    expect(device.enqueue.mock.lastCall?.[0].lane).toBe('community:c1');
  });

  test('joining and what is done to members come after all that was done before in the community', async () => {
    await join({ id: 'c1', name: 'Walkers' });
    await adjust('c1', member, 5, 'Carried the map');
    await setRole('c1', member, 'moderator');
    await remove('c1', member, 'Asked to go');
    await announce('c1', { title: 'Snow', body: 'No walk', pinnedUntil: null, notify: null });
    expect(new Set(device.enqueue.mock.calls.map(([{ lane }]) => lane))).toEqual(new Set(['community:c1']));
    await changeTimeZone('Europe/Tallinn');
    expect(device.enqueue.mock.lastCall?.[0].lane).toBe('own');
  });
});
