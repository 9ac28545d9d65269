import { expose } from 'comlink';
import { DEVICE_CHANNEL } from '../server/contract/sw-messages.ts';
import { captureWorkerErrors } from './capture.ts';
import { createDevice } from './device.ts';
import { strongRandom } from './ids.ts';
import { impatient } from './impatience.ts';
import { drainLock } from './lock.ts';
import type { DeviceEvent } from './schema.ts';
import { sendOverNetwork } from './send.ts';
import { dexieStorage } from './storage/dexie.ts';
import { steadyStorage } from './storage/steady.ts';

declare const self: WorkerGlobalScope;
declare const __BUILD__: string;

/** A timer that fires at once again and again would be a loop over a storage that cannot write. */
const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 60 * 60_000;

const channel = new BroadcastChannel(DEVICE_CHANNEL);
const tell = (event: DeviceEvent) => channel.postMessage(event);
const { send, giveUp } = impatient(sendOverNetwork, tell);
let timer: ReturnType<typeof setTimeout> | undefined;

const device = createDevice({
  storage: steadyStorage({ open: dexieStorage, now: Date.now, changed: () => tell({ type: 'STORAGE_CHANGED' }) }),
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

channel.addEventListener('message', ({ data }: MessageEvent<DeviceEvent>) => data.type === 'REACHABLE' && giveUp());
captureWorkerErrors(self, 'device-worker', __BUILD__, (data) => void device.appendLog('error', data));

if ('onconnect' in self) {
  self.addEventListener('connect', (event) => {
    const [port] = (event as MessageEvent).ports;
    if (port) expose(device, port);
  });
} else {
  expose(device);
}
