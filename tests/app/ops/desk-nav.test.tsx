import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { render, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { DeskSide, DeskTabs } from '../../../app/features/ops/desk/desk-nav.tsx';
import { deskPageOf, deskPagesFor } from '../../../app/features/ops/desk/desk-pages.ts';
import { roomsInQuery } from '../../../app/lib/rooms.ts';
import { router } from '../../../app/router.tsx';
import { aUser, click, draw, fakeServer } from '../support.tsx';

beforeEach(() => void fakeServer());

test('an operator has fewer places than an administrator, and nobody one that this build has no page for', () => {
  const names = (role: string) => deskPagesFor(role).map(({ name }) => name);
  expect(names('ops')).toEqual(['home', 'analytics', 'logs']);
  expect(names('admin')).toEqual(expect.arrayContaining(['home', 'people', 'analytics', 'logs']));
  for (const { link } of deskPagesFor('admin')) expect(link.to in router.routesByPath, link.to).toBe(true);
});

test('each address lights its place', () => {
  const paths = ['/admin', '/admin/analytics', '/admin/client-logs', '/admin/audit', '/admins'];
  expect(paths.map((path) => deskPageOf(path))).toEqual(['home', 'analytics', 'logs', 'audit', null]);
  const at = (query: string) => {
    const url = new URL(`https://muster.test/admin/account-management${query}`);
    return (roomsInQuery.input({ url }) ?? url).pathname;
  };
  const rooms = ['', '?view=communities', '?community=c1', '?view=partnerships', '?view=applications'];
  expect(rooms.map((query) => deskPageOf(at(query)))).toEqual([
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
  await click(screen.getByRole('button', { name: 'More' }));
  within(screen.getByRole('dialog', { hidden: true })).getByText('Back to Muster');
});
