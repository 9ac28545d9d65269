import { resolve } from 'node:path';
import { act, render, screen, waitFor } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { CrashBoundary, reportMismatch } from '../../app/features/shell/crash.tsx';
import { PartMissing } from '../../app/lib/service-worker.ts';
import { bootScript } from '../../server/build/boot.ts';
import { BUILD_HEADER, DEVICE_CHANNEL } from '../../server/contract/sw-messages.ts';
import { own } from './support.tsx';

const logged = vi.hoisted(() => ({ entries: [] as unknown[][] }));
vi.mock('../../app/lib/logs.ts', () => ({ logError: (...entry: unknown[]) => logged.entries.push(entry) }));

beforeEach(() => {
  logged.entries.length = 0;
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

const Broken = (): never => {
  throw new Error('the tally fell over');
};

describe('a screen that crashes while it is drawn', () => {
  test('says so, with technical details, and ops hear of it', async () => {
    render(
      <CrashBoundary>
        <Broken />
      </CrashBoundary>,
    );
    screen.getByRole('heading', { level: 1, name: 'Something went wrong' });
    screen.getByText('Please refresh the page to try again.');
    expect(screen.getByText('Technical details').closest('details')?.textContent).toContain('the tally fell over');
    await waitFor(() => expect(logged.entries).toHaveLength(1));
    expect(logged.entries[0]?.[0]).toMatchObject({ message: 'the tally fell over' });
    expect(JSON.stringify(logged.entries[0]?.[2])).toContain('Broken');
  });

  test('another address starts afresh', () => {
    const { rerender } = render(
      <CrashBoundary resetKey="/a">
        <Broken />
      </CrashBoundary>,
    );
    rerender(
      <CrashBoundary resetKey="/b">
        <h1>Well again</h1>
      </CrashBoundary>,
    );
    screen.getByRole('heading', { name: 'Well again' });
  });
});

describe('a screen whose part is not on this device', () => {
  const Missing = ({ isReplaced = false }): never => {
    throw new PartMissing({ isReplaced });
  };

  test('says what is safe, and opens by itself once the server is reached', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
    render(
      <CrashBoundary>
        <Missing />
      </CrashBoundary>,
    );
    screen.getByRole('heading', { level: 1, name: 'Not on this device yet' });
    expect(reload).not.toHaveBeenCalled();
    new BroadcastChannel(DEVICE_CHANNEL).postMessage({ type: 'REACHABLE' });
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  });

  test('says that a new version is being rolled out where the server answers, never that it is offline', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
    vi.stubGlobal('fetch', async () => own(new Response('{}')));
    render(
      <CrashBoundary>
        <Missing isReplaced />
      </CrashBoundary>,
    );
    screen.getByRole('heading', { level: 1, name: 'A new version is being rolled out' });
    expect(screen.queryByText(/back online|Not on this device/)).toBeNull();
    screen.getByRole('button', { name: 'Refresh Page' }).click();
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  });
});

describe('a page that came drawn', () => {
  test('ops hear of a part that the app draws otherwise, and React draws it anew', async () => {
    logged.entries.length = 0;
    const drawn = document.body.appendChild(document.createElement('div'));
    drawn.innerHTML = '<p>As the build drew it</p>';
    const root = await act(async () =>
      hydrateRoot(drawn, <p>As the app draws it</p>, { onRecoverableError: reportMismatch }),
    );
    expect(drawn.textContent).toBe('As the app draws it');
    const [error, source, data] = (await vi.waitFor(() => logged.entries[0] ?? Promise.reject(new Error('none')))) as [
      Error,
      string,
      { componentStack: string },
    ];
    expect([error.message, source]).toEqual([expect.stringMatching(/hydrat/i), 'hydration']);
    expect(data.componentStack).toContain('p');
    await act(() => root.unmount());
  });
});

describe('a start that fails', () => {
  const boot = bootScript(resolve(import.meta.dirname, '../../app/public/boot.js'));
  const place = () => document.getElementById('root')?.textContent;
  beforeEach(() => {
    document.body.innerHTML = '<div id="root"></div>';
    document.documentElement.removeAttribute('data-started');
    new Function(boot)();
  });

  test("an error before the start is over: 'Loading error. Please refresh the page.'", () => {
    window.dispatchEvent(new Event('error'));
    expect(place()).toBe('Loading error. Please refresh the page.');
  });
  test('a script that does not load says the same; a picture does not', () => {
    const picture = document.body.appendChild(document.createElement('img'));
    picture.dispatchEvent(new Event('error'));
    expect(place()).toBe('');
    const script = document.body.appendChild(document.createElement('script'));
    script.dispatchEvent(new Event('error'));
    expect(place()).toBe('Loading error. Please refresh the page.');
  });
  test('where the browser kept a hotel’s page in the place of a file, all are fetched past its cache, once, and it starts anew', async () => {
    const reload = vi.fn();
    vi.stubGlobal('location', { ...location, href: location.href, origin: location.origin, reload });
    const asked = vi.fn(async () => new Response('', { headers: { [BUILD_HEADER]: 'one' } }));
    vi.stubGlobal('fetch', asked);
    document.body.innerHTML += '<link rel="modulepreload" href="/assets/part-1.js">';
    const script = Object.assign(document.createElement('script'), { type: 'x', src: '/assets/app-1.js' });
    document.body.append(script);
    const fail = () => script.dispatchEvent(new Event('error'));
    fail();
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
    const past = { cache: 'reload' };
    const [part, app] = ['part', 'app'].map((name) => `${location.origin}/assets/${name}-1.js`);
    expect(asked.mock.calls.slice(0, 2)).toEqual([
      [part, past],
      [app, past],
    ]);
    fail();
    await Promise.resolve();
    expect(reload).toHaveBeenCalledOnce();
    (globalThis as unknown as { musterBoot: { take(): unknown } }).musterBoot.take();
    expect(Object.keys(sessionStorage)).toEqual([]);
  });
  test('an error after the start leaves the screen alone', () => {
    document.documentElement.dataset['started'] = '';
    window.dispatchEvent(new Event('error'));
    expect(place()).toBe('');
  });
});
