/** Starts everything after the first paint: logs, device worker, service worker, and their messages. */
import { onlineManager, type QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import type { SwClientMessage } from '../../../server/contract/sw-messages.ts';
import type { User } from '../../../server/contract/user.ts';
import { notifications, serviceWorkers } from '../../lib/browser.ts';
import { device, drainWhenPossible, setMember } from '../../lib/device.ts';
import { dropOldOverlay, rememberShutOut, rememberSignedIn } from '../../lib/hints.ts';
import { isShutOut } from '../../lib/http.ts';
import { captureErrors, log } from '../../lib/logs.ts';
import { onNews } from '../../lib/news.ts';
import { userQuery } from '../../lib/query.ts';
import { registerServiceWorker } from '../../lib/register-worker.ts';
import { loadServerWords } from '../../lib/server-words.ts';
import { onFirstControl, storeRestWhenIdle } from '../../lib/service-worker.ts';
import { bindToMember, catchUp, handleNews } from '../../lib/session.ts';
import { reconcileTheme } from '../../lib/theme.ts';
import { resumeCommands } from './resume.ts';

export function start(client: QueryClient, router: AnyRouter): void {
  captureErrors();
  void loadServerWords().catch(() => undefined);
  dropOldOverlay();
  // A page that opens offline only notices the first connection if it knows that there was none.
  onlineManager.setOnline(navigator.onLine);
  // An error is better logged without breadcrumbs than not at all.
  void import('./crumbs.ts').then(({ leaveCrumbs }) => leaveCrumbs(router)).catch(() => undefined);
  registerServiceWorker();
  storeRestWhenIdle();
  bindToMember(client);
  // First, so the device is not told of a member who has left since this page asked.
  followServiceWorker(client, router);
  followMember(client);
  resumeCommands(client);
  drainWhenPossible();
  // Reads from before the first worker took control were not cached: read again.
  onFirstControl(() => void client.refetchQueries({ type: 'active' }));
  void reconcileTheme(device).catch(() => undefined);
}

/** Tells the device who is signed in, by the server's answer; unknown is not signed out. */
function followMember(client: QueryClient): void {
  let lastTold: string | null | undefined;
  let wasShutOut = false;
  const reportToDevice = () => {
    const { data: user, error } = client.getQueryState<User | null>(userQuery.queryKey) ?? {};
    // Signed in but shut out: the next page does not start in a member's frame.
    if (isShutOut(error)) {
      lastTold = undefined;
      if (!wasShutOut) void device.purgeAcknowledged().catch(() => undefined);
      wasShutOut = true;
      return rememberShutOut();
    }
    wasShutOut = false;
    if (user === undefined || lastTold === (user?.id ?? null)) return;
    lastTold = user?.id ?? null;
    log(lastTold === null ? 'member.none' : 'member.known');
    rememberSignedIn(lastTold);
    const userId = lastTold;
    if (userId !== null && serviceWorkers() !== null)
      void import('../../lib/warm-up.ts').then((part) => part.warmUpSoon(client)).catch(() => undefined);
    void setMember(userId)
      .then(() => (userId !== null && mayHavePush() ? reconcilePush(client, userId) : undefined))
      .catch(() => undefined);
  };
  client.getQueryCache().subscribe(reportToDevice);
  reportToDevice();
}

/** Only a granted permission needs reconciling, so only then its code loads. */
const mayHavePush = (): boolean => notifications()?.permission === 'granted';
async function reconcilePush(client: QueryClient, userId: string): Promise<void> {
  const { reconcile } = await import('../../lib/push.ts');
  await reconcile(userId, () => client.getQueryData<User | null>(userQuery.queryKey)?.id === userId);
}

function followServiceWorker(client: QueryClient, { history }: AnyRouter): void {
  const container = serviceWorkers();
  container?.addEventListener('message', ({ data }: MessageEvent<SwClientMessage | null>) => {
    if (data?.type === 'OPEN') history.push(data.path);
  });
  // Delivers messages from before this page listened.
  container?.startMessages();
  catchUp(
    client,
    onNews((news) => handleNews(client, news)),
  );
}
