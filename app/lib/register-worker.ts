/** Registers the service worker and watches for its updates. Apart from its other uses, which the first screen needs. */
import { SERVICE_WORKER_REGISTERED_AFTER_MS } from '../../server/contract/limits.ts';
import { serviceWorkers } from './browser.ts';
import { announceUpdate, callServiceWorker } from './service-worker.ts';
import { trustedScriptUrl } from './trusted-types.ts';

const SCRIPT = '/sw.js';
const container = serviceWorkers();

function noteUpdate(worker: ServiceWorker | null): void {
  // Without a controller this is the first install, which updates nothing.
  if (worker && container?.controller) announceUpdate();
}

function watch(registration: ServiceWorkerRegistration): void {
  noteUpdate(registration.waiting);
  // Another tab replaced one build with the next: this page reloads when asked. A first controller does not count.
  let before = container?.controller ?? null;
  container?.addEventListener('controllerchange', () => {
    if (before) announceUpdate();
    before = container.controller;
  });
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') noteUpdate(registration.waiting);
    });
  });
}

/** Delays before retrying a first installation that the network broke: without one, nothing opens offline. */
const REGISTERED_AGAIN_AFTER_MS = [5_000, 30_000];

/** Registers the service worker one second after load. `?nosw` removes it instead, to escape a broken one. */
export function registerServiceWorker(): void {
  if (!container) return;
  let failures = 0;
  // A browser that refuses (private mode, blocked storage) leaves the page working online.
  const again = () => {
    const pause = REGISTERED_AGAIN_AFTER_MS[failures++];
    if (pause !== undefined) setTimeout(() => void register().catch(again), pause);
  };
  const register = async (): Promise<void> => {
    if (new URLSearchParams(location.search).has('nosw')) {
      const registration = await container.getRegistration('/');
      await registration?.unregister();
      return;
    }
    const registration = await container.register(trustedScriptUrl(SCRIPT), { scope: '/', updateViaCache: 'none' });
    watch(registration);
    const { active, installing } = registration;
    if (!active)
      installing?.addEventListener('statechange', () => {
        if (installing.state === 'redundant' && !registration.active) again();
      });
    // The worker activated while this page was loading and missed it: the page would stay uncontrolled.
    if (!container.controller && active) await callServiceWorker({ type: 'CLAIM' }, active).catch(() => undefined);
  };
  const soon = () => setTimeout(() => void register().catch(again), SERVICE_WORKER_REGISTERED_AFTER_MS);
  if (document.readyState === 'complete') soon();
  else addEventListener('load', soon, { once: true });
}
