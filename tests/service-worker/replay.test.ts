import { expect, test, vi } from 'vitest';
import { drainAndAsk, drainOnSync, SYNC_TAG } from '../../service-worker/replay.ts';
import { idbStorage } from '../../service-worker/storage.ts';
import type { DrainPorts } from '../../worker/drain.ts';
import { addEntry, listEntries, setMember } from '../../worker/outbox.ts';

async function room(status: number) {
  const storage = idbStorage(`replay-${status}`);
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
  const register = vi.fn(async (_tag: string) => undefined);
  return { storage, ports, register, registration: { sync: { register } } as unknown as ServiceWorkerRegistration };
}

test('what stays behind is left to the browser to come again for', async () => {
  const { ports, register, registration, storage } = await room(503);
  await drainAndAsk(ports, registration);
  expect(register).toHaveBeenCalledExactlyOnceWith(SYNC_TAG);
  await expect(drainOnSync(ports)).rejects.toThrow('1 actions wait still');
  expect(await listEntries(storage, 'A')).toHaveLength(1);
});
test('when all is delivered nothing is asked, and a browser without background sync is fine', async () => {
  const { ports, register, registration, storage } = await room(201);
  await drainAndAsk(ports, registration);
  expect(register).not.toHaveBeenCalled();
  await expect(drainOnSync(ports)).resolves.toBeUndefined();
  expect(await listEntries(storage, 'A')).toEqual([]);
  await expect(drainAndAsk(ports, {} as ServiceWorkerRegistration)).resolves.toMatchObject({ nextAt: null });
});
