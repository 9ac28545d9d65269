import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Queue } from 'workbox-background-sync';
import { createReplay, SYNC_TAG, showLeft } from '../../service-worker/replay.ts';
import { idbStorage } from '../../service-worker/storage.ts';
import { appendLog } from '../../worker/client-logs.ts';
import { addEntry, listEntries, setMember } from '../../worker/outbox.ts';
import type { DrainPorts, SendRequest } from '../../worker/send.ts';
import { installCaches, installScope } from './scope.ts';

const newId = () => crypto.randomUUID();
/** The device has one command of A's that waits; the server answers with this status. */
async function device(status: number) {
  const storage = idbStorage(`replay-${newId()}`);
  const ports: DrainPorts = {
    storage,
    send: async () => ({ status, retryAfter: null, date: null, body: {} }),
    now: () => 1_000,
    random: () => 1,
    lock: (work) => work(true),
    broadcast: () => undefined,
  };
  await setMember(storage, 'A');
  await addEntry(
    { storage, now: () => 1_000 },
    { id: newId(), userId: 'A', lane: 'x', method: 'POST', path: '/api/x', body: {}, label: '', subject: '' },
  );
  return { storage, ports, send: vi.spyOn(ports, 'send') };
}
const atOnce = async () => undefined;

/** A worker in a browser with background sync, which knows these tags. */
function worker(ports: DrainPorts, wait: (ms: number) => Promise<void> = atOnce) {
  const { registration, send } = installScope();
  const tags: string[] = [];
  const register = registration.sync.register.mockImplementation(async (tag) => void tags.push(tag));
  registration.sync.getTags = async () => tags;
  const { drainAndRegister } = createReplay(ports, registration, wait);
  /** The browser wakes the worker, for a tag. */
  const sync = (tag = SYNC_TAG) => send('sync', { tag }).settled();
  return { drainAndRegister, register, sync };
}

beforeEach(() => {
  installCaches();
  // Each test is a worker of its own; Workbox takes a second queue of the same name in one for a mistake.
  (Queue as unknown as { _queueNames: Set<string> })._queueNames.clear();
});
afterEach(() => vi.unstubAllGlobals());

test('what stays behind is left to the browser to come again for', async () => {
  vi.stubGlobal('navigator', { onLine: true });
  const { ports, storage } = await device(503);
  const { drainAndRegister, register, sync } = worker(ports);
  await drainAndRegister();
  expect(register).toHaveBeenCalledExactlyOnceWith(SYNC_TAG);
  await expect(sync()).rejects.toThrow('1 commands are still waiting');
  expect(await listEntries(storage, 'A')).toHaveLength(1);
});
test('many commands in a row are no hurry: the server is asked once, the browser too', async () => {
  vi.stubGlobal('navigator', { onLine: true });
  const { ports, send } = await device(503);
  const { drainAndRegister, register } = worker(ports);
  for (let command = 0; command < 20; command += 1) await drainAndRegister();
  expect(send).toHaveBeenCalledTimes(1);
  expect(register).toHaveBeenCalledTimes(1);
});
test('a sync that comes before the browser knows that it is offline asks anew, and costs no five minutes', async () => {
  vi.stubGlobal('navigator', { onLine: true });
  const { ports, send } = await device(0);
  send.mockRejectedValue(new TypeError('Failed to fetch'));
  const { drainAndRegister, register, sync } = worker(ports, async () => {
    vi.stubGlobal('navigator', { onLine: false });
  });
  await drainAndRegister();
  await sync();
  expect(register).toHaveBeenCalledTimes(2);
});
test("with no page open the icon's number is of what is left", async () => {
  const [setAppBadge, clearAppBadge] = [vi.fn(async () => undefined), vi.fn(async () => undefined)];
  vi.stubGlobal('navigator', { onLine: true, setAppBadge, clearAppBadge });
  const { ports, storage } = await device(503);
  const { sync } = worker(ports);
  await expect(sync()).rejects.toThrow();
  expect(setAppBadge.mock.calls).toEqual([[1]]);
  expect(clearAppBadge).not.toHaveBeenCalled();
  await setMember(storage, 'B');
  await showLeft(storage);
  expect(clearAppBadge).toHaveBeenCalledTimes(1);
  clearAppBadge.mockRejectedValue(new Error('not installed'));
  await setMember(storage, null);
  await expect(showLeft(storage)).resolves.toBeUndefined();
});
test('a network that was gone for a moment is tried once more', async () => {
  vi.stubGlobal('navigator', { onLine: true });
  const { ports, storage, send } = await device(201);
  send.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await worker(ports).sync();
  expect(await listEntries(storage, 'A')).toEqual([]);
});
test('a command without a network asks anew, whatever the browser was asked before', async () => {
  vi.stubGlobal('navigator', { onLine: false });
  const { ports } = await device(503);
  const { drainAndRegister, register } = worker(ports);
  await drainAndRegister();
  await drainAndRegister();
  expect(register).toHaveBeenCalledTimes(2);
});
test('when all is delivered nothing is asked', async () => {
  const { ports, storage } = await device(201);
  const { drainAndRegister, register, sync } = worker(ports);
  await drainAndRegister();
  expect(register).not.toHaveBeenCalled();
  await sync();
  expect(await listEntries(storage, 'A')).toEqual([]);
});
test('a sync for another tag, and a start where there is background sync, send nothing', async () => {
  const { ports, send } = await device(201);
  await worker(ports).sync('of-another-library');
  expect(send).not.toHaveBeenCalled();
});

const TABLES = ['logs', 'outbox', 'meta'] as const;
test('logs, commands and a pending push subscription are carried by the device’s database, and Workbox’s own stays unborn', async () => {
  vi.stubGlobal('navigator', { onLine: true });
  const { ports, storage, send } = await device(503);
  await addEntry(
    { storage, now: () => 1_000 },
    {
      id: newId(),
      userId: 'A',
      lane: 'push',
      method: 'POST',
      path: '/api/pwa/subscribe',
      body: {},
      label: '',
      subject: 'push',
    },
  );
  await appendLog({ ...ports, newId }, 'error', { message: 'broken' });
  const { drainAndRegister, register, sync } = worker(ports);
  await drainAndRegister();
  expect(register).toHaveBeenCalledExactlyOnceWith(SYNC_TAG);
  send.mockClear();
  const answers = { '/api/x': 201, '/api/pwa/subscribe': 201 };
  send.mockImplementation(async ({ path, body }: SendRequest) => {
    const { entries = [] } = body as { entries?: { id: string }[] };
    const results = entries.map(({ id }) => ({ id, status: 'stored' }));
    return { status: answers[path as keyof typeof answers] ?? 200, retryAfter: null, date: null, body: { results } };
  });
  await sync();
  expect(send.mock.calls.map(([{ path }]) => path).sort()).toEqual([
    '/api/debug/client-logs/batch',
    '/api/pwa/subscribe',
    '/api/x',
  ]);
  const left = await storage.run([...TABLES], async (tx) => [await tx.all('logs'), await tx.all('outbox')]);
  expect(left).toEqual([[], []]);
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('workbox-background-sync');
});

/** A worker in a browser without background sync. Everything happens at its start. */
function workerWithoutSync(ports: DrainPorts) {
  const scope = installScope();
  const registration = {};
  Object.assign(scope.registration, { sync: undefined });
  vi.stubGlobal('self', { addEventListener: scope.addEventListener, registration });
  return createReplay(ports, registration, atOnce);
}
test('without background sync a worker sends at its start what is due, and asks nobody', async () => {
  vi.stubGlobal('navigator', {});
  const { ports, storage } = await device(201);
  const { drainAndRegister } = workerWithoutSync(ports);
  await vi.waitFor(async () => expect(await listEntries(storage, 'A')).toEqual([]));
  await expect(drainAndRegister()).resolves.toMatchObject({ nextAt: null });
});
test('a start hurries nothing: what waits for its time waits, and a failure is nobody’s error', async () => {
  vi.stubGlobal('navigator', {});
  const { ports, storage, send } = await device(503);
  const heard = vi.fn();
  process.on('unhandledRejection', heard);
  const first = workerWithoutSync(ports);
  await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(1));
  await first.drainAndRegister();
  (Queue as unknown as { _queueNames: Set<string> })._queueNames.clear();
  await workerWithoutSync({ ...ports, lock: () => Promise.reject(new Error('no lock')) })
    .drainAndRegister()
    .catch(() => {});
  (Queue as unknown as { _queueNames: Set<string> })._queueNames.clear();
  await workerWithoutSync(ports).drainAndRegister();
  process.off('unhandledRejection', heard);
  expect(send).toHaveBeenCalledTimes(1);
  expect(heard).not.toHaveBeenCalled();
  expect(await listEntries(storage, 'A')).toHaveLength(1);
});
test('at a start a stranger’s breadcrumbs rest: they do not crowd what the page needs to begin', async () => {
  vi.stubGlobal('navigator', {});
  const { ports, storage, send } = await device(201);
  await setMember(storage, null);
  await appendLog({ ...ports, newId }, 'debug', { message: 'opened' });
  const { drainAndRegister } = workerWithoutSync(ports);
  await new Promise((done) => setTimeout(done, 30));
  expect(send).not.toHaveBeenCalled();
  await drainAndRegister();
  expect(send).toHaveBeenCalledTimes(1);
});
