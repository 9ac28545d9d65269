import { expose, wrap } from 'comlink';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BUILD_HEADER } from '../../server/contract/sw-messages.ts';
import type { DeviceApi } from '../../worker/api.ts';
import { createDevice } from '../../worker/device.ts';
import { setMember } from '../../worker/outbox.ts';
import type { Bytes, DeviceEvent } from '../../worker/schema.ts';
import { type Send, type SendAnswer, sendOverNetwork } from '../../worker/send.ts';
import { dexieStorage } from '../../worker/storage/dexie.ts';
import { memoryStorage } from '../../worker/storage/memory.ts';
import { resilientStorage } from '../../worker/storage/resilient.ts';
import { signal } from '../support/signal.ts';

const OWN = { [BUILD_HEADER]: 'build-1' };
const ports: MessagePort[] = [];
let databases = 0;
function open(send: Parameters<typeof createDevice>[0]['send']) {
  databases += 1;
  const name = `device-${databases}`;
  const events: DeviceEvent[] = [];
  const wakes: (number | null)[] = [];
  const locks: Record<string, Promise<unknown>> = {};
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  expose(
    createDevice({
      storage: resilientStorage({ open: () => dexieStorage(name), now: Date.now, changed: () => undefined }),
      send,
      now: () => 1_000_000,
      random: Math.random,
      broadcast: (event) => events.push(event),
      wakeAt: (time) => wakes.push(time),
      lock(work, what) {
        const mine = (locks[what] ?? Promise.resolve()).then(() => work(true));
        locks[what] = mine.catch(() => undefined);
        return mine;
      },
    }),
    port2,
  );
  return { device: wrap<DeviceApi>(port1), name, events, wakes, serviceWorker: () => dexieStorage(name) };
}
const entry = {
  id: 'act',
  userId: 'A',
  lane: 'x',
  method: 'POST' as const,
  path: '/api/x',
  body: {},
  label: '',
  subject: 's',
};
beforeEach(() => vi.stubGlobal('fetch', vi.fn<typeof fetch>()));
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a page speaks to the device over a port: theme, outbox, events, the next time', async () => {
  const send = vi.fn(async () => ({ status: 503, retryAfter: '9', date: null, body: {} }));
  const { device, events, wakes } = open(send);
  expect(await device.storageState()).toEqual({ kind: 'durable' });
  expect(await device.getTheme()).toBe('light');
  await device.setTheme('system');
  expect(await device.getTheme()).toBe('system');
  await device.setMember('A');
  const { id } = entry;
  await device.enqueue(entry);
  expect(await device.drain()).toMatchObject({ delivered: 0, waiting: 1, nextAt: 1_009_000 });
  expect(await device.outbox('A')).toMatchObject([{ id, state: 'waiting', error: { status: 503 } }]);
  expect(await device.outbox('B')).toEqual([]);
  expect(wakes.at(-1)).toBe(1_009_000);
  expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['MEMBER_CHANGED', 'OUTBOX_CHANGED']));
  await device.discard(id);
  expect(await device.outbox('A')).toEqual([]);
});

test('many askers share one waiting drain; each entry is sent once', async () => {
  const send = vi.fn(async () => ({ status: 201, retryAfter: null, date: null, body: {} }));
  const { device } = open(send);
  await device.setMember('A');
  await Promise.all(
    Array.from({ length: 8 }, (_, n) => device.enqueue({ ...entry, id: `act-${n}`, lane: `l${n % 3}` })),
  );
  await Promise.all(Array.from({ length: 8 }, () => device.drain({ hurry: true })));
  expect(send).toHaveBeenCalledTimes(8);
  expect(await device.outbox('A')).toEqual([]);
});

test('what waited for a member goes out when they are back, also where the service worker wrote that down first', async () => {
  const send = vi.fn(async () => ({ status: 201, retryAfter: null, date: null, body: {} }));
  const { device, events, serviceWorker } = open(send);
  await device.enqueue(entry);
  await device.drain();
  expect(send).not.toHaveBeenCalled();
  await setMember(await serviceWorker(), 'A');
  await device.setMember('A');
  await vi.waitFor(() => expect(events.map(({ type }) => type)).toContain('DELIVERED'), 10_000);
  expect(events.map(({ type }) => type)).not.toContain('MEMBER_CHANGED');
  expect(send).toHaveBeenCalledTimes(1);
});

test('what is done after the database was deleted under an open page goes out: the new one is told who is signed in', async () => {
  const send = vi.fn(async () => ({ status: 201, retryAfter: null, date: null, body: {} }));
  const { device, name } = open(send);
  await device.setMember('A');
  await new Promise((done) => {
    indexedDB.deleteDatabase(name).onsuccess = done;
  });
  await device.enqueue(entry);
  await device.drain();
  expect(send).toHaveBeenCalledTimes(1);
  expect(await device.outbox('A')).toEqual([]);
});

test('an image is kept as its bytes where the database keeps no Blob, as WebKit’s of a private window', async () => {
  for (const name of ['add', 'put'] as const) {
    const original = IDBObjectStore.prototype[name];
    vi.spyOn(IDBObjectStore.prototype, name).mockImplementation(function (this: IDBObjectStore, row, key) {
      if (row.body instanceof Blob) throw new DOMException('Error preparing Blob/File data', 'UnknownError');
      return original.call(this, row, key);
    });
  }
  const send = vi.fn<Send>(async () => ({ status: 422, retryAfter: null, date: null, body: {} }));
  const { device } = open(send);
  await device.setMember('A');
  const pictureOf = async () => {
    const [kept] = await device.outbox('A');
    if (!(kept?.body instanceof Blob)) throw new Error('no picture is kept');
    return { id: kept.id, type: kept.body.type, words: await kept.body.text() };
  };
  const { id } = entry;
  await device.enqueue({ ...entry, body: new Blob(['first'], { type: 'image/webp' }) });
  await device.drain();
  expect(await pictureOf()).toEqual({ id, type: 'image/webp', words: 'first' });
  await device.edit(id, new Blob(['second'], { type: 'image/jpeg' }), 'next');
  await device.drain();
  expect(await pictureOf()).toEqual({ id: 'next', type: 'image/jpeg', words: 'second' });
  expect(await device.storageState()).toEqual({ kind: 'durable' });
  const sent = send.mock.calls.map(([{ body }]) => body as Bytes);
  expect(sent.map(({ type, bytes }) => [type, Buffer.from(bytes).toString()])).toEqual([
    ['image/webp', 'first'],
    ['image/jpeg', 'second'],
  ]);
});

test('a log entry is kept before it is sent, and a logging that fails stays silent', async () => {
  const send = vi.fn(async () => Promise.reject(new TypeError('Failed to fetch')));
  const { device } = open(send);
  await device.appendLog('error', { message: 'x' });
  await device.appendLog('error', { message: 'x' });
  await device.drain();
  expect(send).toHaveBeenCalledTimes(1);
  const broken = createDevice({
    storage: {
      ...memoryStorage(),
      state: async () => ({ kind: 'durable' }),
      run: () => Promise.reject(new Error('no database')),
    },
    send,
    now: Date.now,
    random: Math.random,
    broadcast: () => undefined,
    wakeAt: () => undefined,
    lock: (work) => work(true),
  });
  await expect(broken.appendLog('debug', { action: 'a' })).resolves.toBeUndefined();
});

test('a log entry says what has become of the storage', async () => {
  const send = vi.fn(async () => Promise.reject(new TypeError('Failed to fetch')));
  const { device } = open(send);
  await device.appendLog('error', { message: 'x' });
  await device.drain();
  expect(JSON.stringify(send.mock.calls)).toContain('"storageState":{"kind":');
});

test('a breadcrumb waits for company, but not for ever', async () => {
  const send = vi.fn(async () => Promise.reject(new TypeError('Failed to fetch')));
  const { device, wakes } = open(send);
  await device.appendLog('debug', { action: 'navigate' });
  expect(wakes).toEqual([1_010_000]);
  await device.appendLog('debug', { action: 'navigate again' });
  expect(wakes).toHaveLength(1);
  expect(send).not.toHaveBeenCalled();
  await device.appendLog('error', { message: 'x' });
  await device.drain();
  expect(send).toHaveBeenCalledTimes(1);
});

test.each([
  ['ten seconds later', 1_010_000],
  ['at once when the clock was set back: the time named is of another clock', 900_000],
])('what a page begins with is no breadcrumbs alone of a stranger; they go %s', async (_when, later) => {
  let time = 1_000_000;
  const send = vi.fn<Send>(async () => Promise.reject(new TypeError('Failed to fetch')));
  const device = createDevice({
    storage: { ...memoryStorage(), state: async () => ({ kind: 'durable' }) },
    send,
    now: () => time,
    random: Math.random,
    broadcast: () => undefined,
    wakeAt: () => undefined,
    lock: (work) => work(true),
  });
  await device.appendLog('debug', { action: 'left by the page before' });
  expect(await device.drain({ hurry: true })).toMatchObject({ nextAt: 1_010_000 });
  expect(send).not.toHaveBeenCalled();
  time = later;
  await device.drain();
  expect(send).toHaveBeenCalledTimes(1);
});

test('breadcrumbs of a member do not wait on a device that they may leave', async () => {
  const send = vi.fn(async () => Promise.reject(new TypeError('Failed to fetch')));
  const { device } = open(send);
  await device.setMember('A');
  await device.appendLog('debug', { action: 'navigate' });
  await device.drain({ hurry: true });
  expect(send).toHaveBeenCalled();
});

test('what is told of a member’s leaving does not wait on the device that they left', async () => {
  const storage = memoryStorage();
  const send = vi.fn<Send>(async () => Promise.reject(new TypeError('Failed to fetch')));
  const kept = signal<{ kind: 'durable' }>();
  const state = vi.fn(async () => kept.promise);
  const device = createDevice({
    storage: { ...storage, state },
    send,
    now: () => 1_000_000,
    random: Math.random,
    broadcast: () => undefined,
    wakeAt: () => undefined,
    lock: (work) => work(true),
  });
  await device.setMember('A');
  // The service worker wrote it down first; the page tells the device both at once.
  await setMember(storage, null);
  void device.appendLog('debug', { action: 'member.none' });
  const told = device.setMember(null);
  await vi.waitFor(() => expect(state).toHaveBeenCalled());
  await new Promise((next) => setTimeout(next, 0));
  kept.resolve({ kind: 'durable' });
  await told;
  await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(1));
  expect(JSON.stringify(send.mock.calls[0]?.[0].body)).toContain('member.none');
});

test('logs that are in a hurry do not wait until all actions are through', async () => {
  const answer = signal<SendAnswer>();
  const send = vi.fn<Send>(async ({ path }) => {
    if (path === entry.path) return answer.promise;
    throw new TypeError('Failed to fetch');
  });
  const { device } = open(send);
  const logsSent = () => send.mock.calls.filter(([{ path }]) => path !== entry.path).length;
  await device.setMember('A');
  await device.appendLog('error', { message: 'x' });
  await device.drain();
  expect(logsSent()).toBe(1);
  await device.enqueue(entry);
  await vi.waitFor(() => expect(send).toHaveBeenCalledWith(expect.objectContaining({ path: entry.path })));
  const drained = device.drain({ hurry: true });
  await vi.waitFor(() => expect(logsSent()).toBe(2));
  answer.resolve({ status: 201, retryAfter: null, date: null, body: {} });
  expect(await drained).toMatchObject({ waiting: 0 });
});

test('a drain that cannot read its storage is tried again later', async () => {
  const wakeAt = vi.fn();
  const device = createDevice({
    storage: {
      ...memoryStorage(),
      state: async () => ({ kind: 'durable' }),
      run: () => Promise.reject(new Error('no database')),
    },
    send: async () => Promise.reject(new TypeError('Failed to fetch')),
    now: () => 5_000,
    random: Math.random,
    broadcast: () => undefined,
    wakeAt,
    lock: (work) => work(true),
  });
  await expect(device.drain()).rejects.toThrow('no database');
  expect(wakeAt).toHaveBeenCalledExactlyOnceWith(15_000, expect.any(Function));
});

test('a request goes out once, without redirects, and its answer is read whole', async () => {
  vi.mocked(fetch).mockResolvedValueOnce(
    Response.json({ ok: true }, { status: 201, headers: { ...OWN, 'retry-after': '3', date: 'd' } }),
  );
  const request = {
    method: 'POST',
    path: '/api/x',
    headers: { 'X-Actor': 'A' },
    body: { a: 1 },
    credentials: 'include' as const,
  };
  expect(await sendOverNetwork(request)).toEqual({ status: 201, retryAfter: '3', date: 'd', body: { ok: true } });
  expect(fetch).toHaveBeenCalledWith('/api/x', expect.objectContaining({ body: '{"a":1}', redirect: 'error' }));
  vi.mocked(fetch).mockResolvedValueOnce(new Response('<html>'));
  expect((await sendOverNetwork(request)).body).toBeUndefined();
  vi.mocked(fetch).mockResolvedValueOnce(new Response(null, { status: 204, headers: OWN }));
  expect((await sendOverNetwork({ ...request, body: null })).body).toBeNull();
});

test('what the server acknowledged is there for the page and a second tab, and goes when its member is shut out', async () => {
  const body = { id: 'claim-1', taskId: 't1', state: 'submitted' };
  const { device, serviceWorker } = open(async () => ({ status: 201, retryAfter: null, date: null, body }));
  await device.setMember('A');
  const claim = (taskId: string) => ({ ...entry, path: '/api/communities/c1/claims', subject: `claim:c1:${taskId}` });
  await device.enqueue(claim('t1'));
  await device.drain();
  expect(await device.acknowledged('A')).toMatchObject([{ key: 'A:claim-1', claim: body }]);
  expect(await device.acknowledged('B')).toEqual([]);
  await device.settleAcknowledged('dashboard', ['A:claim-1'], 1_000_000);
  expect(await device.acknowledged('A')).toMatchObject([{ pendingIn: ['task'] }]);
  await device.purgeAcknowledged();
  expect(await device.acknowledged('A')).toEqual([]);
  const rows = (await serviceWorker()).run(['acknowledged'], (tx) => tx.all('acknowledged'));
  expect(await rows).toEqual([]);
});
