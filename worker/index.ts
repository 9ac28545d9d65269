import { expose } from 'comlink';
import { DEVICE_CHANNEL } from '../server/contract/sw-messages.ts';
import { captureWorkerErrors } from './describe.ts';
import { openDevice, serve } from './open.ts';
import { dexieStorage } from './storage/dexie.ts';

declare const self: DedicatedWorkerGlobalScope | SharedWorkerGlobalScope;
declare const __BUILD__: string;

const device = openDevice(dexieStorage, new BroadcastChannel(DEVICE_CHANNEL));
const served = serve(device, () => self.close());
captureWorkerErrors(self, 'device-worker', __BUILD__, (data) => void device.appendLog('error', data));

if ('onconnect' in self) {
  self.addEventListener('connect', (event) => {
    const [port] = (event as MessageEvent).ports;
    if (port) expose(served, port);
  });
} else {
  expose(served);
}
