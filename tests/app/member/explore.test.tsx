import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { CommunityScreen } from '../../../app/features/communities/community-screen.tsx';
import { ExploreScreen } from '../../../app/features/communities/explore-screen.tsx';
import { read } from '../../../app/lib/query.ts';
import { DIRECTORY_PAGE } from '../../../server/contract/limits.ts';
import { draw, fakeServer, fill, json, refusal } from '../support.tsx';
import { dashboardOf } from './support.ts';

vi.mock('../../../app/lib/device.ts', () => import('../quiet-device.ts'));
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const community = (name: string, members = 100) => ({
  ...dashboardOf([]).community,
  id: name,
  slug: name.toLowerCase(),
  name,
  members,
  tags: ['walking'],
  languages: ['en'],
  role: null,
});

/** The directory with so many communities, and one more that only the server knows. */
async function opened(count: number) {
  const server = fakeServer();
  const listed = Array.from({ length: count }, (_, at) => community(`Large${at}`));
  server.answer(({ url }) => {
    if (url === '/api/auth/user') return refusal(401, 'NOT_SIGNED_IN');
    return json(url === '/api/communities' ? listed : [community('Fernmap', 3)]);
  });
  await draw(<ExploreScreen />);
  await screen.findByText('Large0');
  return () => server.asked.map(({ url }) => url).filter((url) => url.startsWith('/api/communities'));
}
const write = (text: string) => fill(screen.getByRole('searchbox', { name: 'Search' }), text);

test('a community beyond the largest ones is found by the server, asked once for what was typed', async () => {
  const asked = await opened(DIRECTORY_PAGE);
  screen.getByText(
    `The ${DIRECTORY_PAGE} largest are listed. When you are online, search and filters find the others too.`,
  );
  await write('fer');
  await write('fernmap');
  await screen.findByRole('heading', { name: /Fernmap/ });
  expect(asked()).toEqual(['/api/communities', '/api/communities?search=fernmap']);
  await write('');
  await screen.findByText('Large0');
  expect(screen.queryByText('Fernmap')).toBeNull();
});

test('a directory that came whole is searched on the device alone', async () => {
  const asked = await opened(DIRECTORY_PAGE - 1);
  await write('fernmap');
  await screen.findByText('No match');
  await new Promise((later) => setTimeout(later, 500));
  expect(asked()).toEqual(['/api/communities']);
  expect(screen.queryByText(/largest are listed/)).toBeNull();
});

test.each([
  ['Fernmap', 'Fernmap'],
  ['fernmap', 'Fernmap'],
  ['another', 'Community'],
])('at the address %s the heading is %s before the page has come, where a list has the name', async (address, name) => {
  fakeServer().answer(() => new Promise(() => {}));
  const { client } = await draw(<CommunityScreen community={address} />);
  await act(() => client.setQueryData(read('GET /api/communities').queryKey, [community('Fernmap')]));
  await screen.findByRole('heading', { level: 1, name });
});
