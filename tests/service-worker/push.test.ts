import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { onClick, onClose, onPush, onSubscriptionChange, type PushPorts } from '../../service-worker/push.ts';
import { idbStorage } from '../../service-worker/storage.ts';
import { listEntries, setMember } from '../../worker/outbox.ts';
import { forgetSubscription, PUSH_SUBJECT, storeSubscription } from '../../worker/push.ts';
import { getMeta } from '../../worker/storage/storage.ts';
import { sampleSubscription } from '../support/samples.ts';
import { OWN } from './scope.ts';

const ORIGIN = 'https://muster.example';
type Options = NotificationOptions & { data: unknown; tag?: string };
type Window = { url: string; focused: boolean; focus: () => Promise<unknown>; postMessage: (message: unknown) => void };

/** What the server answers to the service worker, by path. */
let answers: Record<string, () => Response | Promise<Response>>;
beforeEach(() => {
  answers = {};
  vi.stubGlobal('fetch', async (url: string) => answers[url]?.() ?? new Response('{}', { status: 404 }));
});
afterEach(() => vi.unstubAllGlobals());

async function device() {
  const storage = idbStorage(`push-${crypto.randomUUID()}`);
  await setMember(storage, 'A');
  const shown: { title: string; options: Options }[] = [];
  const windows: Window[] = [];
  const opened: string[] = [];
  const badges: number[] = [];
  const subscription = sampleSubscription();
  const registration = {
    showNotification: vi.fn(async (title: string, options: Options) => {
      const at = shown.findIndex((one) => one.options.tag === options.tag);
      if (at >= 0) shown.splice(at, 1);
      shown.push({ title, options });
    }),
    getNotifications: async ({ tag }: { tag?: string } = {}) =>
      shown.filter(({ options }) => tag === undefined || options.tag === tag).map(({ options }) => options),
    pushManager: { subscribe: vi.fn(async () => ({ toJSON: () => subscription })) },
  };
  const drain = vi.fn(async () => undefined);
  const ports = {
    scope: {
      registration,
      location: new URL(ORIGIN),
      navigator: { setAppBadge: async (count: number) => void badges.push(count) },
      clients: { matchAll: async () => windows, openWindow: async (url: string) => void opened.push(url) },
    },
    storage,
    now: () => Date.parse('2026-11-21T12:00:00Z'),
    newId: () => crypto.randomUUID(),
    drain,
  } as unknown as PushPorts;
  const reports = async () =>
    (await storage.run(['outbox'], (tx) => tx.all('outbox'))).map(({ userId, path, body }) => [
      userId,
      path,
      (body as { event: string }).event,
    ]);
  const notification = (data: unknown) => ({ title: 'T', data, close: vi.fn() }) as unknown as Notification;
  return { ports, storage, shown, windows, opened, badges, registration, drain, reports, notification, subscription };
}
const message = (payload: unknown) =>
  ({ json: () => (typeof payload === 'string' ? JSON.parse(payload) : payload) }) as unknown as Parameters<
    typeof onPush
  >[1];
const payload = (id = 'n1', tag = 'announcement:c1') => ({
  web_push: 8030,
  notification: {
    title: 'Muster',
    body: 'There is a new announcement.',
    navigate: `${ORIGIN}/profile`,
    tag,
    lang: 'en',
    actions: [{ action: 'open', title: 'Open', navigate: `${ORIGIN}/profile` }],
    data: { id, kind: 'announcement', path: '/profile' },
  },
});

describe('a push', () => {
  test('is shown in its own words, read under the session, and reported', async () => {
    const { ports, shown, reports, badges, drain } = await device();
    answers['/api/pwa/notifications/n1'] = () =>
      Response.json({ title: 'Ilse: Saturday', body: 'We meet at ten.' }, { headers: OWN });
    await onPush(ports, message(payload()));
    expect(shown).toMatchObject([
      {
        title: 'Ilse: Saturday',
        options: { body: 'We meet at ten.', tag: 'announcement:c1', data: { id: 'n1', path: '/profile' } },
      },
    ]);
    expect(shown[0]?.options).toMatchObject({ actions: [{ action: 'open', title: 'Open' }] });
    expect(await reports()).toEqual([['A', '/api/pwa/notifications/n1/events', 'shown']]);
    expect(drain).toHaveBeenCalledOnce();
    expect(badges).toEqual([1]);
  });

  test.each([
    ['the words are for another member', () => new Response('{}', { status: 404 })],
    ['the session is over', () => new Response('{}', { status: 401 })],
    ['the server is away', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['the server takes too long', () => Promise.reject(new DOMException('late', 'TimeoutError'))],
    ['somebody else answers', () => new Response('<html>Wi-Fi</html>')],
    ['somebody else answers in JSON', () => Response.json({ title: 'Pay', body: 'Here' })],
  ])('is shown in general words when %s', async (_what, answer) => {
    const { ports, shown } = await device();
    answers['/api/pwa/notifications/n1'] = answer;
    await onPush(ports, message(payload()));
    expect(shown).toMatchObject([{ title: 'Muster', options: { body: 'There is a new announcement.' } }]);
  });

  test.each([
    ['none', null],
    ['no JSON', message('{')],
    ['a text', message('"x"')],
    ['null', message('null')],
    ['something else', message({ hello: 1 })],
    ['half of it', message({ notification: { title: 'Muster' } })],
    ['nonsense inside', message({ notification: { data: 7, actions: [], tag: 'x' } })],
  ])('is shown also when what it holds is %s', async (_what, data) => {
    const { ports, shown, reports } = await device();
    await onPush(ports, data);
    expect(shown).toHaveLength(1);
    expect(shown[0]?.title).toBe('Muster');
    expect(await reports()).toEqual([]);
  });

  test('is shown also when the browser does not like its details', async () => {
    const { ports, registration } = await device();
    registration.showNotification.mockRejectedValueOnce(new TypeError('actions'));
    await onPush(ports, message(payload()));
    expect(registration.showNotification).toHaveBeenLastCalledWith('Muster', { body: expect.any(String) });
  });

  test('is shown also when nobody is signed in, and then says nothing to the server', async () => {
    const { ports, storage, shown, reports } = await device();
    await setMember(storage, null);
    await onPush(ports, message(payload()));
    expect(shown).toHaveLength(1);
    expect(await reports()).toEqual([]);
  });

  test('is shown also when the device has no database', async () => {
    const { ports, shown } = await device();
    await onPush(
      { ...ports, storage: { ...ports.storage, run: () => Promise.reject(new Error('gone')) } },
      message(payload()),
    );
    expect(shown).toHaveLength(1);
  });

  test('takes the place of the one before about the same topic, and says how many there were', async () => {
    const { ports, shown, badges } = await device();
    for (const id of ['n1', 'n2', 'n3']) await onPush(ports, message(payload(id)));
    await onPush(ports, message(payload('n4', 'review:c1')));
    expect(shown.map(({ options }) => options.body)).toEqual([
      'There is a new announcement. (3)',
      'There is a new announcement.',
    ]);
    expect(badges.at(-1)).toBe(2);
  });

  test('that comes once more counts once, and does not call again', async () => {
    const { ports, shown } = await device();
    for (const id of ['n1', 'n1', 'n2', 'n2']) await onPush(ports, message(payload(id)));
    expect(shown).toMatchObject([{ options: { body: 'There is a new announcement. (2)', renotify: false } }]);
  });
});

describe('a push that the browser could show by itself', () => {
  /** Safari reads the declarative form, gives the worker what it would show, and no data. */
  const { notification } = payload();
  const proposed = (tag = notification.tag) => ({ ...notification, tag }) as unknown as Parameters<typeof onPush>[2];

  test('is shown in its own words all the same, leads where it would, and is reported', async () => {
    const { ports, shown, reports } = await device();
    answers['/api/pwa/notifications/n1'] = () =>
      Response.json({ title: 'Ilse: Saturday', body: 'We meet at ten.' }, { headers: OWN });
    await onPush(ports, null, proposed());
    expect(shown).toMatchObject([
      {
        title: 'Ilse: Saturday',
        options: {
          body: 'We meet at ten.',
          tag: 'announcement:c1',
          navigate: `${ORIGIN}/profile`,
          data: { id: 'n1', path: '/profile' },
        },
      },
    ]);
    expect(await reports()).toEqual([['A', '/api/pwa/notifications/n1/events', 'shown']]);
  });

  test('keeps its general words where its own are not to be had', async () => {
    const { ports, shown } = await device();
    await onPush(ports, null, proposed());
    expect(shown).toMatchObject([{ title: 'Muster', options: { body: 'There is a new announcement.' } }]);
  });
});

describe('a press', () => {
  const data = { id: 'n1', path: '/community/c1/dashboard' };
  const window = (path: string, focused = false): Window => {
    const own: Window = { url: ORIGIN + path, focused, focus: vi.fn(async () => own), postMessage: vi.fn() };
    return own;
  };

  test('opens the screen in a new window where none is open, closes it and reports', async () => {
    const { ports, opened, reports, notification } = await device();
    const pressed = notification(data);
    await onClick(ports, pressed, '');
    expect(opened).toEqual([`${ORIGIN}/community/c1/dashboard`]);
    expect(pressed.close).toHaveBeenCalledOnce();
    expect(await reports()).toEqual([['A', '/api/pwa/notifications/n1/events', 'clicked']]);
  });

  test('brings the window in front that shows the screen already', async () => {
    const { ports, opened, windows, notification } = await device();
    const [other, same] = [window('/profile', true), window(data.path)];
    windows.push(other, same);
    await onClick(ports, notification(data), 'open');
    expect(same.focus).toHaveBeenCalledOnce();
    expect(other.focus).not.toHaveBeenCalled();
    expect(same.postMessage).not.toHaveBeenCalled();
    expect(opened).toEqual([]);
  });

  test('has an open window go there, the one in front rather than another', async () => {
    const { ports, opened, windows, notification } = await device();
    const [behind, front] = [window('/a'), window('/b', true)];
    windows.push(behind, front);
    await onClick(ports, notification(data), '');
    expect(front.postMessage).toHaveBeenCalledExactlyOnceWith({ type: 'OPEN', path: data.path });
    expect(behind.focus).not.toHaveBeenCalled();
    expect(opened).toEqual([]);
  });

  test('opens a window when the browser lets none come to the front', async () => {
    const { ports, opened, windows, notification } = await device();
    windows.push({ ...window('/a'), focus: () => Promise.reject(new Error('not allowed')) });
    await onClick(ports, notification(data), '');
    expect(opened).toEqual([ORIGIN + data.path]);
  });

  test.each(['https://evil.example/x', '//evil.example/x'])('never leads out of the app: %s', async (path) => {
    const { ports, opened, notification } = await device();
    await onClick(ports, notification({ id: 'n1', path }), '');
    expect(opened).toEqual(['/']);
  });

  test.each([
    ['done', 'done'],
    ['snooze', 'snoozed'],
  ])('on %s opens nothing and is reported as %s', async (action, event) => {
    const { ports, opened, reports, notification } = await device();
    await onClick(ports, notification(data), action);
    expect(opened).toEqual([]);
    expect(await reports()).toEqual([['A', '/api/pwa/notifications/n1/events', event]]);
  });

  test('on one that could not be read opens the app', async () => {
    const { ports, opened, reports, notification } = await device();
    await onClick(ports, notification(null), '');
    expect(opened).toEqual([`${ORIGIN}/`]);
    expect(await reports()).toEqual([]);
  });

  test('put away: reported', async () => {
    const { ports, reports, notification } = await device();
    await onClose(ports, notification(data));
    expect(await reports()).toEqual([['A', '/api/pwa/notifications/n1/events', 'dismissed']]);
  });
});

describe('a subscription that ended', () => {
  const subscription = sampleSubscription();
  const kept = (userId: string) => ({ id: 'save', userId, subscription, publicKey: 'old', label: 'l' });

  test('is made anew with the present key and kept to be saved, in place of one that waits', async () => {
    const { ports, storage, registration, subscription, drain } = await device();
    answers['/api/vapid-public-key'] = () => Response.json({ publicKey: 'new' }, { headers: OWN });
    await storeSubscription(ports, kept('A'));
    await onSubscriptionChange(ports, null);
    expect(registration.pushManager.subscribe).toHaveBeenCalledExactlyOnceWith({
      userVisibleOnly: true,
      applicationServerKey: 'new',
    });
    const waiting = (await listEntries(storage, 'A')).filter(({ subject }) => subject === PUSH_SUBJECT);
    expect(waiting.map(({ path, body }) => [path, body])).toEqual([
      ['/api/pwa/subscribe', { subscription, publicKey: 'new' }],
    ]);
    expect(drain).toHaveBeenCalled();
    const push = await storage.run(['meta'], (tx) => getMeta(tx, 'push'));
    expect(push).toMatchObject({ userId: 'A', endpoint: subscription.endpoint, publicKey: 'new' });
  });

  test('is kept under the key of before where the browser made another one by itself', async () => {
    const { ports, storage, registration, subscription } = await device();
    answers['/api/vapid-public-key'] = () => Response.json({ publicKey: 'new' }, { headers: OWN });
    await storeSubscription(ports, kept('A'));
    await onSubscriptionChange(ports, { toJSON: () => subscription } as unknown as PushSubscription);
    expect(registration.pushManager.subscribe).not.toHaveBeenCalled();
    const waiting = (await listEntries(storage, 'A')).filter(({ subject }) => subject === PUSH_SUBJECT);
    expect(waiting.map(({ body }) => body)).toEqual([{ subscription, publicKey: 'old' }]);
  });

  test('is not made again for who turned notifications off while it was being made', async () => {
    const { ports, storage, subscription, drain } = await device();
    await storeSubscription(ports, kept('A'));
    answers['/api/vapid-public-key'] = async () => {
      await forgetSubscription(storage, 'A');
      return Response.json({ publicKey: 'new' }, { headers: OWN });
    };
    const unsubscribe = vi.fn(async () => true);
    ports.scope.registration.pushManager.subscribe = async () =>
      ({ toJSON: () => subscription, unsubscribe }) as unknown as PushSubscription;
    await onSubscriptionChange(ports, null);
    expect((await listEntries(storage, 'A')).filter(({ subject }) => subject === PUSH_SUBJECT)).toEqual([]);
    expect(unsubscribe).toHaveBeenCalledOnce();
    expect(drain).not.toHaveBeenCalled();
  });

  test('is left alone when another member, or nobody, is signed in, and when nobody wanted it', async () => {
    const { ports, storage, registration } = await device();
    await onSubscriptionChange(ports, null);
    await storeSubscription(ports, kept('A'));
    for (const member of ['B', null]) {
      await setMember(storage, member);
      await onSubscriptionChange(ports, null);
    }
    expect(registration.pushManager.subscribe).not.toHaveBeenCalled();
  });
});

test('a session that ends takes the saved subscription along: it is saved again with the next one', async () => {
  const { ports, storage } = await device();
  const subscription = sampleSubscription();
  await storeSubscription(ports, { id: 'save', userId: 'A', subscription, publicKey: 'k', label: 'l' });
  await setMember(storage, null);
  await setMember(storage, 'A');
  expect(await storage.run(['meta'], (tx) => getMeta(tx, 'push'))).toMatchObject({ userId: 'A', endpoint: null });
});
