import type { QueryClient } from '@tanstack/react-query';
import { type AnyRouter, createBrowserHistory, type HistoryLocation, type RouterHistory } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SwClientMessage } from '../../../server/contract/sw-messages.ts';
import { isDemo } from '../../lib/browser.ts';
import { forgetHints, rememberSignedIn } from '../../lib/hints.ts';
import { readPicturesFrom } from '../../lib/pictures.ts';
import { trustedScriptUrl } from '../../lib/trusted-types.ts';
import { m } from '../../paraglide/messages.js';
import { toast } from '../../ui/toast.tsx';
import { addressOf, type DemoRole, demoStartOf, FIRST, locationOf } from './address.ts';
import { DemoFrame } from './demo-frame.tsx';
import { createInstance, type Instance } from './instance.ts';

/**
 * Turns this document into the demo before its first request: its network becomes an instance in memory, its storage is
 * closed already (`lib/browser.ts`), and its addresses are the demo's. Answers the frame for every screen.
 */
export function openDemo(router: AnyRouter, client: QueryClient): (props: { children: ReactNode }) => ReactNode {
  if (!isDemo) throw new Error('Only the document of the demo may become one');
  const instance = createInstance(demoStartOf(location.search).role);
  closeNetwork(instance);
  // Starts in a member's frame.
  rememberSignedIn(instance.role());
  storeForOffline();
  readPicturesFrom((_community, id) => instance.pictureOf(id));
  // First, because this also restores the browser's functions that it replaced.
  router.history.destroy();
  const history = historyOf(instance);
  router.update({ ...router.options, history });
  stayInside();
  /** The previous member's data leaves the screen first: the other role is another member on the same device. */
  const switchRole = async (role: DemoRole, screen?: string) => {
    instance.setRole(role);
    if (screen !== undefined) history.push(screen);
    await client.resetQueries();
  };
  const reset = async () => {
    const { discardEntry, unsentOf } = await import('../../lib/device.ts');
    // Waiting commands belong to the world that ends here.
    for (const id of instance.people())
      for (const entry of await unsentOf(id).catch(() => [])) await discardEntry(entry.id);
    instance.reset();
    forgetHints();
    rememberSignedIn(instance.role());
    await switchRole(instance.role(), FIRST[instance.role()]);
  };
  addEventListener('popstate', () => {
    const { role } = demoStartOf(location.search);
    if (role !== instance.role()) void switchRole(role);
  });
  const show = (screen: string) => history.push(screen);
  return ({ children }) => (
    <DemoFrame instance={instance} become={switchRole} reset={reset} show={show}>
      {children}
    </DemoFrame>
  );
}

/** No request of the demo leaves the page: `fetch` is the instance's, and the browser blocks the rest. */
function closeNetwork(instance: Instance): void {
  globalThis.fetch = instance.fetch;
  Object.defineProperty(globalThis, 'EventSource', { value: NoStream, configurable: true });
  // The whole device shares locks and the number on the installed app's icon.
  for (const shared of ['locks', 'setAppBadge', 'clearAppBadge'])
    Object.defineProperty(navigator, shared, { value: undefined, configurable: true });
  Object.defineProperty(navigator, 'onLine', { get: () => !instance.isAway(), configurable: true });
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = "connect-src 'none'; form-action 'none'";
  document.head.append(policy);
}

/** An event stream that stays silent: one blocked by the policy would be an error in the console. */
class NoStream extends EventTarget {
  readonly readyState = 0;
  close(): void {}
}

/** The service worker stores the demo's code, so it opens offline, but none of its data. */
function storeForOffline(): void {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  if (!serviceWorker) return;
  // A notification of the real product was pressed, and this window was chosen to show it.
  serviceWorker.addEventListener('message', ({ data }: MessageEvent<SwClientMessage | null>) => {
    if (data?.type === 'OPEN') location.assign(data.path);
  });
  serviceWorker.startMessages();
  const store = async (): Promise<void> => {
    await serviceWorker.register(trustedScriptUrl('/sw.js'), { scope: '/', updateViaCache: 'none' });
    const { active } = await serviceWorker.ready;
    active?.postMessage({ type: 'KEEP_REST' }, [new MessageChannel().port2]);
  };
  setTimeout(() => void store().catch(() => undefined), STORED_AFTER_MS);
}
/** By then the first screen is drawn. */
const STORED_AFTER_MS = 2_000;

/** The router's history with the demo's addresses, so links, reloads and Back stay in it. */
function historyOf(instance: Instance): RouterHistory {
  const history = createBrowserHistory({
    createHref: (screen) => addressOf({ screen, role: instance.role() }),
    parseLocation: () => parsed(locationOf(demoStartOf(location.search, location.hash).screen)),
  });
  const { push, replace } = history;
  history.push = (screen, ...rest) => push(locationOf(screen), ...rest);
  history.replace = (screen, ...rest) => replace(locationOf(screen), ...rest);
  return history;
}

/** A screen as the router's location, with the state of this history entry. */
function parsed(screen: string): HistoryLocation {
  const { pathname, search, hash } = new URL(screen, location.origin);
  return { href: screen, pathname, search, hash, state: window.history.state };
}

/** Links that the server would answer (sign-in, files, pictures in a new tab) have no server here: a press says so. */
function stayInside(): void {
  document.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest('a[href^="/api/"], a[href^="data:"]') : null;
      if (!link) return;
      event.preventDefault();
      event.stopPropagation();
      toast({ icon: 'info', title: m.public_demo_missing(), line: m.demo_not_here_line() });
    },
    true,
  );
}
