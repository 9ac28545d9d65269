/** What a browser refuses has a stand-in: nothing throws, and the page goes on. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { drainIsOver, drainLock } from '../../worker/lock.ts';
import type { DeviceEvent } from '../../worker/schema.ts';
import { fakeServer, json } from './support.tsx';

vi.mock('../../worker/index.ts?worker&url', () => ({ default: '/worker.js' }));

const refuse = (): never => {
  throw new DOMException('refused', 'SecurityError');
};
function Refused(): never {
  return refuse();
}
/** A facility at which the mere look throws. */
const looked = (of: object, name: string) => Object.defineProperty(of, name, { configurable: true, get: refuse });

describe('a facility that is refused', () => {
  afterEach(() => {
    vi.resetModules();
  });
  const door = () => import('../../app/lib/browser.ts');

  test('storage: texts live as long as the page, and are said not to outlive it', async () => {
    const storage = { getItem: refuse, setItem: refuse, removeItem: refuse };
    vi.stubGlobal('localStorage', storage);
    vi.stubGlobal('sessionStorage', storage);
    const { local, session } = await door();
    for (const shelf of [local, session]) {
      expect([shelf.get('a'), shelf.set('a', '1'), shelf.get('a')]).toEqual([null, false, '1']);
      expect(shelf.keys()).toContain('a');
      expect([shelf.set('a', null), shelf.get('a')]).toEqual([false, null]);
    }
  });
  test('storage without room: what it holds stays readable, what is new is kept in the page', async () => {
    const held = new Map([['old', '1']]);
    const room = { isLeft: false };
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => held.get(key) ?? null,
      setItem: (key: string, text: string) => (room.isLeft ? held.set(key, text) : refuse()),
      removeItem: (key: string) => held.delete(key),
    });
    const { local } = await door();
    expect([local.get('old'), local.set('old', '2'), local.get('old'), held.get('old')]).toEqual([
      '1',
      false,
      '2',
      '1',
    ]);
    room.isLeft = true;
    expect([local.set('old', '3'), local.get('old'), held.get('old')]).toEqual([true, '3', '3']);
  });
  test('channels: those of this page reach each other, not themselves, under one name', async () => {
    vi.stubGlobal('BroadcastChannel', Refused);
    const { openChannel, openWorker } = await door();
    const [one, other, elsewhere] = [openChannel('a'), openChannel('a'), openChannel('b')];
    const heard: unknown[] = [];
    one.addEventListener('message', () => heard.push('own'));
    other.addEventListener('message', ({ data }) => heard.push(data));
    elsewhere.addEventListener('message', () => heard.push('elsewhere'));
    one.postMessage({ type: 'NEWS' });
    await vi.waitFor(() => expect(heard).toEqual([{ type: 'NEWS' }]));
    other.close();
    one.postMessage({ type: 'LATER' });
    await Promise.resolve();
    expect(heard).toHaveLength(1);
    // A worker that this page could not hear would be of no use to it.
    expect(openWorker('/w.js', {}, 'a')).toBeNull();
  });
  test('shared workers: one of this tab; all workers: none', async () => {
    const own = vi.fn();
    vi.stubGlobal('SharedWorker', Refused);
    vi.stubGlobal('Worker', own);
    const { openWorker } = await door();
    expect(openWorker('/w.js', {}, 'a')?.worker).toBeInstanceOf(own);
    vi.stubGlobal('Worker', Refused);
    expect(openWorker('/w.js', {}, 'a')).toBeNull();
  });
  test('everything of the navigator’s, and canvases', async () => {
    const bare = {};
    for (const name of ['serviceWorker', 'storage', 'clipboard', 'cookieEnabled', 'locks']) looked(bare, name);
    vi.stubGlobal('navigator', bare);
    vi.stubGlobal('caches', undefined);
    const shy = vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(refuse);
    const { serviceWorkers, cachesHere, persistStorage, copyText, acceptsCookies, isCanvasReadable } = await door();
    expect([serviceWorkers(), cachesHere(), persistStorage(), await copyText('x'), acceptsCookies()]).toEqual([
      null,
      null,
      undefined,
      false,
      true,
    ]);
    expect(isCanvasReadable()).toBe(false);
    shy.mockRestore();
  });
  test('locks: the drain begins without one, once, also where the browser says so only when asked', async () => {
    const rejecting = { request: () => Promise.reject(new DOMException('refused', 'SecurityError')) };
    for (const locks of [rejecting, { request: refuse }]) {
      vi.stubGlobal('navigator', { locks });
      const work = vi.fn(async (alone: boolean) => alone);
      expect(await drainLock(work, 'logs')).toBe(false);
      expect(work).toHaveBeenCalledOnce();
    }
    vi.stubGlobal('navigator', { locks: rejecting });
    expect(await drainIsOver(100)).toBe(false);
    const granting = { request: async (_name: string, _options: unknown, work: () => unknown) => work() };
    vi.stubGlobal('navigator', { locks: granting });
    const broken = vi.fn(() => Promise.reject(new Error('the store is broken')));
    await expect(drainLock(broken, 'actions')).rejects.toThrow('the store is broken');
    expect(broken).toHaveBeenCalledExactlyOnceWith(true);
  });
  test('a lock that somebody never lets go: the drain begins without it in the end, and says that it is not alone', async () => {
    const request = vi.fn(
      (_name: string, { signal }: { signal: AbortSignal }) =>
        new Promise((_granted, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    vi.stubGlobal('navigator', { locks: { request } });
    const work = vi.fn(async (alone: boolean) => alone);
    const [actions, logs] = [drainLock(work, 'actions'), drainLock(work, 'logs')];
    expect(work).not.toHaveBeenCalled();
    expect(await Promise.all([actions, logs])).toEqual([false, false]);
    expect(work).toHaveBeenCalledTimes(2);
  });
});

describe('a browser without workers and channels', () => {
  let device: typeof import('../../app/lib/device.ts');
  beforeAll(async () => {
    for (const name of ['SharedWorker', 'Worker', 'BroadcastChannel']) vi.stubGlobal(name, Refused);
    vi.resetModules();
    device = await import('../../app/lib/device.ts');
  });
  afterAll(() => vi.unstubAllGlobals());

  test('does the device’s work in the page: it says that nothing outlives it, sends, and tells what arrived', async () => {
    const server = fakeServer();
    server.answer(() => json({ id: 'x' }, 201));
    const heard: DeviceEvent['type'][] = [];
    const off = device.onDeviceEvent(({ type }) => heard.push(type as DeviceEvent['type']));
    expect(await device.device.storageState()).toEqual({ kind: 'memory', reason: 'refused' });
    await device.setMember('A');
    await device.enqueue({ lane: 'l', method: 'POST', path: '/api/x', body: { a: 1 }, label: 'L', subject: 's' });
    await vi.waitFor(() => expect(heard).toContain('DELIVERED'));
    expect(server.asked.filter(({ url }) => url === '/api/x')).toHaveLength(1);
    expect(await device.unsentOf('A')).toEqual([]);
    off();
  });
});
