import { expose } from 'comlink';
import { DEVICE_CHANNEL } from '../server/contract/sw-messages.ts';
import { captureWorkerErrors } from './capture.ts';
import { openDevice } from './open.ts';
import { dexieStorage } from './storage/dexie.ts';

declare const self: WorkerGlobalScope;
declare const __BUILD__: string;

const device = openDevice(dexieStorage, new BroadcastChannel(DEVICE_CHANNEL));
captureWorkerErrors(self, 'device-worker', __BUILD__, (data) => void device.appendLog('error', data));

if ('onconnect' in self) {
  self.addEventListener('connect', (event) => {
    const [port] = (event as MessageEvent).ports;
    if (port) expose(device, port);
  });
} else {
  expose(device);
}
