/** A link fetches its screen as soon as somebody is about to follow it, unless their device saves data. */
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { m } from '../../app/paraglide/messages.js';
import { drawAt, fakeServer, json } from './support.tsx';

vi.mock('../../app/lib/device.ts', () => ({
  device: {},
  useOutbox: () => [],
  onDelivered: () => () => undefined,
  onDeliveries: () => () => undefined,
  onDeviceEvent: () => () => undefined,
}));
vi.mock('../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each([
  [{}, 1],
  [{ saveData: false }, 1],
  [{ saveData: true }, 0],
])('on a connection that is %o a touched link fetches %i screens ahead', async (connection, fetched) => {
  vi.resetModules();
  vi.stubGlobal('navigator', Object.create(navigator, { connection: { value: connection } }));
  fakeServer().answer(() => json({}, 401));
  const { router } = await drawAt('/terms');
  const preload = vi.spyOn(router, 'preloadRoute').mockResolvedValue(undefined);
  fireEvent.touchStart(screen.getAllByRole('link', { name: m.shell_privacy() })[0] as HTMLElement);
  expect(preload).toHaveBeenCalledTimes(fetched);
});
