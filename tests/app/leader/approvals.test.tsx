/** What one approval costs the server: the browser asks for what is on the screen, once, and for the rest when it is looked at. */
import { useQuery } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Review } from '../../../app/features/leader/review/review.tsx';
import type { Delivery } from '../../../app/lib/device.ts';
import { createQueryClient, read } from '../../../app/lib/query.ts';
import { useLive } from '../../../app/lib/use-live.ts';
import { CommandResults } from '../../../app/shared/commands/command-results.ts';
import { claimOf, dashboardOf, entryOf, reviewItemOf } from '../member/support.ts';
import { besideReview } from '../review-reads.ts';
import { draw, type FakeServer, fakeServer, json } from '../support.tsx';

const device = vi.hoisted(() => ({
  none: [],
  approved: [] as string[],
  deliver: (_deliveries: readonly Delivery[]) => undefined as unknown,
}));
vi.mock('../../../app/lib/device.ts', () => ({
  device: { acknowledged: async () => [], settleAcknowledged: async () => undefined },
  enqueue: async ({ path }: { path: string }) => void device.approved.push(path.split('/').at(-2) ?? ''),
  holdsCommands: () => false,
  useOutbox: () => device.none,
  onDelivered: () => () => undefined,
  onDeliveries: (hear: typeof device.deliver) => {
    device.deliver = hear;
    return () => undefined;
  },
  onDeviceEvent: () => () => undefined,
}));
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

/** How long after a commit the server tells of it. */
const NEWS_AFTER_MS = 400;
class Stream extends EventTarget {
  static last: Stream | null = null;
  readonly CLOSED = 2;
  readyState = 1;
  constructor() {
    super();
    Stream.last = this;
  }
  say(name: string) {
    this.dispatchEvent(
      new MessageEvent(name, { data: JSON.stringify({ topics: ['review', 'board'] }), lastEventId: '1' }),
    );
  }
  close() {
    this.readyState = 2;
  }
}

const community = { ...dashboardOf([]).community, role: 'leader' as const };
const ITEMS = Array.from({ length: 30 }, (_, at) => reviewItemOf(`claim-${at}`, `2026-11-21T09:${at + 10}:00.000Z`));
const admin = read('GET /api/communities/:communityId/admin', { communityId: community.slug });
const mine = read('GET /api/user/communities');
const elsewhere = [
  read('GET /api/communities'),
  read('GET /api/communities/:communityId/leaderboard', { communityId: community.id }),
  read('GET /api/communities/:communityId/dashboard', { communityId: community.id }),
  read('GET /api/user/profile'),
];

/** What the frame and the leaders' tools read beside the queue. */
function Around() {
  useLive(community.id, ['review', 'board']);
  const counts = [useQuery(admin).data?.waiting, useQuery(mine).data?.[0]?.toReview];
  return (
    <>
      <CommandResults userId="u1" />
      <output aria-label="What waits">{counts.join()}</output>
      <Review community={community} />
    </>
  );
}

let server: FakeServer;
let client: ReturnType<typeof createQueryClient>;
const left = () => ITEMS.filter(({ claim }) => !device.approved.includes(claim.id));
beforeEach(async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.stubGlobal('EventSource', Stream);
  device.approved = [];
  server = fakeServer();
  server.answer(({ url }) => {
    const waiting = left().length;
    if (url === '/api/user/communities') return json([{ ...community, toReview: waiting }]);
    if (url.endsWith('/admin')) return json({ community, tasks: [], queue: [], waiting, people: [] });
    return besideReview(url) ?? json({ items: left(), next: null, waiting });
  });
  client = createQueryClient();
  // Screens that were left: they are in memory and not on the screen.
  for (const { queryKey } of elsewhere) client.setQueryData(queryKey, {} as never);
  await draw(<Around />, '/', client);
  await screen.findByRole('article');
  await vi.advanceTimersByTimeAsync(1_000);
  Stream.last?.say('ready');
  server.asked.length = 0;
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function approve(): Promise<void> {
  const id = left()[0]?.claim.id ?? '';
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Approve' })));
  await act(async () => void (await vi.advanceTimersByTimeAsync(100)));
  const answer = claimOf({ id, state: 'approved' });
  await act(async () => void device.deliver([{ entry: entryOf(`decision:${id}`), status: 200, answer } as never]));
  setTimeout(() => Stream.last?.say('change'), NEWS_AFTER_MS);
}
const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
const asked = () => server.asked.filter(({ method }) => method === 'GET').map(({ url }) => url);

test('one approval asks at most four times, and what waits is right at once in the frame and the tools', async () => {
  await approve();
  await pass(10_000);
  expect(asked().length, asked().join('\n')).toBeLessThanOrEqual(4);
  expect(asked()).toContain(`/api/communities/${community.id}/review`);
  expect(screen.getByLabelText('What waits').textContent).toBe('29,29');
});

test('twenty approvals in ten seconds ask at most four times each', async () => {
  for (let nth = 0; nth < 20; nth += 1) {
    await approve();
    await pass(400);
  }
  await pass(10_000);
  expect(device.approved).toHaveLength(20);
  expect(asked().length).toBeLessThanOrEqual(80);
  expect(screen.getByLabelText('What waits').textContent).toBe('10,10');
});

test('a screen that was left reads again when it is looked at, and not before', async () => {
  await approve();
  await pass(10_000);
  const urls = elsewhere.map(({ queryKey }) => queryKey.join('/'));
  expect(asked().filter((url) => urls.includes(url))).toEqual([]);
  for (const { queryKey } of elsewhere) expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true);
});
