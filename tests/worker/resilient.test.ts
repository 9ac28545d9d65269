import { beforeEach, describe, expect, test, vi } from 'vitest';
import { appendLog } from '../../worker/client-logs.ts';
import { drain } from '../../worker/drain.ts';
import { addEntry, discardEntry, listEntries, setMember } from '../../worker/outbox.ts';
import type { TableName } from '../../worker/schema.ts';
import type { SendAnswer } from '../../worker/send.ts';
import { dexieStorage } from '../../worker/storage/dexie.ts';
import { resilientStorage } from '../../worker/storage/resilient.ts';
import { type DeviceStorage, getMeta, putMeta, type Transaction } from '../../worker/storage/storage.ts';

type Trouble = 'none' | 'full' | 'lost' | 'gone' | 'slow';
let databases = 0;
let ids = 0;
let name = '';
beforeEach(() => {
  databases += 1;
  name = `steady-${databases}`;
});
const full = () =>
  Object.assign(new Error('aborted'), { name: 'AbortError', inner: new DOMException('', 'QuotaExceededError') });
const lost = () =>
  new DOMException('Connection to Indexed Database server lost. Refresh the page to try again', 'UnknownError');

/** A device on a real database that fails as browsers do: `full` at writings but not at removals, `lost` until opened again. */
function device(trouble: Trouble = 'none') {
  const self = {
    trouble,
    time: 1_000_000,
    opened: 0,
    letIn: [] as (() => void)[],
    changed: vi.fn(),
    open: async (): Promise<DeviceStorage> => {
      self.opened += 1;
      if (self.trouble === 'gone') throw lost();
      if (self.trouble === 'lost') self.trouble = 'none';
      if (self.trouble === 'slow') await new Promise<void>((open) => self.letIn.push(open));
      const real = await dexieStorage(name);
      return {
        ...real,
        async run<T>(tables: TableName[], work: (tx: Transaction) => Promise<T>): Promise<T> {
          if (self.trouble === 'lost' || self.trouble === 'gone') throw lost();
          let wrote = false;
          return real.run(tables, async (tx) => {
            const result = await work({
              ...tx,
              put(table, row) {
                wrote = true;
                return tx.put(table, row);
              },
              append: ((table: 'logs', row: never) => {
                wrote = true;
                return tx.append(table, row);
              }) as Transaction['append'],
            });
            if (wrote && self.trouble === 'full') throw full();
            return result;
          });
        },
      };
    },
  };
  const storage = resilientStorage({
    open: () => self.open(),
    now: () => self.time,
    changed: self.changed,
    openWithinMs: trouble === 'slow' ? 40 : 5_000,
  });
  const ports = {
    storage,
    now: () => self.time,
    random: () => 0.5,
    newId: () => `id-${++ids}`,
    broadcast: () => undefined,
    lock: <T>(work: (alone: boolean) => Promise<T>) => work(true),
    sent: [] as string[],
    send: async (request: { headers: Record<string, string>; body: unknown }): Promise<SendAnswer> => {
      const id = request.headers['Idempotency-Key'];
      if (id) ports.sent.push(id);
      const entries = (request.body as { entries?: { id: string }[] }).entries ?? [];
      const results = entries.map((entry) => ({ id: entry.id, status: 'stored' }));
      return { status: 200, retryAfter: null, date: null, body: { results } };
    },
  };
  const add = async (lane = 'x', id = ports.newId()) => {
    await addEntry(ports, {
      id,
      userId: 'A',
      lane,
      method: 'POST',
      path: '/api/x',
      body: {},
      label: lane,
      subject: '',
    });
    return id;
  };
  const inMemory = (reason: string) => ({ kind: 'memory', reason });
  return Object.assign(self, {
    storage,
    ports,
    add,
    inMemory,
    error: (message: string) => appendLog(ports, 'error', { message }),
  });
}
/** What another room finds in the database. */
async function onDisk() {
  const other = await dexieStorage(name);
  const rows = await other.run(['outbox', 'logs', 'meta', 'settings'], async (tx) => ({
    outbox: await tx.all('outbox'),
    logs: await tx.all('logs'),
    dropped: await getMeta(tx, 'dropped'),
    theme: (await tx.get('settings', 'theme'))?.value,
  }));
  other.close();
  return rows;
}

test('while the database works it is all there is', async () => {
  const one = device();
  await one.add();
  expect(await one.storage.state()).toEqual({ kind: 'durable' });
  expect((await onDisk()).outbox).toHaveLength(1);
  expect(one.changed).not.toHaveBeenCalled();
});
test('what the work itself throws is no trouble of the storage', async () => {
  const one = device();
  await expect(one.storage.run(['logs'], () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await one.storage.state()).toEqual({ kind: 'durable' });
});

describe('no database at all', () => {
  test('all goes on in memory, says so, and what can be is delivered', async () => {
    const one = device('gone');
    await setMember(one.storage, 'A');
    await one.add();
    await one.error('x');
    expect(await one.storage.state()).toEqual(one.inMemory('refused'));
    expect(one.changed).toHaveBeenCalledTimes(1);
    expect(await drain(one.ports)).toMatchObject({ delivered: 1, waiting: 0, nextAt: null });
    await one.add();
    await one.add();
    expect(one.opened).toBe(1);
  });
  test('a database that opens late takes over what was kept meanwhile', async () => {
    const one = device('slow');
    await one.add('late');
    await one.storage.run(['settings'], (tx) => tx.put('settings', { key: 'theme', value: 'dark' }));
    expect(await one.storage.state()).toEqual(one.inMemory('refused'));
    for (const open of one.letIn) open();
    await vi.waitFor(async () => expect(await one.storage.state()).toEqual({ kind: 'durable' }));
    expect(await onDisk()).toMatchObject({ outbox: [{ label: 'late' }], theme: 'dark' });
    expect(one.changed).toHaveBeenCalledTimes(2);
  });
  test('what it held before stays first, and losses counted on both sides are added up', async () => {
    const before = device();
    await before.add('first');
    await before.storage.run(['meta'], (tx) => putMeta(tx, 'dropped', { error: 2, debug: 0 }));
    const one = device('gone');
    await one.add('second');
    await one.storage.run(['meta'], (tx) => putMeta(tx, 'dropped', { error: 1, debug: 4 }));
    one.trouble = 'none';
    one.time += 60_000;
    await one.error('x');
    expect(await one.storage.state()).toEqual({ kind: 'durable' });
    const disk = await onDisk();
    expect(disk.outbox.map(({ label }) => label)).toEqual(['first', 'second']);
    expect(disk.dropped).toEqual({ error: 3, debug: 4 });
  });
});

describe('a full disk', () => {
  test('what is there stays, goes on from memory, is delivered, and does not come back', async () => {
    const one = device();
    await setMember(one.storage, 'A');
    await one.add('old');
    await one.error('old');
    one.trouble = 'full';
    await one.add('new');
    expect(await one.storage.state()).toEqual(one.inMemory('full'));
    expect((await listEntries(one.storage, 'A')).map(({ label }) => label)).toEqual(['old', 'new']);
    expect((await onDisk()).outbox.map(({ label }) => label)).toEqual(['old']);
    expect((await onDisk()).logs).toHaveLength(1);
    one.time += 1_000;
    expect(await drain(one.ports)).toMatchObject({ delivered: 2, waiting: 0 });
    expect(one.ports.sent).toHaveLength(2);
    one.time += 1_000;
    await one.add('newer');
    expect((await onDisk()).outbox).toEqual([]);
    expect((await onDisk()).logs).toEqual([]);
  });
  test('as soon as there is room, all is on the disk again, in its order', async () => {
    const one = device();
    await one.add('old');
    await one.storage.run(['meta'], (tx) => putMeta(tx, 'dropped', { error: 2, debug: 0 }));
    one.trouble = 'full';
    await one.storage.run(['meta'], (tx) => putMeta(tx, 'dropped', { error: 3, debug: 0 }));
    await one.add('new');
    one.trouble = 'none';
    await one.error('too early');
    expect(await one.storage.state()).toEqual(one.inMemory('full'));
    one.time += 1_000;
    await one.error('again');
    expect(await one.storage.state()).toEqual({ kind: 'durable' });
    const disk = await onDisk();
    expect(disk.outbox.map(({ label }) => label)).toEqual(['old', 'new']);
    expect(disk.logs.map(({ data }) => data['message'])).toEqual(['too early', 'again']);
    expect(disk.dropped).toEqual({ error: 3, debug: 0 });
    expect(one.changed).toHaveBeenCalledTimes(2);
  });
  test('what another room delivered meanwhile does not come back', async () => {
    const one = device();
    await setMember(one.storage, 'A');
    const id = await one.add('old');
    one.trouble = 'full';
    await one.add('new');
    await one.storage.run(['outbox'], async (tx) => {
      for (const row of await tx.all('outbox')) await tx.put('outbox', { ...row, attempts: 1 });
    });
    const other = await dexieStorage(name);
    await discardEntry(other, id);
    one.trouble = 'none';
    one.time += 1_000;
    await one.error('x');
    expect((await onDisk()).outbox.map(({ label }) => label)).toEqual(['new']);
  });
  test('an entry that moves while it is on the air is settled all the same', async () => {
    const one = device('gone');
    await setMember(one.storage, 'A');
    await one.add('moves');
    const { send } = one.ports;
    one.ports.send = async (request) => {
      one.trouble = 'none';
      one.time += 60_000;
      // The way back gives the entry another number: the database held one already.
      const other = await dexieStorage(name);
      await addEntry(
        { ...one.ports, storage: other },
        { id: 'other', userId: 'B', lane: 'x', method: 'POST', path: '/', body: {}, label: 'other', subject: '' },
      );
      await one.error('back');
      expect(await one.storage.state()).toEqual({ kind: 'durable' });
      one.ports.send = send;
      return send(request);
    };
    expect(await drain(one.ports)).toMatchObject({ delivered: 1, waiting: 0 });
    expect((await onDisk()).outbox.map(({ label }) => label)).toEqual(['other']);
  });
});

describe('a connection that is lost', () => {
  test('is opened again and the work repeated, once', async () => {
    const one = device();
    await one.add('a');
    one.trouble = 'lost';
    await one.add('b');
    expect(one.opened).toBe(2);
    expect((await onDisk()).outbox).toHaveLength(2);
    expect(one.changed).not.toHaveBeenCalled();
  });
  test('and cannot be opened: memory, until it can', async () => {
    const one = device();
    await one.add('a');
    one.trouble = 'gone';
    await one.add('b');
    expect(await one.storage.state()).toEqual(one.inMemory('lost'));
    one.trouble = 'none';
    one.time += 1_000;
    await one.add('c');
    expect(await one.storage.state()).toEqual({ kind: 'durable' });
    expect((await onDisk()).outbox.map(({ label }) => label)).toEqual(['a', 'b', 'c']);
  });
  test('to a newer build in another tab: it gets the database, and this one goes on after it', async () => {
    const storage = resilientStorage({ open: () => dexieStorage(name), now: Date.now, changed: () => undefined });
    const ports = { storage, now: () => 1, newId: () => crypto.randomUUID() };
    await appendLog(ports, 'error', { message: 'before' });
    const upgraded = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name, 20);
      request.onblocked = () => reject(new Error('blocked'));
      request.onupgradeneeded = () => request.result.createObjectStore('later', { keyPath: 'key' });
      request.onsuccess = () => resolve(request.result);
    });
    await appendLog(ports, 'error', { message: 'after' });
    expect(await storage.state()).toEqual({ kind: 'durable' });
    const rows = await storage.run(['logs'], (tx) => tx.all('logs'));
    expect(rows.map(({ data }) => data['message'])).toEqual(['before', 'after']);
    expect(upgraded.version).toBe(20);
    upgraded.close();
  });
});
