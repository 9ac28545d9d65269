import { afterEach, expect, test, vi } from 'vitest';
import { drainAndAsk, drainOnSync, SYNC_TAG, showLeft } from '../../service-worker/replay.ts';
import { idbStorage } from '../../service-worker/storage.ts';
import { addEntry, listEntries, setMember } from '../../worker/outbox.ts';
import type { DrainPorts } from '../../worker/ports.ts';

async function room(status: number) {
  const storage = idbStorage(`replay-${crypto.randomUUID()}`);
  const ports: DrainPorts = {
    storage,
    send: async () => ({ status, retryAfter: null, date: null, body: {} }),
    now: () => 1_000,
    random: () => 1,
    lock: (work) => work(true),
    tell: () => undefined,
  };
  await setMember(storage, 'A');
  await addEntry(
    { storage, now: () => 1_000, newId: () => crypto.randomUUID() },
    { userId: 'A', lane: 'x', method: 'POST', path: '/api/x', body: {}, label: '', subject: '' },
  );
  const tags: string[] = [];
  const register = vi.fn(async (tag: string) => void tags.push(tag));
  const registration = { sync: { register, getTags: async () => tags } } as unknown as ServiceWorkerRegistration;
  return { storage, ports, register, registration };
}
const atOnce = async () => undefined;
afterEach(() => vi.unstubAllGlobals());

test('what stays behind is left to the browser to come again for', async () => {
  vi.stubGlobal('navigator', { onLine: true });
  const { ports, register, registration, storage } = await room(503);
  await drainAndAsk(ports, registration);
  expect(register).toHaveBeenCalledExactlyOnceWith(SYNC_TAG);
  await expect(drainOnSync(ports, registration, atOnce)).rejects.toThrow('1 actions wait still');
  expect(await listEntries(storage, 'A')).toHaveLength(1);
});
test('many acts in a row are no hurry: the server is asked once, the browser too', async () => {
  vi.stubGlobal('navigator', { onLine: true });
  const { ports, register, registration } = await room(503);
  const send = vi.spyOn(ports, 'send');
  for (let act = 0; act < 20; act += 1) await drainAndAsk(ports, registration);
  expect(send).toHaveBeenCalledTimes(1);
  expect(register).toHaveBeenCalledTimes(1);
});
test('a sync that comes before the browser knows that it is offline asks anew, and costs no five minutes', async () => {
  vi.stubGlobal('navigator', { onLine: true });
  const { ports, register, registration } = await room(0);
  vi.spyOn(ports, 'send').mockRejectedValue(new TypeError('Failed to fetch'));
  await drainAndAsk(ports, registration);
  await drainOnSync(ports, registration, async () => {
    vi.stubGlobal('navigator', { onLine: false });
  });
  expect(register).toHaveBeenCalledTimes(2);
});
test("with no page open the icon's number is of what is left", async () => {
  const [setAppBadge, clearAppBadge] = [vi.fn(async () => undefined), vi.fn(async () => undefined)];
  vi.stubGlobal('navigator', { onLine: true, setAppBadge, clearAppBadge });
  const { ports, storage, registration } = await room(503);
  await drainAndAsk(ports, registration);
  await showLeft(storage);
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
  const { ports, registration, storage } = await room(201);
  vi.spyOn(ports, 'send').mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await drainOnSync(ports, registration, atOnce);
  expect(await listEntries(storage, 'A')).toEqual([]);
});
test('an act without a network asks anew, whatever the browser was asked before', async () => {
  vi.stubGlobal('navigator', { onLine: false });
  const { ports, register, registration } = await room(503);
  await drainAndAsk(ports, registration);
  await drainAndAsk(ports, registration);
  expect(register).toHaveBeenCalledTimes(2);
});
test('when all is delivered nothing is asked, and a browser without background sync is fine', async () => {
  const { ports, register, registration, storage } = await room(201);
  await drainAndAsk(ports, registration);
  expect(register).not.toHaveBeenCalled();
  await expect(drainOnSync(ports, registration, atOnce)).resolves.toBeUndefined();
  expect(await listEntries(storage, 'A')).toEqual([]);
  await expect(drainAndAsk(ports, {} as ServiceWorkerRegistration)).resolves.toMatchObject({ nextAt: null });
});
