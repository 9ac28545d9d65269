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
 * Makes this document the demo's, before anything of it has asked for anything: its network is an instance of the product in
 * memory, its storage is closed already (`lib/browser.ts`), and its addresses are those of the demo. Answers what stands
 * around every screen.
 */
export function openDemo(router: AnyRouter, client: QueryClient): (props: { children: ReactNode }) => ReactNode {
  if (!isDemo) throw new Error('Only the document of the demo may become one');
  const instance = createInstance(demoStartOf(location.search).role);
  closeNetwork(instance);
  // Drawn in a member's frame from the start.
  rememberSignedIn(instance.role());
  storeForOffline();
  readPicturesFrom((_community, id) => instance.pictureOf(id));
  // First: what it has put in the place of the browser's own goes with it.
  router.history.destroy();
  const history = historyOf(instance);
  router.update({ ...router.options, history });
  stayInside();
  /** Everybody else's data goes off the screen first: the other role is another member on the same device. */
  const become = async (role: DemoRole, screen?: string) => {
    instance.setRole(role);
    if (screen !== undefined) history.push(screen);
    await client.resetQueries();
  };
  const reset = async () => {
    const { discardEntry, unsentOf } = await import('../../lib/device.ts');
    // What waits was done in the world that ends here.
    for (const id of instance.people())
      for (const entry of await unsentOf(id).catch(() => [])) await discardEntry(entry.id);
    instance.reset();
    forgetHints();
    rememberSignedIn(instance.role());
    await become(instance.role(), FIRST[instance.role()]);
  };
  addEventListener('popstate', () => {
    const { role } = demoStartOf(location.search);
    if (role !== instance.role()) void become(role);
  });
  const show = (screen: string) => history.push(screen);
  return ({ children }) => (
    <DemoFrame instance={instance} become={become} reset={reset} show={show}>
      {children}
    </DemoFrame>
  );
}

/** Nothing that the demo asks for leaves the page: `fetch` is the instance's, and the browser itself refuses the rest. */
function closeNetwork(instance: Instance): void {
  globalThis.fetch = instance.fetch;
  Object.defineProperty(globalThis, 'EventSource', { value: NoStream, configurable: true });
  // Locks are the whole device's, and so is the number on the installed app's icon.
  for (const shared of ['locks', 'setAppBadge', 'clearAppBadge'])
    Object.defineProperty(navigator, shared, { value: undefined, configurable: true });
  Object.defineProperty(navigator, 'onLine', { get: () => !instance.isAway(), configurable: true });
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = "connect-src 'none'; form-action 'none'";
  document.head.append(policy);
}

/** A stream of events that never says anything: one that the policy refuses would be an error in the console. */
class NoStream extends EventTarget {
  readonly readyState = 0;
  close(): void {}
}

/** The service worker keeps the program itself, so that the demo opens without a connection. It keeps nothing of the demo's. */
function storeForOffline(): void {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  if (!serviceWorker) return;
  // A notification of the real product was pressed, and this window was taken to show it.
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
/** The first screen is drawn by then. */
const STORED_AFTER_MS = 2_000;

/** The router's history in the demo's own addresses, so that links, reloads and the way back stay in it. */
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

/** A screen as the router takes it, with what this step of the browser's history holds. */
function parsed(screen: string): HistoryLocation {
  const { pathname, search, hash } = new URL(screen, location.origin);
  return { href: screen, pathname, search, hash, state: window.history.state };
}

/** Links that the server answers (sign-in, files, pictures in a tab of their own) have no server here: a press says so. */
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
