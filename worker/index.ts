import { expose } from 'comlink';
import { DEVICE_CHANNEL } from '../server/contract/sw-messages.ts';
import { createDevice } from './device.ts';
import { strongRandom } from './ids.ts';
import { drainLock } from './lock.ts';
import { sendOverNetwork } from './send.ts';
import { dexieStorage } from './storage/dexie.ts';
import { memoryStorage } from './storage/memory.ts';

/** A browser that gives no database refuses at once or hangs; the page must not wait for either. */
const OPEN_WITHIN_MS = 3_000;
/** A timer that fires at once again and again would be a loop over a storage that cannot write. */
const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 60 * 60_000;

const late = new Promise<never>((_resolve, reject) => {
  setTimeout(() => reject(new Error('IndexedDB did not open')), OPEN_WITHIN_MS);
});
const channel = new BroadcastChannel(DEVICE_CHANNEL);
let timer: ReturnType<typeof setTimeout> | undefined;

const device = createDevice({
  storage: Promise.race([dexieStorage(), late]).catch(memoryStorage),
  send: sendOverNetwork,
  now: Date.now,
  random: strongRandom,
  lock: drainLock,
  tell: (event) => channel.postMessage(event),
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
