import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BUILD_HEADER, MEMBER_HEADER, type SwAnswer } from '../../server/contract/sw-messages.ts';
import { createBuildWatch, installShell, removeOldShells } from '../../service-worker/precache.ts';
import { type FakeCaches, get, installCaches, installFetch, installScope, navigation, ORIGIN, OWN } from './scope.ts';

const FILES = ['/assets/app-1.js', '/assets/app-1.css', '/index.html', '/manifest.webmanifest'];
const fetchMock = vi.fn<typeof fetch>();
const urlOf = (input: RequestInfo | URL): string => (input instanceof Request ? input.url : String(input));
const online = async (input: RequestInfo | URL) =>
  new Response(`server ${urlOf(input).replace(ORIGIN, '')}`, { headers: OWN });
const offline = () => Promise.reject(new TypeError('Failed to fetch'));

const media = (destination: string) => {
  const request = get('/api/media/one');
  Object.defineProperty(request, 'destination', { value: destination });
  return request;
};

let caches: FakeCaches;
beforeEach(() => {
  caches = installCaches();
  fetchMock.mockReset();
  fetchMock.mockImplementation(online);
  installFetch(fetchMock);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Starts the real entry in a scope of its own, as the browser starts a worker. */
async function start(shell = 'one', files = FILES, rest = '') {
  const scope = installScope();
  vi.stubGlobal('__BUILD__', 'build-1');
  vi.stubGlobal('__SHELL__', shell);
  vi.stubGlobal('__SHELL_FILES__', files);
  vi.stubGlobal('__SHELL_REST__', rest);
  vi.resetModules();
  await import('../../service-worker/index.ts');
  return {
    ...scope,
    async run(type: string, init: object = {}) {
      const event = scope.send(type, init);
      await event.settled();
      return event;
    },
    /** The answer's text, or null where the browser asks the network itself. */
    async open(request: Request) {
      const event = scope.send('fetch', { request });
      const response = await event.answer;
      await event.settled();
      return response ? response.text() : null;
    },
    async ask(type: string): Promise<SwAnswer | undefined> {
      const port = { postMessage: vi.fn<(answer: SwAnswer) => void>() };
      const event = scope.send('message', { data: { type }, ports: [port] });
      await event.settled();
      return port.postMessage.mock.calls[0]?.[0];
    },
  };
}

describe('the shell', () => {
  test('is fetched whole at install; every address opens from it without a network', async () => {
    const sw = await start();
    await sw.run('install');
    expect(Object.keys(await caches.contents())).toEqual(['shell-one']);
    fetchMock.mockImplementation(offline);
    for (const path of ['/', '/community/42/dashboard?from=push', '/profile', '/some-name/admin'])
      expect(await sw.open(navigation(path))).toBe('server /index.html');
    expect(await sw.open(get('/assets/app-1.js?v=2'))).toBe('server /assets/app-1.js');
  });
  test('a page that was drawn at the build opens for a visitor; for a member the app draws it', async () => {
    const sw = await start('one', ['/app.html', '/index.html', '/terms.html']);
    await sw.run('install');
    const opened = async () => {
      const texts: (string | null)[] = [];
      for (const path of ['/', '/terms', '/profile']) texts.push(await sw.open(navigation(path)));
      return texts;
    };
    expect(await opened()).toEqual(['server /index.html', 'server /terms.html', 'server /app.html']);
    fetchMock.mockResolvedValueOnce(Response.json({ id: 'one' }, { headers: { ...OWN, [MEMBER_HEADER]: 'one' } }));
    await sw.open(get('/api/auth/user'));
    fetchMock.mockImplementation(offline);
    expect(await opened()).toEqual(['server /app.html', 'server /app.html', 'server /app.html']);
    await sw.ask('PURGE_PRIVATE');
    expect(await opened()).toEqual(['server /index.html', 'server /terms.html', 'server /app.html']);
  });
  test('a file that is missing fails the install and leaves nothing', async () => {
    const sw = await start();
    fetchMock.mockImplementation(async (input) =>
      urlOf(input).endsWith('.css') ? new Response('', { status: 404 }) : online(input),
    );
    await expect(sw.run('install')).rejects.toThrow('/assets/app-1.css answered 404');
    expect(await caches.contents()).toEqual({});
  });
  test.each([
    ['the API', navigation('/api/openapi.json')],
    ['a probe', navigation('/livez')],
    ["the device's own probe", new Request(`${ORIGIN}/api/health`, { method: 'HEAD' })],
    ['the way past a broken worker', navigation('/?nosw')],
    ['a frame of another site', navigation('/', 'iframe')],
    ['another origin', new Request('https://elsewhere.example/index.html')],
    ['a part of a file', get('/index.html', { range: 'bytes=0-1' })],
    ['a part of an answer', get('/api/communities', { range: 'bytes=0-1' })],
    ['events without an end', get('/api/admin/client-logs/tail', { accept: 'text/event-stream' })],
    ['sound', media('audio')],
    ['a film', media('video')],
    ['a mutation', new Request(`${ORIGIN}/api/x`, { method: 'POST' })],
  ])('leaves to the network: %s', async (_name, request) => {
    const sw = await start();
    await sw.run('install');
    expect(await sw.open(request)).toBeNull();
  });
  test('screens and pictures come after the frame, when a page has time; what failed is fetched the next time', async () => {
    const list = '/assets/rest-1.json';
    const answers = async (input: RequestInfo | URL) =>
      urlOf(input).endsWith(list)
        ? Response.json(['/assets/profile-1.js', '/assets/board-1.js', '/icons/large.png'], { headers: OWN })
        : online(input);
    fetchMock.mockImplementation(answers);
    const files = [...FILES, list];
    const sw = await start('one', files, list);
    await sw.run('install');
    const stored = async () => Object.keys((await caches.contents())['shell-one'] ?? {}).slice(files.length);
    expect(await stored()).toEqual([]);
    fetchMock.mockImplementation(async (input) =>
      urlOf(input).includes('board') ? new Response('', { status: 503 }) : answers(input),
    );
    expect(await sw.ask('KEEP_REST')).toEqual({ ok: true });
    expect((await stored()).sort()).toEqual(['/assets/profile-1.js', '/icons/large.png']);
    fetchMock.mockClear();
    fetchMock.mockImplementation(answers);
    await sw.ask('KEEP_REST');
    expect(fetchMock.mock.calls.map(([input]) => urlOf(input))).toEqual(['/assets/board-1.js']);
    fetchMock.mockImplementation(offline);
    expect(await sw.open(get('/assets/board-1.js'))).toBe('server /assets/board-1.js');
    expect(await sw.open(get('/icons/large.png'))).toBe('server /icons/large.png');
  });
  test('a hashed file that is not stored yet is fetched once; who asks for it in other words gets it too', async () => {
    const sw = await start();
    await sw.run('install');
    expect(await sw.open(get('/assets/board-1.js?v=2'))).toBe('server /assets/board-1.js?v=2');
    fetchMock.mockImplementation(offline);
    expect(await sw.open(get('/assets/board-1.js', { accept: 'text/javascript' }))).toContain('/assets/board-1.js');
    await expect(sw.open(get('/assets/never-1.js'))).rejects.toThrow('Failed to fetch');
  });
  test.each([
    ['a hotel’s page', { headers: { 'content-type': 'text/html' } }],
    ['somebody’s file', { headers: { 'content-type': 'text/javascript' } }],
    ['a failure', { status: 503, headers: OWN }],
  ])('%s in the place of a hashed file is not stored', async (_what, init) => {
    const sw = await start();
    await sw.run('install');
    fetchMock.mockImplementation(async () => new Response('something else', init));
    expect(await sw.open(get('/assets/board-1.js'))).toBe('something else');
    fetchMock.mockImplementation(online);
    expect(await sw.open(get('/assets/board-1.js'))).toBe('server /assets/board-1.js');
  });
  test('a hotel’s page that the browser kept in the place of a hashed file is got past, at install and after it', async () => {
    fetchMock.mockImplementation(async (input, { cache } = {}) =>
      urlOf(input).includes('/assets/') && cache !== 'reload' ? new Response('log in') : online(input),
    );
    const sw = await start();
    await sw.run('install');
    expect(await sw.open(get('/assets/app-1.js'))).toBe('server /assets/app-1.js');
    expect(await sw.open(get('/assets/board-1.js'))).toBe('server /assets/board-1.js');
  });
  test('a tab of the build before gets its own hashed files without a network', async () => {
    await installShell({ name: 'shell-zero', files: ['/assets/app-0.js'], rest: '', build: 'build-1' });
    const sw = await start();
    await sw.run('install');
    fetchMock.mockImplementation(offline);
    expect(await sw.open(get('/assets/app-0.js'))).toBe('server /assets/app-0.js');
  });
  test('where the browser’s caches are broken or full the network alone answers', async () => {
    const sw = await start();
    await sw.run('install');
    caches.isFull = true;
    expect(await sw.open(get('/assets/board-1.js'))).toBe('server /assets/board-1.js');
    caches.match = () => Promise.reject(new DOMException('broken', 'UnknownError'));
    expect(await sw.open(get('/assets/app-1.js'))).toBe('server /assets/app-1.js');
  });
  test('while a deploy replaces one server after the other, the shell is of one build and whole', async () => {
    const asked = new Map<string, number>();
    /** Each file is asked of the old server first, then of the new one. */
    const inTurns = async (input: RequestInfo | URL) => {
      const url = urlOf(input);
      const times = (asked.get(url) ?? 0) + 1;
      asked.set(url, times);
      if (times % 2 === 0) return online(input);
      const headers = { [BUILD_HEADER]: 'build-0' };
      return url.includes('/assets/')
        ? new Response('Not found', { status: 404, headers })
        : new Response('of the old build', { headers });
    };
    fetchMock.mockImplementation(inTurns);
    const sw = await start();
    await sw.run('install');
    expect(new Set(Object.values((await caches.contents())['shell-one'] ?? {}))).toEqual(
      new Set(FILES.map((url) => `server ${url}`)),
    );
    expect(await sw.open(get('/assets/board-1.js'))).toBe('server /assets/board-1.js');
    // Rolled back in between: nothing of this build is anywhere.
    vi.useFakeTimers();
    fetchMock.mockImplementation(
      async () => new Response('of the old build', { headers: { [BUILD_HEADER]: 'build-0' } }),
    );
    const failing = installShell({ name: 'shell-two', files: ['/index.html'], rest: '', build: 'build-1' }).catch(
      (error: Error) => error.message,
    );
    await vi.runAllTimersAsync();
    expect([await failing, await caches.keys()]).toEqual(['/index.html answered 200', ['shell-one']]);
  });
  test('a missing asset is the server’s 404, never the page', async () => {
    const sw = await start();
    await sw.run('install');
    fetchMock.mockImplementation(async () => new Response('gone', { status: 404 }));
    expect(await sw.open(get('/assets/old-9.js'))).toBe('gone');
  });
  test('an update takes unchanged files from the cache and asks the server for the rest', async () => {
    await installShell({ name: 'shell-one', files: FILES, rest: '', build: 'build-1' });
    fetchMock.mockClear();
    await installShell({ name: 'shell-two', files: [...FILES, '/assets/new-2.js'], rest: '', build: 'build-1' });
    expect(fetchMock.mock.calls.map(([input]) => urlOf(input)).sort()).toEqual([
      '/assets/new-2.js',
      '/index.html',
      '/manifest.webmanifest',
    ]);
  });
  test('the build before keeps its files for open tabs; the one before that goes', async () => {
    for (const name of ['shell-one', 'shell-two', 'shell-three'])
      await installShell({ name, files: ['/index.html'], rest: '', build: 'build-1' });
    await caches.open('private-A');
    await removeOldShells('shell-three', 'shell-one');
    expect(await caches.keys()).toEqual(['shell-one', 'shell-three', 'private-A']);
  });
  test('a cleared shell is fetched again behind the page that asked', async () => {
    const sw = await start();
    await sw.run('install');
    expect(await sw.ask('PURGE_ALL')).toEqual({ ok: true });
    expect(await caches.contents()).toEqual({});
    expect(await sw.open(navigation('/profile'))).toBe('server /profile');
    fetchMock.mockImplementation(offline);
    expect(await sw.open(navigation('/profile'))).toBe('server /index.html');
  });
  test('in development it stores nothing and stands in nobody’s way', async () => {
    const sw = await start('', []);
    await sw.run('install');
    expect(await sw.open(navigation('/profile'))).toBeNull();
    expect(await sw.open(get('/assets/app-1.js'))).toBe('server /assets/app-1.js');
    expect((await caches.contents())['shell-'] ?? {}).toEqual({});
  });
});

describe('updates', () => {
  test('only the first worker of a device claims the pages', async () => {
    const first = await start('u1');
    await first.run('install');
    await first.run('activate');
    const second = await start('u2');
    await second.run('install');
    await second.run('activate');
    expect(second.skipWaiting).not.toHaveBeenCalled();
    expect(second.clients.claim).not.toHaveBeenCalled();
    // A page that was on its way meanwhile asks for it.
    expect(await second.ask('CLAIM')).toEqual({ ok: true });
    expect(second.clients.claim).toHaveBeenCalledTimes(1);
    expect(await caches.keys()).toEqual(['shell-u1', 'shell-u2']);
    const third = await start('u3');
    await third.run('install');
    expect(await third.ask('SKIP_WAITING')).toEqual({ ok: true });
    expect(third.skipWaiting).toHaveBeenCalledOnce();
    await third.run('activate');
    expect(await caches.keys()).toEqual(['shell-u2', 'shell-u3']);
  });
  test('a server that names another build is asked for it once', () => {
    const update = vi.fn(async () => undefined);
    const note = createBuildWatch('a', update);
    for (const build of ['a', 'b', 'b', 'c']) note(new Response('', { headers: { [BUILD_HEADER]: build } }));
    note(new Response(''));
    expect(update).toHaveBeenCalledTimes(2);
  });
});

describe('the kill switch', () => {
  test('takes over at once, clears every cache, leaves the device’s database, and goes', async () => {
    const scope = installScope();
    const unregister = vi.fn(async () => true);
    Object.assign(scope.registration, { unregister });
    const databases = vi.spyOn(indexedDB, 'deleteDatabase');
    for (const name of ['shell-one', 'private-A', 'public']) await caches.open(name);
    vi.resetModules();
    await import('../../service-worker/kill-switch.ts');
    await scope.send('install').settled();
    expect(scope.skipWaiting).toHaveBeenCalledOnce();
    expect(scope.send('fetch', { request: navigation('/') }).answer).toBeUndefined();
    await scope.send('activate').settled();
    expect([await caches.keys(), unregister.mock.calls.length, databases.mock.calls.length]).toEqual([[], 1, 0]);
  });
});

describe('messages', () => {
  test('answers each on its port, names its build, and is silent to strangers', async () => {
    const sw = await start();
    expect(await sw.ask('BUILD')).toEqual({ ok: true, build: 'build-1' });
    expect(await sw.ask('constructor')).toBeUndefined();
    expect(await sw.ask('toString')).toBeUndefined();
  });
  test('a purge forgets every member’s copies and keeps the shell', async () => {
    const sw = await start();
    await sw.run('install');
    fetchMock.mockImplementation(async () =>
      Response.json({ id: 'A' }, { headers: { ...OWN, 'cache-control': 'private, no-cache', [MEMBER_HEADER]: 'A' } }),
    );
    await sw.open(get('/api/auth/user'));
    expect(Object.keys(await caches.contents())).toEqual(['shell-one', 'private-A']);
    expect(await sw.ask('PURGE_PRIVATE')).toEqual({ ok: true });
    expect(Object.keys(await caches.contents())).toEqual(['shell-one']);
  });
});
