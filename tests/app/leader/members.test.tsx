import { cleanup, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Members } from '../../../app/features/leader/members/members.tsx';
import { SEARCH_FOUND } from '../../../server/contract/limits.ts';
import { dashboardOf } from '../member/support.ts';
import { click, draw, fakeServer, json, write } from '../support.tsx';

vi.mock('../../../app/lib/device.ts', () => ({ useOutbox: () => NONE, enqueue: async () => 'entry-1' }));
const NONE = vi.hoisted(() => []);

const community = { ...dashboardOf([]).community, role: 'leader' as const };
const textIn = (label: string) => (screen.getByLabelText(label) as HTMLInputElement).value;

test('where nobody is found it is said what was looked for: a role, a name, or both', async () => {
  fakeServer().answer(() => json({ items: [], next: null, total: 0 }));
  await draw(<Members community={community} />, '/?role=moderator');
  await screen.findByText('Nobody has that role here.');
  await write('Name or handle', 'Noor');
  await screen.findByText('No member with that name and role.');
  await write('Role', 'any');
  await screen.findByText('No member with that name.');
  await click(screen.getByRole('button', { name: 'Clear the filters' }));
  await screen.findByText('Nobody here yet');
});

test('where more are found than are put in order it is said to go on typing', async () => {
  const member = {
    id: 'u1',
    displayName: 'Noor',
    telegramUsername: null,
    twitterUsername: null,
    role: 'member',
    joinedAt: '2026-11-01T10:00:00.000Z',
    lastActiveAt: null,
    points: 5,
  };
  fakeServer().answer(({ url }) =>
    json({ items: [member], next: null, total: url.includes('search=') ? SEARCH_FOUND + 1 : 40_000 }),
  );
  await draw(<Members community={community} />, '/');
  await screen.findByText('40,000 members');
  await write('Name or handle', 'no');
  await screen.findByText('More than 200: go on typing');
});

test('a reload finds the same members: what is looked for stands in the address', async () => {
  fakeServer().answer(() => json({ items: [], next: null, total: 0 }));
  const { router } = await draw(<Members community={community} />, '/?room=members');
  await write('Name or handle', 'Noor ');
  await write('Role', 'moderator');
  expect(router.state.location.search).toEqual({ room: 'members', search: 'Noor', role: 'moderator' });
  cleanup();
  await draw(<Members community={community} />, router.state.location.href);
  expect([textIn('Name or handle'), textIn('Role')]).toEqual(['Noor', 'moderator']);
  await click(await screen.findByRole('button', { name: 'Clear the filters' }));
  expect(textIn('Name or handle')).toBe('');
});
