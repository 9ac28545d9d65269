import { describe, expect, test } from 'vitest';
import { idbStorage } from '../../service-worker/storage.ts';
import { listAcknowledged, settleAcknowledged } from '../../worker/acknowledged.ts';
import { drain } from '../../worker/drain.ts';
import { addEntry, setMember } from '../../worker/outbox.ts';
import type { DeviceEvent } from '../../worker/schema.ts';
import { dexieStorage } from '../../worker/storage/dexie.ts';
import { memoryStorage } from '../../worker/storage/memory.ts';
import { resilientStorage } from '../../worker/storage/resilient.ts';
import { type DeviceStorage, putMeta } from '../../worker/storage/storage.ts';

let databases = 0;
const newName = () => `acknowledged-${++databases}`;
let ids = 0;

/** A drain at `at` that the server answers with a claim of `taskId`. */
async function answered(storage: DeviceStorage, taskId: string, over: Partial<Answering> = {}) {
  const { subject = `claim:c1:${taskId}`, at = 2_000, state = 'submitted', userId = 'A', before } = over;
  const path = `/api/communities/c1/tasks/${taskId}/claims`;
  const [id, lane] = [`id-${++ids}`, `community:c1/${taskId}`];
  const entry = { id, userId, lane, method: 'POST', path, body: {}, label: '', subject } as const;
  await addEntry({ storage, now: () => 1 }, entry);
  const events: DeviceEvent[] = [];
  await drain({
    storage,
    now: () => at,
    random: () => 1,
    lock: (work) => work(true),
    broadcast: (event) => void events.push(event),
    async send() {
      await before?.();
      return { status: 201, retryAfter: null, date: null, body: { id: `claim-${taskId}`, taskId, state } };
    },
  });
  return events.flatMap((event) => (event.type === 'DELIVERED' ? [event] : []));
}
type Answering = { subject: string; at: number; state: string; userId: string; before: () => Promise<unknown> };
const statesOf = async (storage: DeviceStorage, userId = 'A') =>
  (await listAcknowledged(storage, userId)).map(({ claim }) => `${claim.taskId} ${claim.state}`);

const rooms: Record<string, () => Promise<DeviceStorage>> = {
  'the device worker': () => dexieStorage(newName()),
  'the service worker': async () => idbStorage(newName()),
  'a private window, in memory': async () => memoryStorage(),
};
describe.each(Object.entries(rooms))('what the server has answered to commands, drained by %s', (_room, open) => {
  const device = async () => {
    const storage = await open();
    await setMember(storage, 'A');
    return storage;
  };

  test('is written down with the removal from the outbox, and told to every tab', async () => {
    const storage = await device();
    const [delivered] = await answered(storage, 'a');
    const row = { key: 'A:claim-a', userId: 'A', communityId: 'c1', own: true, at: 2_000 };
    expect(await listAcknowledged(storage, 'A')).toMatchObject([{ ...row, pendingIn: ['dashboard', 'task'] }]);
    expect(delivered?.acknowledged).toMatchObject(row);
  });

  test('is the last word on a claim; a decision on the claim of another is told from an own one', async () => {
    const storage = await device();
    await answered(storage, 'a');
    await answered(storage, 'a', { at: 3_000, state: 'approved' });
    await answered(storage, 'b', { subject: 'decision:claim-b', at: 4_000, state: 'rejected' });
    expect(await statesOf(storage)).toEqual(['a approved', 'b rejected']);
    expect((await listAcknowledged(storage, 'A'))[1]).toMatchObject({ own: false, pendingIn: ['queue'] });
  });

  test('is forgotten when every read that shows it is from after the answer, and not by one from before', async () => {
    const storage = await device();
    await answered(storage, 'a');
    await settleAcknowledged(storage, 'dashboard', ['A:claim-a'], 1_999);
    await settleAcknowledged(storage, 'task', ['A:claim-a'], 1_999);
    expect((await listAcknowledged(storage, 'A'))[0]?.pendingIn).toEqual(['dashboard', 'task']);
    await settleAcknowledged(storage, 'dashboard', ['A:claim-a'], 2_000);
    expect((await listAcknowledged(storage, 'A'))[0]?.pendingIn).toEqual(['task']);
    await settleAcknowledged(storage, 'task', ['A:claim-a'], 2_500);
    expect(await listAcknowledged(storage, 'A')).toEqual([]);
  });

  test('goes with its member at sign-out and when another member signs in; that one never sees it', async () => {
    const storage = await device();
    await answered(storage, 'a');
    await setMember(storage, 'A');
    expect(await listAcknowledged(storage, 'B')).toEqual([]);
    expect(await statesOf(storage)).toEqual(['a submitted']);
    await setMember(storage, null);
    expect(await storage.run(['acknowledged'], (tx) => tx.all('acknowledged'))).toEqual([]);
    await setMember(storage, 'A');
    await answered(storage, 'b');
    await setMember(storage, 'B');
    expect(await storage.run(['acknowledged'], (tx) => tx.all('acknowledged'))).toEqual([]);
  });

  test('is not written down for who signed out while their command was on its way', async () => {
    const storage = await device();
    const [delivered] = await answered(storage, 'a', { before: () => setMember(storage, null) });
    expect(delivered?.entry.userId).toBe('A');
    expect(await storage.run(['acknowledged'], (tx) => tx.all('acknowledged'))).toEqual([]);
  });

  test('is kept of a hundred claims, the last ones', async () => {
    const storage = await device();
    for (let at = 1; at <= 101; at += 1) await answered(storage, `t${at}`, { at: 1_000 + at });
    const states = await statesOf(storage);
    expect([states.length, states[0], states.at(-1)]).toEqual([100, 't2 submitted', 't101 submitted']);
  });
});

test('it survives the end of the worker that wrote it: another tab, a reload, the service worker', async () => {
  const name = newName();
  const first = await dexieStorage(name);
  await setMember(first, 'A');
  await answered(first, 'a');
  expect(await statesOf(idbStorage(name))).toEqual(['a submitted']);
  first.close();
  expect(await statesOf(await dexieStorage(name))).toEqual(['a submitted']);
});

test('a sign-out while the database does not open takes what the database holds along once it does', async () => {
  const name = newName();
  const before = await dexieStorage(name);
  await setMember(before, 'A');
  await answered(before, 'a');
  before.close();
  let letIn = () => {};
  const opening = new Promise<void>((open) => {
    letIn = open;
  });
  const open = () => opening.then(() => dexieStorage(name));
  const storage = resilientStorage({ open, now: Date.now, changed: () => undefined, openWithinMs: 20 });
  await setMember(storage, null);
  letIn();
  await expect.poll(async () => (await storage.state()).kind).toBe('durable');
  expect(await storage.run(['acknowledged'], (tx) => tx.all('acknowledged'))).toEqual([]);
});

test('a delivery leaves the outbox also where the disk has no room for what was answered', async () => {
  const memory = memoryStorage();
  const storage: DeviceStorage = {
    ...memory,
    run: (tables, work) =>
      memory.run(tables, (tx) =>
        work({
          ...tx,
          put: async (table, row) => {
            if (table === 'acknowledged') throw new DOMException('full', 'QuotaExceededError');
            await tx.put(table, row);
          },
        }),
      ),
  };
  await memory.run(['meta'], (tx) => putMeta(tx, 'member', 'A'));
  await answered(storage, 'a').catch(() => undefined);
  expect(await memory.run(['outbox'], (tx) => tx.all('outbox'))).toEqual([]);
});
