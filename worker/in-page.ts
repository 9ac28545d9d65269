import { type Endpoint, expose } from 'comlink';
import { type DeviceChannel, openDevice } from './open.ts';
import { memoryStorage } from './storage/memory.ts';

/**
 * The device's work inside a page whose browser gives no worker. Who refuses that refuses the database too, or nearly
 * always: all of it lives in this page's memory, which the page says. Unless memory is `meant`: then
 * nothing is missing, and nothing is said.
 */
export function serveInPage(port: Endpoint, channel: DeviceChannel, meant = false): void {
  const open = async () => {
    if (!meant) throw new Error('No worker');
    return { ...memoryStorage(), kind: 'durable' as const };
  };
  expose(openDevice(open, channel), port);
}
