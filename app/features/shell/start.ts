/** What the page starts after its first paint: logs, device worker, service worker, news from both. */
import type { QueryClient } from '@tanstack/react-query';
import { DEVICE_CHANNEL, KEPT_ONLY_HEADER, type SwBroadcast } from '../../../server/contract/sw-messages.ts';
import type { User } from '../../../server/contract/user.ts';
import { device, drainWhenPossible, setMember } from '../../lib/device.ts';
import { rememberSignedIn } from '../../lib/hints.ts';
import { request } from '../../lib/http.ts';
import { captureErrors, logError } from '../../lib/logs.ts';
import { urlOf, userQuery } from '../../lib/query.ts';
import { onFirstControl, registerServiceWorker, reloadWhenPartsAreGone } from '../../lib/service-worker.ts';
import { forgetMember } from '../../lib/session.ts';
import { reconcileTheme } from '../theme/theme.ts';

/** @param early what was thrown before anybody listened */
export function start(client: QueryClient, early: readonly unknown[]): void {
  captureErrors();
  for (const thrown of early) logError(thrown, 'start');
  reloadWhenPartsAreGone();
  registerServiceWorker();
  followMember(client);
  drainWhenPossible();
  hearServiceWorker(client);
  // What was read before the first worker took over was not kept: read it once more.
  onFirstControl(() => void client.refetchQueries({ type: 'active' }));
  void reconcileTheme(device).catch(() => undefined);
}

/** The device is told who is signed in, as the server says; unknown is not nobody. */
function followMember(client: QueryClient): void {
  let told: string | null | undefined;
  const tell = () => {
    const user = client.getQueryData<User | null>(userQuery.queryKey);
    if (user === undefined || told === (user?.id ?? null)) return;
    told = user?.id ?? null;
    rememberSignedIn(user !== null);
    void setMember(told).catch(() => undefined);
  };
  client.getQueryCache().subscribe(tell);
  tell();
}

function hearServiceWorker(client: QueryClient): void {
  new BroadcastChannel(DEVICE_CHANNEL).addEventListener('message', ({ data }: MessageEvent<SwBroadcast>) => {
    if (data.type === 'READ_REFRESHED') void showKept(client, data.url);
    if (data.type === 'SIGNED_OUT') void forgetMember(client);
  });
}

/** Shows the fresher copy that the service worker has got, from the device: news never cause another request to the server. */
async function showKept(client: QueryClient, url: string): Promise<void> {
  const { pathname, search } = new URL(url);
  const query = client
    .getQueryCache()
    .getAll()
    .find(({ queryKey }) => urlOf(queryKey) === pathname + search);
  if (!query) return;
  const response = await request('GET', pathname + search, undefined, { headers: { [KEPT_ONLY_HEADER]: '1' } });
  client.setQueryData(query.queryKey, await response.json());
}
