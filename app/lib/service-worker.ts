import {
  AUTOMATIC_RELOAD_COOLDOWN_MS,
  SEND_TIMEOUT_MS,
  SERVICE_WORKER_REGISTERED_AFTER_MS,
} from '../../server/contract/limits.ts';
import type { SwAnswer, SwRequest } from '../../server/contract/sw-messages.ts';
import { within } from '../../worker/browser.ts';
import { drainIsOver } from '../../worker/lock.ts';
import { isOwnResponse } from '../../worker/own-response.ts';
import { cachesHere, cameAlone, serviceWorkers, session } from './browser.ts';
import { trustedScriptUrl } from './trusted-types.ts';
import { hasUnsavedInput } from './unsaved.ts';

declare const __BUILD__: string;

const SCRIPT = '/sw.js';
const ANSWER_WITHIN_MS = 5_000;
const RELOADED_AT = 'muster-reloaded-at';
const RELOADED_FOR = 'muster-reloaded-for';

const container = serviceWorkers();
const updateListeners = new Set<() => void>();
/** A newer build than this page's waits, or has taken over already because another tab said so. */
let isNewer = false;
let isReloading = false;

function announce(): void {
  isNewer = true;
  for (const listener of updateListeners) listener();
}
function found(worker: ServiceWorker | null): void {
  // Without a controller this is the first install: nothing is updated by it.
  if (worker && container?.controller) announce();
}
function reloadOnce(): void {
  if (isReloading) return;
  isReloading = true;
  location.reload();
}

function watch(registration: ServiceWorkerRegistration): void {
  found(registration.waiting);
  // From one build to the next, not from none to the first: another tab let it take over. This one reloads when asked.
  let before = container?.controller ?? null;
  container?.addEventListener('controllerchange', () => {
    if (before && !isReloading) announce();
    before = container.controller;
  });
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') found(registration.waiting);
    });
  });
}

/** A network that breaks off the first installation is given so long, each time: without one, nothing opens offline. */
const REGISTERED_AGAIN_AFTER_MS = [5_000, 30_000];

/** Registers the service worker one second after the page has loaded. `?nosw` removes it instead: the way out of a broken one. */
export function registerServiceWorker(): void {
  if (!container) return;
  let failures = 0;
  // A browser that refuses (private mode, blocked storage) leaves the page as it is: online.
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
    // The worker took over while this page was on its way, and did not see it: it would be without one to its end.
    if (!container.controller && active) await callServiceWorker({ type: 'CLAIM' }, active).catch(() => undefined);
  };
  const soon = () => setTimeout(() => void register().catch(again), SERVICE_WORKER_REGISTERED_AFTER_MS);
  if (document.readyState === 'complete') soon();
  else addEventListener('load', soon, { once: true });
}

/** Calls back when there is a new build, also when there was one already. Answers the function that ends it. */
export function onUpdateReady(listener: () => void): () => void {
  updateListeners.add(listener);
  if (isNewer) listener();
  return () => void updateListeners.delete(listener);
}

/** An update waits so long for a drain, and then for the screens that read what it changed. */
const DRAIN_WAITED_MS = 5_000;
const READS_FOLLOW_MS = 1_000;
/** A new build that was told to takes over within a moment. */
const TAKEN_OVER_WITHIN_MS = 10_000;

/**
 * Lets the new build take over, and reloads this page once it has. Answers `unsaved`, and does nothing, while something
 * written on this page would be lost.
 */
export async function applyUpdate(): Promise<'reloads' | 'unsaved'> {
  if (hasUnsavedInput()) return 'unsaved';
  await calm();
  if (hasUnsavedInput()) return 'unsaved';
  const worker = (await registrationHere())?.waiting;
  if (worker) {
    container?.addEventListener('controllerchange', reloadOnce, { once: true });
    await callServiceWorker({ type: 'SKIP_WAITING' }, worker);
    // Where it still does not, this page may be what keeps it from it.
    setTimeout(reloadOnce, TAKEN_OVER_WITHIN_MS);
  } else reloadOnce();
  return 'reloads';
}

/**
 * Waits out a drain and the reads that follow it, not for long. Chromium lets the new worker take over once it has put the
 * old one to rest; where a request starts that one anew at the same moment, it forgets to until the old one has rested for
 * half a minute.
 */
async function calm(): Promise<void> {
  if (await drainIsOver(DRAIN_WAITED_MS).catch(() => true))
    await new Promise((done) => setTimeout(done, READS_FOLLOW_MS));
}

/** Calls back when the first service worker takes this page over: what the page has read so far was not kept. */
export function onFirstControl(listener: () => void): void {
  if (container && !container.controller) container.addEventListener('controllerchange', listener, { once: true });
  // It was quicker than this page's program, which may have asked past it already.
  else if (container && cameAlone()) listener();
}
/**
 * Asks the service worker one thing, on a channel of its own: a worker that the browser stopped is started by the
 * question, and a port to a stopped one would stay silent for ever.
 * @throws when there is no service worker, it does not answer in time or it could not do it.
 */
export async function callServiceWorker(
  request: SwRequest,
  worker?: ServiceWorker,
): Promise<Extract<SwAnswer, { ok: true }>> {
  const target = worker ?? (await registrationHere())?.active;
  if (!target) throw new Error('No service worker');
  const { port1, port2 } = new MessageChannel();
  const answering = new Promise<SwAnswer>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<SwAnswer>) => resolve(data);
  });
  try {
    target.postMessage(request, [port2]);
    const answer = await inTime(answering);
    if (!answer.ok) throw new Error(answer.error);
    return answer;
  } finally {
    port1.close();
  }
}
const inTime = <T>(work: Promise<T>): Promise<T> =>
  within(work, ANSWER_WITHIN_MS, new Error('The service worker did not answer'));
const registrationHere = async (): Promise<ServiceWorkerRegistration | undefined> =>
  container ? inTime(container.getRegistration('/')) : undefined;

const remembered = (key: string): string => session.get(key) ?? '';

/** Whether five seconds have passed since the last automatic reload, and this one could be written down. */
function mayReload(now: number): boolean {
  if (!navigator.onLine || now - Number(remembered(RELOADED_AT)) < AUTOMATIC_RELOAD_COOLDOWN_MS) return false;
  // A reload that is not remembered could be repeated for ever.
  return session.set(RELOADED_AT, String(now)) && session.set(RELOADED_FOR, __BUILD__);
}

/** The server answers: a page without it must keep the copies it has. */
async function serverAnswers(): Promise<boolean> {
  const response = await fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  return response.ok && isOwnResponse(response);
}

/**
 * Clears every cache and reloads: when the server can be reached, nothing written on this page would be lost, and the
 * page has not just done so; a drain that runs is waited for. The device's database stays: it holds what the member did.
 * Answers whether the page reloads.
 */
export async function clearAndReload(): Promise<boolean> {
  if (hasUnsavedInput() || !(await serverAnswers().catch(() => false))) return false;
  // No drain may take longer than two requests that hang.
  const isOver = await drainIsOver(2 * SEND_TIMEOUT_MS).then(
    () => true,
    () => false,
  );
  if (!isOver || hasUnsavedInput() || !mayReload(Date.now())) return false;
  await callServiceWorker({ type: 'PURGE_ALL' }).catch(() => clearCaches(() => true));
  reloadOnce();
  return true;
}

/** Drops what the service worker keeps of members, also where it does not answer. */
export async function purgePrivate(): Promise<void> {
  await callServiceWorker({ type: 'PURGE_PRIVATE' }).catch(() => clearCaches((name) => name.startsWith('private-')));
}
async function clearCaches(which: (name: string) => boolean): Promise<void> {
  const storage = cachesHere();
  // Where the browser refuses them there are none.
  for (const name of (await storage?.keys().catch(() => [])) ?? []) if (which(name)) await storage?.delete(name);
}

/** Has the service worker fetch the screens that this visit did without, so that each opens offline. */
export function storeRestWhenIdle(): void {
  const ask = () => void callServiceWorker({ type: 'KEEP_REST' }).catch(() => undefined);
  const soon = () => ('requestIdleCallback' in globalThis ? requestIdleCallback(ask, { timeout: 5_000 }) : ask());
  if (container?.controller) soon();
  else container?.addEventListener('controllerchange', soon, { once: true });
}

/** A page that is being left is gone after so long. */
const LEFT_AFTER_MS = 1_000;

/** A part of the program is neither on this device nor to be had now. In words that the router answers with no reload of its own. */
export class PartMissing extends Error {
  override readonly name = 'PartMissing';
}

/**
 * A part of this build that neither device nor server has any more (several deploys under an open tab): reloads into the
 * new build, once per build. The import stays open while the page goes. Where the page may not go it fails; who is on
 * their way from something written (`isLeaving`) is taken back to it and told of the new build.
 */
export async function orReload<T>(part: Promise<T>, isLeaving: () => boolean): Promise<T> {
  try {
    return await part;
  } catch (error) {
    // Firefox ends the imports of a page that is being left: it is gone by then, and nothing is amiss.
    await new Promise((done) => setTimeout(done, LEFT_AFTER_MS));
    if (remembered(RELOADED_FOR) !== __BUILD__ && (await clearAndReload())) return new Promise<T>(() => undefined);
    if (isLeaving() && hasUnsavedInput()) {
      history.back();
      announce();
    }
    throw new PartMissing('A part of this page could not be loaded', { cause: error });
  }
}
