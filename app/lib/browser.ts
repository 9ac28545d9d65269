/**
 * Every browser facility that may be refused, opened in one place (`worker/browser.ts`) with its fallback: memory for
 * storage, this page alone for a channel between rooms. No page may depend on more.
 */
import { signedInCookie } from '../../server/contract/sw-messages.ts';
import { refusable } from '../../worker/browser.ts';

/**
 * Whether this document is the demo (`features/demo`). It runs its own instance and must not touch the member's data on
 * this device, so it gets nothing here that outlives the document or reaches another one.
 */
export const isDemo: boolean = /^\/demo\/?$/.test(globalThis.location?.pathname ?? '');
const unlessDemo = <T>(open: () => T): NonNullable<T> | null => (isDemo ? null : refusable(open));

/** A store of small texts on this device. */
export type TextStore = {
  get(key: string): string | null;
  /** Null removes the text. Answers whether it outlives the page. */
  set(key: string, text: string | null): boolean;
  keys(): string[];
};

/** A browser storage. Values that it refuses or has no room for live as long as the page. */
function textStore(open: () => Storage): TextStore {
  const memory = new Map<string, string | null>();
  return {
    get: (key) => memory.get(key) ?? (memory.has(key) ? null : unlessDemo(() => open().getItem(key))),
    set(key, text) {
      const isTaken = unlessDemo(() => {
        if (text === null) open().removeItem(key);
        else open().setItem(key, text);
        return true;
      });
      if (isTaken) memory.delete(key);
      else memory.set(key, text);
      return isTaken === true;
    },
    keys: () => [...new Set([...(unlessDemo(() => Object.keys(open())) ?? []), ...memory.keys()])],
  };
}
/** Outlives the page. */
export const local = textStore(() => localStorage);
/** Outlives a reload of this tab. */
export const session = textStore(() => sessionStorage);

/** A cookie's value, where scripts may read it; else null. */
const cookieOf = (name: string): string | null =>
  refusable(() => document.cookie)
    ?.split('; ')
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? null;

/** The mark of the current session, from the cookie that pages may read; null without one. */
export const sessionMark = (): string | null => cookieOf(signedInCookie(location.protocol === 'https:'));

/** What the browser tells of its connection; null where it tells nothing. */
export const connection = (): { effectiveType?: string; saveData?: boolean } | null =>
  refusable(() => (navigator as { connection?: { effectiveType?: string; saveData?: boolean } }).connection);
/** How the browser navigated to this document. */
export const navigationOf = (): PerformanceNavigationTiming | undefined =>
  performance.getEntriesByType?.('navigation')[0] as PerformanceNavigationTiming | undefined;

/** Carries messages between the rooms of this device. */
export type Channel = {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  close(): void;
};

/** Stands in for channels where the browser has none: only this page's channels reach each other. */
const here = new Map<Channel, { name: string; hear: (message: unknown) => void }>();
function channelHere(name: string): Channel {
  const listeners: ((event: MessageEvent) => void)[] = [];
  const own: Channel = {
    postMessage(message) {
      for (const [other, { name: called, hear: deliver }] of here)
        if (other !== own && called === name) queueMicrotask(() => deliver(structuredClone(message)));
    },
    addEventListener: (_type, listener) => void listeners.push(listener),
    close: () => void here.delete(own),
  };
  const deliver = (data: unknown) => {
    for (const listener of listeners) listener(new MessageEvent('message', { data }));
  };
  here.set(own, { name, hear: deliver });
  return own;
}
const channelOf = (name: string): BroadcastChannel | null => unlessDemo(() => new BroadcastChannel(name));
/** Opens a channel to the other rooms, or to the rest of this page. */
export const openChannel = (name: string): Channel => channelOf(name) ?? channelHere(name);

/** A worker that reaches this page through a channel of that name, shared between tabs if possible; or null. */
export function openWorker(
  url: string,
  options: WorkerOptions,
  channel: string,
): { worker: SharedWorker | Worker; port: MessagePort | Worker } | null {
  const heard = channelOf(channel);
  if (!heard) return null;
  heard.close();
  // A browser that blocks storage in a cross-site frame does not load its workers either, and reports it too late.
  if (!refusable(() => localStorage)) return null;
  const shared = refusable(() => new SharedWorker(url, options));
  if (shared) return { worker: shared, port: shared.port };
  const worker = refusable(() => new Worker(url, options));
  return worker && { worker, port: worker };
}

/** Undefined in browsers and contexts without service workers. */
export const serviceWorkers = (): ServiceWorkerContainer | null =>
  unlessDemo(() => (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker);
export const cachesHere = (): CacheStorage | null => unlessDemo(() => (globalThis as { caches?: CacheStorage }).caches);
export const notifications = (): typeof Notification | null =>
  unlessDemo(() => (globalThis as { Notification?: typeof Notification }).Notification);

let isTakenOver = false;
const container = serviceWorkers();
if (container && !container.controller)
  container.addEventListener(
    'controllerchange',
    () => {
      isTakenOver = true;
    },
    { once: true },
  );
/** Whether this page began without a service worker, and the first one has taken it over. Firefox gives no `workerStart`. */
export const wasTakenOver = (): boolean => isTakenOver;

/** Without cookies nobody can sign in. A browser that does not say accepts them. */
export const acceptsCookies = (): boolean => refusable(() => navigator.cookieEnabled) ?? true;

/** Asks the browser not to clear this device's data when the disk fills up. */
export function persistStorage(): void {
  void unlessDemo(() => navigator.storage.persist().catch(() => false));
}

/** Copies text and answers whether that worked. */
export async function copyText(text: string): Promise<boolean> {
  const copying = refusable(() => navigator.clipboard.writeText(text));
  if (!copying) return false;
  return copying.then(
    () => true,
    () => false,
  );
}

export const canShare = (): boolean => refusable(() => 'share' in navigator) ?? false;
/**
 * Hands a link to the share sheet. Answers false when the browser refused. Closing the sheet is the person's answer, so
 * it counts as done.
 */
export async function shareUrl(url: string, title: string): Promise<boolean> {
  const sharing = refusable(() => navigator.share({ url, title }));
  if (!sharing) return false;
  return sharing.then(
    () => true,
    (error: unknown) => (error as Error | null)?.name === 'AbortError',
  );
}

/** A canvas's 2D context; null where the browser gives none. */
export const contextOf = (
  canvas: HTMLCanvasElement,
  options?: CanvasRenderingContext2DSettings,
): CanvasRenderingContext2D | null => refusable(() => canvas.getContext('2d', options));

/** Side of the test drawing in pixels. It has many colours, because a browser may leave a single colour unchanged. */
const SIDE = 8;
const colourAt = (x: number, y: number): [number, number, number, number] => [x * 30, y * 30, 90, 255];
/** Browsers that add slight noise stay below this. */
const NOISE = 4;
/**
 * Whether a canvas can be read back. Protection against fingerprinting (`resistFingerprinting` and the like) shows the
 * drawing unchanged but gives noise to its reader.
 */
export function isCanvasReadable(): boolean {
  const canvas = Object.assign(document.createElement('canvas'), { width: SIDE, height: SIDE });
  const pen = contextOf(canvas, { willReadFrequently: true });
  if (!pen) return false;
  const drawn: number[] = [];
  for (let y = 0; y < SIDE; y += 1)
    for (let x = 0; x < SIDE; x += 1) {
      const colour = colourAt(x, y);
      pen.fillStyle = `rgb(${colour.slice(0, 3).join()})`;
      pen.fillRect(x, y, 1, 1);
      drawn.push(...colour);
    }
  const read = refusable(() => pen.getImageData(0, 0, SIDE, SIDE).data);
  return read !== null && drawn.every((value, at) => Math.abs(value - (read[at] ?? 0)) < NOISE);
}

export type BrowserSession = {
  promptStreaming(text: string, options: { signal: AbortSignal }): ReadableStream<string>;
  destroy(): void;
};
/** The part of the Prompt API that is used here. `downloadable`: the browser would have to fetch its model first. */
export type BrowserModel = {
  availability(): Promise<'unavailable' | 'downloadable' | 'downloading' | 'available'>;
  create(options: {
    initialPrompts: { role: 'system' | 'user' | 'assistant'; content: string }[];
    signal?: AbortSignal;
  }): Promise<BrowserSession>;
};
/** The browser's built-in language model; null without one. */
export const languageModel = (): BrowserModel | null =>
  refusable(() => (globalThis as { LanguageModel?: BrowserModel }).LanguageModel);
