import type { DeviceApi } from './api.ts';
import { createDevice } from './device.ts';
import { strongRandom } from './ids.ts';
import { impatient } from './impatience.ts';
import { drainLock } from './lock.ts';
import type { DeviceEvent } from './schema.ts';
import { sendOverNetwork } from './send.ts';
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
  const tell = (event: DeviceEvent) => channel.postMessage(event);
  const { send, giveUp } = impatient(sendOverNetwork, tell);
  channel.addEventListener('message', ({ data }: MessageEvent<DeviceEvent>) => data.type === 'REACHABLE' && giveUp());
  let timer: ReturnType<typeof setTimeout> | undefined;
  return createDevice({
    storage: resilientStorage({ open, now: Date.now, changed: () => tell({ type: 'STORAGE_CHANGED' }) }),
    send,
    now: Date.now,
    random: strongRandom,
    lock: drainLock,
    tell,
    wakeAt(time, wake) {
      clearTimeout(timer);
      if (time === null) return;
      timer = setTimeout(wake, Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, time - Date.now())));
    },
  });
}
