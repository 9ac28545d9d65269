import type { DeviceEvent } from './schema.ts';
import type { Send } from './send.ts';
import type { DeviceStorage } from './storage/storage.ts';

/** Everything that the drain touches, injected: it is the same in the device worker, the service worker and the tests. */
export type DrainPorts = {
  storage: DeviceStorage;
  send: Send;
  /** Epoch milliseconds. */
  now: () => number;
  /** Numbers in [0, 1). */
  random: () => number;
  /**
   * Runs `work` under the lock of its drain. `alone` is false where the browser cannot grant it. Logs have their own
   * lock, so an urgent delivery of logs does not wait for the commands.
   */
  lock: <T>(work: (alone: boolean) => Promise<T>, what: 'actions' | 'logs') => Promise<T>;
  tell: (event: DeviceEvent) => void;
  /** Epoch milliseconds before which logs that are all a stranger's breadcrumbs stay where they are. */
  breadcrumbsFrom?: number;
};
