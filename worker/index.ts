import { expose } from 'comlink';
import { DEVICE_CHANNEL } from '../server/contract/sw-messages.ts';
import { createDevice } from './device.ts';
import { strongRandom } from './ids.ts';
import { drainLock } from './lock.ts';
import type { DeviceEvent } from './schema.ts';
import { sendOverNetwork } from './send.ts';
import { dexieStorage } from './storage/dexie.ts';
import { steadyStorage } from './storage/steady.ts';

/** A timer that fires at once again and again would be a loop over a storage that cannot write. */
const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 60 * 60_000;

const channel = new BroadcastChannel(DEVICE_CHANNEL);
const tell = (event: DeviceEvent) => channel.postMessage(event);
let timer: ReturnType<typeof setTimeout> | undefined;

const device = createDevice({
  storage: steadyStorage({ open: dexieStorage, now: Date.now, changed: () => tell({ type: 'STORAGE_CHANGED' }) }),
  send: sendOverNetwork,
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

if ('onconnect' in self) {
  self.addEventListener('connect', (event) => {
    const [port] = (event as MessageEvent).ports;
    if (port) expose(device, port);
  });
} else {
  expose(device);
}
