/** A database that somebody else keeps busy or closes, at any moment of a transaction: nobody waits for ever, nothing is kept twice. */
import { forceCloseDatabase } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { idbStorage } from '../../service-worker/storage.ts';
import { addEntry, discardEntry, listEntries, undoEntries } from '../../worker/outbox.ts';
import { TABLE_NAMES } from '../../worker/schema.ts';
import { dexieStorage } from '../../worker/storage/dexie.ts';
import { isHeldUp } from '../../worker/storage/moving.ts';
import { resilientStorage } from '../../worker/storage/resilient.ts';
import { type DeviceStorage, getMeta, type Transaction } from '../../worker/storage/storage.ts';

let databases = 0;
let name = '';
const opened: IDBDatabase[] = [];
beforeEach(() => {
  databases += 1;
  name = `held-up-${databases}`;
  const open = indexedDB.open.bind(indexedDB);
  vi.spyOn(indexedDB, 'open').mockImplementation((...args) => {
    const request = open(...args);
    request.addEventListener('success', () => opened.push(request.result));
    return request;
  });
});
afterEach(() => void vi.restoreAllMocks());

const act = { userId: 'A', lane: 'x', method: 'POST', path: '/x', body: {}, label: '', subject: '' } as const;
const add = (storage: DeviceStorage, id: string) => addEntry({ storage, now: () => 1 }, { ...act, id });
const idsOf = async (storage: DeviceStorage) => (await listEntries(storage, 'A')).map(({ id }) => id);

/** Somebody who stays in the midst of a transaction over everything. Answers what ends it. */
async function holdUp(): Promise<() => void> {
  const holder = await dexieStorage(name);
  let isOver = false;
  await new Promise<void>((begun) => {
    void holder.run(TABLE_NAMES, async (tx) => {
      while (!isOver) {
        await tx.get('meta', 'member');
        begun();
      }
    });
  });
  return () => {
    isOver = true;
  };
}
const adapters = { dexie: () => dexieStorage(name), idb: async () => idbStorage(name) };

describe.each(Object.entries(adapters))('a transaction of %s that waits for somebody else’s', (_name, open) => {
  test('ends in the end, and nothing of it is done when they go on', async () => {
    const storage = await open();
    await add(storage, 'before');
    const goOn = await holdUp();
    const held = await add(storage, 'held').catch((error: unknown) => error);
    expect(isHeldUp(held)).toBe(true);
    goOn();
    await add(storage, 'after');
    expect(await idsOf(storage)).toEqual(['before', 'after']);
  });
});
test('a transaction goes on as long as something of it moves', async () => {
  const storage = await dexieStorage(name);
  const steps = vi.fn();
  await storage.run(['meta'], async (tx) => {
    // Longer than it may stand still.
    for (const end = performance.now() + 3_000; performance.now() < end; ) steps(await tx.get('meta', 'member'));
  });
  expect(steps).toHaveBeenCalled();
});

describe('a device that is held up', () => {
  function device() {
    const changed = vi.fn();
    return { changed, storage: resilientStorage({ open: () => dexieStorage(name), now: Date.now, changed }) };
  }
  test('goes on in memory, says why, and is back by itself once they go on, with each act once and in its order', async () => {
    const { storage, changed } = device();
    await add(storage, 'before');
    await discardEntry(storage, 'gone');
    const goOn = await holdUp();
    await add(storage, 'held');
    expect(await storage.state()).toEqual({ kind: 'memory', reason: 'held' });
    await add(storage, 'undone');
    expect(await undoEntries(storage, ['undone'])).toEqual(['undone']);
    goOn();
    await vi.waitFor(async () => expect(await storage.state()).toEqual({ kind: 'durable' }), 10_000);
    expect(changed).toHaveBeenCalledTimes(2);
    expect(await idsOf(storage)).toEqual(['before', 'held']);
    const undone = await storage.run(['meta'], (tx) => getMeta(tx, 'undone'));
    expect(undone).toEqual(['gone', 'undone']);
    for (const id of undone) await add(storage, id);
    expect(await idsOf(storage)).toEqual(['before', 'held']);
  });
  test('keeps nothing twice that came through in the moment in which it was given up', async () => {
    const { storage } = device();
    await storage.state();
    const goOn = await holdUp();
    const kept = add(storage, 'act');
    const other = idbStorage(name);
    await kept;
    const beside = add(other, 'act').catch(() => add(other, 'act'));
    goOn();
    await beside;
    await vi.waitFor(async () => expect(await storage.state()).toEqual({ kind: 'durable' }), 10_000);
    expect(await idsOf(storage)).toEqual(['act']);
  });
});

/** The transaction's calls, one of which finds the connection closed before it asks. */
const CALLS = ['before any', 'all', 'get', 'append', 'after all'] as const;
describe.each(CALLS)('a connection that is closed from outside (%s)', (at) => {
  const close = () => {
    for (const database of opened.splice(0)) forceCloseDatabase(database as never);
  };
  /** A storage whose connection is closed in its next transaction. */
  function closing(storage: DeviceStorage): DeviceStorage {
    let isOver = false;
    const once = (here: (typeof CALLS)[number]) => {
      if (here !== at || isOver) return;
      isOver = true;
      close();
    };
    return {
      ...storage,
      async run(tables, work) {
        once('before any');
        return storage.run(tables, async (tx) => {
          const ahead =
            <A extends unknown[], R>(call: 'all' | 'get' | 'append', does: (...args: A) => Promise<R>) =>
            (...args: A) => {
              once(call);
              return does(...args);
            };
          const result = await work({
            ...tx,
            all: ahead('all', tx.all as never) as Transaction['all'],
            get: ahead('get', tx.get as never) as Transaction['get'],
            append: ahead('append', tx.append as never) as Transaction['append'],
          });
          once('after all');
          return result;
        });
      },
    };
  }

  test('is opened again: the act is kept once, and so is the next', async () => {
    const changed = vi.fn();
    const storage = resilientStorage({ open: async () => closing(await dexieStorage(name)), now: Date.now, changed });
    await add(storage, 'one');
    await add(storage, 'two');
    expect(await idsOf(storage)).toEqual(['one', 'two']);
    expect(await storage.state()).toEqual({ kind: 'durable' });
    expect(changed).not.toHaveBeenCalled();
  });
  test('is opened again by the service worker: the same', async () => {
    const storage = closing(idbStorage(name));
    await add(storage, 'one');
    await add(storage, 'two');
    expect(await idsOf(storage)).toEqual(['one', 'two']);
  });
});
