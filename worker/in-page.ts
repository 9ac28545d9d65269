import { type Endpoint, expose } from 'comlink';
import { type DeviceChannel, openDevice } from './open.ts';

/**
 * The device's work inside a page whose browser gives no worker. Who refuses that refuses the database too, or nearly
 * always: all of it lives in this page's memory, which the page says.
 */
export function serveInPage(port: Endpoint, channel: DeviceChannel): void {
  expose(
    openDevice(() => Promise.reject(new Error('No worker')), channel),
    port,
  );
}
