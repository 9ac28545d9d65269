import { type Endpoint, expose } from 'comlink';
import { type DeviceChannel, openDevice } from './open.ts';
import { serve } from './serve.ts';
import { memoryStorage } from './storage/memory.ts';

/** Why a page does the work itself: it can have no worker, its workers are silent, or nothing is to be kept on purpose. */
export type InPage = 'refused' | 'silent' | 'meant';

const STORES = {
  /** Who refuses workers refuses the database too, or nearly always: all of it is in this page's memory, which the page says. */
  refused: () => Promise.reject(new Error('No worker')),
  silent: async () => (await import('./storage/dexie.ts')).dexieStorage(),
  /** Nothing is missing, and nothing is said. */
  meant: async () => ({ ...memoryStorage(), kind: 'durable' as const }),
};

/** Does the device's work inside a page. */
export function serveInPage(port: Endpoint, channel: DeviceChannel, why: InPage): void {
  expose(
    serve(openDevice(STORES[why], channel), () => undefined),
    port,
  );
}
