import { expect, test, vi } from 'vitest';
import { drain } from '../../worker/drain.ts';
import { listEntries, setMember } from '../../worker/outbox.ts';
import { forgetSubscription, PUSH_SUBJECT, pushMeta, storeSubscription } from '../../worker/push.ts';
import type { DrainPorts, Send, SendAnswer } from '../../worker/send.ts';
import { memoryStorage } from '../../worker/storage/memory.ts';
import { sampleSubscription } from '../support/samples.ts';

async function room(...members: string[]) {
  const storage = memoryStorage();
  const answers: (SendAnswer | null)[] = [];
  const send = vi.fn<Send>(async () => {
    const answer = answers.shift();
    if (answer === null) throw new TypeError('Failed to fetch');
    return answer ?? { status: 200, retryAfter: null, date: null, body: { ok: true } };
  });
  let time = 1_000_000;
  const ports: DrainPorts = {
    storage,
    send,
    now: () => time,
    random: () => 1,
    lock: (work) => work(true),
    broadcast: () => undefined,
  };
  for (const member of members) await setMember(storage, member);
  const keep = (userId: string, subscription = sampleSubscription()) =>
    storeSubscription(ports, { id: crypto.randomUUID(), userId, subscription, publicKey: 'k', label: 'Notifications' });
  const pending = async (userId: string) =>
    (await listEntries(storage, userId)).filter(({ subject }) => subject === PUSH_SUBJECT);
  const later = (ms: number) => {
    time += ms;
  };
  return { storage, answers, send, ports, keep, pending, later };
}
const refusal = (status: number): SendAnswer => ({ status, retryAfter: null, date: null, body: { status } });

test('a save that meets a 401 is pending until the same member is signed in again', async () => {
  const { storage, answers, send, ports, keep, pending } = await room('A');
  answers.push(refusal(401));
  await keep('A');
  await drain(ports);
  expect(await pending('A')).toMatchObject([{ state: 'waiting', error: { status: 401 } }]);
  await drain(ports, { hurry: true });
  expect(send).toHaveBeenCalledTimes(1);
  await setMember(storage, 'B');
  await drain(ports, { hurry: true });
  expect(send).toHaveBeenCalledTimes(1);
  await setMember(storage, 'A');
  await drain(ports);
  expect(send).toHaveBeenCalledTimes(2);
  expect(send.mock.calls[1]?.[0]).toMatchObject({
    path: '/api/pwa/subscribe',
    headers: { 'X-Actor': 'A' },
    body: { publicKey: 'k', subscription: { endpoint: expect.any(String) } },
  });
  expect(await pending('A')).toEqual([]);
});

test.each([503, 429, 0])('a save that fails (%d) is tried again until the server has it', async (status) => {
  const { answers, send, ports, keep, pending, later } = await room('A');
  answers.push(status === 0 ? null : refusal(status));
  await keep('A');
  await drain(ports);
  expect(await pending('A')).toHaveLength(1);
  later(10 * 60_000);
  await drain(ports);
  expect(send).toHaveBeenCalledTimes(2);
  expect(await pending('A')).toEqual([]);
});

test('only the last subscription waits to be saved', async () => {
  const { storage, keep, pending } = await room('A');
  const last = sampleSubscription();
  await keep('A');
  await keep('A', last);
  expect((await pending('A')).map(({ body }) => body)).toEqual([{ subscription: last, publicKey: 'k' }]);
  expect(await pushMeta(storage)).toMatchObject({ members: ['A'], userId: 'A', endpoint: last.endpoint });
});

test('who signs out comes back to it, who turned it off does not, and neither leaves a save behind', async () => {
  const { storage, keep, pending } = await room('A');
  await keep('A');
  await forgetSubscription(storage, null);
  expect(await pending('A')).toEqual([]);
  expect(await pushMeta(storage)).toMatchObject({ members: ['A'], endpoint: null });
  await keep('B');
  expect(await pushMeta(storage)).toMatchObject({ members: ['A', 'B'], userId: 'B' });
  await forgetSubscription(storage, 'B');
  expect(await pushMeta(storage)).toMatchObject({ members: ['A'], endpoint: null });
});

test('one that nobody pressed for is kept for who wants it still, and for nobody else', async () => {
  const { storage, ports, keep, pending } = await room('A');
  const subscription = sampleSubscription();
  const quietly = () =>
    storeSubscription(ports, { id: 'save', userId: 'A', subscription, publicKey: 'k', label: 'l', ifWanted: true });
  expect(await quietly()).toBe(false);
  await keep('A');
  expect(await quietly()).toBe(true);
  await forgetSubscription(storage, 'A');
  expect(await quietly()).toBe(false);
  expect(await pending('A')).toEqual([]);
  expect(await pushMeta(storage)).toMatchObject({ members: [], endpoint: null });
});

test('a device on which nobody wanted it knows nothing of it', async () => {
  const { storage } = await room('A');
  await forgetSubscription(storage, null);
  expect(await pushMeta(storage)).toBeNull();
});

test('is known of on the device only together with its save: a worker that dies between the two would never send it', async () => {
  const { storage, ports, keep, pending } = await room('A');
  let works = 0;
  const dies: typeof storage = {
    ...storage,
    run: (tables, work) => {
      works += 1;
      return works > 1 ? new Promise<never>(() => undefined) : storage.run(tables, work);
    },
  };
  void storeSubscription(
    { ...ports, storage: dies },
    { id: 'save', userId: 'A', subscription: sampleSubscription(), publicKey: 'k', label: 'Notifications' },
  );
  await vi.waitFor(async () => expect(await pushMeta(storage)).not.toBeNull());
  expect(await pending('A')).toHaveLength(1);
  await keep('A');
  expect(await pending('A')).toHaveLength(1);
});
