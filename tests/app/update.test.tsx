import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

/** A service worker container as far as the page uses it. */
function fakeContainer(controlled: boolean) {
  const said: unknown[] = [];
  const waiting = Object.assign(new EventTarget(), {
    postMessage: (message: unknown, [port]: MessagePort[]) => {
      said.push(message);
      port?.postMessage({ ok: true });
    },
  });
  const registration = Object.assign(new EventTarget(), { waiting, active: waiting, installing: null });
  const container = Object.assign(new EventTarget(), {
    controller: controlled ? {} : null,
    register: vi.fn(async () => registration),
    getRegistration: vi.fn(async () => registration),
  });
  vi.stubGlobal(
    'navigator',
    Object.create(navigator, { serviceWorker: { value: container }, onLine: { value: true } }),
  );
  return { container, said };
}
async function freshPage(controlled: boolean) {
  vi.resetModules();
  const fake = fakeContainer(controlled);
  const worker = await import('../../app/lib/service-worker.ts');
  const { UpdateCard } = await import('../../app/features/update/update-card.tsx');
  render(<UpdateCard />);
  return { ...fake, worker };
}
const title = () => screen.queryByRole('heading', { name: 'App Update Ready' });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('the service worker is registered one second after the page has loaded', async () => {
  const { container, worker } = await freshPage(true);
  worker.registerServiceWorker();
  await pass(900);
  expect(container.register).not.toHaveBeenCalled();
  await pass(200);
  expect(container.register).toHaveBeenCalledTimes(1);
});

describe('a new build waits', () => {
  test("'App Update Ready' appears, and is gone after five seconds", async () => {
    const { worker } = await freshPage(true);
    worker.registerServiceWorker();
    await pass(1_100);
    expect(title()).not.toBeNull();
    await pass(4_800);
    expect(title()).not.toBeNull();
    await pass(300);
    expect(title()).toBeNull();
  });

  test('it can be put away', async () => {
    const { worker } = await freshPage(true);
    worker.registerServiceWorker();
    await pass(1_100);
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(title()).toBeNull();
  });

  test("'Update Now' lets it take over, and the notice stays while it does", async () => {
    const { worker, said } = await freshPage(true);
    worker.registerServiceWorker();
    await pass(1_100);
    fireEvent.click(screen.getByRole('button', { name: 'Update Now' }));
    await pass(6_000);
    expect(said).toEqual([{ type: 'SKIP_WAITING' }]);
    expect(title()).not.toBeNull();
  });

  test('a first install is no update', async () => {
    const { worker } = await freshPage(false);
    worker.registerServiceWorker();
    await pass(1_100);
    expect(title()).toBeNull();
  });
});

test('automatic reloads are at least five seconds apart, and none while the server is away', async () => {
  const { worker } = await freshPage(true);
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  let serverIsThere = false;
  vi.stubGlobal('fetch', async () => {
    if (!serverIsThere) throw new TypeError('Failed to fetch');
    return new Response('{}');
  });
  expect(await worker.clearAndReload()).toBe(false);
  serverIsThere = true;
  expect(await worker.clearAndReload()).toBe(true);
  await pass(4_900);
  expect(await worker.clearAndReload()).toBe(false);
  await pass(200);
  expect(await worker.clearAndReload()).toBe(true);
  expect(reload).toHaveBeenCalledTimes(2);
});
