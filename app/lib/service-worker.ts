import { AUTOMATIC_RELOAD_COOLDOWN_MS, SERVICE_WORKER_REGISTERED_AFTER_MS } from '../../server/contract/limits.ts';
import type { SwAnswer, SwRequest } from '../../server/contract/sw-messages.ts';
import { trustedScriptUrl } from './trusted-types.ts';

declare const __BUILD__: string;

const SCRIPT = '/sw.js';
const ANSWER_WITHIN_MS = 5_000;
const RELOADED_AT = 'muster-reloaded-at';
const RELOADED_FOR = 'muster-reloaded-for';

/** Undefined in browsers and contexts without service workers. */
const container = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker;
const updateListeners = new Set<() => void>();
let waiting: ServiceWorker | null = null;

function found(worker: ServiceWorker | null): void {
  // Without a controller this is the first install: nothing is updated by it.
  if (!worker || !container?.controller) return;
  waiting = worker;
  for (const listener of updateListeners) listener();
}

function watch(registration: ServiceWorkerRegistration): void {
  found(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') found(registration.waiting);
    });
  });
}

/** Registers the service worker one second after the page has loaded. `?nosw` removes it instead: the way out of a broken one. */
export function registerServiceWorker(): void {
  if (!container) return;
  const register = async (): Promise<void> => {
    if (new URLSearchParams(location.search).has('nosw')) {
      const registration = await container.getRegistration('/');
      await registration?.unregister();
      return;
    }
    watch(await container.register(trustedScriptUrl(SCRIPT), { scope: '/', updateViaCache: 'none' }));
  };
  // A browser that refuses (private mode, blocked storage) leaves the page as it is: online.
  const soon = () => setTimeout(() => void register().catch(() => undefined), SERVICE_WORKER_REGISTERED_AFTER_MS);
  if (document.readyState === 'complete') soon();
  else addEventListener('load', soon, { once: true });
}

/** Calls back when a new build waits, also when it waited already. Answers the function that ends it. */
export function onUpdateReady(listener: () => void): () => void {
  updateListeners.add(listener);
  if (waiting) listener();
  return () => void updateListeners.delete(listener);
}

/** Lets the waiting build take over, and reloads this page once it has. */
export async function applyUpdate(): Promise<void> {
  if (!container || !waiting) return;
  container.addEventListener('controllerchange', () => location.reload(), { once: true });
  await askServiceWorker({ type: 'SKIP_WAITING' }, waiting);
}

/** Calls back when the first service worker takes this page over: what the page has read so far was not kept. */
export function onFirstControl(listener: () => void): void {
  if (container && !container.controller) container.addEventListener('controllerchange', listener, { once: true });
}

/**
 * Asks the service worker one thing, on a channel of its own: a worker that the browser stopped is started by the
 * question, and a port to a stopped one would stay silent for ever.
 * @throws when there is no service worker, it does not answer in time or it could not do it.
 */
export async function askServiceWorker(
  request: SwRequest,
  worker?: ServiceWorker,
): Promise<Extract<SwAnswer, { ok: true }>> {
  const target = worker ?? (await container?.getRegistration('/'))?.active;
  if (!target) throw new Error('No service worker');
  const { port1, port2 } = new MessageChannel();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const answer = await new Promise<SwAnswer>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('The service worker did not answer')), ANSWER_WITHIN_MS);
      port1.onmessage = ({ data }: MessageEvent<SwAnswer>) => resolve(data);
      target.postMessage(request, [port2]);
    });
    if (!answer.ok) throw new Error(answer.error);
    return answer;
  } finally {
    clearTimeout(timer);
    port1.close();
  }
}

function remembered(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

/**
 * Whether the page may reload by itself now: online, at least five seconds after the last time, and where this can be
 * written down. A reload that is not remembered could be repeated for ever.
 */
function mayReload(now: number): boolean {
  if (!navigator.onLine || now - Number(remembered(RELOADED_AT)) < AUTOMATIC_RELOAD_COOLDOWN_MS) return false;
  try {
    sessionStorage.setItem(RELOADED_AT, String(now));
    return remembered(RELOADED_AT) === String(now);
  } catch {
    return false;
  }
}

/** The server answers: a page without it must keep the copies it has. */
async function serverAnswers(): Promise<boolean> {
  const response = await fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  return response.ok;
}

/**
 * Clears every cache and reloads, when the server can be reached and the page has not just done so. The device's
 * database stays: it holds what the member did. Answers whether the page reloads.
 */
export async function clearAndReload(): Promise<boolean> {
  if (!(await serverAnswers().catch(() => false)) || !mayReload(Date.now())) return false;
  await askServiceWorker({ type: 'PURGE_ALL' }).catch(clearCaches);
  location.reload();
  return true;
}
async function clearCaches(): Promise<void> {
  for (const name of await caches.keys()) await caches.delete(name);
}

/** A part of this build that the server no longer has (a deploy under an open tab): reloads into the new build, once per build. */
export function reloadWhenPartsAreGone(): void {
  addEventListener('vite:preloadError', (event) => {
    if (remembered(RELOADED_FOR) === __BUILD__) return;
    event.preventDefault();
    void clearAndReload().then((reloads) => {
      if (reloads) sessionStorage.setItem(RELOADED_FOR, __BUILD__);
    });
  });
}
