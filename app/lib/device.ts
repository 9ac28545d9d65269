import { type Remote, wrap } from 'comlink';
import { useSyncExternalStore } from 'react';
import { DEVICE_CHANNEL } from '../../server/contract/sw-messages.ts';
import type { DeviceApi, DrainReport } from '../../worker/api.ts';
import workerUrl from '../../worker/index.ts?worker&url';
import type { DeviceEvent, NewOutboxEntry, OutboxEntry } from '../../worker/schema.ts';
import { trustedScriptUrl } from './trusted-types.ts';

export type { OutboxEntry } from '../../worker/schema.ts';

/** One worker for all tabs where the browser has shared workers, otherwise one for this tab. */
function connect(): Remote<DeviceApi> {
  const url = trustedScriptUrl(workerUrl);
  const options: WorkerOptions = { type: 'module', name: 'muster-device' };
  if ('SharedWorker' in globalThis) return wrap<DeviceApi>(new SharedWorker(url, options).port);
  return wrap<DeviceApi>(new Worker(url, options));
}
export const device: Remote<DeviceApi> = connect();

let member: string | null = null;
const channel = new BroadcastChannel(DEVICE_CHANNEL);
const listeners = new Set<(event: DeviceEvent) => void>();
channel.addEventListener('message', ({ data }: MessageEvent<DeviceEvent>) => {
  for (const listener of listeners) listener(data);
});

/** Hears what the rooms of this device tell each other. Answers the function that ends it. */
export function onDeviceEvent(listener: (event: DeviceEvent) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Called after the server acknowledged an action, in every tab: the time to read afresh what it changed. */
export function onDelivered(
  listener: (delivery: { entry: OutboxEntry; status: number; answer: unknown }) => void,
): () => void {
  return onDeviceEvent((event) => event.type === 'DELIVERED' && listener(event));
}

/**
 * Keeps a member's action on the device, then sends it. Resolves with its id once it is durable.
 * @throws when nobody is signed in, or the device has no room left.
 */
export async function enqueue(entry: Omit<NewOutboxEntry, 'userId'>): Promise<string> {
  if (member === null) throw new Error('Sign in before you do this.');
  return device.enqueue({ ...entry, userId: member });
}
export const retryEntry = (id: string): Promise<void> => device.retry(id);
export const discardEntry = (id: string): Promise<boolean> => device.discard(id);
export const drainNow = (): Promise<DrainReport> => device.drain({ hurry: true });

/** Says who is signed in, as the server answered. */
export async function setMember(userId: string | null): Promise<void> {
  member = userId;
  await device.setMember(userId);
}

const none: OutboxEntry[] = [];
function subscribe(_changed: () => void): () => void {
  return () => undefined;
}
/** Unsent actions of the member signed in, oldest first. */
export function useOutbox(): OutboxEntry[] {
  return useSyncExternalStore(subscribe, () => none);
}
