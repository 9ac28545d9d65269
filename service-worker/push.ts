import { NOTIFICATION_TEXT_WITHIN_MS } from '../server/contract/limits.ts';
import type {
  NotificationEvent,
  NotificationText,
  PushPayload,
  PushSubscriptionJson,
} from '../server/contract/push.ts';
import type { SwClientMessage } from '../server/contract/sw-messages.ts';
import { appendEntry, reportSubject } from '../worker/outbox.ts';
import { isOwnResponse } from '../worker/own-response.ts';
import { storeSubscription } from '../worker/push.ts';
import { type DeviceStorage, getMeta } from '../worker/storage/storage.ts';

export type PushPorts = {
  scope: Pick<ServiceWorkerGlobalScope, 'registration' | 'clients' | 'location' | 'navigator'>;
  storage: DeviceStorage;
  now: () => number;
  newId: () => string;
  /** Sends what is due, and registers a background sync for the rest. */
  drain: () => Promise<unknown>;
};

type Shown = Partial<PushPayload['notification']>;
/** What a notification carries to its click; nothing where its push could not be read. */
type Data = { id?: string; path?: string; count?: number };
type Badges = { setAppBadge?: (count: number) => Promise<void> };

/** What a browser that reads the declarative form itself would show: it gives no data then. */
type Proposed = Pick<Notification, 'title' | 'body' | 'tag' | 'lang' | 'data'> & { navigate?: string };

function read(data: PushMessageData | null, proposed?: Proposed | null): Shown {
  if (!data && proposed) {
    const { title, body, tag, lang, navigate = '', data: about } = proposed;
    return { title, body, tag, lang, navigate, data: about ?? undefined };
  }
  try {
    return (data as PushMessageData).json().notification ?? {};
  } catch {
    return {};
  }
}

/** JSON of the server's, or nothing when it is not to be had in time. */
async function get<T>(path: string): Promise<Partial<T>> {
  try {
    const signal = AbortSignal.timeout(NOTIFICATION_TEXT_WITHIN_MS);
    const answer = await fetch(path, { cache: 'no-store', signal });
    return answer.ok && (await isOwnResponse(answer)) ? await answer.json() : {};
  } catch {
    return {};
  }
}
const PATH = '/api/pwa/notifications/';

const memberOf = ({ storage }: PushPorts) => storage.run(['meta'], (tx) => getMeta(tx, 'member'));

/**
 * Sets the installed app's badge to the number of visible notifications and reports the event through the outbox, under
 * the signed-in member's session; without one nothing is reported. Never rejects.
 */
async function note(ports: PushPorts, label: string, id: string | undefined, event: NotificationEvent): Promise<void> {
  const { navigator, registration } = ports.scope;
  try {
    const seen = await registration.getNotifications();
    await (navigator as Badges).setAppBadge?.(seen.length).catch(() => undefined);
    const userId = await memberOf(ports);
    if (!id || userId === null) return;
    const subject = reportSubject(id);
    const at = ports.now();
    const report = {
      id: ports.newId(),
      userId,
      lane: subject,
      method: 'POST',
      path: `${PATH}${id}/events`,
      body: { event, at: new Date(at).toISOString() },
      label,
      subject,
      createdAt: at,
    } as const;
    await ports.storage.run(['outbox', 'meta'], (tx) => appendEntry(tx, report));
    await ports.drain();
  } catch {
    // What was shown stays shown; the figure is one short.
  }
}

/** A push: something is shown, whatever it holds and whatever fails, for browsers take the subscription of who shows nothing. */
export async function onPush(
  ports: PushPorts,
  data: PushMessageData | null,
  proposed?: Proposed | null,
): Promise<void> {
  const { registration } = ports.scope;
  const { data: about, tag = 'something', ...pushed } = read(data, proposed);
  const { id, path } = about ?? {};
  // The text is read under the session, so it is empty when it belongs to another member.
  const own = id ? await get<NotificationText>(PATH + id) : {};
  const { title = 'Muster', body = 'There is something new for you.' } = { ...pushed, ...own };
  const [there] = await registration.getNotifications({ tag }).catch(() => []);
  const before = (there?.data ?? {}) as Data;
  // A sender that missed the acknowledgement sends the same push again.
  const isNew = id === undefined || before.id !== id;
  const count = (before.count ?? 0) + Number(isNew);
  const options = {
    ...pushed,
    body: count > 1 ? `${body} (${count})` : body,
    tag,
    renotify: isNew,
    icon: '/icons/icon-192.png',
    badge: '/icons/icon-maskable-192.png',
    data: { id, path, count },
  };
  await registration.showNotification(title, options).catch(() => registration.showNotification(title, { body }));
  await note(ports, title, id, 'shown');
}

/** Brings the screen in front: in a window that is open, else in a new one. Only ever a screen of this app. */
async function open({ scope: { clients, location } }: PushPorts, path: string): Promise<void> {
  const url = new URL(path, location.origin);
  const href = url.origin === location.origin ? url.href : '/';
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const seen = windows.find((one) => one.url === href) ?? windows.find((one) => one.focused) ?? windows[0];
  const front = await seen?.focus().catch(() => undefined);
  if (!front) await clients.openWindow(href);
  else if (front.url !== href) front.postMessage({ type: 'OPEN', path } satisfies SwClientMessage);
}

const EVENTS: Record<string, NotificationEvent> = { done: 'done', snooze: 'snoozed' };

/** A press on a notification or on one of its actions. */
export async function onClick(ports: PushPorts, notification: Notification, action: string): Promise<void> {
  const { id, path = '/' } = (notification.data ?? {}) as Data;
  const event = EVENTS[action] ?? 'clicked';
  notification.close();
  // First the window: the browser lets one be opened for a moment only.
  if (event === 'clicked') await open(ports, path).catch(() => undefined);
  await note(ports, notification.title, id, event);
}

export const onClose = (ports: PushPorts, { title, data }: Notification): Promise<void> =>
  note(ports, title, (data as Data | null)?.id, 'dismissed');

/**
 * The browser, or its push service, ended the subscription: makes another one for who wanted it and stores it to be saved on the server.
 * Where that fails now, the next page of that member does it.
 */
export async function onSubscriptionChange(ports: PushPorts, given?: PushSubscription | null): Promise<void> {
  const push = await ports.storage.run(['meta'], (tx) => getMeta(tx, 'push'));
  const userId = await memberOf(ports);
  if (userId === null || !push?.members.includes(userId)) return;
  // A subscription that the browser renewed has the previous key, whatever the server's key is now.
  const { publicKey = push.publicKey } = given ? push : await get<{ publicKey: string }>('/api/vapid-public-key');
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const made = given ?? (await ports.scope.registration.pushManager.subscribe(options));
  const subscription = made.toJSON() as PushSubscriptionJson;
  const saved = { id: ports.newId(), userId, subscription, publicKey, label: 'Notifications', ifWanted: true };
  // Turned off while it was being made.
  if (!(await storeSubscription(ports, saved))) return void (await made.unsubscribe());
  await ports.drain();
}
