import { resolve } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { captureErrors, log, logError } from '../../app/lib/logs.ts';
import { bootScript } from '../../server/build/boot.ts';
import { LOG_CAP_PER_KIND } from '../../server/contract/limits.ts';
import { ClientLog } from '../../server/contract/logs.ts';
import { fakeServer, foreign, json } from './support.tsx';

type Entry = { kind: 'error' | 'debug'; data: Record<string, unknown> & { context: Record<string, unknown> } };
const kept = vi.hoisted(() => ({ entries: [] as unknown[], append: undefined as (() => Promise<void>) | undefined }));
vi.mock('../../app/lib/device.ts', () => ({
  device: {
    appendLog(kind: string, data: unknown) {
      kept.entries.push({ kind, data });
      return kept.append?.() ?? Promise.resolve();
    },
  },
}));
const entries = () => kept.entries as Entry[];
const last = () => entries().at(-1)?.data;

const left = [
  {
    ...{ message: 'TypeError: left behind', stack: 'at start (app.js:1:2)', source: 'start' },
    ...{ timestamp: '1970-01-01T00:00:07.000Z', url: 'https://m.example/there', context: { build: 'before' } },
  },
];
beforeAll(() => {
  localStorage.setItem('muster-early', JSON.stringify(left));
  const early = [{ thrown: new Error('before'), source: 'start', at: 5_000 }];
  vi.stubGlobal('musterBoot', { take: () => ({ early, missed: 3 }) });
  captureErrors();
});
beforeEach(() => {
  kept.append = undefined;
});
afterEach(() => {
  kept.entries.length = 0;
  history.replaceState(null, '', '/');
});

test('what happened before the app listened is taken over, with its own time', () => {
  expect(entries()).toMatchObject([
    { kind: 'error', data: { message: 'Error: before', source: 'start', timestamp: '1970-01-01T00:00:05.000Z' } },
    { kind: 'debug', data: { action: 'early.missed', data: { count: 3 } } },
    // Of the build in which it happened, not of the one that tells of it.
    { kind: 'error', data: left[0] },
  ]);
  expect(localStorage.getItem('muster-early')).toBeNull();
});

describe('what is heard', () => {
  test('an uncaught error, with its stack and place', () => {
    const error = new RangeError('out of it');
    window.dispatchEvent(
      new ErrorEvent('error', { error, message: 'x', filename: 'https://m.example/a.js?v=1', lineno: 3 }),
    );
    expect(last()).toMatchObject({
      message: 'RangeError: out of it',
      stack: expect.stringContaining('out of it'),
      source: 'window.error',
      additionalData: { file: 'https://m.example/a.js', line: 3 },
    });
  });
  test('a rejection nobody handled, of whatever was thrown', () => {
    for (const reason of ['plain', { status: 7 }, undefined, new DOMException('gone', 'AbortError')]) {
      window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));
    }
    expect(entries().map(({ data }) => data['message'])).toEqual([
      'plain',
      '{"status":7}',
      'undefined',
      'AbortError: gone',
    ]);
    expect(last()).toMatchObject({ source: 'window.unhandledrejection' });
  });
  test('a part of the build that does not come, and a script; not a picture', () => {
    window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: new Error('no /assets/a.js') }));
    const script = document.createElement('script');
    script.type = 'text/template';
    script.src = 'https://m.example/gone.js?token=s3cret';
    for (const element of [script, document.createElement('img')])
      document.body.appendChild(element).dispatchEvent(new Event('error'));
    expect(entries().map(({ data }) => [data['source'], data['message']])).toEqual([
      ['chunk', 'Error: no /assets/a.js'],
      ['resource', 'Could not load https://m.example/gone.js'],
    ]);
  });
  test('going offline and coming back, and since when', () => {
    window.dispatchEvent(new Event('offline'));
    logError(new Error('while away'), 'x');
    const offlineSince = (last()?.context['connection'] as { offlineSince: string } | undefined)?.offlineSince ?? '';
    expect(Number.isNaN(Date.parse(offlineSince))).toBe(false);
    window.dispatchEvent(new Event('online'));
    expect(last()).toMatchObject({ action: 'online', data: { since: offlineSince } });
    logError(new Error('back'), 'x');
    expect(last()?.context).toMatchObject({ connection: { offlineSince: null } });
  });
});

describe('what is said', () => {
  test('both kinds are as the specification has them', () => {
    logError(new Error('a'), 'test', { more: 1 });
    log('did', { a: 1 });
    for (const { kind, data } of entries()) expect(ClientLog.safeParse({ type: kind, data }).success).toBe(true);
    expect(entries().map(({ data }) => Object.keys(data).sort())).toEqual([
      ['additionalData', 'context', 'message', 'source', 'stack', 'timestamp', 'url', 'userAgent'],
      ['action', 'context', 'data', 'source', 'timestamp'],
    ]);
  });
  test.each([
    ['/community/c-1/dashboard?invite=secret', 'c-1', '/community/c-1/dashboard'],
    ['/tallinn/admin#x', 'tallinn', '/tallinn/admin'],
    ['/profile', null, '/profile'],
  ])('the circumstances at %s: no query, the community, the build, the device', (address, community, route) => {
    history.replaceState(null, '', address);
    logError(new Error('a'), 'test');
    expect(last()).toMatchObject({
      url: `${location.origin}${route}`,
      context: {
        build: 'test',
        route,
        community,
        displayMode: 'browser',
        pushPermission: expect.stringMatching(/^(granted|denied|default|unsupported)$/),
        connection: { online: true },
        device: { lang: navigator.language, viewport: expect.stringMatching(/^\d+x\d+@[\d.]+$/) },
      },
    });
    expect(JSON.stringify(entries())).not.toContain('secret');
  });
  test('secrets are taken out before anything leaves the page', () => {
    logError(new Error('at https://m.example/a?token=s3cret with Bearer abcdefghij'), 'test', { password: 's3cret' });
    expect(JSON.stringify(entries())).not.toMatch(/s3cret|abcdefghij/);
  });
});

describe('never a loop', () => {
  test('an error raised while an entry is made is not logged', () => {
    const poisoned = {
      get more() {
        logError(new Error('inner'), 'getter');
        throw new Error('thrown by a getter');
      },
    };
    logError(new Error('outer'), 'test', poisoned);
    expect(entries().map(({ data }) => data['message'])).toEqual(['Error: outer']);
  });
  test('a device that cannot keep it, and a server that cannot be told, raise nothing', async () => {
    const { asked, answer } = fakeServer();
    answer(() => Promise.reject(new TypeError('Failed to fetch')));
    kept.append = () => Promise.reject(new Error('worker broken'));
    logError(new Error('once'), 'test');
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    await new Promise((done) => setTimeout(done, 5));
    expect(entries()).toHaveLength(1);
    expect(asked).toHaveLength(1);
  });
  test('where nobody keeps it an entry is sent as it is, in the single form', async () => {
    const { asked } = fakeServer();
    let fail = (_reason: Error) => {};
    kept.append = () =>
      new Promise((_done, reject) => {
        fail = reject;
      });
    logError(new Error('alone'), 'test');
    expect(asked).toHaveLength(0);
    fail(new Error('nobody answers'));
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    expect(asked[0]).toMatchObject({ url: '/api/debug/client-logs', method: 'POST' });
    const body: unknown = JSON.parse(String(asked[0]?.init.body));
    expect(ClientLog.safeParse(body).success).toBe(true);
    expect(body).toMatchObject({ type: 'error', data: { message: 'Error: alone' } });
  });
});

describe('before the app: /boot.js', () => {
  const boot = bootScript(resolve(import.meta.dirname, '../../app/public/boot.js'));
  type Boot = { take(): { early: { thrown: unknown; at: number }[]; missed: number } };
  const begin = () => {
    document.body.innerHTML = '<div id="root"></div>';
    document.documentElement.removeAttribute('data-started');
    new Function(boot)();
    return (globalThis as unknown as { musterBoot: Boot }).musterBoot;
  };
  const raise = (error: Error) => window.dispatchEvent(new ErrorEvent('error', { error }));
  beforeEach(() => void vi.useFakeTimers({ now: 9_000 }));

  test('keeps what it hears, up to fifty, and counts the rest', () => {
    const list = begin();
    window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'first' }));
    for (let n = 0; n < 54; n += 1) raise(new Error(`e${n}`));
    const { early, missed } = list.take();
    expect(early).toHaveLength(LOG_CAP_PER_KIND);
    expect(early[0]).toEqual({ thrown: 'first', source: 'start', at: 9_000 });
    expect(missed).toBe(5);
    raise(new Error('the app listens by now'));
    expect(list.take().early).toEqual([]);
  });
  test('taken over, it sends nothing', () => {
    const { asked } = fakeServer();
    const list = begin();
    raise(new Error('x'));
    list.take();
    vi.advanceTimersByTime(60_000);
    expect(asked).toEqual([]);
  });
  test('an app that does not start: each error is sent by itself, without secrets', async () => {
    const { asked } = fakeServer();
    const list = begin();
    raise(new Error('no https://m.example/a.js?token=s3cret'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked.map(({ url, method }) => [method, url])).toEqual([['POST', '/api/debug/client-logs']]);
    const body: unknown = JSON.parse(String(asked[0]?.init.body));
    expect(ClientLog.safeParse(body).success).toBe(true);
    expect(body).toMatchObject({ data: { message: 'Error: no https://m.example/a.js', source: 'start' } });
    expect(JSON.stringify(body)).not.toContain('s3cret');
    expect(list.take().early).toEqual([]);
  });
  test('whatever was thrown before the app was there: its frames, or that it cannot be read', async () => {
    const { asked } = fakeServer();
    begin();
    raise(new Error('x '.repeat(2_500)));
    window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: Object.create(null) }));
    await vi.advanceTimersByTimeAsync(10_000);
    const [long, unreadable] = asked.map(({ init }) => JSON.parse(String(init.body)).data);
    expect(long.stack).toContain('logs.test.tsx');
    expect(unreadable).toMatchObject({ message: 'Something unreadable was thrown', stack: null });
  });
  test('somebody in between takes nothing: it is left for the next start', async () => {
    fakeServer().answer(() => foreign(json({ ok: true })));
    begin();
    raise(new Error('nobody hears'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(JSON.parse(localStorage.getItem('muster-early') ?? '[]')).toHaveLength(1);
    localStorage.clear();
  });
  test('and no network either: it is left for the next start', async () => {
    fakeServer().answer(() => Promise.reject(new TypeError('Failed to fetch')));
    begin();
    raise(new Error('nobody hears'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(JSON.parse(localStorage.getItem('muster-early') ?? '[]')).toMatchObject([
      {
        ...{ message: 'Error: nobody hears', stack: expect.stringContaining('nobody hears'), source: 'start' },
        ...{ timestamp: '1970-01-01T00:00:09.000Z', context: { build: null } },
      },
    ]);
  });
});
