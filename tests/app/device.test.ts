import { act, renderHook } from '@testing-library/react';
import { expose } from 'comlink';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { DEVICE_CHANNEL } from '../../server/contract/sw-messages.ts';
import type { DeviceApi } from '../../worker/api.ts';
import { serve } from '../../worker/open.ts';
import type { DeviceEvent } from '../../worker/schema.ts';
import { entryOf } from './member/support.ts';
import { own } from './support.tsx';

vi.mock('../../worker/index.ts?worker&url', () => ({ default: '/worker.js' }));

const worker = new EventTarget();
const { port1, port2 } = new MessageChannel();
const drain = vi.fn(async (_options: unknown) => undefined);
const enqueue = vi.fn((_entry: unknown) => new Promise(() => undefined));
const setMember = vi.fn(async (_userId: unknown) => undefined);
const outbox = vi.fn(async (_userId: unknown): Promise<unknown[]> => []);
const other = new BroadcastChannel(DEVICE_CHANNEL);
const heard: unknown[] = [];
let answers: (() => Promise<Response>)[] = [];
const probes = vi.fn((_url: string, _init?: RequestInit) =>
  (answers.shift() ?? (() => Promise.resolve(own(new Response('{}')))))(),
);
/** As the worker's own script offers it. */
const served = serve({ drain, enqueue, setMember, outbox } as unknown as DeviceApi, () => undefined);
let device: typeof import('../../app/lib/device.ts');

beforeAll(async () => {
  expose(served, port2);
  vi.stubGlobal('SharedWorker', function SharedWorker() {
    return Object.assign(worker, { port: port1 });
  });
  device = await import('../../app/lib/device.ts');
  other.onmessage = ({ data }) => heard.push(data.type);
  device.drainWhenPossible();
  await vi.waitFor(() => expect(drain).toHaveBeenCalled());
});
beforeEach(() => {
  vi.stubGlobal('fetch', probes);
  drain.mockClear();
  probes.mockClear();
  heard.length = 0;
});
afterEach(() => {
  answers = [];
});
afterAll(() => {
  for (const closing of [port1, port2, other]) closing.close();
  vi.unstubAllGlobals();
});
const tell = (event: DeviceEvent) => other.postMessage(event);
/** Resolves once what `send` tells has come to the page. */
async function arrivalOf(send: () => void): Promise<void> {
  const witness = new BroadcastChannel(DEVICE_CHANNEL);
  await new Promise((arrived) => {
    witness.onmessage = arrived;
    send();
  });
  witness.close();
}
const away = () => Promise.reject(new TypeError('Failed to fetch'));
const gateway = () => Promise.resolve(new Response('', { status: 502 }));
const hotel = () => Promise.resolve(new Response('<html>'));

test('what is pressed before the page knows whose it is waits for that, and is theirs; of nobody it is refused', async () => {
  const act = { lane: 'l', method: 'POST', path: '/api/x', body: null, label: 'L', subject: 's' } as const;
  enqueue.mockResolvedValueOnce(undefined);
  const keeping = device.enqueue(act);
  await new Promise((next) => setTimeout(next, 0));
  expect(enqueue).not.toHaveBeenCalled();
  await device.setMember('A');
  expect(enqueue).toHaveBeenCalledExactlyOnceWith({ ...act, id: await keeping, userId: 'A' });
  await device.setMember(null);
  await expect(device.enqueue(act)).rejects.toThrow('Sign in before you do this.');
});
test('a server that did not answer is asked for a sign of life until there is one; then all that waits goes out', async () => {
  answers = [away, gateway, hotel];
  tell({ type: 'NO_ANSWER' });
  tell({ type: 'NO_ANSWER' });
  await vi.waitFor(() => expect(drain).toHaveBeenCalledExactlyOnceWith({ hurry: true }), { timeout: 5_000 });
  const asked = probes.mock.calls.map(([url, init]) => `${init?.method} ${url}`);
  expect(asked).toEqual(Array.from({ length: 4 }, () => 'HEAD /api/health'));
  expect(heard).toEqual(['REACHABLE']);
});
test('who is answered but not served is asked again as soon for a while, then less and less', () => {
  expect([0, 1, 8].map((fruitless) => device.probeAfter(fruitless, true))).toEqual([500, 500, 500]);
  expect([9, 10, 40].map((fruitless) => device.probeAfter(fruitless, true))).toEqual([1_000, 2_000, 30_000]);
  expect(device.probeAfter(0, false)).toBe(30_000);
});
test('the network that is back, and the page that is looked at again, send at once', async () => {
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(drain).toHaveBeenCalledTimes(1));
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.waitFor(() => expect(drain).toHaveBeenCalledTimes(2));
  expect(probes).not.toHaveBeenCalled();
});
test('of what is delivered the first is told at once, the rest of the moment together, and nothing of another member', async () => {
  const told: string[][] = [];
  const off = device.onDeliveries((deliveries) => told.push(deliveries.map(({ entry }) => entry.label)));
  const deliver = (label: string, userId = 'A') =>
    tell({ type: 'DELIVERED', entry: entryOf('claim:c1:t1', { label, userId }), status: 201, answer: null });
  await device.setMember('A');
  deliver('of B', 'B');
  for (const label of ['1', '2', '3']) deliver(label);
  await vi.waitFor(() => expect(told).toEqual([['1'], ['2', '3']]));

  // The member leaves before the next moment is over: what was heard of them meanwhile is no news for who comes next.
  await arrivalOf(() => deliver('4'));
  await device.setMember('B');
  deliver('5', 'B');
  await vi.waitFor(() => expect(told.flat()).toContain('5'));
  expect(told.flat()).not.toContain('4');
  off();
});
test('a page that goes away tells what it has heard before it goes', async () => {
  const told: string[] = [];
  const off = device.onDelivered(({ entry }) => told.push(entry.label));
  await device.setMember('A');
  const deliver = (label: string) =>
    tell({ type: 'DELIVERED', entry: entryOf('claim:c1:t1', { label, userId: 'A' }), status: 201, answer: null });
  deliver('1');
  await vi.waitFor(() => expect(told).toEqual(['1']));
  await arrivalOf(() => deliver('2'));
  expect(told).toEqual(['1']);
  window.dispatchEvent(new Event('pagehide'));
  expect(told).toEqual(['1', '2']);
  off();
});
test('what one member did is not shown to the next, also while the device cannot say what they did', async () => {
  outbox.mockImplementation(async (userId) => {
    if (userId === 'B') throw new Error('The storage went away');
    return [entryOf('claim:c1:t1', { userId: String(userId) })];
  });
  await device.setMember('A');
  const { result, unmount } = renderHook(() => device.useOutbox());
  await vi.waitFor(() => expect(result.current.map(({ userId }) => userId)).toEqual(['A']));
  await act(async () => device.setMember('B'));
  expect(result.current).toEqual([]);
  unmount();
  outbox.mockImplementation(async () => []);
});
