/**
 * Every facility of the browser that it may refuse, opened behind one door (`worker/browser.ts`), with what stands in for
 * it: memory for storage, this page alone for a channel between rooms. No page may depend on more.
 */
import { signedInCookie } from '../../server/contract/sw-messages.ts';
import { refusable } from '../../worker/browser.ts';

/**
 * Whether this document is the demo's (`features/demo`). It plays with an instance of its own, and what this device keeps of
 * a member is not for it: everything here that outlives the document or reaches another one is refused to it.
 */
export const isDemo: boolean = /^\/demo\/?$/.test(globalThis.location?.pathname ?? '');
const unlessDemo = <T>(open: () => T): NonNullable<T> | null => (isDemo ? null : refusable(open));

/** Small texts of this device. */
export type Shelf = {
  get(key: string): string | null;
  /** Null removes it. Answers whether it outlives the page. */
  set(key: string, text: string | null): boolean;
  keys(): string[];
};

/** A storage of the browser's; what it does not take, because it is refused or full, is kept as long as the page. */
function shelf(open: () => Storage): Shelf {
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
export const local = shelf(() => localStorage);
/** Outlives a reload of this tab. */
export const session = shelf(() => sessionStorage);

/** What a cookie says that scripts may read; null where there is none. */
const cookieOf = (name: string): string | null =>
  refusable(() => document.cookie)
    ?.split('; ')
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? null;

/** The mark of the session that is signed in here, in the cookie that a page may read; null without one. */
export const sessionMark = (): string | null => cookieOf(signedInCookie(location.protocol === 'https:'));

/** How this document came. */
export const navigationOf = (): PerformanceNavigationTiming | undefined =>
  performance.getEntriesByType?.('navigation')[0] as PerformanceNavigationTiming | undefined;
/** Whether no service worker had a hand in bringing this document. */
export const cameAlone = (): boolean => navigationOf()?.workerStart === 0;

/** What rooms of this device tell each other through. */
export type Channel = {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  close(): void;
};

/** Channels of this page where the browser gives none: they reach each other, and nobody else. */
const here = new Map<Channel, { name: string; hear: (message: unknown) => void }>();
function channelHere(name: string): Channel {
  const listeners: ((event: MessageEvent) => void)[] = [];
  const own: Channel = {
    postMessage(message) {
      for (const [other, { name: called, hear }] of here)
        if (other !== own && called === name) queueMicrotask(() => hear(structuredClone(message)));
    },
    addEventListener: (_type, listener) => void listeners.push(listener),
    close: () => void here.delete(own),
  };
  const hear = (data: unknown) => {
    for (const listener of listeners) listener(new MessageEvent('message', { data }));
  };
  here.set(own, { name, hear });
  return own;
}
const channelOf = (name: string): BroadcastChannel | null => unlessDemo(() => new BroadcastChannel(name));
/** A channel to the other rooms, or to the rest of this page. */
export const openChannel = (name: string): Channel => channelOf(name) ?? channelHere(name);

/** A worker that reaches this page through a channel of that name, shared by the tabs where it can be; null: none can be had. */
export function openWorker(
  url: string,
  options: WorkerOptions,
  channel: string,
): { worker: SharedWorker | Worker; port: MessagePort | Worker } | null {
  const heard = channelOf(channel);
  if (!heard) return null;
  heard.close();
  // Where a browser keeps nothing for a frame of another site, its workers do not load, which nobody hears of in time.
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

/** Without cookies nobody can be signed in. A browser that does not say keeps them. */
export const acceptsCookies = (): boolean => refusable(() => navigator.cookieEnabled) ?? true;

/** Asks the browser not to clear what it keeps of this device when the disk fills up. */
export function persistStorage(): void {
  void unlessDemo(() => navigator.storage.persist().catch(() => false));
}

/** Copies text, and says whether it went. */
export async function copyText(text: string): Promise<boolean> {
  const copying = refusable(() => navigator.clipboard.writeText(text));
  if (!copying) return false;
  return copying.then(
    () => true,
    () => false,
  );
}

/** Whether the system has a sheet to hand something on with. */
export const canShare = (): boolean => refusable(() => 'share' in navigator) ?? false;
/** Hands a link to that sheet. False: it was refused. Who closes the sheet has said no, and is asked nothing more. */
export async function shareUrl(url: string, title: string): Promise<boolean> {
  const sharing = refusable(() => navigator.share({ url, title }));
  if (!sharing) return false;
  return sharing.then(
    () => true,
    (error: unknown) => (error as Error | null)?.name === 'AbortError',
  );
}

/** A canvas's pen; null where the browser gives none. */
export const penOf = (
  canvas: HTMLCanvasElement,
  options?: CanvasRenderingContext2DSettings,
): CanvasRenderingContext2D | null => refusable(() => canvas.getContext('2d', options));

/** Side of what is drawn to be read back, pixels; of many colours, since a browser may leave a single one as it is. */
const SIDE = 8;
const colourAt = (x: number, y: number): [number, number, number, number] => [x * 30, y * 30, 90, 255];
/** Browsers that add a little noise change less than this. */
const NOISE = 4;
/**
 * Whether what is drawn on a canvas can be read again: guarded against fingerprints (`resistFingerprinting` and the like) a
 * browser shows it as it is, and gives noise to who reads it.
 */
export function isCanvasReadable(): boolean {
  const canvas = Object.assign(document.createElement('canvas'), { width: SIDE, height: SIDE });
  const pen = penOf(canvas, { willReadFrequently: true });
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

/** One conversation with a language model of the browser's own. */
export type BrowserSession = {
  promptStreaming(text: string, options: { signal: AbortSignal }): ReadableStream<string>;
  destroy(): void;
};
/** The Prompt API, as much of it as is used here. `downloadable`: the browser would fetch its model first. */
export type BrowserModel = {
  availability(): Promise<'unavailable' | 'downloadable' | 'downloading' | 'available'>;
  create(options: {
    initialPrompts: { role: 'system' | 'user' | 'assistant'; content: string }[];
    signal?: AbortSignal;
  }): Promise<BrowserSession>;
};
/** A language model that the browser brings along; null in those without. */
export const languageModel = (): BrowserModel | null =>
  refusable(() => (globalThis as { LanguageModel?: BrowserModel }).LanguageModel);
