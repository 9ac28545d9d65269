import { vi } from 'vitest';
import { BUILD_HEADER } from '../../server/contract/sw-messages.ts';

/** Where everything happens; Node's Request takes no relative address. */
export const ORIGIN = 'https://muster.example';
/** Stands on each answer of the server's own. */
export const OWN = { [BUILD_HEADER]: 'build-1' };
const absolute = (key: RequestInfo | URL): string =>
  new URL(key instanceof Request ? key.url : String(key), ORIGIN).href;
const bare = (url: string): string => url.split('?', 1)[0] ?? url;

class FakeCache {
  readonly entries = new Map<string, Response>();
  async put(key: RequestInfo | URL, response: Response): Promise<void> {
    this.entries.delete(absolute(key));
    this.entries.set(absolute(key), response);
  }
  async match(key: RequestInfo | URL, options: CacheQueryOptions = {}): Promise<Response | undefined> {
    const wanted = absolute(key);
    for (const [url, response] of this.entries)
      if (options.ignoreSearch ? bare(url) === bare(wanted) : url === wanted) return response.clone();
    return undefined;
  }
  async delete(key: RequestInfo | URL): Promise<boolean> {
    return this.entries.delete(absolute(key));
  }
  async keys(): Promise<Request[]> {
    return [...this.entries.keys()].map((url) => new Request(url));
  }
}

export class FakeCaches {
  readonly stores = new Map<string, FakeCache>();
  /** Makes every `put` fail, as a full disk does. */
  isFull = false;
  async open(name: string): Promise<FakeCache> {
    let store = this.stores.get(name);
    if (!store) {
      store = new FakeCache();
      this.stores.set(name, store);
    }
    if (this.isFull) store.put = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
    return store;
  }
  async has(name: string): Promise<boolean> {
    return this.stores.has(name);
  }
  async keys(): Promise<string[]> {
    return [...this.stores.keys()];
  }
  async delete(name: string): Promise<boolean> {
    return this.stores.delete(name);
  }
  async match(key: RequestInfo | URL, options: MultiCacheQueryOptions = {}): Promise<Response | undefined> {
    for (const [name, store] of this.stores) {
      if (options.cacheName !== undefined && options.cacheName !== name) continue;
      const found = await store.match(key, options);
      if (found) return found;
    }
    return undefined;
  }
  /** Every stored address and text, by cache. */
  async contents(): Promise<Record<string, Record<string, string>>> {
    const all: Record<string, Record<string, string>> = {};
    for (const [name, store] of this.stores) {
      const stored: Record<string, string> = {};
      for (const [url, response] of store.entries) stored[url.slice(ORIGIN.length)] = await response.clone().text();
      all[name] = stored;
    }
    return all;
  }
}

/** Puts a fresh Cache API into the global scope, and what else Workbox looks for there. */
export function installCaches(): FakeCaches {
  const fake = new FakeCaches();
  vi.stubGlobal('caches', fake);
  vi.stubGlobal('self', { caches: fake, location: new URL(`${ORIGIN}/sw.js`) });
  vi.stubGlobal('ExtendableEvent', FakeEvent);
  vi.stubGlobal('FetchEvent', FakeEvent);
  return fake;
}

/** An answer names the address that it came from, which one that was made by hand does not. */
function from(url: string, response: Response): Response {
  const clone = response.clone.bind(response);
  return Object.defineProperties(response, { url: { value: url }, clone: { value: () => from(url, clone()) } });
}

/** Puts a network into the global scope. */
export function installFetch(network: typeof fetch): void {
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) =>
    from(absolute(input), await network(input, init)),
  );
}

/** Nobody waits for a timer: Workbox writes each copy in a task of its own. */
export function installTimers(): void {
  vi.stubGlobal('setTimeout', (task: () => void) => setImmediate(task));
}

export class FakeEvent extends Event {
  readonly held: Promise<unknown>[];
  answer: Promise<Response> | undefined;
  constructor(type: string, held: Promise<unknown>[] = []) {
    super(type);
    this.held = held;
  }
  waitUntil(work: Promise<unknown>): void {
    this.held.push(work);
  }
  respondWith(answer: Promise<Response>): void {
    this.answer = Promise.resolve(answer);
  }
  /** Resolves when nothing holds the event open any more. */
  async settled(): Promise<void> {
    await this.answer?.catch(() => undefined);
    for (let seen = 0; seen < this.held.length; seen += 1) await this.held[seen];
  }
}

/** A small ServiceWorkerGlobalScope: listeners, registration, clients. */
export function installScope() {
  const target = new EventTarget();
  const scope = {
    caches,
    location: new URL(`${ORIGIN}/sw.js`),
    registration: {
      update: vi.fn(async () => undefined),
      sync: { register: vi.fn(async (_tag: string) => undefined), getTags: async () => [] as string[] },
    },
    clients: { claim: vi.fn(async () => undefined) },
    skipWaiting: vi.fn(async () => undefined),
    addEventListener: target.addEventListener.bind(target),
  };
  vi.stubGlobal('self', scope);
  function send(type: string, init: object = {}): FakeEvent {
    const event = Object.assign(new FakeEvent(type), init);
    target.dispatchEvent(event);
    return event;
  }
  return { ...scope, send };
}

/** A request as the browser makes it when an address is opened in a tab. */
export function navigation(path: string, destination = 'document'): Request {
  const request = new Request(`${ORIGIN}${path}`);
  Object.defineProperties(request, { mode: { value: 'navigate' }, destination: { value: destination } });
  return request;
}
export const get = (path: string, headers: Record<string, string> = {}): Request =>
  new Request(`${ORIGIN}${path}`, { headers });
