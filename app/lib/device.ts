import { replaceEqualDeep } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { HEALTH_POLL_EVERY_MS } from '../../server/contract/limits.ts';
import { DEVICE_CHANNEL, type SwBroadcast } from '../../server/contract/sw-messages.ts';
import type { DrainReport } from '../../worker/api.ts';
import { newId } from '../../worker/ids.ts';
import { isOwnResponse } from '../../worker/own-response.ts';
import type { DeviceEvent, NewOutboxEntry, OutboxEntry, StorageState } from '../../worker/schema.ts';
import { openChannel } from './browser.ts';
import { device, look, onMove } from './device-line.ts';
import { callServiceWorker } from './service-worker.ts';

export type { OutboxEntry, StorageState } from '../../worker/schema.ts';

export { device } from './device-line.ts';

/** The member of this page, so that an action belongs to who saw the screen, whatever another tab does meanwhile. */
let member: string | null = null;
let noteMember = () => {};
/** Ends when this page has heard who is signed in, or that nobody is. */
const memberNoted = new Promise<void>((done) => {
  noteMember = done;
});
/** What is painted can be pressed before that. */
const NOTED_WITHIN_MS = 10_000;
const channel = openChannel(DEVICE_CHANNEL);
const listeners = new Set<(event: DeviceEvent | SwBroadcast) => void>();
channel.addEventListener('message', ({ data }: MessageEvent<DeviceEvent | SwBroadcast>) => {
  for (const listener of listeners) listener(data);
});

/** Hears what the rooms of this device tell each other. Answers the function that ends it. */
export function onDeviceEvent(listener: (event: DeviceEvent | SwBroadcast) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** What the server acknowledged. */
export type Delivery = Omit<Extract<DeviceEvent, { type: 'DELIVERED' }>, 'type'>;

const deliveryListeners = new Set<(deliveries: readonly Delivery[]) => void>();
let heard: Delivery[] = [];
function announceDeliveries(): void {
  if (heard.length === 0) return;
  const deliveries = heard;
  heard = [];
  for (const listener of deliveryListeners) listener(deliveries);
}

/** A drain changes much many times a second; the eye wants it less often, and each time costs the device a drawing. */
const CHANGES_SHOWN_EVERY_MS = 250;
/** Does `work` when it is asked for, and what is asked for within the next moment once, at its end. */
function nowAndThen(work: () => void): () => void {
  let isPausing = false;
  let isAsked = false;
  return function ask() {
    isAsked = true;
    if (isPausing) return;
    isAsked = false;
    isPausing = true;
    work();
    setTimeout(() => {
      isPausing = false;
      if (isAsked) ask();
    }, CHANGES_SHOWN_EVERY_MS);
  };
}

const announceDeliveriesRarely = nowAndThen(announceDeliveries);
onDeviceEvent((event) => {
  // An act that came through when its member had just left is no news for the next one.
  if (event.type !== 'DELIVERED' || (member !== null && event.entry.userId !== member)) return;
  heard.push(event);
  announceDeliveriesRarely();
});
// Who hears of it keeps some of it: a page that goes has no next moment.
addEventListener('pagehide', announceDeliveries);

/**
 * Called after the server acknowledged actions, in every tab: the time to read afresh what they changed.
 * The first is told at once, those of the next moment together.
 */
export function onDeliveries(listener: (deliveries: readonly Delivery[]) => void): () => void {
  deliveryListeners.add(listener);
  return () => void deliveryListeners.delete(listener);
}
/** The same, one by one. */
export const onDelivered = (listener: (delivery: Delivery) => void): (() => void) =>
  onDeliveries((deliveries) => {
    for (const delivery of deliveries) listener(delivery);
  });

/**
 * Keeps a member's action on the device, then sends it. Resolves with its id once it is durable.
 * @throws when nobody is signed in, or the device has no room left.
 */
export async function enqueue(entry: Omit<NewOutboxEntry, 'id' | 'userId'>): Promise<string> {
  if (member === null) await Promise.race([memberNoted, new Promise((done) => setTimeout(done, NOTED_WITHIN_MS))]);
  if (member === null) throw new Error('Sign in before you do this.');
  const id = newId();
  await device.enqueue({ ...entry, id, userId: member });
  // The member's own act is shown at once, also while a drain changes much.
  void readOutbox();
  // The service worker asks the browser to be woken should this page be gone before the network is back.
  const ask = () => void callServiceWorker({ type: 'DRAIN' }).catch(() => undefined);
  if (!entry.holdMs) ask();
  else {
    // Whoever holds it may be gone by then.
    setTimeout(() => [ask(), void device.drain().catch(() => undefined)], entry.holdMs);
    // It is not held where it was only kept in memory.
    await readStorage();
  }
  return id;
}
export const retryEntry = (id: string): Promise<void> => device.retry(id);
/**
 * Sends a refused entry again with another body, from its old place in the lane and under a new id. Answers false when the
 * entry is not refused (any more).
 */
export const editEntry = (id: string, body: unknown): Promise<boolean> => device.edit(id, body, newId());
/** Takes back acts that nobody has sent yet, all at once, and answers them. */
export async function undoEntries(ids: readonly string[]): Promise<OutboxEntry[]> {
  // Read first: whoever takes them back may be gone before it has said so.
  const unsent = member === null ? none : await unsentOf(member);
  const undone = await device.undo(ids);
  return unsent.filter(({ id }) => undone.includes(id));
}
export const discardEntry = (id: string): Promise<void> => device.discard(id);
/** Sends everything now, also what could still be undone. */
export const drainNow = (): Promise<DrainReport> => device.drain({ hurry: true, held: true });

/** Says who is signed in, as the server answered. @throws when the device cannot keep it. */
export async function setMember(userId: string | null): Promise<void> {
  const isNews = member !== userId;
  member = userId;
  noteMember();
  heard = heard.filter(({ entry }) => entry.userId === userId);
  if (isNews) {
    // What the one before did is off the screen at once, however long it takes to say what this one did.
    show(none);
    void readOutbox();
  }
  await device.setMember(userId);
}

/** What a member did that this device still has, oldest first. @throws when the device cannot say. */
export const unsentOf = (userId: string): Promise<OutboxEntry[]> => device.outbox(userId);

/**
 * Sends what waits whenever the chance is good: now, when the network is back, when the page is looked at again, and
 * when a server that did not answer does so again. Call once, at the start of the page.
 */
export function drainWhenPossible(): void {
  const hurry = () => void device.drain({ hurry: true }).catch(() => undefined);
  addEventListener('online', hurry);
  // A page that begins sends anyway; this one comes back as it was left, and whoever did its work may be gone.
  const resume = () => [hurry(), void readOutbox()];
  addEventListener('pageshow', ({ persisted }) => persisted && resume());
  document.addEventListener('resume', resume);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && hurry());
  onDeviceEvent(({ type }) => {
    if (type === 'NO_ANSWER') void probe(hurry);
    if (type === 'DELIVERED') fruitless = 0;
  });
  hurry();
}

/**
 * Beside what waits, so that a gateway answers for both alike. Asked with HEAD, which passes the service worker by: a probe
 * that is given up frees its connection, and is no read that could be answered from a copy.
 */
const PROBE = '/api/health';
const PROBE_EVERY_MS = 500;
/** So often in a row a probe may be answered while what waits is not, before that is called a refusal. */
const TAKEN_FOR_CHANCE = 8;
const PROBE_WITHIN_MS = 1_500;
let probing = false;
/** Probes in a row that were answered while what waits was not. */
let fruitless = 0;

/** Pause before the next probe, in milliseconds: after a few fruitless ones twice as long each time. */
export function probeAfter(fruitless: number, isSeen: boolean): number {
  const every = isSeen ? PROBE_EVERY_MS : HEALTH_POLL_EVERY_MS;
  return Math.min(every * 2 ** Math.max(0, fruitless - TAKEN_FOR_CHANCE), HEALTH_POLL_EVERY_MS);
}

/**
 * Asks for a sign of life until there is one, then sends what waits. A connection that comes back further away than this
 * device's own link raises no event, nor does a server that starts again. One that refuses is left its time.
 */
async function probe(hurry: () => void): Promise<void> {
  if (probing) return;
  probing = true;
  await firstAnswer();
  probing = false;
  fruitless += 1;
  channel.postMessage({ type: 'REACHABLE' } satisfies DeviceEvent);
  hurry();
}
/** Resolves with the first answer. A probe that hangs does not hold the next one. */
function firstAnswer(): Promise<void> {
  return new Promise((answered) => {
    let over = false;
    const next = () => {
      setTimeout(ask, probeAfter(fruitless, document.visibilityState === 'visible'));
    };
    const ask = () => {
      if (over) return;
      void isAnswered().then((is) => {
        over ||= is;
        if (is) answered();
        else fruitless = 0;
      });
      next();
    };
    next();
  });
}
/** Whether the server itself answers now. */
async function isAnswered(): Promise<boolean> {
  const answer = fetch(PROBE, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(PROBE_WITHIN_MS) });
  return answer.then(isOwnResponse).catch(() => false);
}

const none: OutboxEntry[] = [];
const views = new Set<() => void>();
let entries = none;
let reading = 0;

/** Reads the outbox again; of two readings under way, the one begun last is shown. */
async function readOutbox(): Promise<void> {
  reading += 1;
  const own = reading;
  const read = member === null ? none : await unsentOf(member).catch(() => entries);
  if (own !== reading) return;
  // What has left the outbox has come to its place first: no card falls back to open.
  announceDeliveries();
  // What has not changed stays the same object: a list of it draws what has.
  show(read.length === 0 ? none : replaceEqualDeep(entries, read));
}
function show(next: OutboxEntry[]): void {
  entries = next;
  lookAfter();
  for (const view of views) view();
}

/** While something waits and can go, whoever is to send it is looked after: nobody is told when they die. */
const LOOKED_AFTER_EVERY_MS = 2_000;
let isLookedAfter = false;
function lookAfter(): void {
  if (isLookedAfter || entries.every(({ state }) => state === 'refused')) return;
  isLookedAfter = true;
  setTimeout(async () => {
    if (document.visibilityState === 'visible' && navigator.onLine) await look();
    isLookedAfter = false;
    lookAfter();
  }, LOOKED_AFTER_EVERY_MS);
}
// Who takes over has been told nothing: it sends what the one before had begun, and says where it keeps things.
onMove(() => {
  if (member !== null) void device.setMember(member).catch(() => undefined);
  void readOutbox();
  void readStorage();
});

const readOutboxNowAndThen = nowAndThen(() => void readOutbox());
onDeviceEvent(({ type }) => {
  if (views.size > 0 && type === 'OUTBOX_CHANGED') readOutboxNowAndThen();
});

/** Calls back when the outbox of `outboxNow` has changed. Answers the function that ends it. */
export function onOutbox(changed: () => void): () => void {
  views.add(changed);
  if (views.size === 1) void readOutbox();
  return () => void views.delete(changed);
}
export const outboxNow = (): OutboxEntry[] => entries;

/** Unsent actions of the member signed in, oldest first. */
export function useOutbox(): OutboxEntry[] {
  return useSyncExternalStore(onOutbox, outboxNow, outboxNow);
}

let storage = { kind: 'durable' } as StorageState;
const storageViews = new Set<() => void>();

/** Where the device keeps things is asked afresh whenever a worker says that it has changed, or another takes over. */
async function readStorage(): Promise<void> {
  storage = await device.storageState().catch(() => {
    setTimeout(() => void readStorage(), LOOKED_AFTER_EVERY_MS);
    return { kind: 'memory', reason: 'silent' };
  });
  for (const view of storageViews) view();
}
onDeviceEvent(({ type }) => {
  if (storageViews.size > 0 && type === 'STORAGE_CHANGED') void readStorage();
});
function subscribeStorage(changed: () => void): () => void {
  storageViews.add(changed);
  if (storageViews.size === 1) void readStorage();
  return () => void storageViews.delete(changed);
}

/** Whether an act can wait to be undone: not where nothing outlives the page. */
export const holdsCommands = (): boolean => storage.kind === 'durable';

/** Where what the member does is kept: `durable` until the device says otherwise. */
export function useStorageState(): StorageState {
  return useSyncExternalStore(
    subscribeStorage,
    () => storage,
    () => storage,
  );
}
