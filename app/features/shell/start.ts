/** What the page starts after its first paint: logs, device worker, service worker, news from both. */
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
import { loadServerWords } from '../../lib/server-words.ts';
import { onFirstControl, registerServiceWorker, storeRestWhenIdle } from '../../lib/service-worker.ts';
import { bindToMember, catchUp, hear } from '../../lib/session.ts';
import { reconcileTheme } from '../../lib/theme.ts';
import { resumeActs } from './resume.ts';

export function start(client: QueryClient, router: AnyRouter): void {
  captureErrors();
  void loadServerWords().catch(() => undefined);
  dropOldOverlay();
  // Opened without a connection, a page hears of the first one only if it knows that there was none.
  onlineManager.setOnline(navigator.onLine);
  // An error is told without what led up to it rather than not at all.
  void import('./crumbs.ts').then(({ leaveCrumbs }) => leaveCrumbs(router)).catch(() => undefined);
  registerServiceWorker();
  storeRestWhenIdle();
  bindToMember(client);
  // First: who has left since this page asked must not be named to the device once more.
  hearServiceWorker(client, router);
  followMember(client);
  resumeActs(client);
  drainWhenPossible();
  // What was read before the first worker took over was not kept: read it once more.
  onFirstControl(() => void client.refetchQueries({ type: 'active' }));
  void reconcileTheme(device).catch(() => undefined);
}

/** The device is told who is signed in, as the server says; unknown is not nobody. */
function followMember(client: QueryClient): void {
  let told: string | null | undefined;
  let wasShutOut = false;
  const tell = () => {
    const { data: user, error } = client.getQueryState<User | null>(userQuery.queryKey) ?? {};
    // Signed in, but shut out: the next page does not begin in the frame of a member.
    if (isShutOut(error)) {
      told = undefined;
      if (!wasShutOut) void device.purgeAcknowledged().catch(() => undefined);
      wasShutOut = true;
      return rememberShutOut();
    }
    wasShutOut = false;
    if (user === undefined || told === (user?.id ?? null)) return;
    told = user?.id ?? null;
    log(told === null ? 'member.none' : 'member.known');
    rememberSignedIn(told);
    const userId = told;
    if (userId !== null && serviceWorkers() !== null)
      void import('../../lib/warm-up.ts').then((part) => part.warmUpSoon(client)).catch(() => undefined);
    void setMember(userId)
      .then(() => (userId !== null && mayHavePush() ? reconcilePush(client, userId) : undefined))
      .catch(() => undefined);
  };
  client.getQueryCache().subscribe(tell);
  tell();
}

/** Only who was asked and said yes has anything to put right, and only they load what does it. */
const mayHavePush = (): boolean => notifications()?.permission === 'granted';
async function reconcilePush(client: QueryClient, userId: string): Promise<void> {
  const { reconcile } = await import('../../lib/push.ts');
  await reconcile(userId, () => client.getQueryData<User | null>(userQuery.queryKey)?.id === userId);
}

function hearServiceWorker(client: QueryClient, { history }: AnyRouter): void {
  const container = serviceWorkers();
  container?.addEventListener('message', ({ data }: MessageEvent<SwClientMessage | null>) => {
    if (data?.type === 'OPEN') history.push(data.path);
  });
  // Sent before this page listened: it is not lost.
  container?.startMessages();
  catchUp(
    client,
    onNews((news) => hear(client, news)),
  );
}
