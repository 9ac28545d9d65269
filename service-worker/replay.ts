import type { DrainReport } from '../worker/api.ts';
import { setBadge } from '../worker/badge.ts';
import { drain } from '../worker/drain.ts';
import { listEntries } from '../worker/outbox.ts';
import type { DrainPorts } from '../worker/ports.ts';
import { type DeviceStorage, getMeta } from '../worker/storage/storage.ts';

/** Tag of the background sync. Chromium alone has it; the page's own triggers do without. */
export const SYNC_TAG = 'muster-drain';
/** Chromium tells its workers, and itself, that the network is gone up to two seconds after it is. */
const TOLD_OFFLINE_AFTER_MS = 2_500;

type SyncManager = { register(tag: string): Promise<void>; getTags(): Promise<string[]> };
const syncOf = (registration: ServiceWorkerRegistration) =>
  (registration as ServiceWorkerRegistration & { sync?: SyncManager }).sync;

/**
 * Asks the browser to wake this worker when the network is back, where it can and the member lets it. It wakes at once
 * where it believes to be online, so a wish that it knows already is not told again: that would be a loop of attempts.
 */
async function askForSync(registration: ServiceWorkerRegistration): Promise<void> {
  const sync = syncOf(registration);
  if (!sync || (navigator.onLine && (await sync.getTags()).includes(SYNC_TAG))) return;
  await sync.register(SYNC_TAG);
}

/** What is left once it was sent with no page open: the icon would say for ever what waited then. */
export async function showLeft(storage: DeviceStorage): Promise<void> {
  const member = await storage.run(['meta'], (tx) => getMeta(tx, 'member'));
  await setBadge(member === null ? 0 : (await listEntries(storage, member)).length);
}

/**
 * Sends what is due, and leaves a wish to be woken when something stays behind. Nothing is hurried: one more act says
 * nothing about a server that refused the one before.
 */
export async function drainAndAsk(ports: DrainPorts, registration: ServiceWorkerRegistration): Promise<DrainReport> {
  const report = await drain(ports);
  if (report.nextAt !== null) await askForSync(registration).catch(() => undefined);
  return report;
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/**
 * A `sync` event: rejects while something stays behind, so that the browser comes again. After a rejection Chromium
 * stays away for five minutes, also when the network is back sooner: so a network that is gone is asked for anew
 * instead, and one that was gone for a moment is tried once more.
 */
export async function drainOnSync(
  ports: DrainPorts,
  registration: ServiceWorkerRegistration,
  wait: (ms: number) => Promise<void> = pause,
): Promise<void> {
  if ((await drain(ports, { hurry: true })).nextAt === null) return;
  await wait(TOLD_OFFLINE_AFTER_MS);
  if (!navigator.onLine) return syncOf(registration)?.register(SYNC_TAG);
  const { nextAt, waiting } = await drain(ports, { hurry: true });
  if (nextAt !== null) throw new Error(`${waiting} actions wait still`);
}
