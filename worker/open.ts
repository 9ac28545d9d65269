import type { DeviceApi } from './api.ts';
import { createDevice } from './device.ts';
import { strongRandom } from './ids.ts';
import { drainLock } from './lock.ts';
import type { DeviceEvent } from './schema.ts';
import { impatient, sendOverNetwork } from './send.ts';
import { resilientStorage } from './storage/resilient.ts';
import type { DeviceStorage } from './storage/storage.ts';

/** A timer that fires at once again and again would be a loop over a storage that cannot write. */
const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 60 * 60_000;

/** Messages between the device's work and the pages. */
export type DeviceChannel = {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
};

/** The device's work over this browser's network, clock and locks, wherever it runs. */
export function openDevice(open: () => Promise<DeviceStorage>, channel: DeviceChannel): DeviceApi {
  const broadcast = (event: DeviceEvent) => channel.postMessage(event);
  const { send, giveUp } = impatient(sendOverNetwork, broadcast);
  channel.addEventListener('message', ({ data }: MessageEvent<DeviceEvent>) => data.type === 'REACHABLE' && giveUp());
  let timer: ReturnType<typeof setTimeout> | undefined;
  return createDevice({
    storage: resilientStorage({ open, now: Date.now, changed: () => broadcast({ type: 'STORAGE_CHANGED' }) }),
    send,
    now: Date.now,
    random: strongRandom,
    lock: drainLock,
    broadcast,
    wakeAt(time, wake) {
      clearTimeout(timer);
      if (time === null) return;
      timer = setTimeout(wake, Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, time - Date.now())));
    },
  });
}

/** Result of a call. `late`: the call was picked up after its time, so nothing was done. */
export type Answered = { answer: unknown } | 'late';

/** What a room that does the device's work offers a page: the worker, or the page itself where no worker answers. */
export type Served = {
  /** Answers from the event loop alone: no store, no network. */
  isThere(): Promise<true>;
  /**
   * Makes one call if it is picked up by `until` (epoch milliseconds): after that its page has called another worker.
   * @throws what the call throws
   */
  call(name: keyof DeviceApi, args: unknown[], until: number): Promise<Answered>;
  /** Another worker has taken over: this one ends. */
  retire(): Promise<void>;
};

/** @param end ends the room */
export const serve = (device: DeviceApi, end: () => void): Served => ({
  isThere: async () => true,
  async call(name, args, until) {
    if (Date.now() > until) return 'late';
    return { answer: await (device[name] as (...args: unknown[]) => Promise<unknown>)(...args) };
  },
  retire: async () => end(),
});
