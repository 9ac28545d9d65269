import { BUILD_HEADER } from '../server/contract/sw-messages.ts';
import { type DeviceStorage, getMeta, putMeta } from '../worker/storage/storage.ts';
import { removeOldShells, type Shell } from './precache.ts';

/**
 * This worker takes over. The shell of the build before stays until the next update, because its tabs are still open.
 * Only the first worker of a device claims the page that brought it: a later one waits until the member says so.
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
