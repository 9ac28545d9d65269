import { replaceEqualDeep } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { HEALTH_POLL_EVERY_MS } from '../../server/contract/limits.ts';
import { DEVICE_CHANNEL, type SwBroadcast } from '../../server/contract/sw-messages.ts';
import type { DrainReport } from '../../worker/api.ts';
import { newId } from '../../worker/ids.ts';
import { isOwnResponse } from '../../worker/own-response.ts';
import type { DeviceEvent, NewOutboxEntry, OutboxEntry, StorageState } from '../../worker/schema.ts';
import { openChannel } from './browser.ts';
import { checkAlive, device, onMove } from './device-line.ts';
import { callServiceWorker } from './service-worker.ts';

export type { OutboxEntry, StorageState } from '../../worker/schema.ts';

export { device } from './device-line.ts';

/** This page's member. An action belongs to the member who saw the screen, whatever another tab does. */
let member: string | null = null;
let noteMember = () => {};
/** Resolves when this page has learnt who is signed in, if anyone. */
const memberNoted = new Promise<void>((done) => {
  noteMember = done;
});
/** A painted button can be pressed before that. */
const NOTED_WITHIN_MS = 10_000;
const channel = openChannel(DEVICE_CHANNEL);
const listeners = new Set<(event: DeviceEvent | SwBroadcast) => void>();
channel.addEventListener('message', ({ data }: MessageEvent<DeviceEvent | SwBroadcast>) => {
  for (const listener of listeners) listener(data);
});

/** Listens to this device's other rooms. Answers the function that ends it. */
export function onDeviceEvent(listener: (event: DeviceEvent | SwBroadcast) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** A command that the server acknowledged. */
export type Delivery = Omit<Extract<DeviceEvent, { type: 'DELIVERED' }>, 'type'>;

const deliveryListeners = new Set<(deliveries: readonly Delivery[]) => void>();
let pendingDeliveries: Delivery[] = [];
function announceDeliveries(): void {
  if (pendingDeliveries.length === 0) return;
  const deliveries = pendingDeliveries;
  pendingDeliveries = [];
  for (const listener of deliveryListeners) listener(deliveries);
}

/** A drain changes much many times a second. People need it less often, and each drawing costs the device. */
const CHANGES_SHOWN_EVERY_MS = 250;
/** Runs `work` at once, and further calls within the next moment together, once at its end. */
function throttled(work: () => void): () => void {
  let isPausing = false;
  let isRequested = false;
  return function ask() {
    isRequested = true;
    if (isPausing) return;
    isRequested = false;
    isPausing = true;
    work();
    setTimeout(() => {
      isPausing = false;
      if (isRequested) ask();
    }, CHANGES_SHOWN_EVERY_MS);
  };
}

const announceDeliveriesRarely = throttled(announceDeliveries);
onDeviceEvent((event) => {
  // A command that was acknowledged after its member left does not concern the next member.
  if (event.type !== 'DELIVERED' || (member !== null && event.entry.userId !== member)) return;
  pendingDeliveries.push(event);
  announceDeliveriesRarely();
});
// Listeners store some of these: a closing page has no later moment for that.
addEventListener('pagehide', announceDeliveries);

/**
 * Calls back in every tab after the server acknowledged commands, to refetch what they changed. The first is reported
 * at once, those of the next moment together.
 */
export function onDeliveries(listener: (deliveries: readonly Delivery[]) => void): () => void {
  deliveryListeners.add(listener);
  return () => void deliveryListeners.delete(listener);
}
/** As `onDeliveries`, one at a time. */
export const onDelivered = (listener: (delivery: Delivery) => void): (() => void) =>
  onDeliveries((deliveries) => {
    for (const delivery of deliveries) listener(delivery);
  });

/**
 * Stores a member's command on the device, then sends it. Resolves with its id once it is durable.
 * @throws when nobody is signed in, or the device has no room left.
 */
export async function enqueue(entry: Omit<NewOutboxEntry, 'id' | 'userId'>): Promise<string> {
  if (member === null) await Promise.race([memberNoted, new Promise((done) => setTimeout(done, NOTED_WITHIN_MS))]);
  if (member === null) throw new Error('Sign in before you do this.');
  const id = newId();
  await device.enqueue({ ...entry, id, userId: member });
  // The member's own command appears at once, even while a drain changes much.
  void readOutbox();
  // The service worker asks the browser to wake it in case this page is gone before the network is back.
  const ask = () => void callServiceWorker({ type: 'DRAIN' }).catch(() => undefined);
  if (!entry.holdMs) ask();
  else {
    // The room that holds it may be gone by then.
    setTimeout(() => [ask(), void device.drain().catch(() => undefined)], entry.holdMs);
    // Memory alone does not hold entries back.
    await readStorage();
  }
  return id;
}
export const retryEntry = (id: string): Promise<void> => device.retry(id);
/**
 * Replaces a refused entry's body and sends it under a new id, in its old position in the lane. Answers false when the
 * entry is no longer refused.
 */
export const editEntry = (id: string, body: unknown): Promise<boolean> => device.edit(id, body, newId());
/** Removes commands that have not been sent, all at once, and answers them. */
export async function undoEntries(ids: readonly string[]): Promise<OutboxEntry[]> {
  // Read first: the room that removes them may die before it answers.
  const unsent = member === null ? none : await unsentOf(member);
  const undone = await device.undo(ids);
  return unsent.filter(({ id }) => undone.includes(id));
}
export const discardEntry = (id: string): Promise<void> => device.discard(id);
/** Sends everything now, including entries that can still be undone. */
export const drainNow = (): Promise<DrainReport> => device.drain({ hurry: true, held: true });

/** Records who is signed in, by the server's answer. @throws when the device cannot store it. */
export async function setMember(userId: string | null): Promise<void> {
  const isNews = member !== userId;
  member = userId;
  noteMember();
  pendingDeliveries = pendingDeliveries.filter(({ entry }) => entry.userId === userId);
  if (isNews) {
    // The previous member's entries leave the screen at once, however long reading the new member's takes.
    show(none);
    void readOutbox();
  }
  await device.setMember(userId);
}

/** The member's commands that this device still holds, oldest first. @throws when they cannot be read. */
export const unsentOf = (userId: string): Promise<OutboxEntry[]> => device.outbox(userId);

/**
 * Sends waiting entries at every good chance: now, when the network returns, when the page is shown again, and when a
 * server that was down answers again. Call once, when the page starts.
 */
export function drainWhenPossible(): void {
  const hurry = () => void device.drain({ hurry: true }).catch(() => undefined);
  addEventListener('online', hurry);
  // A new page sends anyway. A page from the back-forward cache may have lost its worker.
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
 * Next to the routes of waiting commands, so a gateway treats both alike. HEAD bypasses the service worker: aborting
 * the probe frees its connection, and no cached copy can answer.
 */
const PROBE = '/api/health';
const PROBE_EVERY_MS = 500;
/** After this many answered probes in a row without a delivery, the server counts as refusing. */
const TAKEN_FOR_CHANCE = 8;
const PROBE_WITHIN_MS = 1_500;
let probing = false;
/** Probes in a row that were answered while waiting entries were not. */
let fruitless = 0;

/** Pause before the next probe, ms: it doubles after a few fruitless ones. */
export function probeAfter(fruitless: number, isSeen: boolean): number {
  const every = isSeen ? PROBE_EVERY_MS : HEALTH_POLL_EVERY_MS;
  return Math.min(every * 2 ** Math.max(0, fruitless - TAKEN_FOR_CHANCE), HEALTH_POLL_EVERY_MS);
}

/**
 * Probes until the server answers, then sends the waiting entries. A connection that returns beyond this device's own
 * link raises no event, nor does a restarted server. A server that refuses is given time.
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
/** Resolves with the first answer. A hanging probe does not delay the next one. */
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

/** Reads the outbox again. Of two concurrent reads the later one wins. */
async function readOutbox(): Promise<void> {
  reading += 1;
  const own = reading;
  const read = member === null ? none : await unsentOf(member).catch(() => entries);
  if (own !== reading) return;
  // Deliveries are announced before their entries leave the outbox, so no card falls back to open.
  announceDeliveries();
  // Unchanged entries keep their identity, so a list redraws only what changed.
  show(read.length === 0 ? none : replaceEqualDeep(entries, read));
}
function show(next: OutboxEntry[]): void {
  entries = next;
  watchRoom();
  for (const view of views) view();
}

/** While entries wait to be sent, their worker is watched: no event tells that it died. */
const LOOKED_AFTER_EVERY_MS = 2_000;
let isLookedAfter = false;
function watchRoom(): void {
  if (isLookedAfter || entries.every(({ state }) => state === 'refused')) return;
  isLookedAfter = true;
  setTimeout(async () => {
    if (document.visibilityState === 'visible' && navigator.onLine) await checkAlive();
    isLookedAfter = false;
    watchRoom();
  }, LOOKED_AFTER_EVERY_MS);
}
// A new room has no state: it sends the entries that the previous one had begun, and reports its storage.
onMove(() => {
  if (member !== null) void device.setMember(member).catch(() => undefined);
  void readOutbox();
  void readStorage();
});

const readOutboxNowAndThen = throttled(() => void readOutbox());
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

export function useOutbox(): OutboxEntry[] {
  return useSyncExternalStore(onOutbox, outboxNow, outboxNow);
}

let storage = { kind: 'durable' } as StorageState;
const storageViews = new Set<() => void>();

/** Reads the state of storage again when a worker reports a change, or another takes over. */
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

/** Whether a command can wait for an undo: not where nothing outlives the page. */
export const holdsCommands = (): boolean => storage.kind === 'durable';

/** How the member's commands are stored: `durable` until the device says otherwise. */
export function useStorageState(): StorageState {
  return useSyncExternalStore(
    subscribeStorage,
    () => storage,
    () => storage,
  );
}
