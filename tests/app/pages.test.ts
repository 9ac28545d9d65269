/** A page that comes to the router, or to the table of pages, is looked at by a browser as well. */
import { expect, test, vi } from 'vitest';
import { router } from '../../app/router.tsx';
import { GATED_PAGES } from '../../server/contract/pages.ts';
import { ELSEWHERE, PAGES } from '../support/pages.ts';

vi.mock('../../app/lib/device.ts', () => ({
  device: {},
  onDelivered: () => undefined,
  onDeviceEvent: () => undefined,
}));

const patternOf = (path: string): string => router.matchRoutes(path, {}).at(-1)?.fullPath ?? '';
const lines = Object.keys(PAGES).map((address) => address.replace(/\?.*/, '').replace(/[{}]/g, ''));

test('each page has a line among those that a browser looks at', () => {
  const looked = new Set([...lines.map(patternOf), ...Object.keys(ELSEWHERE)]);
  const pages = Object.values(router.routesByPath).map(({ fullPath }) => fullPath);
  const without = pages.filter((page) => !looked.has(page));
  const own = GATED_PAGES.filter((page) => !lines.includes(page));
  expect([...without, ...own], 'pages without a line in tests/support/pages.ts').toEqual([]);
  expect(pages.length).toBeGreaterThan(40);
});
