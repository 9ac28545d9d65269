/** A page that comes to the router, or to the table of pages, is looked at by a browser as well. */
import { expect, test, vi } from 'vitest';
import { roomsInQuery } from '../../app/lib/rooms.ts';
import { isGated, router } from '../../app/router.tsx';
import { GATED_PAGES } from '../../server/contract/pages.ts';
import { ELSEWHERE, PAGES } from '../support/pages.ts';

vi.mock('../../app/lib/device.ts', () => import('./quiet-device.ts'));

/** The path of the table that answers an address, without the mark of a first room. */
function patternOf(address: string): string {
  const url = new URL(address.replace(/[{}]/g, ''), 'https://muster.test');
  const { pathname } = roomsInQuery.input({ url }) ?? url;
  return (
    router
      .matchRoutes(pathname, {})
      .at(-1)
      ?.fullPath.replace(/(?<=.)\/$/, '') ?? ''
  );
}
const looked = new Set<string>([...Object.keys(PAGES).map(patternOf), ...Object.keys(ELSEWHERE)]);

test('each page has a line among those that a browser looks at', () => {
  const pages = Object.values(router.routeTree.children ?? {}).map(({ fullPath }): string => fullPath);
  expect(
    pages.filter((page) => !looked.has(page)),
    'pages without a line in tests/support/pages.ts',
  ).toEqual([]);
  expect(pages.length).toBeGreaterThan(40);
});

test('each page behind the gate has a route of its own, and no other page is the gate’s', () => {
  expect(GATED_PAGES.map(patternOf)).toEqual(GATED_PAGES);
  expect(GATED_PAGES.filter((page) => !isGated(page))).toEqual([]);
  expect(['/no/such/page', '/nobody'].map(isGated)).toEqual([true, true]);
  expect(['/terms', '/community/rv/admin', '/rv/dashboard', '/admin', '/settings/ledger'].map(isGated)).not.toContain(
    true,
  );
});
