import { NOTIFICATION_TEXT_WITHIN_MS } from '../server/contract/limits.ts';
import type { NotificationEvent, NotificationText, PushPayload } from '../server/contract/push.ts';
import type { SwClientMessage } from '../server/contract/sw-messages.ts';
import { addEntry } from '../worker/outbox.ts';
import { keepSubscription, pushMeta } from '../worker/push.ts';
import { type DeviceStorage, getMeta } from '../worker/storage/storage.ts';

export type PushPorts = {
  scope: Pick<ServiceWorkerGlobalScope, 'registration' | 'clients' | 'location' | 'navigator'>;
  storage: DeviceStorage;
  now: () => number;
  newId: () => string;
  /** Sends what was kept, and asks the browser to come again for what stays. */
  drain: () => Promise<unknown>;
};

type Shown = PushPayload['notification'];
/** What a notification carries to its click. */
type Data = { id: string | null; path: string; count: number };
type More = NotificationOptions & { actions?: { action: string; title: string }[]; renotify?: boolean };
type Badges = { setAppBadge?: (count: number) => Promise<void>; clearAppBadge?: () => Promise<void> };

/** A push that nobody can read is shown all the same: browsers take the subscription of who shows nothing. */
const UNREADABLE: Shown = {
  title: 'Muster',
  body: 'There is something new for you.',
  navigate: '/',
  tag: 'something',
  lang: 'en',
  actions: [],
  data: { id: '', kind: 'announcement', path: '/' },
};

function read(data: PushMessageData | null): Shown {
  try {
    const { notification } = (data as PushMessageData).json() as PushPayload;
    const isWhole = [notification.title, notification.data.path, notification.data.id].every(
      (text) => typeof text === 'string',
    );
    return isWhole ? { ...UNREADABLE, ...notification } : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

/** Its own words, read under the session; null when they are not to be had in time, or are for another member. */
async function textOf(id: string): Promise<NotificationText | null> {
  if (id === '') return null;
  try {
    const signal = AbortSignal.timeout(NOTIFICATION_TEXT_WITHIN_MS);
    const answer = await fetch(`/api/pwa/notifications/${id}`, { credentials: 'include', cache: 'no-store', signal });
    return answer.ok ? ((await answer.json()) as NotificationText) : null;
  } catch {
    return null;
  }
}

/** The icon of the installed app carries how many notifications are to be seen. */
async function badge({ scope }: PushPorts): Promise<void> {
  const badges: Badges = scope.navigator;
  const { length } = await scope.registration.getNotifications();
  await (length > 0 ? badges.setAppBadge?.(length) : badges.clearAppBadge?.());
}

/** Reports through the outbox: under the session of the member of now, or not at all. Never fails its event. */
async function report(ports: PushPorts, id: string | null, label: string, event: NotificationEvent): Promise<void> {
  try {
    const userId = await ports.storage.run(['meta'], (tx) => getMeta(tx, 'member'));
    if (!id || userId === null) return;
    const path = `/api/pwa/notifications/${id}/events`;
    const body = { event, at: new Date(ports.now()).toISOString() };
    const entry = { userId, lane: `notification:${id}`, method: 'POST', path, body, label } as const;
    await addEntry(ports, { ...entry, subject: `notification:${id}` });
    await ports.drain();
  } catch {
    // What was shown stays shown; the figure is one short.
  }
}

/** A push: something is shown, whatever it holds and whatever fails. */
export async function onPush(ports: PushPorts, data: PushMessageData | null): Promise<void> {
  const { registration } = ports.scope;
  const pushed = read(data);
  const { id } = pushed.data;
  const text = await textOf(id);
  const { title, body } = text ?? pushed;
  const [before] = await registration.getNotifications({ tag: pushed.tag }).catch(() => []);
  const count = ((before?.data as Data | undefined)?.count ?? 0) + 1;
  const options: More = {
    body: count > 1 ? `${body} (${count})` : body,
    tag: pushed.tag,
    lang: pushed.lang,
    renotify: true,
    icon: '/icons/icon-192.png',
    badge: '/icons/icon-maskable-192.png',
    actions: pushed.actions.map(({ action, title }) => ({ action, title })),
    data: { id, path: pushed.data.path, count } satisfies Data,
  };
  await registration.showNotification(title, options).catch(() => registration.showNotification(title, { body }));
  await badge(ports).catch(() => undefined);
  await report(ports, id, title, 'shown');
}

/** Brings the screen in front: in a window that is open, else in a new one. */
async function open({ scope: { clients, location } }: PushPorts, path: string): Promise<void> {
  const url = new URL(path, location.origin);
  // Only ever a screen of this app.
  const { href } = url.origin === location.origin ? url : location;
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const seen = windows.find((one) => one.url === href) ?? windows.find(({ focused }) => focused) ?? windows[0];
  const front = await seen?.focus().catch(() => undefined);
  if (!front) await clients.openWindow(href);
  else if (front.url !== href) front.postMessage({ type: 'OPEN', path } satisfies SwClientMessage);
}

/** A press on a notification or on one of its actions. */
export async function onClick(ports: PushPorts, { notification, action }: NotificationEventLike): Promise<void> {
  const { id, path } = (notification.data ?? { id: null, path: '/' }) as Data;
  notification.close();
  const event = action === 'done' ? 'done' : action === 'snooze' ? 'snoozed' : 'clicked';
  // First the window: the browser lets one be opened for a moment only.
  if (event === 'clicked') await open(ports, path).catch(() => undefined);
  await badge(ports).catch(() => undefined);
  await report(ports, id, notification.title, event);
}
type NotificationEventLike = Pick<NotificationEventInit, 'action'> & { notification: Notification };

export async function onClose(ports: PushPorts, notification: Notification): Promise<void> {
  await badge(ports).catch(() => undefined);
  await report(ports, (notification.data as Data | null)?.id ?? null, notification.title, 'dismissed');
}

/**
 * The browser, or its push service, ended the subscription: makes another one for who wanted it and keeps it to be saved.
 * Where that fails now, the next page of that member does it.
 */
export async function onSubscriptionChange(ports: PushPorts, given: PushSubscription | null): Promise<void> {
  const push = await pushMeta(ports.storage);
  const member = await ports.storage.run(['meta'], (tx) => getMeta(tx, 'member'));
  if (!push || push.userId !== member) return;
  const answer = await fetch('/api/vapid-public-key', { cache: 'no-store' });
  const { publicKey } = (await answer.json()) as { publicKey: string };
  const { pushManager } = ports.scope.registration;
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const subscription = given ?? (await pushManager.subscribe(options));
  const json = subscription.toJSON() as Parameters<typeof keepSubscription>[1]['subscription'];
  await keepSubscription(ports, { userId: member, subscription: json, publicKey, label: 'Notifications' });
  await ports.drain();
}
