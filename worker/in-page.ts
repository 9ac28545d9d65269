import { type Endpoint, expose } from 'comlink';
import { type DeviceChannel, openDevice, serve } from './open.ts';
import { memoryStorage } from './storage/memory.ts';

/**
 * Why a page does the work itself: workers are refused, its workers are silent, or storage in memory is intended
 * (demo).
 */
export type InPage = 'refused' | 'silent' | 'meant';

const STORES = {
  /**
   * A browser that refuses workers nearly always refuses IndexedDB too, so this page's memory holds everything, and the
   * page says so.
   */
  refused: () => Promise.reject(new Error('No worker')),
  silent: async () => (await import('./storage/dexie.ts')).dexieStorage(),
  /** The demo reports its memory as durable: no warning is wanted. */
  meant: async () => ({ ...memoryStorage(), kind: 'durable' as const }),
};

/** Does the device's work inside a page. */
export function serveInPage(port: Endpoint, channel: DeviceChannel, why: InPage): void {
  expose(
    serve(openDevice(STORES[why], channel), () => undefined),
    port,
  );
}
