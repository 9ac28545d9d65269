import type { DrainReport } from '../worker/api.ts';
import { type DrainPorts, drain } from '../worker/drain.ts';

/** Tag of the background sync. Chromium alone has it; the page's own triggers do without. */
export const SYNC_TAG = 'muster-drain';
type SyncManager = { register(tag: string): Promise<void> };

/** Asks the browser to wake this worker when the network is back, where it can and the member lets it. */
async function askForSync(registration: ServiceWorkerRegistration): Promise<void> {
  const { sync } = registration as ServiceWorkerRegistration & { sync?: SyncManager };
  await sync?.register(SYNC_TAG).catch(() => undefined);
}

/** Sends what is due, and leaves a wish to be woken when something stays behind. */
export async function drainAndAsk(ports: DrainPorts, registration: ServiceWorkerRegistration): Promise<DrainReport> {
  const report = await drain(ports, { hurry: true });
  if (report.nextAt !== null) await askForSync(registration);
  return report;
}

/** A `sync` event: rejects while something stays behind, so that the browser comes again. */
export async function drainOnSync(ports: DrainPorts): Promise<void> {
  const { nextAt, waiting } = await drain(ports, { hurry: true });
  if (nextAt !== null) throw new Error(`${waiting} actions wait still`);
}
