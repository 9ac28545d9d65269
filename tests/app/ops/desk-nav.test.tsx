import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeskTabs } from '../../../app/features/ops/desk/desk-nav.tsx';
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
  for (const { to } of placesFor('admin', router.routesByPath)) expect(to in router.routesByPath, to).toBe(true);
  expect(names('admin', { '/admin': 1, '/admin/audit': 1 })).toEqual(['home', 'audit']);
});

test('each address lights its place', () => {
  expect(['/admin', '/admin/analytics', '/admin/client-logs', '/admin/audit', '/admins'].map(deskPlaceOf)).toEqual([
    'home',
    'analytics',
    'logs',
    'audit',
    null,
  ]);
});

test('on a phone the rest is behind More, which leads back to the app too', async () => {
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.open = true;
  };
  await draw(<DeskTabs user={{ ...aUser, role: 'admin' }} />, '/admin');
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'More' })));
  within(screen.getByRole('dialog', { hidden: true })).getByText('Back to Muster');
});
