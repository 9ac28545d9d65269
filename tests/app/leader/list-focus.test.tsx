import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ExploreScreen } from '../../../app/features/communities/explore-screen.tsx';
import { ApiKeys } from '../../../app/features/leader/api-keys.tsx';
import { Members } from '../../../app/features/leader/members.tsx';
import { userQuery } from '../../../app/lib/query.ts';
import type { ApiKey } from '../../../server/contract/rooms.ts';
import { dashboardOf } from '../member/support.ts';
import { aUser, draw, fakeServer, json } from '../support.tsx';

const NONE = vi.hoisted(() => []);
vi.mock('../../../app/lib/device.ts', () => ({
  useOutbox: () => NONE,
  onDelivered: () => () => undefined,
  onDeliveries: () => () => undefined,
  onDeviceEvent: () => () => undefined,
}));
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const { community } = dashboardOf([]);
const nextFocus = (it: () => Element | null) => vi.waitFor(() => expect(document.activeElement).toBe(it()));
const press = (button: HTMLElement) =>
  act(async () => {
    button.focus();
    fireEvent.click(button);
  });

test('who ends an API key goes on at the next one, and after the last at the way to make another', async () => {
  const keyOf = (name: string) =>
    ({ id: name, name, prefix: name, scopes: [], madeBy: 'Ilse', createdAt: '2026-11-01T00:00:00.000Z' }) as never;
  let keys: ApiKey[] = [keyOf('first'), keyOf('second')];
  fakeServer().answer(({ url, method }) => {
    if (method !== 'DELETE') return json(keys);
    keys = keys.filter(({ id }) => !url.endsWith(`/${id}`));
    return json({ done: true });
  });
  await draw(<ApiKeys communityId="c1" />);
  const end = (name: string) => screen.getByRole('button', { name: `End the key ${name}` });
  const ended = async (name: string) => {
    await press(end(name));
    await press(within(screen.getByRole('dialog')).getByRole('button', { name: 'End it' }));
  };
  await screen.findByRole('heading', { name: /first/ });
  await ended('first');
  await nextFocus(() => end('second'));
  await ended('second');
  await nextFocus(() => screen.getByRole('button', { name: 'Make a key' }));
});

test('when a member is gone from the list, the focus goes on at who stands there now', async () => {
  const memberOf = (id: string) => ({ id, displayName: id, role: 'member', joinedAt: '2026-11-01T00:00:00.000Z' });
  let items = ['Abel', 'Mo', 'Noor'].map(memberOf);
  fakeServer().answer(() => json({ items, next: null, total: items.length }));
  const { client } = await draw(<Members community={{ ...community, role: 'leader' }} />);
  const row = (name: RegExp) => screen.getByRole('button', { name });
  await screen.findByText('Mo');
  row(/Mo/).focus();
  items = ['Abel', 'Noor'].map(memberOf);
  await act(() => client.invalidateQueries());
  await nextFocus(() => row(/Noor/));
  items = [memberOf('Abel')];
  await act(() => client.invalidateQueries());
  await nextFocus(() => row(/Abel/));
});

test('who joins on Explore goes on at the same community, whose Join is gone', async () => {
  let role: 'member' | null = null;
  fakeServer().answer(({ url }) =>
    json(url === '/api/communities' ? ['Fern', 'Moss'].map((name) => ({ ...community, id: name, name, role })) : aUser),
  );
  const { client } = await draw(<ExploreScreen />);
  client.setQueryData(userQuery.queryKey, aUser);
  const [, join] = await screen.findAllByRole('button', { name: 'Join' });
  join?.focus();
  role = 'member';
  await act(() => client.invalidateQueries());
  await nextFocus(() => screen.getByRole('link', { name: 'Moss' }));
});
