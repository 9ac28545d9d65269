import { Queue } from 'workbox-background-sync';
import type { DrainReport } from '../worker/api.ts';
import { setBadge } from '../worker/browser.ts';
import { drain } from '../worker/drain.ts';
import { BREADCRUMB_AFTER_MS } from '../worker/drain-logs.ts';
import { listEntries } from '../worker/outbox.ts';
import type { DrainPorts } from '../worker/send.ts';
import { type DeviceStorage, getMeta } from '../worker/storage/storage.ts';
import { unsentCommands } from '../worker/unsent.ts';

const QUEUE = 'muster';
/** Tag under which Workbox registers the background sync of its queue. Only Chromium has background sync. */
export const SYNC_TAG = `workbox-background-sync:${QUEUE}`;
/** Chromium learns that the network is gone up to two seconds after it is. */
const OFFLINE_NOTICED_AFTER_MS = 2_500;

type SyncManager = { getTags(): Promise<string[]> };
type SyncRegistration = { sync?: SyncManager };
export type Replay = {
  /**
   * Sends what is due, and registers a background sync when something is left. Backoffs stay: a new command says
   * nothing about a server that rejected the previous one.
   */
  drainAndRegister(): Promise<DrainReport>;
};

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/**
 * Schedules the replay of client logs, commands and pending push subscriptions through a queue of Workbox's: it owns the
 * tag and the `sync` event, and replays at the worker's start where the browser has no background sync. Nothing is ever
 * pushed into it. The device's database alone carries, because Workbox removes a request before it is sent and takes any
 * status for delivery (GoogleChrome/workbox#2599).
 */
export function createReplay(ports: DrainPorts, registration: SyncRegistration, wait = pause): Replay {
  const { sync } = registration;
  const queue = new Queue(QUEUE, {
    onSync: ({ queue }) =>
      (sync ? drainOnSync(ports, queue, wait) : drainAtStart(ports)).finally(() =>
        showLeft(ports.storage).catch(() => undefined),
      ),
  });
  return {
    async drainAndRegister() {
      const report = await drain(ports);
      if (report.nextAt !== null && sync) await requestSync(sync, queue).catch(() => undefined);
      return report;
    },
  };
}

/**
 * Registers a background sync where the browser permits it. The browser fires it at once while it believes it is
 * online, so a registered tag is not registered again then: that would loop.
 */
async function requestSync(sync: SyncManager, queue: Queue): Promise<void> {
  if (navigator.onLine && (await sync.getTags()).includes(SYNC_TAG)) return;
  await queue.registerSync();
}

/**
 * Handles a `sync` event. It rejects while something is left, so the browser repeats it. After a rejection Chromium
 * waits five minutes, even when the network returns sooner; so a lost network registers a new sync instead, and a short
 * loss is retried once.
 */
async function drainOnSync(ports: DrainPorts, queue: Queue, wait: (ms: number) => Promise<void>): Promise<void> {
  if ((await drain(ports, { hurry: true })).nextAt === null) return;
  await wait(OFFLINE_NOTICED_AFTER_MS);
  if (!navigator.onLine) return queue.registerSync();
  const { nextAt, waiting } = await drain(ports, { hurry: true });
  if (nextAt !== null) throw new Error(`${waiting} commands are still waiting`);
}

/**
 * The worker starts with every page that opens, so entries keep their backoff, and breadcrumbs of visitors do not
 * compete with the page's start. Errors are ignored here: the page drains too and reports them.
 */
async function drainAtStart(ports: DrainPorts): Promise<void> {
  await drain({ ...ports, breadcrumbsFrom: ports.now() + BREADCRUMB_AFTER_MS }).catch(() => undefined);
}

/** Puts the number of what is left on the icon, which with no page open would for ever show what waited before. */
export async function showLeft(storage: DeviceStorage): Promise<void> {
  const member = await storage.run(['meta'], (tx) => getMeta(tx, 'member'));
  await setBadge(member === null ? 0 : unsentCommands(await listEntries(storage, member)).length);
}
