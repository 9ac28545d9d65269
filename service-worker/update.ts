import { BUILD_HEADER } from '../server/contract/sw-messages.ts';
import { type DeviceStorage, getMeta, putMeta } from '../worker/storage/storage.ts';
import { removeOldShells, type Shell } from './precache.ts';

/**
 * Activates this worker. The previous build's shell stays until the next update, because its tabs are still open. Only
 * a device's first worker claims the page that registered it; a later one waits for the member's consent.
 */
export async function activate(
  { clients }: ServiceWorkerGlobalScope,
  storage: DeviceStorage,
  shell: Shell,
): Promise<void> {
  const previous = await storage.run(['meta'], (tx) => getMeta(tx, 'activeShell')).catch(() => '');
  if (previous !== shell.name) {
    await storage.run(['meta'], (tx) => putMeta(tx, 'activeShell', shell.name)).catch(() => undefined);
    await removeOldShells(shell.name, previous);
  }
  if (previous === '') await clients.claim();
}

/** Looks for a new build once for each build that the server names and this worker is not. */
export function createBuildWatch(own: string, lookForUpdate: () => Promise<unknown>): (response: Response) => void {
  let seen = own;
  return (response) => {
    const named = response.headers.get(BUILD_HEADER);
    if (named === null || named === own || named === seen) return;
    seen = named;
    lookForUpdate().catch(() => undefined);
  };
}
