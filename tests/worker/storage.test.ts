import { describe, expect, test } from 'vitest';
import { idbStorage } from '../../service-worker/storage.ts';
import { appendLog } from '../../worker/client-logs.ts';
import { drain } from '../../worker/drain.ts';
import { addEntry, listEntries, setMember } from '../../worker/outbox.ts';
import type { LogRow } from '../../worker/schema.ts';
import type { SendRequest } from '../../worker/send.ts';
import { dexieStorage } from '../../worker/storage/dexie.ts';
import { memoryStorage } from '../../worker/storage/memory.ts';
import { type DeviceStorage, getMeta, putMeta } from '../../worker/storage/storage.ts';

let databases = 0;
const newName = () => {
  databases += 1;
  return `contract-${databases}`;
};
const log = (id: string): Omit<LogRow, 'sequence'> => ({
  id,
  kind: 'error',
  userId: null,
  data: { message: id },
  fold: id,
  at: 1,
  repeats: 1,
  sent: false,
});
const append = (storage: DeviceStorage, id: string) => storage.run(['logs'], (tx) => tx.append('logs', log(id)));
const idsOf = (storage: DeviceStorage) =>
  storage.run(['logs'], async (tx) => (await tx.all('logs')).map((row) => row.id));

const adapters: Record<string, () => Promise<DeviceStorage>> = {
  memory: async () => memoryStorage(),
  dexie: () => dexieStorage(newName()),
  idb: async () => idbStorage(newName()),
};

describe.each(Object.entries(adapters))('storage contract: %s', (_name, open) => {
  test('says whether it outlives the worker', async () => {
    expect((await open()).kind).toBe(_name === 'memory' ? 'memory' : 'durable');
  });
  test('keeps rows in the order of their numbers and gives no number twice', async () => {
    const storage = await open();
    const numbers = [await append(storage, 'a'), await append(storage, 'b'), await append(storage, 'c')];
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    await storage.run(['logs'], async (tx) => {
      for (const number of numbers) await tx.remove('logs', number);
    });
    const next = await append(storage, 'd');
    expect(next).toBeGreaterThan(Math.max(...numbers));
    expect(await idsOf(storage)).toEqual(['d']);
  });
  test('writes over a row with the same key, and answers undefined for none', async () => {
    const storage = await open();
    const sequence = await append(storage, 'a');
    const read = await storage.run(['logs', 'settings'], async (tx) => {
      await tx.put('logs', { ...log('b'), sequence });
      await tx.put('settings', { key: 'theme', value: 'dark' });
      return [await tx.get('logs', sequence), await tx.get('logs', 999), await tx.get('settings', 'theme')];
    });
    expect(read).toEqual([{ ...log('b'), sequence }, undefined, { key: 'theme', value: 'dark' }]);
    expect(await idsOf(storage)).toEqual(['b']);
  });
  test('the bytes of an image wait in the outbox and go out as they were kept', async () => {
    const storage = await open();
    const bytes = Uint8Array.from({ length: 5_000 }, (_, at) => at % 256);
    const image = new Blob([bytes], { type: 'image/webp' });
    await setMember(storage, 'A');
    const entry = { id: 'id-1', userId: 'A', lane: 'x', path: '/i', label: 'Picture', subject: 'image:1' };
    await addEntry({ storage, now: () => 1 }, { ...entry, method: 'PUT', body: image });
    const [kept] = await listEntries(storage, 'A');
    expect(kept?.body).toBeInstanceOf(Blob);
    const sent: SendRequest[] = [];
    await drain({
      storage,
      now: () => 2,
      random: () => 1,
      lock: (work) => work(true),
      broadcast: () => undefined,
      async send(request) {
        sent.push(request);
        return { status: 200, body: {}, retryAfter: null, date: null };
      },
    });
    const body = sent[0]?.body as Blob;
    expect([body.type, new Uint8Array(await body.arrayBuffer())]).toEqual(['image/webp', bytes]);
    expect(await listEntries(storage, 'A')).toEqual([]);
  });
  test('a transaction that throws leaves nothing behind', async () => {
    const storage = await open();
    await append(storage, 'a');
    const broken = storage.run(['logs', 'meta'], async (tx) => {
      await tx.append('logs', log('b'));
      await putMeta(tx, 'member', 'm1');
      throw new Error('broken');
    });
    await expect(broken).rejects.toThrow('broken');
    expect(await idsOf(storage)).toEqual(['a']);
    expect(await storage.run(['meta'], (tx) => getMeta(tx, 'member'))).toBeNull();
  });
  test('transactions on one table do not interleave', async () => {
    const storage = await open();
    const addOne = () =>
      storage.run(['meta'], async (tx) => {
        const { error, debug } = await getMeta(tx, 'dropped');
        await putMeta(tx, 'dropped', { error: error + 1, debug });
      });
    await Promise.all(Array.from({ length: 20 }, addOne));
    expect(await storage.run(['meta'], (tx) => getMeta(tx, 'dropped'))).toEqual({ error: 20, debug: 0 });
  });
  test('chains of overlapping transactions run beside each other, each in its own', async () => {
    const storage = await open();
    const chain = async (name: string, tables: ('logs' | 'outbox' | 'meta')[]) => {
      for (let turn = 0; turn < 10; turn += 1) {
        await storage.run([...tables, 'meta'], async (tx) => {
          const dropped = await getMeta(tx, 'dropped');
          for (const row of await tx.all('meta')) await tx.get('meta', row.key);
          await putMeta(tx, 'dropped', { ...dropped, error: dropped.error + 1 });
        });
        await Promise.resolve();
        await append(storage, `${name}${turn}`);
      }
    };
    await Promise.all([
      chain('a', ['logs']),
      chain('b', ['outbox']),
      chain('c', []),
      storage.run(['logs'], async () => Promise.reject(new Error('beside'))).catch(() => undefined),
    ]);
    expect(await storage.run(['meta'], (tx) => getMeta(tx, 'dropped'))).toEqual({ error: 30, debug: 0 });
    expect(new Set(await idsOf(storage)).size).toBe(30);
  });
  test('logs and actions are kept and drained on it beside each other', async () => {
    const storage = await open();
    const ports = { storage, now: () => 1, newId: () => crypto.randomUUID() };
    const send = async () => Promise.reject(new TypeError('Failed to fetch'));
    const drainOnce = () =>
      drain(
        { ...ports, send, random: () => 0, lock: (work) => work(true), broadcast: () => undefined },
        { hurry: true },
      );
    await setMember(storage, 'A');
    const entry = { userId: 'A', lane: 'x', method: 'POST' as const, path: '/', body: {}, label: '', subject: '' };
    for (let turn = 1; turn <= 3; turn += 1) {
      const first = appendLog(ports, 'error', { message: `m${turn}` });
      await Promise.all([first, addEntry(ports, { ...entry, id: `act-${turn}` })]);
      await appendLog(ports, 'error', { message: `m${turn}` });
      expect(await drainOnce()).toMatchObject({ delivered: 0, waiting: turn });
    }
    expect(await listEntries(storage, 'A')).toMatchObject([{ attempts: 3 }, { attempts: 0 }, { attempts: 0 }]);
    expect((await idsOf(storage)).length).toBe(3);
  });
  test('what was read or written is a copy', async () => {
    const storage = await open();
    const row = { ...log('a'), data: { nested: { list: [1] } } };
    const sequence = await storage.run(['logs'], (tx) => tx.append('logs', row));
    row.data.nested.list.push(2);
    const read = await storage.run(['logs'], (tx) => tx.get('logs', sequence));
    expect(read?.data).toEqual({ nested: { list: [1] } });
  });
});

test.each(['dexie first', 'idb first'])('two libraries share one database: %s', async (order) => {
  const name = newName();
  const opened = order === 'dexie first' ? await dexieStorage(name) : idbStorage(name);
  const first = await append(opened, 'a');
  const other = order === 'dexie first' ? idbStorage(name) : await dexieStorage(name);
  const second = await append(other, 'b');
  expect(second).toBeGreaterThan(first);
  expect(await idsOf(opened)).toEqual(['a', 'b']);
  await Promise.all([append(opened, 'c'), append(other, 'd')]);
  expect((await idsOf(other)).sort()).toEqual(['a', 'b', 'c', 'd']);
});
