import { DEVICE_CHANNEL, SHARED, SHARED_MOST, type SwBroadcast } from '../server/contract/sw-messages.ts';
import { appendLog } from '../worker/client-logs.ts';
import { captureWorkerErrors } from '../worker/describe.ts';
import { drain } from '../worker/drain.ts';
import { newId, strongRandom } from '../worker/ids.ts';
import { drainLock } from '../worker/lock.ts';
import { releaseEntries } from '../worker/outbox.ts';
import type { DeviceEvent } from '../worker/schema.ts';
import type { DrainPorts } from '../worker/send.ts';
import { impatient, sendOverNetwork } from '../worker/send.ts';
import { createReads, makeRoomWhenFull } from './caching.ts';
import { changesSession, createMembers, throughSession } from './member.ts';
import { type Answers, answer } from './messages.ts';
import {
  activate,
  answersFor,
  createBuildWatch,
  createHashedFiles,
  fromShell,
  installRest,
  installShell,
  isHashed,
  SHELL_PREFIX,
  type Shell,
} from './precache.ts';
import { onClick, onClose, onPush, onSubscriptionChange, type PushPorts } from './push.ts';
import { createReplay, showLeft } from './replay.ts';
import { idbStorage } from './storage.ts';

declare const self: ServiceWorkerGlobalScope;
declare const __BUILD__: string;
declare const __SHELL__: string;
declare const __SHELL_FILES__: string[];
declare const __SHELL_REST__: string;

const shell: Shell = {
  name: `${SHELL_PREFIX}${__SHELL__}`,
  build: __BUILD__,
  files: __SHELL_FILES__,
  rest: __SHELL_REST__,
};
const storage = idbStorage();
const members = createMembers(storage);
const channel = new BroadcastChannel(DEVICE_CHANNEL);
const broadcast = (message: SwBroadcast | DeviceEvent) => channel.postMessage(message);
const noteBuild = createBuildWatch(__BUILD__, () => self.registration.update());
const { send, giveUp } = impatient(sendOverNetwork, broadcast);
const ports: DrainPorts = {
  storage,
  send,
  now: Date.now,
  random: strongRandom,
  lock: drainLock,
  broadcast,
};
const { drainAndRegister } = createReplay(ports, self.registration);
const hashedFiles = createHashedFiles(shell);
makeRoomWhenFull();

const read = createReads({
  members,
  now: Date.now,
  broadcast,
  onAnswer: noteBuild,
  wait: (ms, signal) =>
    new Promise((done) => {
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', () => clearTimeout(timer));
    }),
});

const answers: Answers = {
  async SKIP_WAITING() {
    await self.skipWaiting();
    return undefined;
  },
  BUILD: async () => ({ build: __BUILD__ }),
  async CLAIM() {
    await self.clients.claim();
    return undefined;
  },
  async PURGE_PRIVATE() {
    await members.become(null);
    await members.purge();
    return undefined;
  },
  async PURGE_ALL() {
    await members.purge();
    for (const name of await caches.keys()) await caches.delete(name);
    return undefined;
  },
  async KEEP_REST() {
    await installRest(shell);
    return undefined;
  },
  async DRAIN({ held }) {
    if (held) await releaseEntries(storage, held);
    await drainAndRegister();
    await showLeft(storage);
    return undefined;
  },
};

/** The shell's copy, or the network. A shell whose cache was cleared is fetched again behind the page. */
async function shellFile(event: FetchEvent): Promise<Response> {
  if (isHashed(new URL(event.request.url).pathname)) return hashedFile(event);
  const isVisitor = async () => (await members.current()) === null;
  const stored = await fromShell(event.request, shell, isVisitor).catch(() => undefined);
  if (stored) return stored;
  if (event.request.mode === 'navigate') event.waitUntil(installShell(shell).catch(() => undefined));
  return fetch(event.request);
}

/** When the browser's caches are broken, only the network answers. */
async function hashedFile(event: FetchEvent): Promise<Response> {
  const [response, isOver] = hashedFiles.handleAll(event);
  isOver.catch(() => undefined);
  return response.catch(() => fetch(event.request));
}

/** Asked for in parts, played while it loads, or without an end: the browser and the server settle that between themselves. */
const isStream = ({ headers, destination }: Request) =>
  headers.has('range') ||
  headers.get('accept') === 'text/event-stream' ||
  destination === 'audio' ||
  destination === 'video';

/**
 * Whether another site's page posted the form: its referrer says so, or Fetch Metadata where the browser exposes it
 * here. The system's share sheet sends neither.
 */
function isForeign({ referrer, headers }: Request): boolean {
  if (['cross-site', 'same-site'].includes(headers.get('sec-fetch-site') ?? '')) return true;
  return referrer.startsWith('http') && !referrer.startsWith(`${self.location.origin}/`);
}

/**
 * Lays down the form of the system's share sheet as it is, beside what waits, for the page that opens to read. Tells the page why
 * where it does not: `lost` where there is no room, or where another site sent it.
 */
async function takeShared(request: Request): Promise<Response> {
  let why = isForeign(request) ? '?lost=foreign' : '';
  if (!why) await layDown(request).catch(() => (why = '?lost=1'));
  return Response.redirect(request.url + why, 303);
}

async function layDown(request: Request): Promise<void> {
  const cache = await caches.open(SHARED);
  if ((await cache.keys()).length >= SHARED_MOST) throw new Error('Too much waits here already.');
  await cache.put(`${SHARED}?${newId()}`, new Response(request.body, request as ResponseInit));
}

/** Stored where the page's own log entries are, and sent with them. */
async function logError(data: Record<string, unknown>): Promise<void> {
  const isNew = await appendLog({ ...ports, newId }, 'error', data);
  if (isNew) await drain(ports);
}
captureWorkerErrors(self, 'service-worker', __BUILD__, (data) => void logError(data).catch(() => undefined));
channel.addEventListener('message', ({ data }: MessageEvent<DeviceEvent>) => data.type === 'REACHABLE' && giveUp());
self.addEventListener('install', (event) => event.waitUntil(installShell(shell)));
self.addEventListener('activate', (event) => event.waitUntil(activate(self, storage, shell)));
self.addEventListener('message', (event) => event.waitUntil(answer(event, answers)));
const push: PushPorts = {
  scope: self,
  storage,
  now: Date.now,
  newId,
  drain: drainAndRegister,
};
self.addEventListener('push', (event) => {
  const { notification } = event as PushEvent & { notification?: Notification | null };
  event.waitUntil(onPush(push, event.data, notification));
});
self.addEventListener('notificationclick', (event) => event.waitUntil(onClick(push, event.notification, event.action)));
self.addEventListener('notificationclose', (event) => event.waitUntil(onClose(push, event.notification)));
self.addEventListener('pushsubscriptionchange' as 'activate', (event) => {
  const { newSubscription } = event as ExtendableEvent & { newSubscription?: PushSubscription | null };
  event.waitUntil(onSubscriptionChange(push, newSubscription));
});
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin || isStream(request)) return;
  if (changesSession(request)) return event.respondWith(throughSession(request, members, broadcast));
  if (request.method === 'POST' && url.pathname === SHARED) return event.respondWith(takeShared(request));
  if (request.method !== 'GET') return;
  if (!url.pathname.startsWith('/api/')) {
    if (answersFor(request, shell)) event.respondWith(shellFile(event));
  } else if (request.mode !== 'navigate') {
    event.respondWith(read(event));
  }
});
