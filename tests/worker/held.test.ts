/** What is held can be undone until it is sent, is sent by itself, and is lost in no case. */
import { describe, expect, test } from 'vitest';
import { UNDO_MS } from '../../server/contract/limits.ts';
import { createDevice } from '../../worker/device.ts';
import { drain } from '../../worker/drain.ts';
import { setMember } from '../../worker/outbox.ts';
import type { StorageState } from '../../worker/schema.ts';
import type { DrainPorts, SendAnswer, SendRequest } from '../../worker/send.ts';
import { memoryStorage } from '../../worker/storage/memory.ts';
import { isHeld } from '../../worker/unsent.ts';

async function open(state: StorageState = { kind: 'durable' }) {
  const storage = memoryStorage();
  const sent: string[] = [];
  const wakes: (number | null)[] = [];
  const locks: Record<string, Promise<unknown>> = {};
  const world = {
    time: 1_000_000,
    answer: async (): Promise<SendAnswer> => ({ status: 201, body: {}, retryAfter: null, date: null }),
  };
  const ports: DrainPorts = {
    storage,
    now: () => world.time,
    random: Math.random,
    lock(work, what) {
      const mine = (locks[what] ?? Promise.resolve()).then(() => work(true));
      locks[what] = mine.catch(() => undefined);
      return mine;
    },
    broadcast: () => undefined,
    send: (request: SendRequest) => {
      sent.push(request.path);
      return world.answer();
    },
  };
  await setMember(storage, 'A');
  const device = createDevice({
    ...ports,
    storage: { ...storage, state: async () => state },
    wakeAt: (time) => void wakes.push(time),
  });
  const act = { userId: 'A', method: 'POST', body: {} } as const;
  const press = async (path: string, lane = path) => {
    await device.enqueue({ ...act, id: path, lane, path, label: path, subject: path, holdMs: UNDO_MS });
    return path;
  };
  /** Another room of the device, with a drain of its own. */
  const elsewhere = (hurry = false) => drain(ports, { hurry });
  const entries = () => device.outbox('A');
  return Object.assign(world, { device, press, elsewhere, entries, sent, wakes });
}

describe('while it is held', () => {
  test('no room sends it, in whatever hurry, and the device wakes when its time is over', async () => {
    const world = await open();
    await world.press('/one');
    await world.device.drain({ hurry: true });
    await world.elsewhere(true);
    expect(world.sent).toEqual([]);
    expect(world.wakes.at(-1)).toBe(1_000_000 + UNDO_MS);
    world.time += UNDO_MS;
    await world.elsewhere();
    expect(world.sent).toEqual(['/one']);
    expect(await world.entries()).toEqual([]);
  });

  test('screens can tell it from what waits for a connection', async () => {
    const world = await open();
    await world.press('/one');
    const [entry] = await world.entries();
    expect(entry && isHeld(entry, world.time)).toBe(true);
    expect(entry && isHeld(entry, world.time + UNDO_MS)).toBe(false);
    world.time += UNDO_MS;
    world.answer = () => Promise.reject(new TypeError('Failed to fetch'));
    await world.device.drain();
    const [tried] = await world.entries();
    expect(tried?.nextTryAt).not.toBeNull();
    expect(tried && isHeld(tried, world.time)).toBe(false);
  });

  test('a clock that is put back or ahead holds nothing longer', async () => {
    const world = await open();
    await world.press('/back');
    world.time -= 60_000;
    await world.elsewhere();
    await world.press('/ahead');
    world.time += 24 * 60 * 60_000;
    await world.elsewhere();
    expect(world.sent).toEqual(['/back', '/ahead']);
  });
});

describe('undone', () => {
  test('it is gone and was never sent, and what was pressed is given back', async () => {
    const world = await open();
    const id = await world.press('/one');
    const other = await world.press('/two');
    expect(await world.device.undo([id])).toEqual(['/one']);
    world.time += UNDO_MS;
    await world.elsewhere();
    expect(world.sent).toEqual(['/two']);
    expect(await world.device.undo([other])).toEqual([]);
  });

  test('it is not once a sender has taken it: on the air, or back from there without an answer', async () => {
    const world = await open();
    const id = await world.press('/one');
    world.time += UNDO_MS;
    let fail: (error: Error) => void = () => undefined;
    world.answer = () =>
      new Promise((_, reject) => {
        fail = reject;
      });
    const draining = world.elsewhere();
    while (world.sent.length === 0) await new Promise((done) => setTimeout(done));
    expect(await world.device.undo([id])).toEqual([]);
    fail(new TypeError('Failed to fetch'));
    await draining;
    expect(await world.device.undo([id])).toEqual([]);
    expect((await world.entries()).map(({ state }) => state)).toEqual(['waiting']);
  });
});

describe('released', () => {
  test('it goes out at once, and nothing else that is held', async () => {
    const world = await open();
    const id = await world.press('/one');
    await world.press('/two');
    await world.device.release([id]);
    await world.elsewhere();
    expect(world.sent).toEqual(['/one']);
  });

  test('all of it goes out where somebody sends everything now', async () => {
    const world = await open();
    await world.press('/one');
    await world.press('/two');
    expect(await world.device.drain({ held: true })).toMatchObject({ waiting: 0 });
    expect(world.sent).toEqual(['/one', '/two']);
  });

  test('a time that the server named is not', async () => {
    const world = await open();
    const id = await world.press('/one');
    world.time += UNDO_MS;
    world.answer = async () => ({ status: 503, body: {}, retryAfter: '60', date: null });
    await world.elsewhere();
    await world.device.release([id]);
    await world.device.drain({ hurry: true, held: true });
    expect(world.sent).toEqual(['/one']);
  });
});

test('what comes after it in its lane waits, and keeps its order', async () => {
  const world = await open();
  await world.press('/picture', 'c/t');
  await world.device.enqueue({
    id: '/later',
    userId: 'A',
    lane: 'c',
    method: 'POST',
    path: '/later',
    body: {},
    label: '',
    subject: 's',
  });
  await world.elsewhere();
  expect(world.sent).toEqual([]);
  world.time += UNDO_MS;
  await world.elsewhere();
  expect(world.sent).toEqual(['/picture', '/later']);
});

test('where nothing outlives the page nothing is held', async () => {
  const world = await open({ kind: 'memory', reason: 'refused' });
  await world.press('/one');
  await world.device.drain();
  expect(world.sent).toEqual(['/one']);
});
