import { expect, it } from 'vitest';
import { addressOf, demoStartOf, FIRST, isShown, locationOf } from '../../../app/features/demo/address.ts';
import { GATED_PAGES, PUBLIC_PAGES } from '../../../server/contract/pages.ts';

it('names a screen and a role in an address that may be sent to somebody', () => {
  const place = { screen: '/community/ridge-valley-walkers/admin?room=tasks', role: 'leader' } as const;
  const address = addressOf(place);
  expect(address).toBe('/demo?screen=/community/ridge-valley-walkers/admin%3Froom%3Dtasks&role=leader');
  expect(demoStartOf(address.slice('/demo'.length))).toEqual(place);
  expect(addressOf({ screen: '/how-to-use#points', role: 'member' })).toBe(
    '/demo?screen=/how-to-use&role=member#points',
  );
  expect(demoStartOf('?screen=/how-to-use&role=member', '#points').screen).toBe('/how-to-use#points');
});

it('begins at Today where an address names nothing, or a place that is not the demo’s', () => {
  expect(demoStartOf('')).toEqual({ screen: FIRST.member, role: 'member' });
  expect(demoStartOf('?role=leader')).toEqual({ screen: FIRST.leader, role: 'leader' });
  for (const screen of ['//example.org/', 'https://example.org/', 'x'])
    expect(demoStartOf(`?screen=${encodeURIComponent(screen)}`).screen).toBe(FIRST.member);
});

it('shows its own page for what it has nothing of, under the address that was asked for', () => {
  expect(locationOf('/logout')).toBe('/demo?page=%2Flogout');
  expect(addressOf({ screen: '/demo?page=%2Flogout', role: 'member' })).toBe('/demo?screen=/logout&role=member');
  expect(locationOf('/profile?tab=x')).toBe('/profile?tab=x');
});

it('has each page of the product, or says that it has not', () => {
  const pages = [...PUBLIC_PAGES, ...GATED_PAGES].map((page) =>
    page.replace('{product}', 'muster').replaceAll(/\{\w+\}/g, 'some-name'),
  );
  expect(pages.filter((page) => !isShown(page)).sort()).toEqual([
    '/admin',
    '/admin/account-management',
    '/admin/analytics',
    '/channel-removed',
    '/community-leader-signup',
    '/community-leader-wizard',
    '/demo',
    '/logout',
    '/new-user-exploration',
    '/partnerships',
    '/twitter-demo',
    '/twitter-return',
  ]);
});
