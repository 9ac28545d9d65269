import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { own } from './support.tsx';

/** A service worker container as far as the page uses it. */
function fakeContainer(controlled: boolean) {
  const said: unknown[] = [];
  const waiting = Object.assign(new EventTarget(), {
    postMessage: (message: unknown, [port]: MessagePort[]) => {
      said.push(message);
      port?.postMessage({ ok: true });
    },
  });
  const registration = Object.assign(new EventTarget(), {
    waiting: waiting as typeof waiting | null,
    active: waiting,
    installing: null,
  });
  const container = Object.assign(new EventTarget(), {
    controller: controlled ? {} : null,
    register: vi.fn(async () => registration),
    getRegistration: vi.fn(async () => registration),
  });
  vi.stubGlobal(
    'navigator',
    Object.create(navigator, { serviceWorker: { value: container }, onLine: { value: true } }),
  );
  return { container, registration, said };
}
async function freshPage(controlled: boolean) {
  vi.resetModules();
  const fake = fakeContainer(controlled);
  const worker = {
    ...(await import('../../app/lib/service-worker.ts')),
    ...(await import('../../app/lib/register-worker.ts')),
  };
  const { UpdateCard } = await import('../../app/features/update/update-card.tsx');
  render(<UpdateCard />);
  return { ...fake, worker };
}
// Of the second level: on a screen with a title alone a third would leave one out.
const title = () => screen.queryByRole('heading', { name: 'App Update Ready', level: 2 });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

// Read once before the clock stands still: a machine that is busy may take its time over it.
beforeAll(async () => {
  await Promise.all([import('../../app/lib/service-worker.ts'), import('../../app/features/update/update-card.tsx')]);
}, 60_000);
beforeEach(() => {
  vi.useFakeTimers();
});

test('a page that was on its way when the worker took over asks it to be taken over as well', async () => {
  const missed = await freshPage(false);
  missed.worker.registerServiceWorker();
  await pass(1_100);
  expect(missed.said).toEqual([{ type: 'CLAIM' }]);
  cleanup();
  const controlled = await freshPage(true);
  controlled.worker.registerServiceWorker();
  await pass(1_100);
  expect(controlled.said).toEqual([]);
});

test('what a page read before its first worker is read again, also where that was quicker than the page', async () => {
  const again = vi.fn();
  const alone = await freshPage(false);
  alone.worker.onFirstControl(again);
  expect(again).not.toHaveBeenCalled();
  alone.container.dispatchEvent(new Event('controllerchange'));
  expect(again).toHaveBeenCalledTimes(1);
  cleanup();
  const overtaken = await freshPage(false);
  overtaken.container.controller = {};
  overtaken.container.dispatchEvent(new Event('controllerchange'));
  overtaken.worker.onFirstControl(again);
  expect(again).toHaveBeenCalledTimes(2);
  cleanup();
  const brought = await freshPage(true);
  brought.worker.onFirstControl(again);
  expect(again).toHaveBeenCalledTimes(2);
});

test('the service worker is registered one second after the page has loaded', async () => {
  const { container, worker } = await freshPage(true);
  worker.registerServiceWorker();
  await pass(900);
  expect(container.register).not.toHaveBeenCalled();
  await pass(200);
  expect(container.register).toHaveBeenCalledTimes(1);
});

test('a first installation that the network broke off is begun again, three times in all', async () => {
  const { container, registration, worker } = await freshPage(false);
  const installing = Object.assign(new EventTarget(), { state: 'installing' });
  Object.assign(registration, { waiting: null, active: null, installing });
  container.register.mockRejectedValueOnce(new TypeError('network'));
  worker.registerServiceWorker();
  await pass(1_100);
  expect(container.register).toHaveBeenCalledTimes(1);
  await pass(5_000);
  expect(container.register).toHaveBeenCalledTimes(2);
  installing.state = 'redundant';
  installing.dispatchEvent(new Event('statechange'));
  await pass(30_000);
  expect(container.register).toHaveBeenCalledTimes(3);
  container.register.mockRejectedValueOnce(new TypeError('network'));
  await pass(120_000);
  expect(container.register).toHaveBeenCalledTimes(3);
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

  test('the page reloads once, however often the worker changes', async () => {
    const { worker, container } = await freshPage(true);
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
    worker.registerServiceWorker();
    await pass(1_100);
    fireEvent.click(screen.getByRole('button', { name: 'Update Now' }));
    await pass(10);
    expect(reload).not.toHaveBeenCalled();
    for (let n = 0; n < 3; n += 1) container.dispatchEvent(new Event('controllerchange'));
    expect(reload).toHaveBeenCalledTimes(1);
  });

  test('a new build that never takes over, though it was told to, is not waited for: the page reloads', async () => {
    const { worker } = await freshPage(true);
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
    worker.registerServiceWorker();
    await pass(1_100);
    fireEvent.click(screen.getByRole('button', { name: 'Update Now' }));
    await pass(9_000);
    expect(reload).not.toHaveBeenCalled();
    await pass(2_000);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['the browser never says where it is', () => vi.fn(() => new Promise(() => undefined))],
    ['it never answers', null],
  ])('a service worker that is asked is not waited for: %s', async (_how, never) => {
    const { worker, container, registration } = await freshPage(true);
    worker.registerServiceWorker();
    await pass(1_100);
    if (never) container.getRegistration = never() as never;
    else registration.active.postMessage = () => undefined;
    fireEvent.click(screen.getByRole('button', { name: 'Update Now' }));
    const asked = worker.callServiceWorker({ type: 'DRAIN' }).catch((error: Error) => error.message);
    await pass(5_500);
    expect(await asked).toBe('The service worker did not answer');
    const again = screen.getByRole('button', { name: 'Update Now' });
    expect(again.getAttribute('aria-busy')).not.toBe('true');
  });

  test('taken by another tab: this one is told, and reloads when it is asked to', async () => {
    const { worker, container, registration, said } = await freshPage(true);
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
    registration.waiting = null;
    worker.registerServiceWorker();
    await pass(1_100);
    expect(title()).toBeNull();
    act(() => void container.dispatchEvent(new Event('controllerchange')));
    expect(title()).not.toBeNull();
    expect(reload).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('button', { name: 'Update Now' }));
    await pass(10);
    expect([reload.mock.calls.length, said]).toEqual([1, []]);
  });

  test('while something is being written it waits, and says so', async () => {
    const { worker, said } = await freshPage(true);
    const field = document.body.appendChild(document.createElement('textarea'));
    worker.registerServiceWorker();
    await pass(1_100);
    fireEvent.input(field, { target: { value: 'half a thought' } });
    fireEvent.click(screen.getByRole('button', { name: 'Update Now' }));
    await pass(10);
    expect(said).toEqual([]);
    expect(screen.getByText(/The update waits/)).toBeTruthy();
    fireEvent.input(field, { target: { value: '' } });
    fireEvent.click(screen.getByRole('button', { name: 'Update Now' }));
    await pass(10);
    await vi.waitFor(() => expect(said).toEqual([{ type: 'SKIP_WAITING' }]));
    field.remove();
  });

  test('a first install is no update', async () => {
    const { worker } = await freshPage(false);
    worker.registerServiceWorker();
    await pass(1_100);
    expect(title()).toBeNull();
  });
});

describe('a part of the page that is gone', () => {
  const gone = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module: /assets/x.js'));
  async function page() {
    const { worker } = await freshPage(true);
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
    const heard = vi.fn();
    const server = vi.fn(async () => own(new Response('{}')));
    vi.stubGlobal('fetch', server);
    const load = async (isLeaving = false, within = 1_100) => {
      void worker.orReload(gone(), () => isLeaving).then(heard, heard);
      await pass(within);
      return heard.mock.lastCall?.[0]?.isReplaced;
    };
    return { load, reload, server, heard, worker };
  }
  test('the page reloads into the new build, and waits for that', async () => {
    const { load, reload } = await page();
    expect([await load(), reload.mock.calls.length]).toEqual([undefined, 1]);
  });
  test('nothing is amiss yet where the import ended because the page is being left', async () => {
    const { load, reload, server, heard } = await page();
    await load(false, 900);
    expect([heard.mock.calls.length, server.mock.calls.length, reload.mock.calls.length]).toEqual([0, 0, 0]);
  });
  test('once per build: the second time the page says that a new version is being rolled out', async () => {
    await (await page()).load();
    await pass(6_000);
    cleanup();
    const { load, reload } = await page();
    reload.mockClear();
    expect([await load(), reload.mock.calls.length]).toEqual([true, 0]);
  });
  test('never while the server is away', async () => {
    const { load, reload, server } = await page();
    server.mockRejectedValue(new TypeError('Failed to fetch'));
    expect([await load(), reload.mock.calls.length]).toEqual([false, 0]);
  });
  test('never over something written: who was on their way from it is taken back', async () => {
    const { load, reload } = await page();
    const back = vi.spyOn(history, 'back').mockImplementation(() => undefined);
    const field = document.body.appendChild(document.createElement('textarea'));
    fireEvent.input(field, { target: { value: 'half a thought' } });
    expect([await load(), back.mock.calls.length]).toEqual([true, 0]);
    await act(async () => void (await load(true)));
    expect([reload.mock.calls.length, back.mock.calls.length]).toEqual([0, 1]);
    expect(title()).not.toBeNull();
    field.remove();
  });
  test('asked to reload, the page does so, but never over something written', async () => {
    const { reload, worker } = await page();
    const field = document.body.appendChild(document.createElement('textarea'));
    fireEvent.input(field, { target: { value: 'half a thought' } });
    await act(() => worker.reloadForPart());
    expect([reload.mock.calls.length, title() === null]).toEqual([0, false]);
    field.remove();
    await worker.reloadForPart();
    expect(reload).toHaveBeenCalledTimes(1);
  });
  test('never in the middle of a drain: the reload comes after it', async () => {
    const { load, reload } = await page();
    let end: () => void = () => undefined;
    const drain = new Promise<void>((done) => {
      end = done;
    });
    const request = vi.fn(async (_name: string, _options: object, then: () => void) => {
      await drain;
      then();
    });
    Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
    await load();
    expect([reload.mock.calls.length, request.mock.calls[0]?.[0]]).toEqual([0, 'muster-drain']);
    end();
    await pass(10);
    expect(reload).toHaveBeenCalledTimes(1);
  });
});

test('automatic reloads are at least five seconds apart, and none while the server is away', async () => {
  const { worker } = await freshPage(true);
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  let serverIsThere = false;
  vi.stubGlobal('fetch', async () => {
    if (!serverIsThere) throw new TypeError('Failed to fetch');
    return own(new Response('{}'));
  });
  expect(await worker.clearAndReload()).toBe(false);
  serverIsThere = true;
  expect(await worker.clearAndReload()).toBe(true);
  // The page that came of it, at once in the same trouble.
  cleanup();
  const next = await freshPage(true);
  await pass(4_900);
  expect(await next.worker.clearAndReload()).toBe(false);
  await pass(200);
  expect(await next.worker.clearAndReload()).toBe(true);
  expect(reload).toHaveBeenCalledTimes(2);
});
