import { AUTOMATIC_RELOAD_COOLDOWN_MS, SEND_TIMEOUT_MS } from '../../server/contract/limits.ts';
import type { SwAnswer, SwRequest } from '../../server/contract/sw-messages.ts';
import { within } from '../../worker/browser.ts';
import { drainIsOver } from '../../worker/lock.ts';
import { isOwnResponse } from '../../worker/own-response.ts';
import { cachesHere, serviceWorkers, session, wasTakenOver } from './browser.ts';
import { hasUnsavedInput } from './unsaved.ts';

declare const __BUILD__: string;

const ANSWER_WITHIN_MS = 5_000;
const RELOADED_AT = 'muster-reloaded-at';
const RELOADED_FOR = 'muster-reloaded-for';

const container = serviceWorkers();
const updateListeners = new Set<() => void>();
/** A newer build is waiting, or has taken over already because another tab let it. */
let isNewer = false;
let isReloading = false;

/** Tells this page that a newer build waits, or has taken over. */
export function announceUpdate(): void {
  if (isReloading) return;
  isNewer = true;
  for (const listener of updateListeners) listener();
}
function reloadOnce(): void {
  if (isReloading) return;
  isReloading = true;
  location.reload();
}

/** Calls back when there is a new build, also for one found earlier. Answers the function that ends it. */
export function onUpdateReady(listener: () => void): () => void {
  updateListeners.add(listener);
  if (isNewer) listener();
  return () => void updateListeners.delete(listener);
}

/** How long an update waits for a drain, and then for the refetches after it. */
const DRAIN_WAITED_MS = 5_000;
const READS_FOLLOW_MS = 1_000;
/** A new build takes over within a moment of being told. */
const TAKEN_OVER_WITHIN_MS = 10_000;

/**
 * Activates the new build and reloads this page afterwards. Answers `unsaved`, and does nothing, while that would lose
 * input on this page.
 */
export async function applyUpdate(): Promise<'reloads' | 'unsaved'> {
  if (hasUnsavedInput()) return 'unsaved';
  await untilQuiet();
  if (hasUnsavedInput()) return 'unsaved';
  const worker = (await registrationHere())?.waiting;
  if (worker) {
    container?.addEventListener('controllerchange', reloadOnce, { once: true });
    await callServiceWorker({ type: 'SKIP_WAITING' }, worker);
    // If it still has not, this page may be blocking it.
    setTimeout(reloadOnce, TAKEN_OVER_WITHIN_MS);
  } else reloadOnce();
  return 'reloads';
}

/**
 * Waits briefly for a drain and the reads after it. Chromium activates the new worker once the old one has stopped. If
 * a request restarts the old one at that moment, Chromium waits until it has idled for half a minute.
 */
async function untilQuiet(): Promise<void> {
  if (await drainIsOver(DRAIN_WAITED_MS).catch(() => true))
    await new Promise((done) => setTimeout(done, READS_FOLLOW_MS));
}

/** Calls back when the first service worker takes control: earlier reads of this page were not cached. */
export function onFirstControl(listener: () => void): void {
  if (container && !container.controller) container.addEventListener('controllerchange', listener, { once: true });
  // The worker was faster than this call: the reads before it were not cached either.
  else if (wasTakenOver()) listener();
}

/**
 * Sends one request to the service worker, on its own channel: the message starts a stopped worker, while a port to a
 * stopped one would stay silent for ever.
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

/** Whether five seconds have passed since the last automatic reload, and this one could be recorded. */
function mayReload(now: number): boolean {
  if (!navigator.onLine || now - Number(remembered(RELOADED_AT)) < AUTOMATIC_RELOAD_COOLDOWN_MS) return false;
  // An unrecorded reload could repeat for ever.
  return session.set(RELOADED_AT, String(now)) && session.set(RELOADED_FOR, __BUILD__);
}

/** Without the server a page must keep its copies. */
async function serverAnswers(): Promise<boolean> {
  const response = await fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  return response.ok && isOwnResponse(response);
}

/**
 * Clears every cache and reloads, if the server answers, no input would be lost, and the page has not just done so.
 * Waits for a running drain. The device's database stays: it holds the member's commands. Answers whether the page
 * reloads.
 */
export async function clearAndReload(): Promise<boolean> {
  if (hasUnsavedInput() || !(await serverAnswers().catch(() => false))) return false;
  // A drain takes no longer than two hanging requests.
  const isOver = await drainIsOver(2 * SEND_TIMEOUT_MS).then(
    () => true,
    () => false,
  );
  if (!isOver || hasUnsavedInput() || !mayReload(Date.now())) return false;
  await callServiceWorker({ type: 'PURGE_ALL' }).catch(() => clearCaches(() => true));
  reloadOnce();
  return true;
}

/** Deletes the service worker's private copies, even when it does not answer. */
export async function purgePrivate(): Promise<void> {
  await callServiceWorker({ type: 'PURGE_PRIVATE' }).catch(() => clearCaches((name) => name.startsWith('private-')));
}
async function clearCaches(which: (name: string) => boolean): Promise<void> {
  const storage = cachesHere();
  // A browser that refuses caches has none.
  for (const name of (await storage?.keys().catch(() => [])) ?? []) if (which(name)) await storage?.delete(name);
}

/** Has the service worker fetch the chunks that this visit did not need, so every screen opens offline. */
export function storeRestWhenIdle(): void {
  const ask = () => void callServiceWorker({ type: 'KEEP_REST' }).catch(() => undefined);
  const soon = () => ('requestIdleCallback' in globalThis ? requestIdleCallback(ask, { timeout: 5_000 }) : ask());
  if (container?.controller) soon();
  else container?.addEventListener('controllerchange', soon, { once: true });
}

/** A page that is being left is gone after this time. */
const LEFT_AFTER_MS = 1_000;

/** A chunk could not be loaded. The router does not answer this message with a reload. */
export class PartMissing extends Error {
  override readonly name = 'PartMissing';
  /** The server answers and lacks the chunk: a new version is being rolled out. Otherwise it is neither here nor reachable now. */
  readonly isReplaced: boolean;

  constructor({ isReplaced, cause }: { isReplaced: boolean; cause?: unknown }) {
    super('A part of this page could not be loaded', { cause });
    this.isReplaced = isReplaced;
  }
}

/**
 * Reloads, as a person asked, into the build that the server has. While that would lose input, the page is told of the new
 * build instead.
 */
export async function reloadForPart(): Promise<void> {
  if (hasUnsavedInput()) announceUpdate();
  else if (!(await clearAndReload())) reloadOnce();
}

/**
 * Loads a chunk. When neither device nor server has it any more (several deploys under an open tab), the page reloads
 * into the new build, once per build, and the import stays pending. If the page may not reload, the import fails; a
 * member who is leaving unsaved input (`isLeaving`) is brought back to it and told of the new build.
 */
export async function orReload<T>(part: Promise<T>, isLeaving: () => boolean): Promise<T> {
  try {
    return await part;
  } catch (error) {
    // Firefox rejects the imports of a page that is being left: it is gone by then, and nothing is wrong.
    await new Promise((done) => setTimeout(done, LEFT_AFTER_MS));
    if (remembered(RELOADED_FOR) !== __BUILD__ && (await clearAndReload())) return new Promise<T>(() => undefined);
    if (isLeaving() && hasUnsavedInput()) {
      history.back();
      announceUpdate();
    }
    throw new PartMissing({ isReplaced: await serverAnswers().catch(() => false), cause: error });
  }
}
