import type { QueryClient } from '@tanstack/react-query';
import { rememberCommunity, rememberSignedIn } from './hints.ts';
import { askServiceWorker } from './service-worker.ts';

/** Drops the answers this device keeps of the member: in memory and in the service worker. What was not sent yet stays. */
export async function clearCachedData(client: QueryClient): Promise<void> {
  client.getQueryCache().clear();
  await askServiceWorker({ type: 'PURGE_PRIVATE' }).catch(() => undefined);
}

/** After a sign-out, here or in another tab: nobody is signed in and nothing of the member is shown any more. */
export async function forgetMember(client: QueryClient): Promise<void> {
  rememberSignedIn(false);
  rememberCommunity(null);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== '/api/auth/user' });
  client.setQueryData(['/api/auth/user'], null);
  await askServiceWorker({ type: 'PURGE_PRIVATE' }).catch(() => undefined);
}
