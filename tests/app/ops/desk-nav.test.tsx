import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeskSide, DeskTabs } from '../../../app/features/ops/desk/desk-nav.tsx';
import { deskPlaceOf, placesFor } from '../../../app/features/ops/desk/desk-places.ts';
import { router } from '../../../app/router.tsx';
import { aUser, draw, fakeServer } from '../support.tsx';

beforeEach(() => void fakeServer());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('an operator has fewer places than an administrator, and nobody one that this build has no page for', () => {
  const names = (role: string, pages: object) => placesFor(role, pages).map(({ name }) => name);
  expect(names('ops', router.routesByPath)).toEqual(['home', 'analytics', 'logs']);
  expect(names('admin', router.routesByPath)).toEqual(expect.arrayContaining(['home', 'people', 'analytics', 'logs']));
  const pages = placesFor('admin', router.routesByPath).map(({ to }) => to.split('?')[0] ?? '');
  for (const page of pages) expect(page in router.routesByPath, page).toBe(true);
  expect(names('admin', { '/admin': 1, '/admin/audit': 1 })).toEqual(['home', 'audit']);
});

test('each address lights its place', () => {
  const paths = ['/admin', '/admin/analytics', '/admin/client-logs', '/admin/audit', '/admins'];
  expect(paths.map((path) => deskPlaceOf(path))).toEqual(['home', 'analytics', 'logs', 'audit', null]);
  const accounts = '/admin/account-management';
  const rooms = [{}, { view: 'communities' }, { community: 'c1' }, { view: 'partnerships' }, { view: 'applications' }];
  expect(rooms.map((search) => deskPlaceOf(accounts, search))).toEqual([
    'people',
    'communities',
    'communities',
    'partnerships',
    'people',
  ]);
});

test('of the places only the one that is open is lit, though others stand above it', async () => {
  const root = createRootRoute({ component: () => <DeskSide user={{ ...aUser, role: 'ops' }} chip={null} /> });
  const pages = ['/admin', '/admin/analytics'].map((path) => createRoute({ getParentRoute: () => root, path }));
  const small = createRouter({
    routeTree: root.addChildren(pages),
    history: createMemoryHistory({ initialEntries: ['/admin/analytics'] }),
  });
  await small.load();
  render(<RouterProvider router={small as never} />);
  const lit = screen.getAllByRole('link').filter((link) => link.hasAttribute('aria-current'));
  expect(lit.map(({ textContent }) => textContent)).toEqual(['Analytics']);
});

test('on a phone the rest is behind More, which leads back to the app too', async () => {
  await draw(<DeskTabs user={{ ...aUser, role: 'admin' }} />, '/admin');
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'More' })));
  within(screen.getByRole('dialog', { hidden: true })).getByText('Back to Muster');
});
