import { cleanup, fireEvent, renderHook, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { choose } from '../../app/features/notifications/choices.tsx';
import { lastWords } from '../../app/features/notifications/device-card.tsx';
import { Notifications } from '../../app/features/notifications/notifications.tsx';
import type { OutboxEntry } from '../../app/lib/device.ts';
import { detach, disablePush, enablePush, mayRequestInFrame, reconcile } from '../../app/lib/push.ts';
import { userQuery } from '../../app/lib/query.ts';
import { useToasts } from '../../app/ui/toast.tsx';
import type { NotificationRoom, PushDevice } from '../../server/contract/push.ts';
import type { DeviceSubscription } from '../../worker/push.ts';
import type { PushMeta } from '../../worker/schema.ts';
import { entryOf } from './member/support.ts';
import { aUser, draw, json, refusal, serverOfEach } from './support.tsx';

const device = vi.hoisted(() => ({
  meta: null as PushMeta | null,
  kept: [] as DeviceSubscription[],
  forgotten: [] as (string | null)[],
  whenForgotten: () => {},
  queued: [] as { path: string; body: unknown }[],
  entries: [] as OutboxEntry[],
  discarded: [] as string[],
  isFull: false,
}));
vi.mock('../../app/lib/device.ts', () => ({
  device: {
    push: async () => device.meta,
    storeSubscription: async (kept: DeviceSubscription) => {
      if (kept.ifWanted && !device.meta?.members.includes(kept.userId)) return null;
      device.kept.push(kept);
      return 'e1';
    },
    forgetSubscription: async (by: string | null) => {
      device.forgotten.push(by);
      device.whenForgotten();
      if (device.meta) device.meta = { ...device.meta, members: device.meta.members.filter((one) => one !== by) };
    },
  },
  enqueue: async (entry: { path: string; body: unknown }) => {
    if (device.isFull) throw new Error('The disk is full');
    device.queued.push(entry);
    return 'entry-1';
  },
  discardEntry: async (id: string) => {
    device.discarded.push(id);
    return true;
  },
  useOutbox: () => device.entries,
  onDelivered: () => () => undefined,
  onDeviceEvent: () => () => undefined,
}));
vi.mock('../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const KEY = 'BKey';
const keyBytes = (key: string) => Uint8Array.from(atob(key), (char) => char.charCodeAt(0)).buffer;
function subscription(endpoint: string, key = KEY) {
  return {
    endpoint,
    options: { applicationServerKey: keyBytes(key) },
    toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: vi.fn(async () => true),
  };
}
type Subscription = ReturnType<typeof subscription>;

let there: Subscription | null;
let order: string[];
const subscribe = vi.fn(async () => {
  order.push('subscribe');
  there = subscription('https://push.example/new');
  return there;
});
/** A browser that can, and the answer it gives when a person is asked. */
function browser(permission: NotificationPermission, answer: NotificationPermission = permission) {
  const registration = { pushManager: { getSubscription: async () => there, subscribe } };
  const own = {
    permission,
    requestPermission: vi.fn(async () => {
      order.push('ask');
      own.permission = answer;
      return answer;
    }),
  };
  vi.stubGlobal('Notification', own);
  vi.stubGlobal('PushManager', class {});
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { ready: Promise.resolve(registration), getRegistration: async () => registration },
  });
  return own;
}
const answerKey = (publicKey: string | null) =>
  server.answer(({ url }) => {
    order.push(url);
    return publicKey === null ? refusal(503, 'AWAY') : json({ publicKey });
  });

const server = serverOfEach();
beforeEach(() => {
  there = null;
  order = [];
  subscribe.mockClear();
  Object.assign(device, { meta: null, kept: [], forgotten: [], whenForgotten: () => {}, queued: [], entries: [] });
  Object.assign(device, { discarded: [], isFull: false });
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

describe('turning notifications on', () => {
  test('asks first of all, then fetches the key, subscribes and keeps the subscription', async () => {
    browser('default', 'granted');
    answerKey(KEY);
    expect(await enablePush('u1')).toBe('granted');
    expect(order).toEqual(['ask', '/api/vapid-public-key', 'subscribe']);
    expect(subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: KEY });
    expect(device.kept).toMatchObject([
      { userId: 'u1', publicKey: KEY, subscription: { endpoint: 'https://push.example/new' } },
    ]);
  });

  test.each(['denied', 'default'] as const)('goes no further when the person says %s', async (answer) => {
    browser('default', answer);
    answerKey(KEY);
    expect(await enablePush('u1')).toBe(answer);
    expect(order).toEqual(['ask']);
    expect(device.kept).toEqual([]);
  });

  test('says so where the browser cannot', async () => {
    await expect(enablePush('u1')).rejects.toThrow('Notifications not supported in browser');
  });

  test.each([null, ''])('says so where the server gives no key (%j)', async (key) => {
    browser('granted');
    answerKey(key);
    await expect(enablePush('u1')).rejects.toThrow('VAPID public key not available from server');
    expect(subscribe).not.toHaveBeenCalled();
  });

  describe('where the browser gives an address that reaches nobody', () => {
    const dead = () => subscription('https://permanently-removed.invalid/fcm/send/1');
    beforeEach(() => {
      browser('granted');
      answerKey(KEY);
      vi.useFakeTimers({ toFake: ['setTimeout'] });
    });

    test('it is given back and another asked for after a moment, also one that was there already', async () => {
      const given = [dead(), dead()];
      there = given[0] ?? null;
      subscribe.mockImplementationOnce(async () => given[1] ?? dead());
      const turning = enablePush('u1');
      await vi.waitFor(() => expect(given[1]?.unsubscribe).toHaveBeenCalled());
      expect(subscribe).toHaveBeenCalledTimes(1);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await turning).toBe('granted');
      expect(given.map(({ unsubscribe }) => unsubscribe.mock.calls.length)).toEqual([1, 1]);
      expect(device.kept).toMatchObject([{ subscription: { endpoint: 'https://push.example/new' } }]);
    });
    test('twice, it says so and keeps none', async () => {
      subscribe.mockImplementationOnce(async () => dead()).mockImplementationOnce(async () => dead());
      const turning = enablePush('u1').catch((error: Error) => error.message);
      await vi.waitFor(() => expect(subscribe).toHaveBeenCalledTimes(1));
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await turning).toContain('an address that reaches nobody');
      expect([subscribe.mock.calls.length, device.kept]).toEqual([2, []]);
    });
  });

  test('never asks inside another site’s page', async () => {
    const asked = browser('default', 'granted');
    vi.stubGlobal('top', {});
    vi.stubGlobal('location', new URL('https://muster.example/profile'));
    await expect(enablePush('u1')).rejects.toThrow('cannot be turned on inside another site');
    expect(asked.requestPermission).not.toHaveBeenCalled();
  });

  test('reuses the subscription that there is', async () => {
    browser('granted');
    answerKey(KEY);
    there = subscription('https://push.example/old');
    await enablePush('u1');
    expect(subscribe).not.toHaveBeenCalled();
    expect(device.kept).toMatchObject([{ subscription: { endpoint: 'https://push.example/old' } }]);
  });

  test('makes another one where the key is another, or the server lost the one it had', async () => {
    browser('granted');
    answerKey(KEY);
    const old = subscription('https://push.example/old', 'BOld');
    there = old;
    await enablePush('u1');
    expect(old.unsubscribe).toHaveBeenCalledOnce();
    const gone = subscription('https://push.example/gone');
    there = gone;
    device.meta = { members: ['u1'], userId: 'u1', endpoint: gone.endpoint, publicKey: KEY, keptAt: 0 };
    await enablePush('u1');
    expect(gone.unsubscribe).toHaveBeenCalledOnce();
    expect(subscribe).toHaveBeenCalledTimes(2);
  });
});

test('only production, replit and local hosts may ask inside a frame', () => {
  const production = ['muster.example', 'www.muster.example:8443'];
  for (const host of [
    'muster.example',
    'www.muster.example',
    'a.replit.app',
    'x.y.replit.dev',
    'a.repl.co',
    'localhost',
  ])
    expect(mayRequestInFrame(host, production), host).toBe(true);
  for (const host of ['evil.example', 'evilreplit.app', 'replit.app.evil.example', 'muster.example.evil.example', ''])
    expect(mayRequestInFrame(host, production), host).toBe(false);
});

describe('what changed while nobody looked', () => {
  const meta = (change: Partial<PushMeta> = {}): PushMeta => ({
    members: ['u1'],
    userId: 'u1',
    endpoint: 'https://push.example/old',
    publicKey: KEY,
    keptAt: Date.now(),
    ...change,
  });
  test.each<[string, Partial<PushMeta>]>([
    ['another session', { endpoint: null }],
    ['another member before', { members: ['u1', 'u2'], userId: 'u2' }],
    ['another key', { publicKey: 'BOld' }],
    ['a day that has passed', { keptAt: Date.now() - 25 * 3_600_000 }],
  ])('is put right: %s', async (_what, change) => {
    browser('granted');
    answerKey(KEY);
    there = subscription('https://push.example/old');
    device.meta = meta(change);
    await reconcile('u1', () => true);
    expect(device.kept).toMatchObject([{ userId: 'u1', publicKey: KEY }]);
  });

  test('is left alone when nothing did, nobody wants it, or it may not be', async () => {
    const own = browser('granted');
    answerKey(KEY);
    there = subscription('https://push.example/old');
    device.meta = meta();
    await reconcile('u1', () => true);
    device.meta = meta({ members: ['u2'], userId: 'u2' });
    await reconcile('u1', () => true);
    device.meta = null;
    await reconcile('u1', () => true);
    own.permission = 'denied';
    device.meta = meta({ endpoint: null });
    await reconcile('u1', () => true);
    expect(device.kept).toEqual([]);
    expect(own.requestPermission).not.toHaveBeenCalled();
  });

  test('is not made again for who signed out meanwhile', async () => {
    browser('granted');
    answerKey(KEY);
    device.meta = meta({ endpoint: null });
    await reconcile('u1', () => false);
    expect(device.kept).toEqual([]);
    expect(there?.unsubscribe).toHaveBeenCalledTimes(1);
  });

  test('is not made again for who turned it off while the key was on its way', async () => {
    browser('granted');
    const old = subscription('https://push.example/old');
    there = old;
    old.unsubscribe.mockImplementation(async () => {
      there = null;
      return true;
    });
    device.meta = meta();
    let answer = (_: Response) => {};
    server.answer(() => new Promise((resolve) => (answer = resolve)));
    const reconciled = reconcile('u1', () => true);
    await vi.waitFor(() => expect(server.asked).toHaveLength(1));
    await disablePush('u1');
    answer(json({ publicKey: KEY }));
    await reconciled;
    expect(device.kept).toEqual([]);
    const made: Subscription | null = there;
    expect(made).not.toBeNull();
    expect((made as unknown as Subscription).unsubscribe).toHaveBeenCalledOnce();
  });

  test('nor is one left that was kept a moment before it was turned off', async () => {
    browser('granted');
    device.meta = meta();
    const made = subscription('https://push.example/made');
    device.whenForgotten = () => {
      there = made;
    };
    await disablePush('u1');
    expect(made.unsubscribe).toHaveBeenCalledOnce();
    expect(device.queued).toMatchObject([{ path: '/api/pwa/unsubscribe', body: { endpoint: made.endpoint } }]);
  });

  test('without the server goes on with the key that is known', async () => {
    browser('granted');
    answerKey(null);
    device.meta = meta();
    await reconcile('u1', () => true);
    expect(device.kept).toMatchObject([{ publicKey: KEY, subscription: { endpoint: 'https://push.example/new' } }]);
  });
});

test('signing out ends the subscription of the browser, and they come back to it; turning off does not', async () => {
  browser('granted');
  const first = subscription('https://push.example/old');
  there = first;
  await detach();
  expect(first.unsubscribe).toHaveBeenCalledOnce();
  await disablePush('u1');
  expect(device.forgotten).toEqual([null, 'u1']);
  expect(device.queued).toMatchObject([
    { path: '/api/pwa/unsubscribe', body: { endpoint: 'https://push.example/old' } },
  ]);
});

describe('the member’s screen', () => {
  const here: PushDevice = {
    id: 'd1',
    service: 'push.example',
    userAgent: null,
    current: true,
    savedAt: new Date().toISOString(),
    lastTryAt: null,
    lastOkAt: null,
    lastStatus: null,
  };
  const room = (change: Partial<NotificationRoom> = {}): NotificationRoom => ({
    quiet: null,
    dailyCap: 8,
    collapse: true,
    choices: [],
    timeZone: 'Europe/Lisbon',
    communities: [],
    devices: [],
    telegram: { bot: null, refused: false },
    latest: [],
    ...change,
  });
  async function show(change: Partial<NotificationRoom> = {}) {
    server.answer(({ url }) => (url === '/api/user/notifications' ? json(room(change)) : json({ id: 'n1' })));
    const view = await draw(<Notifications />);
    view.client.setQueryData(userQuery.queryKey, aUser);
    return view;
  }

  test('explains before it offers; nothing is asked by looking at it', async () => {
    const own = browser('default');
    await show();
    expect(await screen.findByText(/When a reviewer decides/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Turn on notifications' })).toBeDefined();
    expect(own.requestPermission).not.toHaveBeenCalled();
  });

  test('says what stands in the way: the browser, its settings, the server', async () => {
    await show();
    expect(await screen.findByText('Notifications not supported in browser')).toBeDefined();
    cleanup();
    browser('denied');
    await show();
    expect(await screen.findByText(/only you can change it/)).toBeDefined();
    cleanup();
    browser('default', 'granted');
    await show();
    server.answer(({ url }) => (url === '/api/user/notifications' ? json(room()) : refusal(503, 'AWAY')));
    fireEvent.click(await screen.findByRole('button', { name: 'Turn on notifications' }));
    expect((await screen.findByRole('alert')).textContent).toBe('VAPID public key not available from server');
  });

  test("a push service that cannot be had is told in our words, not in the browser's", async () => {
    browser('default', 'granted');
    await show();
    server.answer(({ url }) => json(url === '/api/user/notifications' ? room() : { publicKey: KEY }));
    subscribe.mockRejectedValueOnce(new DOMException('Registration failed - push service error', 'AbortError'));
    fireEvent.click(await screen.findByRole('button', { name: 'Turn on notifications' }));
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Your browser couldn’t connect to its push service. Try again later.',
    );
  });

  test('a push service that never answers is not waited for', async () => {
    browser('default', 'granted');
    answerKey(KEY);
    vi.useFakeTimers();
    subscribe.mockReturnValueOnce(new Promise(() => undefined) as never);
    const turning = enablePush('u1').catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(31_000);
    vi.useRealTimers();
    expect(await turning).toBe('The app is still being set up. Try again in a moment.');
    expect(device.kept).toEqual([]);
  });

  test('explains how it is done on an iPhone', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X)');
    await show();
    expect(await screen.findByText(/Add to Home Screen/)).toBeDefined();
    vi.restoreAllMocks();
  });

  test('is in pencil until the server has it, and says that a sign-in is needed after a 401', async () => {
    browser('granted');
    const waiting = entryOf('push:subscription', { lane: 'push' });
    device.entries = [waiting];
    await show();
    expect(await screen.findByText(/It works once the server has it/)).toBeDefined();
    cleanup();
    const error = { status: 401, reason: 'NOT_SIGNED_IN', message: 'Sign in', requestId: '' };
    device.entries = [{ ...waiting, error }];
    await show();
    expect((await screen.findByRole('alert')).textContent).toContain('Sign in again');
  });

  test('on: how the last message fared, a test, and off', async () => {
    browser('granted');
    await show({ devices: [here] });
    expect(await screen.findByText('No message was sent here yet.')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Send me a test' }));
    await vi.waitFor(() => expect(server.asked.map(({ url }) => url)).toContain('/api/pwa/test'));
    const at = new Date().toISOString();
    expect(lastWords({ ...here, lastTryAt: at, lastStatus: 201 })).toContain('accepted by push.example');
    expect(lastWords({ ...here, lastTryAt: at, lastStatus: 403 })).toContain('push.example answered 403');
    expect(lastWords({ ...here, lastTryAt: at, lastStatus: null })).toContain('did not answer');
  });

  test('while it is turned off it cannot be turned on: what it would find is about to end', async () => {
    browser('granted');
    there = subscription('https://push.example/old');
    let end = (_: boolean) => {};
    there.unsubscribe.mockReturnValue(new Promise((resolve) => (end = resolve)));
    const view = await show({ devices: [here] });
    fireEvent.click(await screen.findByRole('button', { name: 'Turn off here' }));
    await vi.waitFor(() => expect(there?.unsubscribe).toHaveBeenCalled());
    // The server has forgotten it already.
    const roomQuery = { queryKey: ['/api/user/notifications'] };
    view.client.setQueryData(roomQuery.queryKey, room());
    const on = await screen.findByRole('button', { name: 'Turn on notifications' });
    expect(on.getAttribute('aria-busy')).toBe('true');
    let answerRead = (_: Response) => {};
    server.answer(() => new Promise((resolve) => (answerRead = resolve)));
    end(true);
    // Nor before the screen has read what came of it.
    await vi.waitFor(() => expect(view.client.isFetching(roomQuery)).toBe(1));
    expect(on.getAttribute('aria-busy')).toBe('true');
    answerRead(json(room()));
    await vi.waitFor(() => expect(on.getAttribute('aria-busy')).toBeNull());
  });

  test('choices are kept on the device as a whole, also those of one community', async () => {
    browser('granted');
    const id = crypto.randomUUID();
    await show({ communities: [{ id, name: 'Walkers', reviews: false }], telegram: { bot: 'bot', refused: false } });
    fireEvent.change(await screen.findByLabelText('Announcements'), { target: { value: 'telegram' } });
    fireEvent.change(screen.getByLabelText('For'), { target: { value: id } });
    expect(screen.queryByLabelText('Streak about to break')).toBeNull();
    fireEvent.change(screen.getByLabelText('Announcements'), { target: { value: 'none' } });
    fireEvent.click(screen.getByRole('radio', { name: 'Every night' }));
    fireEvent.click(screen.getByRole('button', { name: 'Save choices' }));
    await vi.waitFor(() => expect(device.queued).toHaveLength(1));
    expect(device.queued[0]).toMatchObject({
      path: '/api/user/notifications',
      body: {
        quiet: { from: '22:00', to: '07:00' },
        dailyCap: 8,
        collapse: true,
        choices: [
          { communityId: null, topic: 'announcement', channel: 'telegram' },
          { communityId: id, topic: 'announcement', channel: 'none' },
        ],
      },
    });
  });

  test('choices that could not be kept stay as they were made, and those that wait still go on waiting', async () => {
    browser('granted');
    const body = { quiet: null, dailyCap: 3, collapse: true, choices: [] };
    device.entries = [entryOf('notifications:own', { id: 'before', path: '/api/user/notifications', body })];
    device.isFull = true;
    await show({});
    const { result: toasts } = renderHook(() => useToasts());
    const cap = (await screen.findByRole('spinbutton')) as HTMLInputElement;
    fireEvent.change(cap, { target: { value: '5' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save choices' }));
    await vi.waitFor(() => expect(toasts.current.at(0)?.line).toBe('The disk is full'));
    expect([cap.value, device.discarded]).toEqual(['5', []]);
    device.isFull = false;
    fireEvent.click(screen.getByRole('button', { name: 'Save choices' }));
    await vi.waitFor(() => expect(device.discarded).toEqual(['before']));
    expect(device.queued).toMatchObject([{ body: { dailyCap: 5 } }]);
  });
});

test('a community’s own choice is made, changed and taken back', () => {
  const place = { communityId: 'c1', topic: 'task' } as const;
  const one = choose([], place, 'none');
  expect(one).toEqual([{ ...place, channel: 'none' }]);
  expect(choose(one, place, 'push')).toEqual([{ ...place, channel: 'push' }]);
  expect(choose(one, place, 'same')).toEqual([]);
});
