import { CacheFirst } from 'workbox-strategies';
import { BUILD_HEADER } from '../server/contract/sw-messages.ts';
import { type DeviceStorage, getMeta, putMeta } from '../worker/storage/storage.ts';

/** Name of one build's shell cache. The list's own hash names it, so another list is another cache. */
export const SHELL_PREFIX = 'shell-';

export type Shell = {
  name: string;
  /** Name of the build, as its server names it. */
  build: string;
  /** What the first screen needs: stored before this worker may take over. */
  files: readonly string[];
  /**
   * Address of a JSON list, itself one of `files`, of the other screens and pictures, which are stored when a page is
   * idle. The list is a separate file because every update downloads this script. Empty when there is none.
   */
  rest: string;
};

/** Page that every navigation opens; the router inside it reads the address. As on the server, `app.html` comes first. */
const pageOf = ({ files }: Shell): string | undefined =>
  ['/app.html', '/index.html'].find((page) => files.includes(page));
/** Its name never changes its content, so a copy of an earlier build is as good as the server's. */
export const isHashed = (url: string): boolean => url.startsWith('/assets/');
/** The server's own: a hotel's page would answer for the file for ever. A redirected one cannot be given to a navigation. */
const isWhole = ({ status, redirected, headers }: Response): boolean =>
  status === 200 && !redirected && headers.has(BUILD_HEADER);
const MATCH_OPTIONS = { ignoreSearch: true, ignoreVary: true };

/** How often a file is asked for in all, and after which pause, while a deploy replaces one server after the other. */
const TRIES = 5;
const BETWEEN_TRIES_MS = 400;

/**
 * Checks the answer to a file. A captive portal's page may lie in the browser's HTTP cache for as long as a hashed file
 * itself would, so an answer that is not right is fetched again, past that cache. Another of our servers may have what
 * this one has not, or not yet.
 */
async function rightOf(url: string, first: Response, isRight: (response: Response) => boolean): Promise<Response> {
  let response = first;
  for (let tries = 1; !isRight(response) && tries < TRIES; tries += 1) {
    if (tries > 1 && !mayBeElsewhere(response)) break;
    if (tries > 1) await new Promise((done) => setTimeout(done, BETWEEN_TRIES_MS));
    response = await fetch(url, { cache: 'reload', credentials: 'omit' });
  }
  return response;
}

const mayBeElsewhere = ({ status, headers }: Response): boolean =>
  headers.has(BUILD_HEADER) && (status === 200 || status === 404);

/** A page of another build asks for other files: a shell is of one build. A hashed file is the same from every server. */
async function fetched(url: string, build: string): Promise<Response> {
  const isRight = (response: Response) =>
    isWhole(response) && (isHashed(url) || response.headers.get(BUILD_HEADER) === build);
  const first = await fetch(url, { cache: isHashed(url) ? 'default' : 'no-cache', credentials: 'omit' });
  const response = await rightOf(url, first, isRight);
  if (!isRight(response)) throw new Error(`${url} answered ${response.status}`);
  return response;
}

async function storeFile(cache: Cache, url: string, build: string): Promise<void> {
  const copy = isHashed(url) ? await caches.match(url, { ignoreVary: true }) : undefined;
  await cache.put(url, copy ?? (await fetched(url, build)));
}

/** Fetches what the first screen needs, or fails and leaves nothing behind: half of that opens no page. */
export async function installShell({ name, files, build }: Shell): Promise<void> {
  try {
    const cache = await caches.open(name);
    await Promise.all(files.map((url) => storeFile(cache, url, build)));
  } catch (error) {
    await caches.delete(name);
    throw error;
  }
}

/** Fetches the missing files of the other screens, a few in parallel. A file that fails now is left for later. */
export async function installRest({ name, rest, build }: Shell): Promise<void> {
  if (rest === '') return;
  const cache = await caches.open(name);
  const list = (await cache.match(rest)) ?? (await fetched(rest, build));
  const named: string[] = await list.json();
  const stored = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  const missing = named.filter((url) => !stored.has(url)).values();
  const worker = async () => {
    for (const url of missing) await storeFile(cache, url, build).catch(() => undefined);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
}

/** Removes the shells of earlier builds, except the one that open tabs may still use. */
export async function removeOldShells(current: string, previous: string): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(SHELL_PREFIX));
  const old = names.filter((name) => name !== current && name !== previous);
  await Promise.all(old.map((name) => caches.delete(name)));
}

const isOwnFile = (path: string, { files }: Shell): boolean => files.includes(path) || path.startsWith('/icons/');

/** Addresses that the server answers itself; opened in a tab, they are the server's. */
const SERVER_OWN = /^\/(api\/|livez$|readyz$|metrics$|sw\.js$|\.well-known\/)/;

/**
 * Every address in a tab opens the stored page, deep links too. Not so what the server answers itself, what another site
 * frames (the server's own headers decide that), and `?nosw`, which leads past a broken worker.
 */
function opensPage({ mode, destination, url }: Request, shell: Shell): boolean {
  const { pathname, searchParams } = new URL(url);
  if (mode !== 'navigate' || destination !== 'document' || searchParams.has('nosw')) return false;
  return (
    pageOf(shell) !== undefined && !isOwnFile(pathname, shell) && !isHashed(pathname) && !SERVER_OWN.test(pathname)
  );
}

/** Whether the shell answers a request. All others go to the network as if there were no service worker. */
export function answersFor(request: Request, shell: Shell): boolean {
  const { pathname } = new URL(request.url);
  return opensPage(request, shell) || isOwnFile(pathname, shell) || isHashed(pathname);
}

/**
 * Answers hashed files from this build's cache, then from another build's cache (open tabs of that build ask for them),
 * then from the server, whose answer is stored.
 */
export function createHashedFiles(shell: Shell): CacheFirst {
  return new CacheFirst({
    cacheName: shell.name,
    matchOptions: MATCH_OPTIONS,
    plugins: [
      {
        cacheKeyWillBeUsed: async ({ request }) => request.url.replace(/[?#].*/, ''),
        cachedResponseWillBeUsed: async ({ cachedResponse, request }) =>
          cachedResponse ?? caches.match(request, MATCH_OPTIONS),
        fetchDidSucceed: ({ request, response }) => rightOf(request.url, response, isWhole),
        // In development there is no shell to add to.
        cacheWillUpdate: async ({ response }) => (isWhole(response) && shell.files.length > 0 ? response : null),
      },
    ],
  });
}

/**
 * The shell's answer to a request for anything but a hashed file, or undefined where the network must answer. A visitor
 * gets the page that was drawn at the build where there is one, as from the server; for a member the app draws it.
 */
export async function fromShell(
  request: Request,
  shell: Shell,
  isVisitor: () => Promise<boolean>,
): Promise<Response | undefined> {
  const { pathname } = new URL(request.url);
  const own = await caches.open(shell.name);
  if (opensPage(request, shell)) {
    const drawn = pathname === '/' ? '/index.html' : `${pathname}.html`;
    const isDrawn = shell.files.includes(drawn) && (await isVisitor());
    return own.match(isDrawn ? drawn : (pageOf(shell) ?? '/'), MATCH_OPTIONS);
  }
  return own.match(pathname, MATCH_OPTIONS);
}

/**
 * Activates this worker. The previous build's shell stays until the next update, because its tabs are still open. Only
 * a device's first worker claims the page that registered it; a later one waits for the member's consent.
 */
export async function activate(
  { clients }: ServiceWorkerGlobalScope,
  storage: DeviceStorage,
  shell: Shell,
): Promise<void> {
  const previous = await storage.run(['meta'], (tx) => getMeta(tx, 'activeShell')).catch(() => '');
  if (previous !== shell.name) {
    await storage.run(['meta'], (tx) => putMeta(tx, 'activeShell', shell.name)).catch(() => undefined);
    await removeOldShells(shell.name, previous);
  }
  if (previous === '') await clients.claim();
}

/** Looks for a new build once for each build that the server names and this worker is not. */
export function createBuildWatch(own: string, lookForUpdate: () => Promise<unknown>): (response: Response) => void {
  let seen = own;
  return (response) => {
    const named = response.headers.get(BUILD_HEADER);
    if (named === null || named === own || named === seen) return;
    seen = named;
    lookForUpdate().catch(() => undefined);
  };
}
